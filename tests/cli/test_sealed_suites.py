"""Sealed holdouts, attacked: no output tells of a case, and no combination of figures tells of few."""

from __future__ import annotations

import base64
import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.projects import Done, beleg, write_cases, write_policy

CANARY = "kestrel-marmalade"
CASES = 80
CHECKS = [{"metric": "hit@5", "pass_at": 0.7, "block_at": 0.5}]
COMPARED = [{**CHECKS[0], "margin": 0.3}]

CANDIDATE = f"""
import json, os, time
from pathlib import Path

def ask(query):
    if "{CANARY}" not in query.text:
        raise ValueError("not a case of the holdout: " + query.text)
    number = int(query.text.rsplit(" ", 1)[1])
    MODE
    found = "d1" if number % 10 else "d2"
    return {{"retrieved": [{{"passage_id": found, "document_id": found}}], "answer": query.text}}
"""


def case(number: int) -> dict[str, Any]:
    return {
        "case_id": f"{CANARY}-id-{number}",
        "user_input": f"{CANARY} question {number}",
        "reference_answer": f"{CANARY} answer {number}",
        "language": "de" if number < 40 else "en",
        "segments": {"team": "few" if number < 5 else "many", "half": "a" if number < 41 else "b", CANARY: "yes"},
    }


