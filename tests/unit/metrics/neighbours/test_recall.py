from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError
from beleg.core.nearest import Similarity
from beleg.metrics.neighbours.exact import Neighbours, exact_neighbours
from beleg.metrics.neighbours.recall import delivered


def told(found: list[list[int]], corpus: np.ndarray, queries: np.ndarray, k: int, **more: object) -> object:
    exact = exact_neighbours(corpus, queries, k, Similarity.L2, **more)
    return delivered(np.array(found), exact, corpus, queries, Similarity.L2, **more)


CORPUS = np.float32([[0], [1], [1], [1], [4], [9]])
QUERY = np.float32([[0]])


def test_ten_copies_of_one_row_count_once() -> None:
    counts = told([[0, 0, 0]], CORPUS, QUERY, 3)
    assert (counts.hits[0], counts.repeated[0], counts.missing[0]) == (1, 2, 0)


def test_of_equally_near_rows_any_will_do() -> None:
    counts = told([[0, 3, 2]], CORPUS, QUERY, 3)
    assert counts.recall().tolist() == [1.0]
    assert counts.hits_by_id.tolist() == [2]


def test_a_row_that_is_farther_than_the_last_neighbour_is_no_hit() -> None:
    assert told([[0, 1, 4]], CORPUS, QUERY, 3).recall().tolist() == [2 / 3]


def test_rounding_of_single_precision_makes_no_miss() -> None:
    corpus = np.float32([[1.0], [1.0000001], [1.001]])
    assert told([[1]], corpus, QUERY, 1).hits.tolist() == [1]
    assert told([[1]], corpus, QUERY, 1).hits_by_id.tolist() == [0]
    assert told([[2]], corpus, QUERY, 1).hits.tolist() == [0]


def test_what_does_not_exist_or_is_not_admitted_is_foreign() -> None:
    counts = told([[4, 99, -1, 0]], CORPUS, QUERY, 3, admitted=np.array([4, 5]))
    assert (counts.wanted, counts.hits[0], counts.foreign[0], counts.missing[0]) == (2, 1, 2, 0)
    assert told([[-1, -1]], CORPUS, QUERY, 2).missing.tolist() == [2]


def test_a_row_that_is_nearer_than_supplied_neighbours_proves_them_wrong() -> None:
    wrong = Neighbours(np.array([[0, 5]]), np.array([[0.0, -81.0]]))
    with pytest.raises(DataError, match=r"the exact neighbours of query 0 are wrong.*row 4"):
        delivered(np.array([[0, 4]]), wrong, CORPUS, QUERY, Similarity.L2)
    kept = delivered(np.array([[0, 5]]), wrong, CORPUS, QUERY, Similarity.L2)
    assert kept.recall().tolist() == [1.0]


def test_one_list_for_each_query() -> None:
    with pytest.raises(DataError, match="1 lists of rows"):
        told([[0], [0]], CORPUS, QUERY, 1)


@given(st.integers(0, 2**32), st.sampled_from(Similarity))
def test_exact_answers_have_recall_1_and_recall_by_number_is_never_above(seed: int, similarity: Similarity) -> None:
    rng = np.random.default_rng(seed)
    corpus, queries = rng.integers(1, 4, (30, 3)), rng.integers(1, 4, (5, 3))
    exact = exact_neighbours(corpus, queries, 6, similarity)
    same = delivered(exact.rows, exact, corpus, queries, similarity)
    assert (same.recall() == 1.0).all()
    assert (same.hits_by_id == 6).all()
    other = delivered(rng.integers(-1, 32, (5, 6)), exact, corpus, queries, similarity)
    assert (other.hits_by_id <= other.hits).all()
    assert ((other.recall() >= 0) & (other.recall() <= 1)).all()
