"""Columns of spans: what is no span is refused with its row."""

from __future__ import annotations

import numpy as np
import pytest

from beleg.core.errors import DataError
from beleg.metrics.ingestion.spans import Spans, labels_of_both


def test_spans_of_documents_become_columns() -> None:
    spans = Spans.of([[], [(3, 5, "B"), (0, 9, "A")]])
    assert (spans.documents, len(spans), spans.labels) == (2, 2, ("B", "A"))
    assert (spans.start.tolist(), spans.end.tolist(), spans.document.tolist()) == ([3, 0], [5, 9], [1, 1])
    assert len(Spans.of([[], []])) == 0


@pytest.mark.parametrize(
    ("span", "message"),
    [
        ((3, 3, "A"), "end lies behind start"),
        ((5, 3, "A"), "end lies behind start"),
        ((-1, 3, "A"), "field 'start'"),
        ((0, 1 << 50, "A"), "field 'end'"),
        ((0, 1 << 80, "A"), "whole numbers"),
        ((0, "x", "A"), "whole numbers"),
        ((0, 1, ""), "needs a label"),
    ],
)
def test_what_is_no_span_is_refused(span: tuple[int, int, str], message: str) -> None:
    with pytest.raises(DataError, match=message):
        Spans.of([[span]])


def test_columns_must_fit_together() -> None:
    one = np.array([0])
    with pytest.raises(DataError, match="different lengths"):
        Spans(1, one, one, np.array([1, 2]), one, ("A",))
    with pytest.raises(DataError, match="field 'document'"):
        Spans(1, np.array([1]), one, one + 1, one, ("A",))
    with pytest.raises(DataError, match="field 'label'"):
        Spans(1, one, one, one + 1, one, ())


def test_both_sides_have_the_same_documents_and_labels() -> None:
    labels, one, other = labels_of_both(Spans.of([[(0, 1, "b")]]), Spans.of([[(0, 1, "a"), (1, 2, "b")]]))
    assert (labels, one.tolist(), other.tolist()) == (("a", "b"), [1], [0, 1])
    with pytest.raises(DataError, match="1 documents with gold spans and 2 with predicted ones"):
        labels_of_both(Spans.of([[]]), Spans.of([[], []]))