def candidate(folder: Path, name: str, mode: str = "pass") -> None:
    """A candidate in a module of a name of its own: all of them are imported into one process."""
    module = f"{name}_{secrets.token_hex(8)}"
    (folder / f"{module}.py").write_text(CANDIDATE.replace("MODE", mode))
    (folder / f"{name}.yaml").write_text(
        f"kind: callable\ncallable: {{target: '{module}:ask'}}\nmanifest: {{name: {name}}}\n", encoding="utf-8"
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A sealed holdout with its key, candidates and a policy; the plain suite is gone."""
    plain = tmp_path / "plain"
    write_cases(plain / "cases.jsonl", CASES, case)
    (plain / "holdout.yaml").write_text("name: holdout\nkind: holdout\nusage_budget: 3\ncases: [cases.jsonl]\n")
    assert beleg("suite", "keys", "keys/seal", cwd=tmp_path).code == 0
    sealing = ("suite", "seal", "plain/holdout.yaml", "--to", "keys/seal.pub.pem", "--out", "h.sealed")
    done = beleg(*sealing, cwd=tmp_path)
    assert (done.code, "still stands there in the clear" in done.err) == (0, True)
    for path in plain.iterdir():
        path.unlink()
    plain.rmdir()
    candidate(tmp_path, "new")
    write_policy(tmp_path / "policy.yaml", checks=CHECKS)
    return tmp_path


def words(name: str) -> tuple[str, ...]:
    return ("suite", "decide", "h.sealed", f"{name}.yaml", "--policy", "policy.yaml", "--key", "keys/seal.pem")


def decide(project: Path, *more: str, name: str = "new") -> Done:
    return beleg(*words(name), *more, cwd=project)


def as_program(project: Path, name: str, **environment: str) -> subprocess.Popen[str]:
    """The same in a process of its own, which can be killed."""
    return subprocess.Popen(
        [sys.executable, "-m", "beleg", *words(name)], cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment},
    )  # fmt: skip


def written(project: Path) -> Iterator[tuple[Path, bytes]]:
    """Every file below the project but the candidates' own code."""
    for path in sorted(project.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".py":
            yield path, path.read_bytes()


def require_no_canary(project: Path, out: str, err: str) -> None:
    for name, data in [("stdout", out.encode()), ("stderr", err.encode()), *written(project)]:
        for form in (CANARY.encode(), base64.b64encode(CANARY.encode())[:-4]):
            assert form not in data, name


def test_a_candidate_is_decided_on_and_no_case_is_told(project: Path) -> None:
    done = decide(project, "--out", "told.json")
    assert done.code == 0, done.err
    assert done.out.startswith("PASS: ")
    assert "Use 1 of 3; no figure tells of fewer than 30 cases" in done.out
    require_no_canary(project, done.out, done.err)
    told = json.loads((project / "told.json").read_text())
    (band,) = [check for check in told["checks"] if check["check_id"] == "hit@5/band"]
    assert (band["figure"]["estimate"], band["figure"]["n"]) == (0.9, CASES)
    assert not (project / "runs").exists()
    assert {path.name for path, _ in written(project)} == {
        "h.sealed", "new.yaml", "policy.yaml", "seal.pem", "seal.pub.pem", "told.json", "usage.jsonl",
    }  # fmt: skip


def test_json_german_and_a_baseline_tell_no_case_either(project: Path) -> None:
    candidate(project, "old")
    write_policy(project / "policy.yaml", checks=COMPARED)
    for more in (("--json",), ("--lang", "de"), ("--baseline", "old.yaml", "--json")):
        done = decide(project, *more)
        assert done.code in (0, 10), done.err
        require_no_canary(project, done.out, done.err)
    checks = {check["check_id"]: check for check in done.json["checks"]}
    assert checks["hit@5/no_regression"]["difference"]["estimate"] == 0


@pytest.mark.parametrize(
    "mode",
    [
        "raise RuntimeError(query.text)",
        "return {'answer': 3, 'query': query.text}",
        "raise SystemExit(query.text)",
        "return {'retrieved': [{'passage_id': query.text}] * 2, 'answer': query.text}",
    ],
)
def test_a_candidate_that_fails_makes_no_message_quote_a_case(project: Path, mode: str) -> None:
    candidate(project, "bad", mode)
    done = decide(project, name="bad")
    assert done.code in (10, 20, 30)
    require_no_canary(project, done.out, done.err)
    debug = decide(project, name="bad")
    require_no_canary(project, debug.out, debug.err)


def test_every_use_counts_and_none_beyond_the_budget_is_asked(project: Path) -> None:
    candidate(
        project,
        "noted",
        "Path('asked').write_text('x' + (Path('asked').read_text() if Path('asked').exists() else ''))",
    )
    for use in (1, 2, 3):
        assert f"Use {use} of 3" in decide(project, "--concurrency", "1", name="noted").out
    asked = (project / "asked").stat().st_size
    done = decide(project, name="noted")
    assert (done.code, "3 uses are on record" in done.err) == (30, True)
    assert (project / "asked").stat().st_size == asked == 3 * CASES


def test_a_damaged_ledger_gives_no_use_back(project: Path) -> None:
    (project / "usage.jsonl").write_text("garbage\nmore\nand more\n")
    assert decide(project).code == 30


def test_a_use_is_on_record_before_the_first_question(project: Path) -> None:
    candidate(project, "killer", "os.kill(os.getpid(), 9)")
    with as_program(project, "killer") as process:
        out, err = process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert len((project / "usage.jsonl").read_text().splitlines()) == 1
    require_no_canary(project, out, err)


def test_a_killed_process_leaves_no_case_behind(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    temporary = tmp_path_factory.mktemp("temporary")
    candidate(project, "slow", "Path('asked').touch(); time.sleep(30)")
    with as_program(project, "slow", TMPDIR=str(temporary)) as process:
        while not (project / "asked").exists() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        out, err = process.communicate()
    assert process.returncode == -signal.SIGKILL
    require_no_canary(project, out, err)
    assert CANARY.encode() not in b"".join(data for _, data in written(temporary))


@pytest.mark.parametrize("segment", [{"team": "few"}, {"team": "many"}])
def test_a_segment_that_tells_of_few_cases_by_itself_or_by_difference_is_refused(
    project: Path, segment: dict[str, str]
) -> None:
    """75 of 80 are enough cases; all less those are five."""
    write_policy(
        project / "policy.yaml",
        checks=[{**CHECKS[0], "where": segment}, {"metric": "recall@5", "pass_at": 0.1, "block_at": 0.1}],
    )
    done = decide(project)
    assert "would tell of fewer than 30 cases" in done.err
    assert not (project / "usage.jsonl").exists(), "nobody was asked"
    require_no_canary(project, done.out, done.err)


def test_a_policy_with_a_slip_learns_nothing_of_the_suite(project: Path) -> None:
    """Elsewhere the message names dimensions that look alike."""
    write_policy(project / "policy.yaml", checks=[{**CHECKS[0], "where": {CANARY[:-1] + "s": "yes"}}])
    done = decide(project)
    assert (done.code, "is not told, since it may quote a case" in done.err) == (30, True)
    require_no_canary(project, done.out, done.err)


def test_segments_that_overlap_in_few_cases_are_refused_together(project: Path) -> None:
    one, two = ({**CHECKS[0], "where": where} for where in ({"language": "de"}, {"half": "a"}))
    write_policy(project / "policy.yaml", checks=[one])
    assert decide(project).code in (0, 10)
    write_policy(project / "policy.yaml", checks=[one, two])
    done = decide(project)
    assert (done.code, "would tell of fewer" in done.err) == (30, True)


def test_a_comparison_that_would_tell_of_the_cases_the_baseline_failed_is_withheld(project: Path) -> None:
    candidate(project, "old", "if number == 7: raise RuntimeError('down')")
    write_policy(project / "policy.yaml", checks=COMPARED)
    done = decide(project, "--baseline", "old.yaml", "--json")
    checks = {check["check_id"]: check for check in json.loads(done.out)["checks"]}
    assert checks["hit@5/no_regression"]["withheld"] is True
    assert "difference" not in checks["hit@5/no_regression"]
    assert "figure" in checks["hit@5/band"]


def test_nothing_is_told_where_few_have_a_score(project: Path) -> None:
    candidate(project, "down", "if number > 9: raise RuntimeError('down')")
    done = decide(project, name="down")
    assert (done.code, "too few have a score" in done.err, done.out) == (30, True, "")


def test_another_key_changed_bytes_and_swapped_terms_open_nothing(project: Path) -> None:
    assert beleg("suite", "keys", "keys/other", cwd=project).code == 0
    done = decide(project, "--key", "keys/other.pem")
    assert (done.code, "does not open" in done.err) == (30, True)
    whole = json.loads((project / "h.sealed").read_text())
    for path, value in (("usage_budget", 99), ("name", "other"), ("version", 2)):
        terms = {**whole["terms"], "header": {**whole["terms"]["header"], path: value}}
        (project / "h.sealed").write_text(json.dumps({**whole, "terms": terms}))
        assert "does not open" in decide(project).err
    (project / "h.sealed").write_text(json.dumps({**whole, "terms": {**whole["terms"], "minimum_cases": 31}}))
    assert "does not open" in decide(project).err
    middle = len(whole["ciphertext"]) // 2
    changed = whole["ciphertext"][:middle] + "AAAA" + whole["ciphertext"][middle + 4 :]
    (project / "h.sealed").write_text(json.dumps({**whole, "ciphertext": changed}))
    assert "does not open" in decide(project).err
    assert not (project / "usage.jsonl").exists()


@pytest.mark.parametrize(
    "command",
    [
        ("run", "new.yaml", "--suite", "h.sealed"),
        ("suite", "validate", "h.sealed"),
        ("suite", "cover", "h.sealed", "--by", "language"),
        ("suite", "subset", "h.sealed", "--size", "5", "--out", "x.jsonl"),
        ("suite", "release", "h.sealed"),
    ],
)
def test_no_other_command_looks_into_it(project: Path, command: tuple[str, ...]) -> None:
    done = beleg(*command, cwd=project)
    assert (done.code, "is a sealed suite" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("change", "word"),
    [("kind: development", "there to be looked at"), ("usage_budget: null", "how often"), ("", "fewer than")],
)
def test_what_cannot_be_sealed_is_refused(project: Path, change: str, word: str) -> None:
    write_cases(project / "cases.jsonl", 40 if change else 29)
    lines = {"name": "h", "kind": "holdout", "usage_budget": "3", "cases": "[cases.jsonl]"}
    if change:
        lines |= [change.split(": ")]  # type: ignore[arg-type]
    (project / "h.yaml").write_text("".join(f"{name}: {value}\n" for name, value in lines.items() if value != "null"))
    done = beleg("suite", "seal", "h.yaml", "--to", "keys/seal.pub.pem", "--out", "new.sealed", cwd=project)
    assert (done.code, word in done.err) == (30, True)
    assert not (project / "new.sealed").exists()


def test_a_policy_that_would_leave_records_is_refused(project: Path) -> None:
    write_policy(project / "policy.yaml", checks=[{"metric": "faithfulness", "pass_at": 0.8, "block_at": 0.8}])
    done = decide(project)
    assert "a judge keeps a record of every case" in done.err
