"""Characters that leak and characters that go needlessly, against one flag a character."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.core.score import ScoreStatus
from beleg.metrics.ingestion.redaction import NO_GOLD, NOTHING_REDACTED, redaction
from beleg.metrics.ingestion.spans import Spans

DOCUMENTS = st.lists(
    st.lists(
        st.tuples(st.integers(0, 12), st.integers(1, 6), st.sampled_from("AB")).map(
            lambda row: (row[0], row[0] + row[1], row[2])
        ),
        max_size=6,
    ),
    min_size=3,
    max_size=3,
)


def flags(documents: list[list[tuple[int, int, str]]], only: str = "AB") -> np.ndarray:
    covered = np.zeros((3, 20), dtype=bool)
    for number, spans in enumerate(documents):
        for start, end, label in spans:
            covered[number, start:end] |= label in only
    return covered


@settings(max_examples=200)
@given(DOCUMENTS, DOCUMENTS)
def test_every_character_is_counted_once(
    gold: list[list[tuple[int, int, str]]], predicted: list[list[tuple[int, int, str]]]
) -> None:
    told = redaction(Spans.of(gold), Spans.of(predicted))
    right, found = flags(gold), flags(predicted)
    assert (told.sensitive, told.leaked) == (right.sum(), (right & ~found).sum())
    assert (told.redacted, told.needless) == (found.sum(), (found & ~right).sum())
    for label, (sensitive, leaked) in told.leaked_by_type.items():
        own = flags(gold, label)
        assert (sensitive, leaked) == (own.sum(), (own & ~found).sum())


def test_where_nothing_can_be_divided_the_reason_stands() -> None:
    told = redaction(Spans.of([[]]), Spans.of([[]]))
    assert (told.leak_rate().status, told.leak_rate().detail) == (ScoreStatus.NOT_APPLICABLE, NO_GOLD)
    assert (told.needless_rate().status, told.needless_rate().detail) == (ScoreStatus.NOT_APPLICABLE, NOTHING_REDACTED)
