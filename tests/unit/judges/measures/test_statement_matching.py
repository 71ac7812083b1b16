from __future__ import annotations

from typing import Any

import pytest

from beleg.core.inference import JudgeRequest
from unit.judges.measures.rows import REFERENCE, ScriptedEmbedder, judged, reason, row, scored
from unit.metrics.building import case

VECTORS = {"Returns are free.": [1.0, 0.0], REFERENCE: [0.6, 0.8]}


def script(labels: dict[str, str], reference_claims: list[str] | None = None) -> dict[str, Any]:
    def extract(request: JudgeRequest) -> dict[str, Any]:
        is_reference = REFERENCE in request.messages[-1].content
        wanted = ["p", "q"] if reference_claims is None else reference_claims
        return {"claims": wanted if is_reference else ["p", "x"]}

    verdicts = [{"statement_id": name, "reason": "so", "label": label} for name, label in labels.items()]
    return {"claim_extraction": extract, "statement_matching": {"verdicts": verdicts}}


ONE_OF_EACH = {"a1": "tp", "a2": "fp", "r1": "tp", "r2": "fn"}


def test_what_both_sides_say_counts_once() -> None:
    outcome, docket = judged("statement_matching", script(ONE_OF_EACH), row())
    assert scored("statement_f1", "statement_matching", outcome, row()).value == 0.5
    assert len(docket.keys) == 3


def test_correctness_weighs_statements_and_meaning_3_to_1() -> None:
    outcome, _ = judged("answer_correctness", script(ONE_OF_EACH), row(), embedder=ScriptedEmbedder(VECTORS))
    found = scored("answer_correctness", "answer_correctness", outcome, row())
    assert found.value == pytest.approx(0.75 * 0.5 + 0.25 * 0.6)


def test_a_reference_without_a_claim_gives_no_score() -> None:
    def extract(request: JudgeRequest) -> dict[str, Any]:
        return {"claims": [] if "matter of taste" in request.messages[-1].content else ["p"]}

    of_taste = row(case(reference_answer="That is a matter of taste.", language="en"))
    outcome, _ = judged("statement_matching", {"claim_extraction": extract}, of_taste)
    assert reason(outcome) == ("not_applicable", "the reference answer makes no claim")


def test_an_answer_that_declines_misses_all_of_the_reference() -> None:
    """As in Ragas: every statement of the reference is missed. Leaving the mean would reward declining."""

    def extract(request: JudgeRequest) -> dict[str, Any]:
        return {"claims": ["p", "q"] if REFERENCE in request.messages[-1].content else []}

    declined = row(answer="I do not know.")
    outcome, docket = judged("statement_matching", {"claim_extraction": extract}, declined)
    assert scored("statement_f1", "statement_matching", outcome, declined).value == 0.0
    assert len(docket.keys) == 2


def test_a_label_of_the_other_side_is_no_score() -> None:
    outcome, _ = judged("statement_matching", script({**ONE_OF_EACH, "r2": "fp"}), row())
    assert reason(outcome)[0] == "invalid"
