from __future__ import annotations

from collections.abc import Callable

import pytest

from beleg.core.findings import ClaimFinding, Finding, Support
from beleg.core.score import Score, ScoreStatus
from beleg.metrics.batch import Batch
from beleg.metrics.findings import measure_version
from beleg.metrics.generation.claims import (
    ClaimSupport,
    claim_count,
    claims_by_case,
    claims_not_in_context,
    contradicted_claims,
    faithfulness,
    flagged_claims,
    partly_supported_claims,
)
from support.judged_rows import row


def claims(*supports: Support) -> ClaimSupport:
    return ClaimSupport(
        claims=tuple(
            ClaimFinding(claim_id=str(number), claim="c", support=support) for number, support in enumerate(supports)
        )
    )


def test_three_of_four_claims_give_the_articles_0_75() -> None:
    found = claims(Support.SUPPORTED, Support.SUPPORTED, Support.SUPPORTED, Support.NOT_IN_CONTEXT)
    assert faithfulness(found).value == 0.75


@pytest.mark.parametrize("support", [Support.PARTIALLY_SUPPORTED, Support.CONTRADICTED, Support.NOT_IN_CONTEXT])
def test_only_full_support_counts(support: Support) -> None:
    assert faithfulness(claims(support)).value == 0


def test_an_answer_without_claims_has_no_score() -> None:
    assert faithfulness(claims()).status is ScoreStatus.NO_CLAIMS


SHARES = (faithfulness, partly_supported_claims, contradicted_claims, claims_not_in_context)


def test_the_four_shares_are_one_partition() -> None:
    found = claims(Support.SUPPORTED, Support.SUPPORTED, *Support)
    values = [share(found).value for share in SHARES]
    assert values == [0.5, 1 / 6, 1 / 6, 1 / 6]
    assert claim_count(found).value == 6


def test_a_nonsense_answer_that_nothing_contradicts_is_not_faithful() -> None:
    found = claims(Support.NOT_IN_CONTEXT, Support.NOT_IN_CONTEXT)
    assert [share(found).value for share in SHARES] == [0.0, 0.0, 0.0, 1.0]


def test_a_flag_counts_only_against_a_verdict_of_support() -> None:
    flags = ("number: 30 is not in the evidence",)
    found = ClaimSupport(
        claims=tuple(
            claim.model_copy(update={"flags": flags})
            for claim in claims(Support.SUPPORTED, Support.CONTRADICTED).claims
        )
    )
    assert flagged_claims(found).value == 0.5
    assert faithfulness(found).value == 0.5


@pytest.mark.parametrize("share", [*SHARES, flagged_claims, claim_count])
def test_without_claims_no_figure_over_claims_has_a_value(share: Callable[[ClaimSupport], Score]) -> None:
    assert share(claims()).status is ScoreStatus.NO_CLAIMS


def test_claims_by_case_holds_the_claims_that_count_and_no_others() -> None:
    rows = [row(number) for number in range(3)]
    fresh = claims(Support.SUPPORTED, Support.CONTRADICTED)
    digests = {"c0": rows[0].subject_digest, "c1": "sha256:another answer"}
    findings = {
        (name, 0, "claim_support"): Finding(
            case_id=name, measure="claim_support", measure_version=measure_version("claim_support"),
            subject_digest=digest, evidence=fresh.to_json_dict(),
        )
        for name, digest in digests.items()
    }  # fmt: skip
    batch = Batch.of([each.case for each in rows], [each.trace for each in rows], findings=findings)
    assert claims_by_case(batch) == {"c0": fresh.claims}
