from __future__ import annotations

import asyncio
from typing import Any

from beleg.core.findings import Support
from beleg.core.score import ScoreStatus
from beleg.judges.measures.claim_support_by_verifier import judge_claim_support_by_verifier
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.metrics.batch import Row
from beleg.metrics.generation.verified import VerifiedClaims, verified_faithfulness
from beleg.metrics.verification.verifier import AlignmentVerifier
from support.judge_models import scripted_panel
from unit.judges.test_verifying import Table
from unit.metrics.building import case, one, passage

FAQ = passage("d1", "Returns are free within 30 days.")


def judged(panel: Panel, answer: str = "Returns are free. Bread is cheap.", **output: Any) -> tuple[Outcome, Docket]:
    (row,) = one(case(language="en"), answer=answer, **{"delivered": (FAQ,), **output}).rows
    assert isinstance(row, Row)
    docket = Docket()
    return asyncio.run(judge_claim_support_by_verifier(panel, docket, row)), docket


def evidence(outcome: Outcome) -> VerifiedClaims:
    return VerifiedClaims.model_validate(outcome.evidence, strict=False)


def test_the_sentences_of_the_answer_are_verified_and_quoted() -> None:
    outcome, docket = judged(Panel(verifier=AlignmentVerifier()))
    found = evidence(outcome)
    assert [claim.support for claim in found.claims] == [Support.SUPPORTED, Support.NOT_IN_CONTEXT]
    assert found.claims[0].quotes[0].text == "Returns are free within 30 days."
    assert found.claims_from == "sentences"
    assert verified_faithfulness(found).value == 0.5
    assert docket.keys == []


def test_a_judge_in_the_panel_splits_the_answer() -> None:
    panel = scripted_panel({"claim_extraction": {"claims": ["Returns are free."]}}, verifier=AlignmentVerifier())
    outcome, docket = judged(panel)
    assert evidence(outcome).claims_from == "judge"
    assert set(docket.tasks) == {"claim_extraction"}


def test_a_judge_that_fails_gives_no_score() -> None:
    outcome, _ = judged(scripted_panel({"claim_extraction": "prose"}, verifier=AlignmentVerifier()))
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.INVALID


def test_the_threshold_of_the_panel_decides() -> None:
    verifier = Table({(FAQ.text or "", "Returns are free."): 0.625})
    for threshold, support in ((0.5, Support.SUPPORTED), (0.75, Support.NOT_IN_CONTEXT), (0.625, Support.SUPPORTED)):
        outcome, _ = judged(Panel(verifier=verifier, verifier_threshold=threshold), "Returns are free.")
        assert evidence(outcome).claims[0].support is support
        assert evidence(outcome).supports == (0.625,)


def test_facts_that_differ_are_flagged_whatever_the_verifier_says() -> None:
    claim = "Returns are free within 60 days."
    outcome, _ = judged(Panel(verifier=Table({(FAQ.text or "", claim): 0.99})), claim)
    assert evidence(outcome).claims[0].flags == ("number: 60 days is not in the evidence",)
    assert evidence(outcome).claims[0].support is Support.SUPPORTED


def test_where_nothing_can_be_verified_there_is_a_reason() -> None:
    verifier = Panel(verifier=AlignmentVerifier())
    reasons = [
        judged(Panel()),
        judged(verifier, "Sure!"),
        judged(verifier, delivered=(passage("d1"),)),
        judged(Panel(verifier=Table({(FAQ.text or "", "Returns are free."): float("nan")}))),
    ]
    assert [outcome.without.status for outcome, _ in reasons if outcome.without is not None] == [
        ScoreStatus.MISSING,
        ScoreStatus.NO_CLAIMS,
        ScoreStatus.MISSING,
        ScoreStatus.INVALID,
    ]
