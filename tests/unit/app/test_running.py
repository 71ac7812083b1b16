from __future__ import annotations

import re
from pathlib import Path

import pytest

from beleg.app.commands import RunCommand, run_from_files
from beleg.app.running import Progress, RunRequest, StratifiedSubset, default_folder, run_candidate, similar_cases
from beleg.core.errors import EvidenceError
from beleg.core.protocols import Candidate
from beleg.core.run import RunHeader, RunSettings
from beleg.core.trace import Output, Query
from support.builders import FunctionCandidate, case, suite


@pytest.mark.parametrize(
    ("name", "folder"),
    [("hybrid-2.1", "hybrid-2.1"), ("../../up", "up"), ("/etc", "etc"), ("..", "run"), ("Ü b", "Ü-b"), ("a/b", "a-b")],
)
def test_no_name_of_a_candidate_leads_out_of_the_folder_of_runs(name: str, folder: str) -> None:
    found = default_folder(name)
    assert found.parent == Path("runs")
    assert re.fullmatch(rf"{re.escape(folder)}-\d{{8}}T\d{{12}}Z", found.name)


def test_similar_cases_are_named_and_else_their_number() -> None:
    assert similar_cases("Q-1x", ["Q-1", "Z"]) == "Did you mean: Q-1"
    assert similar_cases("k", ["Q-1", "Z"]) == "There are 2 cases"


def request_of(asked: list[str], **options: object) -> RunRequest:
    def answer(query: Query) -> Output:
        asked.append(query.case_id)
        return Output(answer="yes")

    async def open_candidate() -> Candidate:
        return FunctionCandidate(answer)

    given: dict[str, object] = {"suite": suite([case("a"), case("b")]), "settings": RunSettings()}
    return RunRequest(open_candidate=open_candidate, **(given | options))


def test_what_comes_before_asking_sees_the_begun_run(tmp_path: Path) -> None:
    asked: list[str] = []
    seen: list[tuple[str, int]] = []

    def look(header: RunHeader) -> None:
        seen.append((header.run_id, len(asked)))

    outcome = run_candidate(request_of(asked, before_asking=look), tmp_path / "r")
    assert seen == [(outcome.header.run_id, 0)]
    assert sorted(asked) == ["a", "b"]


def test_no_case_is_asked_if_what_comes_before_fails(tmp_path: Path) -> None:
    asked: list[str] = []

    def refuse(_: RunHeader) -> None:
        raise EvidenceError("no")

    with pytest.raises(EvidenceError, match="no"):
        run_candidate(request_of(asked, before_asking=refuse), tmp_path / "r")
    assert asked == []


@pytest.mark.parametrize(
    ("other", "changed"),
    [
        ({"timeout_s": 3_600.0}, "timeout"),
        ({"retries": 20}, "retries"),
        ({"timeout_s": 1.0, "retries": 0}, "timeout, retries"),
    ],
)
def test_a_run_is_not_resumed_with_a_deadline_or_retries_that_its_header_does_not_name(
    tmp_path: Path, other: dict[str, object], changed: str
) -> None:
    run_candidate(request_of([]), tmp_path / "r")
    asked: list[str] = []
    with pytest.raises(EvidenceError, match=f"other inputs; changed: {changed}$"):
        run_candidate(request_of(asked, resume=True, settings=RunSettings(**other)), tmp_path / "r")
    assert asked == []


def test_a_run_may_be_resumed_with_another_concurrency(tmp_path: Path) -> None:
    run_candidate(request_of([]), tmp_path / "r")
    resumed = run_candidate(request_of([], resume=True, settings=RunSettings(concurrency=1)), tmp_path / "r")
    assert (resumed.already_done, resumed.progress.done) == (2, 0)


def test_the_header_says_how_the_cases_were_chosen(tmp_path: Path) -> None:
    cases = suite([case(f"c{i}") for i in range(20)])
    whole = run_candidate(request_of([], suite=cases), tmp_path / "whole").header
    assert (whole.subset, whole.subset_size, whole.subset_seed, len(whole.case_ids)) == ("all", None, None, 20)
    chosen = StratifiedSubset(size=5, seed=7)
    fast = run_candidate(request_of([], suite=cases, subset=chosen), tmp_path / "fast").header
    assert (fast.subset, fast.subset_size, fast.subset_seed, len(fast.case_ids)) == ("stratified", 5, 7, 5)
    picked = run_candidate(
        request_of([], suite=cases, case_ids=("c3", "c1"), subset=chosen), tmp_path / "picked"
    ).header
    assert (picked.subset, picked.subset_size, picked.subset_seed) == ("named", None, None)
    assert picked.case_ids == ("c1", "c3")


def test_a_progress_callback_that_fails_loses_no_answer(tmp_path: Path) -> None:
    def broken(_: Progress) -> None:
        raise ValueError("bar")

    asked: list[str] = []
    with pytest.raises(ValueError, match="bar"):
        run_candidate(request_of(asked), tmp_path / "r", broken)
    assert sorted(asked) == ["a", "b"]
    resumed = run_candidate(request_of(asked, resume=True), tmp_path / "r")
    assert (resumed.already_done, resumed.progress.done) == (2, 0)


@pytest.mark.parametrize(
    ("options", "subset"),
    [
        ({}, ("all", None, None)),
        ({"subset": 4, "seed": 3}, ("stratified", 4, 3)),
        ({"cases": ("c1",)}, ("named", None, None)),
    ],
)
def test_a_command_puts_its_choice_of_cases_into_the_header(
    tmp_path: Path, options: dict[str, object], subset: tuple[object, ...]
) -> None:
    names = [f"c{i}" for i in range(8)]
    (tmp_path / "c.yaml").write_text("kind: traces\nmanifest: {name: c}\ntraces: {path: t.jsonl}\n")
    (tmp_path / "t.jsonl").write_text("".join(f'{{"case_id": "{name}", "answer": "yes"}}\n' for name in names))
    (tmp_path / "s.jsonl").write_text(
        "".join(f'{{"case_id": "{name}", "user_input": "q", "reference_answer": "yes"}}\n' for name in names)
    )
    given: dict[str, object] = {
        "candidate": tmp_path / "c.yaml", "suite": str(tmp_path / "s.jsonl"), "out": tmp_path / "r", "resume": False,
        "subset": None, "seed": 0, "cases": (), "repeats": 1, "concurrency": 2, "timeout_s": 60.0, "retries": 0,
        "retrieve_only": False, "usage": None,
    }  # fmt: skip
    header = run_from_files(RunCommand(**(given | options))).outcome.folder.header()
    assert (header.subset, header.subset_size, header.subset_seed) == subset
