"""Overlaps and the matching, against every pair and against scipy's assignment."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from beleg.core.errors import DataError
from beleg.metrics.ingestion import span_pairs
from beleg.metrics.ingestion.span_pairs import SpanPairs, matched, overlapping

SIDE = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 12), st.integers(1, 6)), max_size=10).map(
    lambda rows: tuple(np.array([(group, start, start + length) for group, start, length in rows]).reshape(-1, 3).T)
)


@settings(max_examples=200)
@given(SIDE, SIDE)
def test_every_overlap_is_found_once(one: tuple[np.ndarray, ...], other: tuple[np.ndarray, ...]) -> None:
    pairs = overlapping(one, other)  # type: ignore[arg-type]
    expected = {
        (i, j)
        for i, (group, start, end) in enumerate(zip(*one, strict=True))
        for j, (group_, start_, end_) in enumerate(zip(*other, strict=True))
        if group == group_ and start < end_ and start_ < end
    }
    found = list(zip(pairs.gold.tolist(), pairs.predicted.tolist(), strict=True))
    assert len(found) == len(set(found))
    assert set(found) == expected


@settings(max_examples=200)
@given(SIDE, SIDE, st.integers(0, 2**32))
def test_the_matching_is_worth_most(one: tuple[np.ndarray, ...], other: tuple[np.ndarray, ...], seed: int) -> None:
    pairs = overlapping(one, other)  # type: ignore[arg-type]
    worth = np.random.default_rng(seed).integers(1, 5, len(pairs)).astype(np.float64)
    table = np.zeros((len(one[0]), len(other[0])))
    table[pairs.gold, pairs.predicted] = worth
    chosen = matched(pairs, worth, table.shape)
    kept = pairs.kept(chosen)
    assert len(set(kept.gold.tolist())) == len(set(kept.predicted.tolist())) == len(kept)
    assert worth[chosen].sum() == table[linear_sum_assignment(table, maximize=True)].sum()


def test_too_many_overlaps_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    nested = np.zeros(4, np.int64), np.arange(4), np.full(4, 9)
    monkeypatch.setattr(span_pairs, "MOST_PAIRS", 15)
    with pytest.raises(DataError, match="more than 15 pairs"):
        overlapping(nested, nested)
    monkeypatch.setattr(span_pairs, "MOST_PAIRS", 16)
    pairs = overlapping(nested, nested)
    monkeypatch.setattr(span_pairs, "MOST_ENTANGLED", 3)
    with pytest.raises(DataError, match="more than 3 spans hang together"):
        matched(pairs, np.ones(16), (4, 4))


def test_nothing_is_matched_where_there_is_nothing() -> None:
    nothing = SpanPairs(np.zeros(0, np.int64), np.zeros(0, np.int64))
    assert matched(nothing, np.zeros(0), (3, 0)).tolist() == []
