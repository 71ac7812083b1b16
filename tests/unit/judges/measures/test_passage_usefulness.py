from __future__ import annotations

from typing import Any

from unit.judges.measures.rows import judged, reason, row, scored
from unit.metrics.building import case, passage


def verdicts(*useful: bool) -> dict[str, Any]:
    return {
        "verdicts": [
            {"passage_id": str(rank), "reason": "so", "useful": each} for rank, each in enumerate(useful, start=1)
        ]
    }


def test_precision_is_weighted_by_rank() -> None:
    for useful, expected in (((True, False), 1.0), ((False, True), 0.5), ((False, False), 0.0)):
        outcome, docket = judged("passage_usefulness", {"passage_usefulness": verdicts(*useful)}, row())
        assert scored("context_precision", "passage_usefulness", outcome, row()).value == expected
        assert len(docket.keys) == 1


def test_without_a_reference_passages_are_held_against_the_answer() -> None:
    asked = row(case())
    outcome, _ = judged("passage_usefulness_for_answer", {"passage_usefulness": verdicts(True, False)}, asked)
    assert scored("context_utilization", "passage_usefulness_for_answer", outcome, asked).value == 1.0
    outcome, _ = judged("passage_usefulness", {"passage_usefulness": verdicts(True, False)}, asked)
    assert reason(outcome) == ("not_applicable", "the case has no reference answer")


def test_an_empty_retrieval_gives_0_and_costs_nothing() -> None:
    for delivered in ((), (passage("d1", ""), passage("d2", " "))):
        asked = row(delivered=delivered)
        outcome, docket = judged("passage_usefulness", {}, asked)
        assert scored("context_precision", "passage_usefulness", outcome, asked).value == 0.0
        assert docket.keys == []


def test_a_blank_passage_keeps_its_rank_and_is_useless() -> None:
    asked = row(delivered=(passage("d1", ""), passage("d2", "Returns are free.")))
    reply = {"verdicts": [{"passage_id": "2", "reason": "so", "useful": True}]}
    outcome, _ = judged("passage_usefulness", {"passage_usefulness": reply}, asked)
    assert scored("context_precision", "passage_usefulness", outcome, asked).value == 0.5


def test_one_verdict_for_two_passages_is_no_score() -> None:
    outcome, _ = judged("passage_usefulness", {"passage_usefulness": verdicts(True)}, row())
    assert reason(outcome)[0] == "invalid"
