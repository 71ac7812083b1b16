from __future__ import annotations

import numpy as np
import pytest

from beleg.core.errors import DataError
from beleg.core.nearest import Similarity
from beleg.metrics.neighbours.scoring import (
    pair_scores,
    require_matrix,
    require_same_width,
    single,
    squared_lengths,
)


def test_a_pair_has_one_score_wherever_it_stands() -> None:
    rng = np.random.default_rng(1)
    vectors = rng.standard_normal((5_000, 387), dtype=np.float32)
    vectors[4_321] = vectors[7]
    queries = rng.standard_normal((2, 387), dtype=np.float32)
    for similarity in Similarity:
        together = pair_scores(queries, np.arange(5_000) % 2, vectors, similarity)
        alone = pair_scores(queries[1:], np.array([0]), vectors[7:8], similarity)
        assert together[7] == together[4_321] == alone[0]


def test_scores_by_hand() -> None:
    query, vector, which = np.float32([[1, 2]]), np.float32([[3, 4]]), np.array([0])
    assert pair_scores(query, which, vector, Similarity.INNER_PRODUCT).tolist() == [11.0]
    assert pair_scores(query, which, vector, Similarity.L2).tolist() == [-8.0]
    assert pair_scores(query, which, vector, Similarity.COSINE)[0] == pytest.approx(11 / 125**0.5, abs=1e-16)


@pytest.mark.parametrize(
    ("value", "said"),
    [(np.nan, "row 12 holds a component that is not finite, at position 1"), (np.inf, "(found inf)"),
     (2e18, "row 12 is too long a vector for single precision")],
)  # fmt: skip
def test_a_vector_that_cannot_be_compared_is_named(value: float, said: str) -> None:
    vectors = np.ones((3, 2), dtype=np.float32)
    vectors[2, 1] = value
    with pytest.raises(DataError) as caught:
        squared_lengths("corpus.npy", vectors, Similarity.INNER_PRODUCT, np.array([10, 11, 12]))
    assert str(caught.value).startswith("corpus.npy: ")
    assert said in str(caught.value)


def test_a_vector_of_zeros_has_no_cosine() -> None:
    vectors = np.float32([[1, 0], [0, 0]])
    assert squared_lengths("c", vectors, Similarity.L2).tolist() == [1.0, 0.0]
    with pytest.raises(DataError, match="row 1 is all zeros"):
        squared_lengths("c", vectors, Similarity.COSINE)


def test_a_tiny_vector_keeps_its_direction() -> None:
    vectors = np.float32([[3e-30, 4e-30]])
    assert squared_lengths("c", vectors, Similarity.COSINE)[0] == pytest.approx(25e-60)


@pytest.mark.parametrize("vectors", [np.zeros(3), np.zeros((0, 3)), np.zeros((2, 2), dtype=bool), np.array([["a"]])])
def test_what_is_no_table_of_numbers_is_refused(vectors: np.ndarray) -> None:
    with pytest.raises(DataError, match=r"^c\.npy: "):
        require_matrix("c.npy", vectors)


def test_widths_that_differ_are_both_named() -> None:
    with pytest.raises(DataError, match=r"q: the vectors have 2 components, those of c 3"):
        require_same_width("q", np.zeros((1, 2)), "c", np.zeros((1, 3)))


def test_half_precision_and_whole_numbers_are_taken_exactly() -> None:
    assert single(np.float16([[0.1]])).dtype == np.float32
    assert single(np.float16([[0.1]]))[0, 0] == np.float16(0.1)
    assert single(np.uint8([[255]]))[0, 0] == 255
