"""Neighbours that two versions of an embedding share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError
from beleg.core.nearest import ABSENT, Similarity
from beleg.metrics.neighbours.exact import exact_neighbours
from beleg.metrics.neighbours.stability import neighbour_stability


@given(seed=st.integers(0, 1_000), k=st.integers(1, 6))
def test_it_is_the_share_of_the_sets(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    before, after = (np.array([rng.permutation(9)[:k] for _ in range(5)]) for _ in range(2))
    expected = [len(set(one) & set(other)) / k for one, other in zip(before.tolist(), after.tolist(), strict=True)]
    assert neighbour_stability(before, after).tolist() == pytest.approx(expected)


def test_empty_places_are_shared_by_nobody() -> None:
    rows = np.array([[3, ABSENT, ABSENT]])
    assert neighbour_stability(rows, rows).tolist() == pytest.approx([1 / 3])


def test_a_rotated_embedding_has_the_same_neighbours_and_a_new_one_those_of_chance() -> None:
    rng = np.random.default_rng(1)
    corpus, probes = rng.normal(size=(400, 16)), rng.normal(size=(200, 16))
    turned, _ = np.linalg.qr(rng.normal(size=(16, 16)))
    before = exact_neighbours(corpus, probes, 10, Similarity.L2).rows
    same = exact_neighbours(corpus @ turned, probes @ turned, 10, Similarity.L2).rows
    other = exact_neighbours(rng.normal(size=(400, 16)), rng.normal(size=(200, 16)), 10, Similarity.L2).rows
    assert neighbour_stability(before, same).mean() > 0.99
    assert neighbour_stability(before, other).mean() == pytest.approx(10 / 400, abs=0.02)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (np.zeros((2, 3), dtype=np.int64), np.zeros((2, 2), dtype=np.int64), "as many neighbours"),
        (np.zeros((0, 3), dtype=np.int64), np.zeros((0, 3), dtype=np.int64), "as many neighbours"),
        (np.array([[1, 2], [4, 4]]), np.array([[1, 2], [3, 4]]), "probe 1 name a row twice"),
    ],
)
def test_lists_that_cannot_be_compared_are_refused(before: np.ndarray, after: np.ndarray, says: str) -> None:
    with pytest.raises(DataError, match=says):
        neighbour_stability(before, after)
