from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.core.errors import DataError, UsageError
from beleg.core.nearest import Similarity
from beleg.metrics.neighbours import exact
from beleg.metrics.neighbours.exact import exact_neighbours
from beleg.metrics.neighbours.scoring import pair_scores


def by_hand(corpus: np.ndarray, queries: np.ndarray, k: int, similarity: Similarity) -> list[list[int]]:
    """Every pair scored, sorted by score and row number."""
    found = []
    for number in range(len(queries)):
        which = np.full(len(corpus), number)
        scores = pair_scores(queries.astype(np.float32), which, corpus.astype(np.float32), similarity)
        found.append(sorted(range(len(corpus)), key=lambda row: (-scores[row], row))[:k])
    return found


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "BLOCK_CELLS", 256)
    monkeypatch.setattr(exact, "QUERIES_AT_ONCE", 3)


@pytest.mark.parametrize("similarity", Similarity)
@pytest.mark.parametrize("order", ["random", "ascending", "all equal", "few distinct", "far away", "tiny", "crowded"])
@pytest.mark.usefixtures("small_blocks")
def test_the_nearest_rows_are_found_whatever_the_order_of_the_corpus(similarity: Similarity, order: str) -> None:
    rng = np.random.default_rng(3)
    queries = rng.standard_normal((7, 5)).astype(np.float32)
    corpus = rng.standard_normal((300, 5)).astype(np.float32)
    if order == "ascending":
        corpus = corpus[np.argsort(corpus @ queries[0])]
    elif order == "all equal":
        corpus[:] = corpus[0]
    elif order == "few distinct":
        corpus = corpus[rng.integers(0, 3, 300)]
    elif order == "far away":
        corpus += 1_000
    elif order == "crowded":
        corpus = corpus[0] + corpus * np.float32(3e-7)
    elif order == "tiny":
        corpus *= np.float32(1e-25)
    found = exact_neighbours(corpus, queries, 10, similarity)
    assert found.rows.tolist() == by_hand(corpus, queries, 10, similarity)
    for number in range(len(queries)):
        expected = pair_scores(queries, np.full(10, number), corpus[found.rows[number]], similarity)
        assert found.scores[number].tolist() == expected.tolist()


@settings(max_examples=40)
@given(st.integers(1, 60), st.integers(1, 70), st.sampled_from(Similarity), st.integers(0, 2**32))
def test_neither_the_size_of_blocks_nor_rounding_decides(total: int, k: int, similarity: Similarity, seed: int) -> None:
    rng = np.random.default_rng(seed)
    corpus = rng.integers(1, 4, (total, 3)) / np.float32(3)
    queries = rng.integers(1, 4, (4, 3)) / np.float32(7)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(exact, "BLOCK_CELLS", int(rng.integers(1, 200)))
        patched.setattr(exact, "QUERIES_AT_ONCE", int(rng.integers(1, 5)))
        found = exact_neighbours(corpus, queries, k, similarity)
    assert found.rows.tolist() == by_hand(corpus, queries, min(k, total), similarity)


@pytest.mark.usefixtures("small_blocks")
def test_a_filter_keeps_to_its_rows() -> None:
    rng = np.random.default_rng(4)
    corpus, queries = rng.standard_normal((200, 4)), rng.standard_normal((3, 4))
    admitted = np.flatnonzero(rng.random(200) < 0.3)
    found = exact_neighbours(corpus, queries, 5, Similarity.L2, admitted=admitted)
    expected = by_hand(corpus[admitted], queries, 5, Similarity.L2)
    assert found.rows.tolist() == admitted[np.array(expected)].tolist()
    assert exact_neighbours(corpus, queries, 5, Similarity.L2, admitted=admitted[:2]).rows.shape == (3, 2)
    flags = np.isin(np.arange(200), admitted)
    by_flag = exact_neighbours(corpus, queries, 5, Similarity.L2, admitted=flags)
    assert by_flag.rows.tolist() == found.rows.tolist()


def test_memory_does_not_grow_with_the_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "BLOCK_CELLS", 1 << 14)
    queries = np.random.default_rng(5).standard_normal((8, 32), dtype=np.float32)
    peaks = []
    for total in (4_000, 64_000):
        corpus = np.random.default_rng(6).standard_normal((total, 32), dtype=np.float32)
        tracemalloc.start()
        exact_neighbours(corpus, queries, 5, Similarity.COSINE)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]
    assert peaks[1] < 64_000 * 32 * 4 / 8


@pytest.mark.usefixtures("small_blocks")
def test_the_corpus_is_read_block_by_block() -> None:
    told: list[int] = []
    corpus = np.random.default_rng(5).standard_normal((150, 4)).astype(np.float16)
    found = exact_neighbours(corpus, corpus[:2], 1, Similarity.L2, advance=told.append)
    assert found.rows[:, 0].tolist() == [0, 1]
    assert sum(told) == 150
    assert len(told) > 1


@pytest.mark.parametrize("rows", [[], [3, 1], [0, 0], [-1], [9], [0.5], [True, False], [False] * 9])
def test_a_filter_that_makes_no_sense_is_refused(rows: list[object]) -> None:
    with pytest.raises(DataError):
        exact_neighbours(np.eye(9), np.eye(9), 1, Similarity.L2, admitted=np.array(rows))


def test_bad_input_is_named() -> None:
    broken = np.eye(4)
    broken[2, 3] = np.nan
    with pytest.raises(DataError, match="corpus: row 2 holds a component that is not finite"):
        exact_neighbours(broken, np.eye(4), 1, Similarity.INNER_PRODUCT)
    with pytest.raises(DataError, match="queries: row 2"):
        exact_neighbours(np.eye(4), broken, 1, Similarity.INNER_PRODUCT)
    with pytest.raises(UsageError, match="k must be at least 1"):
        exact_neighbours(np.eye(4), np.eye(4), 0, Similarity.INNER_PRODUCT)
    with pytest.raises(DataError, match="4 components, those of the corpus 5"):
        exact_neighbours(np.eye(5), np.eye(4), 1, Similarity.INNER_PRODUCT)
