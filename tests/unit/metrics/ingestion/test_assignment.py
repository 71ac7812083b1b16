"""The pairing that is worth most, against scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from beleg.metrics.ingestion.assignment import best_pairs


@settings(max_examples=200)
@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 2**32), st.booleans())
def test_pairs_are_worth_as_much_as_scipys(rows: int, columns: int, seed: int, coarse: bool) -> None:
    rng = np.random.default_rng(seed)
    worth = rng.integers(0, 4, (rows, columns)) / 4 if coarse else rng.random((rows, columns))
    pairs = best_pairs(worth)
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)
    assert all(worth[pair] > 0 for pair in pairs)
    best = worth[linear_sum_assignment(worth, maximize=True)].sum()
    assert sum(worth[pair] for pair in pairs) == pytest.approx(best)


def test_nothing_is_paired_that_is_worth_nothing() -> None:
    assert best_pairs(np.zeros((3, 2))) == []
    assert best_pairs(np.zeros((0, 2))) == []
