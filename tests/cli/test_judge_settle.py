"""``beleg judge settle``: a judge is asked no more than the decision needs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.judging import GOOD, PASSAGE, write_judge, write_judged_project
from cli.projects import beleg, write_lines, write_policy
from support.mock_judge import served_apart

WRONG = "Gifts are wrapped for free."
CHECK = {"metric": "faithfulness", "pass_at": 0.85, "block_at": 0.5}
SETTLE = ("judge", "settle", "runs/new", "--policy", "policy.yaml", "--judge", "judge.yaml")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with served_apart() as address:
        yield address


@pytest.fixture
def project(tmp_path: Path, server: str) -> Path:
    """160 answers, all carried by their passage, and a judge that 60 labels vouch for."""
    write_judge(tmp_path / "judge.yaml", server)
    write_policy(
        tmp_path / "policy.yaml", checks=[CHECK], sequential={"looks": [0.25, 0.5, 1.0]}, require_baseline=False
    )
    rows = (
        {"case_id": f"l{i}", "question": f"Question {i}?", "passages": [PASSAGE]}
        | ({"answer": GOOD, "label": "supported"} if i % 2 else {"answer": WRONG, "label": "not_supported"})
        | {"segments": {"language": "de" if i % 4 < 2 else "en"}}
        for i in range(60)
    )
    write_lines(tmp_path / "labels.jsonl", rows)
    assert beleg("judge", "calibrate", "labels.jsonl", "--judge", "judge.yaml", cwd=tmp_path).code == 0
    return write_judged_project(tmp_path, [GOOD] * 160)


def judged_cases(project: Path) -> int:
    return len((project / "runs/new/findings.jsonl").read_text(encoding="utf-8").splitlines())


def test_it_stops_as_soon_as_pass_is_settled(project: Path) -> None:
    done = beleg(*SETTLE, cwd=project)
    assert (done.code, done.lines[0].split()[:2]) == (0, ["●", "PASS:"])
    assert "Settled at look 1 of 3, with 40 of 160 cases judged" in " ".join(done.out.split())
    assert judged_cases(project) == 40
    decision = json.loads((project / "runs/new/decision/decision.json").read_text(encoding="utf-8"))
    assert decision["sequential"]["cases_saved"] == 120
    assert decision["sequential"]["looks"] == [{"number": 1, "cases": 40, "passed": 1, "failed": 0, "open": 0}]


def test_the_gate_takes_the_same_looks_from_what_is_stored(project: Path) -> None:
    assert beleg(*SETTLE, cwd=project).code == 0
    again = beleg("gate", "runs/new", "--policy", "policy.yaml", "--json", cwd=project)
    assert again.code == 0
    assert again.json["sequential"]["outcome"] == "settled"


def test_the_gate_says_which_look_waits(project: Path) -> None:
    done = beleg("gate", "runs/new", "--policy", "policy.yaml", "--lang", "de", cwd=project)
    assert done.code == 10
    assert "Der 1. von 3 Blicken wartet auf 40 Fälle, die noch zu bewerten sind" in " ".join(done.out.split())


def test_asked_again_it_pays_nothing(project: Path) -> None:
    assert beleg(*SETTLE, cwd=project).code == 0
    again = beleg(*SETTLE, cwd=project)
    assert again.code == 0
    assert judged_cases(project) == 40
    assert " calls" not in again.out


def test_a_budget_that_ends_first_leaves_the_decision_open(project: Path) -> None:
    done = beleg(*SETTLE, "--max-tokens", "300", cwd=project)
    assert done.code == 10
    assert "waits for" in " ".join(done.out.split())
    assert "the budget of 300 tokens is used up" in done.err


def test_a_policy_without_looks_is_refused_with_the_way_out(project: Path) -> None:
    write_policy(project / "policy.yaml", checks=[CHECK], require_baseline=False)
    done = beleg(*SETTLE, cwd=project)
    assert done.code == 2
    assert "fixes no looks" in done.err
    assert "beleg judge run" in done.err


def test_looks_that_do_not_end_with_all_cases_are_refused(project: Path) -> None:
    write_policy(project / "policy.yaml", checks=[CHECK], sequential={"looks": [0.25, 0.5]})
    done = beleg(*SETTLE, cwd=project)
    assert done.code == 30
    assert "end with 1.0" in done.err
