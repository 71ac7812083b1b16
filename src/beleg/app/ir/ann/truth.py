"""Exact neighbours of the queries: searched once, kept in a file, or supplied and then checked."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from beleg.adapters.formats.atomic import replacing
from beleg.adapters.formats.vectors import VectorTable, read_neighbour_rows
from beleg.core.digest import digest_of
from beleg.core.errors import DataError, EvidenceError, Problem, shown
from beleg.core.nearest import Rows, Similarity
from beleg.metrics.neighbours.exact import Neighbours, exact_neighbours
from beleg.metrics.neighbours.recall import delivered
from beleg.metrics.neighbours.scoring import pair_scores, require_same_width, single, squared_lengths

CHECKED_QUERIES = 20
CHECK_ROWS = 65_536
Advance = Callable[[int], None]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class VectorPair:
    """A corpus and the queries that search it."""

    corpus_name: str
    corpus: VectorTable
    corpus_digest: str
    queries_name: str
    queries: VectorTable
    queries_digest: str
    similarity: Similarity

    def require_comparable(self) -> None:
        """Refuses vectors that cannot be searched, naming the file and the row.

        Raises:
            DataError: if the widths differ, or a vector is not finite, too long, or all zeros under cosine.
        """
        require_same_width(self.queries_name, self.queries, self.corpus_name, self.corpus)
        for name, vectors in ((self.queries_name, self.queries), (self.corpus_name, self.corpus)):
            for start in range(0, len(vectors), CHECK_ROWS):
                block = single(vectors[start : start + CHECK_ROWS])
                squared_lengths(name, block, self.similarity, np.arange(start, start + len(block)))

    def key(self, k: int, part: str) -> str:
        """Names the exact answer: same vectors, same similarity, same k."""
        vectors = {"corpus": self.corpus_digest, "queries": self.queries_digest}
        return digest_of({**vectors, "similarity": self.similarity.value, "k": k, "part": part})


def kept_or_searched(
    file: Path, key: str, search: Callable[[], Mapping[str, Neighbours]]
) -> tuple[dict[str, Neighbours], bool]:
    """Answers from a file that holds those of the same key, or from a search whose answers go into the file.

    Returns:
        The answers by name, and whether they come from the file.

    Raises:
        EvidenceError: if the file holds answers of another key, or something else.
    """
    if file.exists():
        return _kept(file, key), True
    answers = dict(search())
    arrays = {f"{part}:{name}": value for name, found in answers.items()
              for part, value in (("rows", found.rows), ("scores", found.scores))}  # fmt: skip
    with replacing(file) as temporary, temporary.open("wb") as written:
        np.savez(written, allow_pickle=False, about=np.array(json.dumps({"format": 1, "key": key})), **arrays)
    return answers, False


def _kept(file: Path, key: str) -> dict[str, Neighbours]:
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as arrays:
            about = json.loads(str(arrays["about"]))
            names = [name.removeprefix("rows:") for name in arrays.files if name.startswith("rows:")]
            found = {name: Neighbours(arrays[f"rows:{name}"], arrays[f"scores:{name}"]) for name in names}
            kept = about["key"]
    except (zipfile.BadZipFile, ValueError, EOFError, KeyError, TypeError, AttributeError, OSError) as error:
        raise EvidenceError(
            f"{file}: this holds no exact neighbours that Beleg wrote: {error}", hint="Remove the file, or name another"
        ) from error
    if kept != key:
        raise EvidenceError(
            f"{file}: these are the exact neighbours of other vectors, another similarity or another k",
            hint="Remove the file to search anew, or name another",
        )
    return found


def searched(pair: VectorPair, k: int, advance: Advance | None = None, admitted: Rows | None = None) -> Neighbours:
    """The exact neighbours of all queries."""
    return exact_neighbours(pair.corpus, pair.queries, k, pair.similarity, admitted=admitted, advance=advance)


def supplied(file: Path, pair: VectorPair, k: int) -> Neighbours:
    """Exact neighbours that somebody else found, after a check of some queries by our own search.

    Args:
        file: ``.ivecs`` or ``.npy`` with one list of row numbers for each query.
        pair: the vectors.
        k: how many neighbours of each list are used.

    Raises:
        DataError: if the lists do not fit the vectors, repeat a row, or are not the nearest rows of a checked query.
    """
    rows = read_neighbour_rows(file)
    if len(rows) != len(pair.queries) or rows.shape[1] < min(k, len(pair.corpus)):
        raise _unfit(file, f"{len(pair.queries):,} lists of {k} rows are needed", f"{len(rows):,} of {rows.shape[1]}")
    nearest = np.asarray(rows[:, :k], dtype=np.int64)
    if nearest.min() < 0 or nearest.max() >= len(pair.corpus):
        raise _unfit(file, f"rows must lie between 0 and {len(pair.corpus) - 1}", str(int(nearest.max())))
    if (np.diff(np.sort(nearest, axis=1), axis=1) == 0).any():
        raise _unfit(file, "a list names a row twice", None)
    scores = np.empty(nearest.shape)
    asked = single(pair.queries)
    for place in range(nearest.shape[1]):
        every = np.arange(len(nearest))
        scores[:, place] = pair_scores(asked, every, single(pair.corpus[nearest[:, place]]), pair.similarity)
    order = np.lexsort((nearest, -scores), axis=1)
    found = Neighbours(np.take_along_axis(nearest, order, axis=1), np.take_along_axis(scores, order, axis=1))
    _check(file, pair, found)
    return found


def _check(file: Path, pair: VectorPair, found: Neighbours) -> None:
    """Compares evenly spaced queries with our own search, within the rounding of single precision."""
    some = np.unique(np.linspace(0, len(pair.queries) - 1, CHECKED_QUERIES).astype(np.int64))
    queries = np.asarray(pair.queries[some])
    exact = exact_neighbours(pair.corpus, queries, found.rows.shape[1], pair.similarity)
    recall = delivered(found.rows[some], exact, pair.corpus, queries, pair.similarity).recall()
    wrong = np.flatnonzero(recall < 1.0)
    if len(wrong):
        raise _unfit(
            file,
            f"the rows of query {int(some[wrong[0]])} are not its nearest by {pair.similarity.value}",
            f"{recall[wrong[0]]:.3f} of them",
        )


def _unfit(file: Path, message: str, value: str | None) -> DataError:
    return DataError(
        Problem(
            file=str(file),
            message=message,
            value=None if value is None else shown(value),
            remedy="Supply the neighbours of these vectors, or leave them out to have them searched",
        )
    )
