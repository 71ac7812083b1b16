"""``beleg judge nuggets``: planned first, proposed by a real server, reviewed and taken into a suite."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.judging import GOOD, HALF, write_judge, write_judged_project
from cli.projects import beleg
from support.mock_judge import served_apart

NUGGETS = ("judge", "nuggets", "runs/new", "--judge", "judge.yaml", "--out", "nuggets.jsonl")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with served_apart() as address:
        yield address


@pytest.fixture
def project(tmp_path: Path, server: str) -> Path:
    write_judge(tmp_path / "judge.yaml", server)
    return write_judged_project(tmp_path, [GOOD, HALF], reference_answer=HALF)


def proposals(project: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (project / "nuggets.jsonl").read_text().splitlines()]


def test_a_plan_counts_calls_and_asks_nobody(project: Path) -> None:
    write_judge(project / "judge.yaml", "http://127.0.0.1:9/v1", budget={"max_calls": 1})
    done = beleg(*NUGGETS, "--plan", cwd=project)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0].startswith("2 to judge, 0 judged already · at most 2 calls · about ")
    assert done.lines[0].endswith("cost unknown: the judge file names no price")
    assert done.lines[-1] == "Next: beleg judge nuggets runs/new --judge judge.yaml --out nuggets.jsonl"
    assert "It goes beyond the budget (max_calls)" in done.out
    assert not (project / "nuggets.jsonl").exists()


def test_from_the_proposal_over_a_review_to_the_suite(project: Path) -> None:
    done = beleg(*NUGGETS, cwd=project)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0] == "6 nuggets proposed for 2 cases"
    assert done.lines[-1] == "Next: beleg suite nuggets SUITE nuggets.jsonl --out cases-2.jsonl"
    rows = proposals(project)
    assert [[nugget["vital"] for nugget in row["nuggets"]] for row in rows] == [[True, False, False]] * 2
    assert {(row["origin"], row.get("review")) for row in rows} == {("judge", None)}
    for row in rows:
        row["review"] = {"by": "Ana", "on": "2026-11-30"}
        row["nuggets"] = [nugget | {"decision": "accepted"} for nugget in row["nuggets"]]
    (project / "reviewed.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    taken = beleg("suite", "nuggets", "cases.jsonl", "reviewed.jsonl", "--out", "cases-2.jsonl", cwd=project)
    assert taken.lines[0] == "6 nuggets taken into 2 cases"


def test_a_reviewed_file_is_never_overwritten_and_calls_are_never_paid_twice(project: Path) -> None:
    assert beleg(*NUGGETS, "--json", cwd=project).json["calls"] > 0
    done = beleg(*NUGGETS, cwd=project)
    assert done.code == 2
    assert "nuggets.jsonl is there already" in done.err
    again = beleg(*NUGGETS[:-1], "more.jsonl", "--json", cwd=project).json
    assert (again["calls"], again["nuggets"]) == (0, 6)


def test_a_case_that_states_nothing_has_a_reason_and_nothing_is_written(tmp_path: Path, server: str) -> None:
    write_judge(tmp_path / "judge.yaml", server)
    project = write_judged_project(tmp_path, [GOOD], expected_passages=[{"document_id": "another"}])
    done = beleg(*NUGGETS, cwd=project)
    assert done.code == 0
    assert done.lines[0] == "0 nuggets proposed for 0 cases"
    assert done.lines[1].startswith("1 without a proposal: not_applicable: ")
    assert not (project / "nuggets.jsonl").exists()


def test_a_budget_stops_hard_and_says_how_to_go_on(project: Path, server: str) -> None:
    write_judge(project / "judge.yaml", server, budget={"max_calls": 1}, limits={"in_flight": 1})
    done = beleg(*NUGGETS, cwd=project)
    assert done.code == 30
    assert "with another --out nothing is paid twice" in done.out
