from __future__ import annotations

import re
from pathlib import Path

import pytest

from beleg.app.running import RunRequest, default_folder, run_candidate, similar_cases
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

    return RunRequest(
        open_candidate=open_candidate, suite=suite([case("a"), case("b")]), settings=RunSettings(), **options
    )


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
