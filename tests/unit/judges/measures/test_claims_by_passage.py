from __future__ import annotations

from typing import Any

from beleg.core.inference import JudgeRequest
from unit.judges.measures.rows import DELIVERED, judged, reason, row, scored

SENTENCES = {"1": "Returns are free within 30 days.", "2": "We are open on Sundays."}


def verdict(claim_id: str, passage: str | None, quote: str | None) -> dict[str, Any]:
    verdict = "not_in_context" if passage is None else "supported"
    return {"claim_id": claim_id, "passage_id": passage, "quote": quote, "reason": "so", "verdict": verdict}


def script(carried: dict[str, set[str]]) -> dict[str, Any]:
    """A judge for whom each source carries the claims listed: passages 1 and 2, and the reference."""

    def extract(request: JudgeRequest) -> dict[str, Any]:
        is_answer = "ANSWER" in request.messages[-1].content
        return {"claims": ["x", "y"] if is_answer else ["z"]}

    def verify(request: JudgeRequest) -> dict[str, Any]:
        said = request.messages[-1].content
        source = next((label for label, text in SENTENCES.items() if text in said), "reference")
        quote = SENTENCES.get(source, "Returns are free.")
        ids = ["a1", "a2"] if source == "reference" else ["a1", "a2", "r1"]
        held = [(name, name in carried[source]) for name in ids]
        return {
            "verdicts": [verdict(name, source if it_is else None, quote if it_is else None) for name, it_is in held]
        }

    return {"claim_extraction": extract, "claim_verification": verify}


def sensitivity(carried: dict[str, set[str]]) -> tuple[float | None, float | None]:
    asked = row(answer="ANSWER")
    outcome, docket = judged("claims_by_passage", script(carried), asked)
    assert len(docket.keys) == 3 + len(DELIVERED)
    values = [
        scored(f"noise_sensitivity(mode={mode})", "claims_by_passage", outcome, asked).value
        for mode in ("relevant", "irrelevant")
    ]
    return values[0], values[1]


def test_a_wrong_claim_from_a_relevant_passage() -> None:
    assert sensitivity({"1": {"a1", "a2", "r1"}, "2": set(), "reference": {"a1"}}) == (0.5, 0.0)


def test_a_wrong_claim_from_an_irrelevant_passage() -> None:
    assert sensitivity({"1": {"a1", "r1"}, "2": {"a2"}, "reference": {"a1"}}) == (0.0, 0.5)


def test_a_wrong_claim_from_both_counts_as_relevant_only() -> None:
    assert sensitivity({"1": {"a2", "r1"}, "2": {"a2"}, "reference": {"a1"}}) == (0.5, 0.0)


def test_a_wrong_claim_from_nowhere_is_not_noise() -> None:
    assert sensitivity({"1": {"r1"}, "2": set(), "reference": {"a1"}}) == (0.0, 0.0)


def test_an_empty_retrieval_is_never_the_best_value() -> None:
    outcome, docket = judged("claims_by_passage", {}, row(delivered=()))
    assert reason(outcome) == ("not_applicable", "no passage was delivered")
    assert docket.keys == []
