from __future__ import annotations

import pytest

from beleg.core.findings import ClaimFinding, Support
from beleg.core.score import ScoreStatus
from beleg.metrics.generation.claims import ClaimSupport, faithfulness


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
