from __future__ import annotations

import asyncio
from typing import Any

import pytest

from beleg.core.case import ExpectedBehaviour
from beleg.core.errors import CandidateError
from beleg.core.score import ScoreStatus
from beleg.judges.measures.hearing import Hearing, Unanswered
from beleg.judges.measures.registry import MEASURES
from beleg.judges.panel import Docket, Panel
from unit.judges.measures.rows import ASKED, ScriptedEmbedder, judged_by, reason, row
from unit.metrics.building import case, citation, passage


def hearing(**changes: Any) -> Hearing:
    return Hearing(**{"panel": Panel(), "docket": Docket(), "row": row(), **changes})


@pytest.mark.parametrize("measure", sorted(MEASURES))
def test_nobody_to_ask_is_a_missing_score(measure: str) -> None:
    outcome, docket = judged_by(measure, Panel(), row())
    assert reason(outcome)[0] == "missing"
    assert docket.keys == []


def test_a_passage_whose_text_is_not_recorded_is_never_judged_as_empty() -> None:
    with pytest.raises(Unanswered) as stopped:
        hearing(row=row(delivered=(passage("d1", "text"), passage("d2", None)))).passages()
    assert stopped.value.score.status is ScoreStatus.MISSING


def test_blank_passages_are_shown_to_nobody_and_the_others_keep_their_ranks() -> None:
    shown = hearing(row=row(delivered=(passage("d1", " \n"), passage("d2", "text"))))
    assert shown.passages() == (("2", "text"),)
    assert shown.passage_id("2") == "d2#0"


def test_citation_markers_are_no_part_of_the_bare_answer() -> None:
    cited = hearing(row=row(answer="Returns are free [1].", citations=(citation("1", "d1"),)))
    assert cited.bare_answer == "Returns are free."


@pytest.mark.parametrize(
    ("a_case", "detail"),
    [
        (case(), "the case has no reference answer"),
        (
            case(reference_answer="No.", expected_behaviour=ExpectedBehaviour.ABSTAIN),
            "the case expects a refusal",
        ),
    ],
)
def test_without_a_reference_the_question_does_not_arise(a_case: Any, detail: str) -> None:
    with pytest.raises(Unanswered) as stopped:
        hearing(row=row(a_case)).reference()
    assert (stopped.value.score.status, stopped.value.score.detail) == (ScoreStatus.NOT_APPLICABLE, detail)


def similarities(embedder: ScriptedEmbedder) -> list[float]:
    asked = hearing(panel=Panel(embedder=embedder)).similarities("a", ["b", "c"])
    return asyncio.run(asked)[0]


def test_similarity_is_the_cosine_whatever_the_lengths() -> None:
    found = similarities(ScriptedEmbedder({"a": [2, 0], "b": [3, 4], "c": [-5, 0]}))
    assert found == pytest.approx([0.6, -1.0])


@pytest.mark.parametrize(
    ("embedder", "status"),
    [
        (ScriptedEmbedder({"a": [0, 0], "b": [3, 4], "c": [1, 0]}), ScoreStatus.INVALID),
        (ScriptedEmbedder({"a": [float("nan"), 0], "b": [3, 4], "c": [1, 0]}), ScoreStatus.INVALID),
        (ScriptedEmbedder({}, CandidateError("slow down", kind="rate_limited")), ScoreStatus.JUDGE_ERROR),
        (ScriptedEmbedder({}, CandidateError("too late", kind="timeout")), ScoreStatus.TIMEOUT),
        (ScriptedEmbedder({}, CandidateError("?", kind="never heard of")), ScoreStatus.JUDGE_ERROR),
    ],
)
def test_vectors_that_cannot_be_used_are_a_reason_and_never_a_number(
    embedder: ScriptedEmbedder, status: ScoreStatus
) -> None:
    with pytest.raises(Unanswered) as stopped:
        similarities(embedder)
    assert stopped.value.score.status is status


def test_a_reference_in_the_case_is_taken_as_it_stands() -> None:
    assert hearing().reference() == ASKED.reference_answer
