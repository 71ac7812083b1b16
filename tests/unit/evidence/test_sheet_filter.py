"""A filter picks claims; what it leaves out is told, and a case without claims is not lost."""

from __future__ import annotations

import pytest

from beleg.core.evidence import AttributionVerdict, ObservationCode, SupportVerdict
from beleg.core.sheet_export import ExportedCase, SheetFilter
from beleg.evidence.review_fold import claim_reviews
from support.q017 import evidence, output
from support.sheet_data import RUN_ID, reviewed, taken

CASE = evidence()
REVIEWS = claim_reviews(RUN_ID, reviewed(CASE))


def found(**wanted: object) -> list[str]:
    taken_case = apply(SheetFilter.model_validate(wanted, strict=False))
    return [] if taken_case is None else [row.claim_id for row in taken_case.case.claims]


def apply(wanted: SheetFilter) -> ExportedCase | None:
    return taken(CASE, wanted, REVIEWS, segments=("locale=de",))


@pytest.mark.parametrize(
    ("wanted", "claims"),
    [
        ({}, "1234"),
        ({"cases": ["Q-017"]}, "1234"),
        ({"cases": ["Q-018"]}, ""),
        ({"segments": ["locale=de"]}, "1234"),
        ({"segments": ["locale=en"]}, ""),
        ({"languages": ["DE"]}, "1234"),
        ({"languages": ["en"]}, ""),
        ({"attribution": [AttributionVerdict.MISSING]}, "4"),
        ({"machine": [SupportVerdict.PARTIALLY_SUPPORTED]}, "2"),
        ({"machine": ["partially_supported", "not_supported"]}, "1234"),
        ({"machine": ["nobody"]}, ""),
        ({"human": ["not_supported"]}, "2"),
        ({"human": ["nobody"]}, "134"),
        ({"reviewers": ["B. Lang"]}, "2"),
        ({"reviewers": ["C. Neu"]}, ""),
        ({"observations": [ObservationCode.CITATION_CONTRADICTS]}, "13"),
        ({"text": "DAUER"}, "4"),
        ({"machine": ["not_supported"], "attribution": ["attached"]}, "13"),
    ],
)
def test_every_field_must_hold_and_one_of_its_values_suffices(wanted: dict[str, object], claims: str) -> None:
    assert found(**wanted) == [f"C-017-{number}" for number in claims]


def test_what_is_left_out_is_counted_and_reviews_of_it_stay_out() -> None:
    taken_case = apply(SheetFilter(attribution=(AttributionVerdict.MISSING,)))
    assert taken_case is not None
    assert (taken_case.left_out, taken_case.reviews) == (3, ())
    assert taken_case.case.answer == CASE.answer


def test_a_case_without_claims_is_shown_unless_a_claim_is_asked_for() -> None:
    empty = evidence((), returned=output(None))
    assert empty.claims == ()
    assert taken(empty, SheetFilter(), {}) is not None
    assert taken(empty, SheetFilter(machine=("nobody",)), {}) is None
    assert taken(empty, SheetFilter(text="final-sale"), {}) is not None
    assert taken(empty, SheetFilter(text="Lieferwagen"), {}) is None
