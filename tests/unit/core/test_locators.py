"""Offsets and selectors as they are stored."""

import pytest
from pydantic import ValidationError

from beleg.core.locators import CONTEXT_CODE_POINTS, Located, LocatorState, PassageLocator, Span


def test_a_span_counts_code_points_so_that_python_slices_with_it():
    text = "👩‍👩‍👧 kostet 4,90 €"
    span = Span(start=6, end=12)
    assert text[span.start : span.end] == "kostet"


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 2)])
def test_a_span_runs_forward_from_the_start_of_the_text(start, end):
    with pytest.raises(ValidationError):
        Span(start=start, end=end)


@pytest.mark.parametrize("change", [{"exact": ""}, {"prefix": "x" * (CONTEXT_CODE_POINTS + 1)}, {"scope": "web"}])
def test_a_locator_has_words_and_little_around_them(change):
    given = {"exact": "a", "span": Span(start=0, end=1), "text_digest": "sha256:0", "scope": "passage"}
    PassageLocator(**given)
    with pytest.raises(ValidationError):
        PassageLocator(**given | change)


def test_only_an_orphan_has_no_place_and_only_an_orphan_has_a_suggestion():
    place = Span(start=0, end=2)
    assert Located(state=LocatorState.ORPHAN, suggestion=place).span is None
    for wrong in (
        {"state": LocatorState.ORPHAN, "span": place},
        {"state": LocatorState.MOVED},
        {"state": LocatorState.OK, "span": place, "suggestion": place},
    ):
        with pytest.raises(ValidationError):
            Located(**wrong)
