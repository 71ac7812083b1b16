"""The alignment of a document loses nothing of either side, and counts what the error rates count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.metrics.ingestion.alignment import aligned
from beleg.metrics.ingestion.error_rates import TextForm, edits

TEXTS = st.text(alphabet="ab c\u00e4\u05d0\ud800", max_size=15)
AS_IS = TextForm(composed=False, spaces_folded=False)


@given(TEXTS, TEXTS)
def test_both_sides_are_whole(reference: str, hypothesis: str) -> None:
    spans = aligned(reference, hypothesis, "characters", AS_IS)
    assert "".join(span.right for span in spans) == reference
    assert "".join(span.found for span in spans) == hypothesis
    changed = sum(max(len(span.right), len(span.found)) for span in spans if span.change != "equal")
    assert changed == edits(reference, hypothesis, "characters", AS_IS).total


@pytest.mark.parametrize(
    ("reference", "hypothesis", "change"),
    [("a b c", "a c", "omission"), ("a c", "a b c", "insertion"), ("a b c", "a x c", "substitution")],
)
def test_each_change_is_named(reference: str, hypothesis: str, change: str) -> None:
    assert [span.change for span in aligned(reference, hypothesis, "words")] == ["equal", change, "equal"]


def test_an_empty_side_is_one_span_or_none() -> None:
    assert aligned("", "", "words") == []
    assert [span.change for span in aligned("a b", "", "words")] == ["omission"]
