from __future__ import annotations

from typing import Any

import pytest

from beleg.core.inference import JudgeRequest
from beleg.metrics.batch import Row
from unit.judges.measures.rows import judged, reason, row, scored
from unit.metrics.building import passage

SOURCE = "The lock was filed. The alarm rang. Anna fled over the roof."
CLAIMS = {
    "The lock was filed.": "The lock was filed",
    "The alarm rang.": "The alarm rang",
    "Anna fled over the roof.": "Anna fled over the roof",
}
TRUE_ORDER = "The lock was filed, then the alarm rang, then Anna fled over the roof."
FALSE_ORDER = "Anna fled over the roof, then the alarm rang, then the lock was filed."


def told(answer: str) -> Row:
    return row(answer=answer, delivered=(passage("d1", SOURCE),))


def script(answer: str) -> dict[str, Any]:
    """A judge that verifies claims one by one without fault, and sees a false order where it is asked for it."""
    order = sorted(CLAIMS, key=lambda claim: answer.lower().index(CLAIMS[claim].lower()))

    def verify(request: JudgeRequest) -> dict[str, Any]:
        said = request.messages[-1].content
        if "came before" in said:
            verdict = "supported" if answer == TRUE_ORDER else "contradicted"
            found = [{"claim_id": "1", "passage_id": "1", "quote": SOURCE, "reason": "order", "verdict": verdict}]
            return {"verdicts": found}
        return {
            "verdicts": [
                {"claim_id": str(n), "passage_id": "1", "quote": CLAIMS[claim], "reason": "so", "verdict": "supported"}
                for n, claim in enumerate(order, start=1)
            ]
        }

    relation = {"quote": answer.rstrip("."), "kind": "order", "statement": f"{order[0]} It came before {order[-1]}"}
    return {
        "claim_extraction": {"claims": order},
        "claim_verification": verify,
        "relation_extraction": {"relations": [relation]},
    }


@pytest.mark.parametrize(("answer", "honest"), [(TRUE_ORDER, True), (FALSE_ORDER, False)])
def test_true_facts_in_a_false_order_pass_claim_by_claim_and_fail_by_relation(answer: str, *, honest: bool) -> None:
    claims, _ = judged("claim_support", script(answer), told(answer))
    relations, docket = judged("claim_relations", script(answer), told(answer))
    by_claims = {
        name: scored(name, "claim_support", claims, told(answer)).value
        for name in ("faithfulness", "claim_order_agreement", "unseen_reordering")
    }
    assert by_claims["faithfulness"] == 1.0
    assert by_claims["claim_order_agreement"] == float(honest)
    assert by_claims["unseen_reordering"] == float(not honest)
    assert scored("relation_support", "claim_relations", relations, told(answer)).value == float(honest)
    assert len(docket.keys) == 2


def test_an_answer_that_relates_nothing_has_no_score_and_costs_one_call() -> None:
    outcome, docket = judged("claim_relations", {"relation_extraction": {"relations": []}}, row())
    assert scored("relation_support", "claim_relations", outcome, row()).status.value == "no_claims"
    assert len(docket.keys) == 1


def test_words_that_the_answer_does_not_hold_state_no_relation() -> None:
    invented = {"quote": "because of the rain", "kind": "cause", "statement": "It rained."}
    outcome, _ = judged("claim_relations", {"relation_extraction": {"relations": [invented]}}, row())
    assert reason(outcome)[0] == "invalid"
