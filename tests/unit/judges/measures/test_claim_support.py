from __future__ import annotations

import asyncio
from typing import Any

from beleg.core.findings import Support
from beleg.core.score import ScoreStatus
from beleg.judges.measures.claim_support import judge_claim_support
from beleg.judges.panel import Docket, Outcome
from beleg.metrics.batch import Row
from beleg.metrics.generation.claims import ClaimSupport, faithfulness
from support.judge_models import Script, scripted_panel
from unit.metrics.building import case, one, passage


def verdict(claim_id: str, verdict: str, quote: str | None = None) -> dict[str, Any]:
    passage_id = None if quote is None else "1"
    return {"claim_id": claim_id, "passage_id": passage_id, "quote": quote, "reason": "so", "verdict": verdict}


def judged(claims: list[str], verdicts: Script) -> tuple[Outcome, Docket]:
    batch = one(case(), answer="…", delivered=(passage("d1", "Returns are free within 30 days."),))
    (row,) = batch.rows
    assert isinstance(row, Row)
    docket = Docket()
    panel = scripted_panel({"claim_extraction": {"claims": claims}, "claim_verification": verdicts})
    return asyncio.run(judge_claim_support(panel, docket, row)), docket


def test_claims_are_split_verified_and_quoted() -> None:
    outcome, docket = judged(
        ["Returns are free.", "Returns take 60 days."],
        {"verdicts": [verdict("2", "contradicted", "within 30 days"), verdict("1", "supported", "Returns are free")]},
    )
    found = ClaimSupport.model_validate(outcome.evidence, strict=False)
    assert [claim.support for claim in found.claims] == [Support.SUPPORTED, Support.CONTRADICTED]
    assert [claim.quotes[0].match for claim in found.claims] == ["exact", "exact"]
    assert faithfulness(found).value == 0.5
    assert len(docket.keys) == 2
    assert set(docket.tasks) == {"claim_extraction", "claim_verification"}


def test_an_answer_without_claims_has_no_score_and_costs_one_call() -> None:
    outcome, docket = judged([], {"verdicts": []})
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.NO_CLAIMS
    assert len(docket.keys) == 1


def test_a_judge_that_answers_one_claim_of_two_gives_no_score() -> None:
    outcome, _ = judged(["a", "b"], {"verdicts": [verdict("1", "supported", "Returns are free")]})
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.INVALID


def test_claims_of_an_empty_retrieval_are_not_in_context_and_nobody_is_asked_again() -> None:
    batch = one(case(), answer="…", delivered=())
    (row,) = batch.rows
    assert isinstance(row, Row)
    docket = Docket()
    panel = scripted_panel({"claim_extraction": {"claims": ["a", "b"]}})
    outcome = asyncio.run(judge_claim_support(panel, docket, row))
    found = ClaimSupport.model_validate(outcome.evidence, strict=False)
    assert faithfulness(found).value == 0.0
    assert {claim.support for claim in found.claims} == {Support.NOT_IN_CONTEXT}
    assert len(docket.keys) == 1
