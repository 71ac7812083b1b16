"""Packs of decisions that rest on much beside the runs, verified on what could be another machine."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from cli.projects import beleg, real_beleg, write_cases, write_lines, write_policy

TEXT = "The warranty of the kettle lasts two years from the day of purchase."
RIGHT, WRONG = "The warranty of the kettle lasts two years.", "Elephants paint large murals in winter."
DECIDED = ("runs/new", "--baseline", "runs/old", "--policy", "policy.yaml", "--labels", "human.jsonl")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two runs, a calibrated proxy, labels of people, a registered policy, no incidents yet."""
    write_cases(tmp_path / "cases.jsonl", 80)
    passage = {"passage_id": "d1", "document_id": "d1", "text": TEXT}
    for name, differing in (("new", 0), ("old", 3)):
        answers = [RIGHT + (" It is so." if i < differing else "") for i in range(80)]
        rows = [{"case_id": f"c{i}", "retrieved": [passage], "answer": answers[i]} for i in range(80)]
        write_lines(tmp_path / f"{name}.traces.jsonl", rows)
        kind = f"kind: traces\nmanifest: {{name: {name}}}\ntraces: {{path: {name}.traces.jsonl}}\n"
        (tmp_path / f"{name}.yaml").write_text(kind)
    label: dict[bool, dict[str, Any]] = {
        True: {"answer": RIGHT, "label": "pass"},
        False: {"answer": WRONG, "label": "fail"},
    }
    write_lines(
        tmp_path / "labels.jsonl",
        ({"case_id": f"l{i}", "question": f"How long {i}?", "passages": [TEXT]} | label[i % 2 == 0] for i in range(80)),
    )
    (tmp_path / "incidents.jsonl").write_text("")
    write_policy(
        tmp_path / "policy.yaml",
        checks=[{"metric": "faithfulness_proxy", "pass_at": 0.9, "block_at": 0.7, "margin": 0.05}],
        sequential={"looks": [0.5, 1.0], "spending": "pocock"},
        require_registration=True,
        error_budget={"ledger": "incidents.jsonl", "period_days": 30, "allowed": 5},
    )
    words: tuple[tuple[str, ...], ...] = (
        ("policy", "register", "policy.yaml", "--file", "register.jsonl"),
        *(("run", f"{name}.yaml", "--suite", "cases.jsonl", "--out", f"runs/{name}") for name in ("new", "old")),
        ("judge", "calibrate", "labels.jsonl", "--metric", "faithfulness_proxy"),
        ("keys", "new", "gate"),
    )
    for each in words:
        assert beleg(*each, cwd=tmp_path).code == 0, each
    run_id = json.loads((tmp_path / "runs/new/run.json").read_text())["run_id"]
    scores = {"run_id": run_id, "repeat": 0, "metric": "faithfulness_proxy", "value": 1.0}
    write_lines(tmp_path / "human.jsonl", (scores | {"case_id": f"c{i}"} for i in range(0, 80, 2)))
    signing = ("--registered", "register.jsonl", "--sign", "gate.pem")
    assert beleg("gate", *DECIDED, *signing, cwd=tmp_path).code == 0
    return tmp_path


@pytest.mark.parametrize("redact", [(), ("--redact", "prompts,principals")])
def test_a_pack_decides_the_same_in_another_place_time_zone_and_language(
    project: Path, tmp_path: Path, redact: tuple[str, ...]
) -> None:
    packed = beleg("pack", *DECIDED, *redact, "--key", "gate.pem", "--out", "x.pack.zip", cwd=project)
    assert packed.code == 0
    there = tmp_path / "anderswo ü"
    there.mkdir()
    for name in ("x.pack.zip", "gate.pub.pem"):
        shutil.move(project / name, there / name)
    shutil.rmtree(project / "runs")
    environment = {"PATH": os.environ["PATH"], "TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONHASHSEED": "7"}
    done = real_beleg("verify", "x.pack.zip", "--key", "gate.pub.pem", cwd=there, env=environment)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0] == "The pack holds, and its rows give its decision: PASS."
