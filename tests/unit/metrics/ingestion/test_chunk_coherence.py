"""Coherence, against every pair one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError
from beleg.core.score import ScoreStatus
from beleg.metrics.ingestion.chunk_coherence import NO_PAIR_ACROSS, NO_PAIR_WITHIN, coherence


@given(st.lists(st.integers(1, 4), min_size=1, max_size=5), st.integers(0, 2**32))
def test_means_are_those_of_all_pairs(sizes: list[int], seed: int) -> None:
    chunk = [number for number, size in enumerate(sizes) for _ in range(size)]
    vectors = np.random.default_rng(seed).normal(size=(len(chunk), 3))
    unit = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    within = [unit[i] @ unit[j] for i in range(len(chunk)) for j in range(i) if chunk[i] == chunk[j]]
    across = [unit[i] @ unit[j] for i in range(len(chunk)) for j in range(i) if chunk[i] == chunk[j] + 1]
    told = coherence(vectors, chunk)
    assert (told.within_pairs, told.across_pairs) == (len(within), len(across))
    assert told.mean_within().value == (pytest.approx(np.mean(within)) if within else None)
    assert told.mean_across().value == (pytest.approx(np.mean(across)) if across else None)
    if within and across:
        assert told.coherence().value == pytest.approx(np.mean(within) - np.mean(across))


def test_documents_are_added_up() -> None:
    one, other = coherence([[1, 0], [1, 0]], [0, 0]), coherence([[1, 0], [0, 1]], [0, 1])
    assert one.coherence().detail == NO_PAIR_ACROSS
    assert other.coherence().detail == NO_PAIR_WITHIN
    assert (one + other).coherence().value == 1
    assert coherence(np.zeros((0, 3)), []).coherence().status is ScoreStatus.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("vectors", "chunk", "message"),
    [
        ([[1, 0]], [0, 1], "a vector is needed for each of 2 sentences"),
        ([[1, 0], [0, 0]], [0, 0], "the vector of sentence 1 has no direction"),
        ([[1, float("nan")], [0, 1]], [0, 0], "the vector of sentence 0 has no direction"),
        ([[1, 0]] * 3, [0, 1, 0], "do not stand together"),
    ],
)
def test_what_cannot_be_compared_is_refused(vectors: list[list[float]], chunk: list[int], message: str) -> None:
    with pytest.raises(DataError, match=message):
        coherence(vectors, chunk)
