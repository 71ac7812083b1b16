"""Exact search beside faiss' flat indexes and beside every pair in double precision."""

from __future__ import annotations

import faiss
import numpy as np
import pytest

from beleg.core.nearest import Similarity
from beleg.metrics.neighbours.exact import exact_neighbours

RNG_SEED = 17


def faiss_flat(
    corpus: np.ndarray, queries: np.ndarray, k: int, similarity: Similarity
) -> tuple[np.ndarray, np.ndarray]:
    """Rows and scores of faiss, whose L2 is the squared distance."""
    width = corpus.shape[1]
    index = faiss.IndexFlatL2(width) if similarity is Similarity.L2 else faiss.IndexFlatIP(width)
    if similarity is Similarity.COSINE:
        corpus, queries = corpus.copy(), queries.copy()
        faiss.normalize_L2(corpus)
        faiss.normalize_L2(queries)
    index.add(corpus)
    scores, rows = index.search(queries, k)
    return rows, -scores if similarity is Similarity.L2 else scores


def in_double(corpus: np.ndarray, queries: np.ndarray, similarity: Similarity) -> np.ndarray:
    """All scores, by the schoolbook formula in double precision."""
    wide, asked = corpus.astype(np.float64), queries.astype(np.float64)
    if similarity is Similarity.L2:
        return -((asked[:, None, :] - wide[None, :, :]) ** 2).sum(axis=2)
    products = asked @ wide.T
    if similarity is Similarity.COSINE:
        products /= np.linalg.norm(asked, axis=1)[:, None] * np.linalg.norm(wide, axis=1)
    return products


@pytest.mark.parametrize("similarity", Similarity)
def test_random_vectors_have_the_neighbours_that_faiss_finds(similarity: Similarity) -> None:
    rng = np.random.default_rng(RNG_SEED)
    corpus = rng.standard_normal((20_000, 48), dtype=np.float32)
    queries = rng.standard_normal((150, 48), dtype=np.float32)
    found = exact_neighbours(corpus, queries, 20, similarity)
    rows, scores = faiss_flat(corpus, queries, 20, similarity)
    # Rounded to single precision, two neighbours may change places; their scores may not.
    np.testing.assert_allclose(found.scores, scores, rtol=2e-5, atol=2e-6)
    assert (found.rows == rows).mean() > 0.999


@pytest.mark.parametrize("similarity", Similarity)
def test_random_vectors_have_the_neighbours_of_all_pairs_in_double_precision(similarity: Similarity) -> None:
    rng = np.random.default_rng(RNG_SEED)
    corpus = rng.standard_normal((6_000, 24), dtype=np.float32)
    queries = rng.standard_normal((40, 24), dtype=np.float32)
    found = exact_neighbours(corpus, queries, 15, similarity)
    every = in_double(corpus, queries, similarity)
    assert found.rows.tolist() == np.argsort(-every, axis=1, kind="stable")[:, :15].tolist()


@pytest.mark.parametrize("similarity", [Similarity.INNER_PRODUCT, Similarity.L2])
def test_whole_numbers_tie_and_ties_go_by_row_number(similarity: Similarity) -> None:
    rng = np.random.default_rng(RNG_SEED)
    corpus = rng.integers(0, 3, (9_000, 6)).astype(np.float32)
    queries = rng.integers(0, 3, (50, 6)).astype(np.float32)
    found = exact_neighbours(corpus, queries, 25, similarity)
    _, scores = faiss_flat(corpus, queries, 25, similarity)
    assert found.scores.tolist() == scores.tolist()
    every = in_double(corpus, queries, similarity)
    assert found.rows.tolist() == np.argsort(-every, axis=1, kind="stable")[:, :25].tolist()


def test_a_filter_finds_what_faiss_finds_with_a_selector() -> None:
    rng = np.random.default_rng(RNG_SEED)
    corpus = rng.standard_normal((5_000, 16), dtype=np.float32)
    queries = rng.standard_normal((30, 16), dtype=np.float32)
    admitted = np.flatnonzero(rng.random(5_000) < 0.05)
    index = faiss.IndexFlatL2(16)
    index.add(corpus)
    _, rows = index.search(queries, 10, params=faiss.SearchParameters(sel=faiss.IDSelectorBatch(admitted)))
    assert exact_neighbours(corpus, queries, 10, Similarity.L2, admitted=admitted).rows.tolist() == rows.tolist()
