from __future__ import annotations

from typing import Any

from unit.judges.measures.rows import judged, reason, row, scored

CLAIMS = ["Returns are free.", "Returns are wonderful.", "A return is a thing sent back.", "Returns cost nothing."]


def script(**changes: Any) -> dict[str, Any]:
    supported = {"passage_id": "1", "quote": "Returns are free", "reason": "so", "verdict": "supported"}
    return {
        "claim_extraction": {"claims": CLAIMS},
        "claim_qualification": {
            "verdicts": [{"claim_id": str(n), "reason": "so", "verifiable": n != 2} for n in range(1, 5)]
        },
        "claim_weighing": {
            "verdicts": [
                {"claim_id": str(n), "repeats": "1" if n == 4 else None, "reason": "so", "informative": n != 3}
                for n in range(1, 5)
            ]
        },
        "claim_verification": {"verdicts": [{"claim_id": str(n), **supported} for n in range(1, 5)]},
        **changes,
    }


def test_claims_are_qualified_weighed_and_verified() -> None:
    outcome, docket = judged("qualified_claims", script(), row())
    values = {
        name: scored(name, "qualified_claims", outcome, row()).value
        for name in ("verifiable_support", "core_support", "core_fact_score(gamma=2)", "veriscore", "veriscore@6")
    }
    assert values["verifiable_support"] == values["core_support"] == values["veriscore"] == 1.0
    assert values["core_fact_score(gamma=2)"] is not None
    assert round(values["core_fact_score(gamma=2)"], 9) == 0.367879441
    assert values["veriscore@6"] == 2 * 0.5 / 1.5
    assert len(docket.keys) == 4


def test_a_claim_that_repeats_a_later_one_is_no_reply() -> None:
    verdicts = [{"claim_id": str(n), "repeats": "4", "reason": "so", "informative": True} for n in range(1, 5)]
    outcome, _ = judged("qualified_claims", script(claim_weighing={"verdicts": verdicts}), row())
    assert reason(outcome)[0] == "invalid"


def test_an_answer_without_claims_costs_one_call() -> None:
    outcome, docket = judged("qualified_claims", script(claim_extraction={"claims": []}), row())
    assert reason(outcome)[0] == "no_claims"
    assert len(docket.keys) == 1
