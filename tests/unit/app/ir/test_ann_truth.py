from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from beleg.adapters.formats.vectors import digest_of_vectors
from beleg.app.ir.ann.truth import VectorPair, kept_or_searched, searched, supplied
from beleg.core.errors import DataError, EvidenceError
from beleg.core.nearest import Similarity
from beleg.metrics.neighbours.exact import Neighbours


def pair(similarity: Similarity = Similarity.L2, **changed: np.ndarray) -> VectorPair:
    rng = np.random.default_rng(2)
    corpus = changed.get("corpus", rng.standard_normal((60, 4), dtype=np.float32))
    queries = changed.get("queries", rng.standard_normal((9, 4), dtype=np.float32))
    return VectorPair(
        corpus_name="c.npy", corpus=corpus, corpus_digest=digest_of_vectors(corpus), queries_name="q.npy",
        queries=queries, queries_digest=digest_of_vectors(queries), similarity=similarity,
    )  # fmt: skip


def test_an_exact_search_is_made_once_and_kept(tmp_path: Path) -> None:
    calls = []

    def search() -> dict[str, Neighbours]:
        calls.append(1)
        return {"all": searched(pair(), 3)}

    first, was_kept = kept_or_searched(tmp_path / "e.npz", "key", search)
    again, was_kept_then = kept_or_searched(tmp_path / "e.npz", "key", search)
    assert (was_kept, was_kept_then, len(calls)) == (False, True, 1)
    assert np.array_equal(first["all"].rows, again["all"].rows)
    assert np.array_equal(first["all"].scores, again["all"].scores)
    with pytest.raises(EvidenceError, match="other vectors"):
        kept_or_searched(tmp_path / "e.npz", "another key", search)


@pytest.mark.parametrize("data", [b"", b"no archive", b"PK\x03\x04"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "e.npz").write_bytes(data)
    with pytest.raises(EvidenceError, match="no exact neighbours that Beleg wrote"):
        kept_or_searched(tmp_path / "e.npz", "key", dict)


def test_what_was_pickled_is_not_loaded(tmp_path: Path) -> None:
    np.savez(tmp_path / "e.npz", about=np.array([{}], dtype=object))
    with pytest.raises(EvidenceError):
        kept_or_searched(tmp_path / "e.npz", "key", dict)


def test_the_key_tells_vectors_similarity_and_k_apart() -> None:
    keys = {pair().key(3, "all"), pair().key(4, "all"), pair(Similarity.COSINE).key(3, "all"), pair().key(3, "some")}
    assert len(keys | {pair(queries=np.ones((1, 4))).key(3, "all")}) == 5


def test_supplied_neighbours_are_checked_and_put_in_order(tmp_path: Path) -> None:
    exact = searched(pair(), 5)
    np.save(tmp_path / "gt.npy", exact.rows[:, ::-1])
    assert np.array_equal(supplied(tmp_path / "gt.npy", pair(), 5).rows, exact.rows)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda rows: rows[:4], "9 lists of 5 rows are needed"),
        (lambda rows: rows[:, :3], "9 lists of 5 rows are needed"),
        (lambda rows: rows + 60, "rows must lie between 0 and 59"),
        (lambda rows: np.repeat(rows[:, :1], 5, axis=1), "names a row twice"),
        (lambda rows: (rows + 1) % 60, "are not its nearest by l2"),
    ],
)
def test_supplied_neighbours_that_are_wrong_are_refused(tmp_path: Path, change: object, said: str) -> None:
    np.save(tmp_path / "gt.npy", change(searched(pair(), 5).rows))
    with pytest.raises(DataError, match=said):
        supplied(tmp_path / "gt.npy", pair(), 5)


def test_vectors_that_cannot_be_searched_name_file_and_row() -> None:
    broken = np.ones((70_000, 1), dtype=np.float32)
    broken[68_000] = np.nan
    with pytest.raises(DataError, match=r"c\.npy: row 68000 holds a component that is not finite"):
        pair(corpus=broken, queries=np.ones((1, 1))).require_comparable()
    with pytest.raises(DataError, match=r"q\.npy: row 0 is all zeros"):
        pair(Similarity.COSINE, queries=np.zeros((1, 4))).require_comparable()
    with pytest.raises(DataError, match=r"q\.npy: the vectors have 3 components, those of c\.npy 4"):
        pair(queries=np.ones((1, 3))).require_comparable()
