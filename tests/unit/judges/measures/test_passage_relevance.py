from __future__ import annotations

from typing import Any

from beleg.core.inference import JudgeRequest
from unit.judges.measures.rows import DELIVERED, judged, reason, row, scored
from unit.metrics.building import passage


def grade(request: JudgeRequest) -> dict[str, Any]:
    return {"reason": "so", "grade": 3 if "Returns" in request.messages[-1].content else 0}


def test_every_passage_is_graded_by_itself() -> None:
    outcome, docket = judged("passage_relevance", {"passage_relevance": grade}, row())
    assert scored("passage_relevance", "passage_relevance", outcome, row()).value == 0.5
    assert len(docket.keys) == len(DELIVERED)


def test_an_empty_or_blank_retrieval_gives_0_without_a_call() -> None:
    for delivered in ((), (passage("d1", " "),)):
        asked = row(delivered=delivered)
        outcome, docket = judged("passage_relevance", {}, asked)
        assert scored("passage_relevance", "passage_relevance", outcome, asked).value == 0.0
        assert docket.keys == []


def test_one_grade_that_is_not_given_leaves_the_row_without_a_score() -> None:
    def half(request: JudgeRequest) -> dict[str, Any] | str:
        return grade(request) if "Returns" in request.messages[-1].content else "about a 2, I think"

    outcome, docket = judged("passage_relevance", {"passage_relevance": half}, row())
    assert reason(outcome)[0] == "invalid"
    assert len(docket.keys) == len(DELIVERED)
