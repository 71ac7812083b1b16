from __future__ import annotations

import pytest

from beleg.core.evidence import AttributionVerdict
from beleg.core.run_comparison import (
    CASE_ASPECTS,
    ROW_ASPECTS,
    Aspect,
    ComparedAspect,
    ComparedCase,
    ComparedClaim,
    Likeness,
    LoneClaim,
)

SAME, CHANGED, UNLIKE = Likeness.SAME, Likeness.CHANGED, Likeness.NOT_COMPARABLE


def row(*likenesses: Likeness) -> ComparedClaim:
    return ComparedClaim(
        old_claim_id="C-1",
        new_claim_id="C-1",
        text="Returns are free.",
        matched_by="wording",
        comparable=True,
        aspects=tuple(
            ComparedAspect(aspect=aspect, likeness=each) for aspect, each in zip(ROW_ASPECTS, likenesses, strict=False)
        ),
        old_attribution=AttributionVerdict.ATTACHED,
        new_attribution=AttributionVerdict.ATTACHED,
    )


def case(answer: Likeness = SAME, **fields: object) -> ComparedCase:
    aspects = tuple(
        ComparedAspect(aspect=each, likeness=answer if each is Aspect.ANSWER else SAME) for each in CASE_ASPECTS
    )
    return ComparedCase.model_validate({"case_id": "c", "aspects": aspects} | fields)


@pytest.mark.parametrize(
    ("likenesses", "overall"),
    [((SAME, SAME), SAME), ((SAME, UNLIKE), UNLIKE), ((UNLIKE, CHANGED, SAME), CHANGED)],
)
def test_a_change_is_told_before_what_cannot_be_compared(likenesses: tuple[Likeness, ...], overall: Likeness) -> None:
    assert row(*likenesses).overall is overall


def test_a_case_is_the_same_only_with_all_its_aspects_rows_and_claims() -> None:
    assert case().is_same
    assert case(claims=(row(SAME),)).is_same
    assert not case(CHANGED).is_same
    assert not case(UNLIKE).is_same
    assert not case(claims=(row(SAME, UNLIKE),)).is_same
    assert not case(only_new=(LoneClaim(claim_id="C-2", text="New."),)).is_same


def test_the_support_of_a_claim_that_nobody_judged_is_no_aspect() -> None:
    assert row(SAME).likeness(Aspect.SUPPORT) is None
    assert row(SAME).likeness(Aspect.CITATIONS) is SAME
