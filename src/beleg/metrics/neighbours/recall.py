"""How many of the exact neighbours of each query an index delivered."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem
from beleg.core.inference import Vectors
from beleg.core.nearest import ABSENT, Rows, Similarity
from beleg.metrics.neighbours.exact import Neighbours
from beleg.metrics.neighbours.scoring import Doubles, Numbers, pair_scores, single

Flags = npt.NDArray[np.bool_]

ROUNDING = 2.0**-21
"""Scores nearer to each other than this share of their scale are equal to an index in single precision."""

_VECTORS_AT_ONCE = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Delivered:
    """What became of the rows that an index delivered, one entry a query.

    Attributes:
        wanted: how many neighbours there are to find.
        hits: distinct delivered rows that are as near as the last exact neighbour.
        hits_by_id: distinct delivered rows that are among the exact neighbours by number.
        missing: places that the index left empty although there was something to find.
        repeated: rows delivered again; they count once.
        foreign: rows that do not exist or that the filter does not admit; they count as no hit.
    """

    wanted: int
    hits: Rows
    hits_by_id: Rows
    missing: Rows
    repeated: Rows
    foreign: Rows

    def recall(self) -> Doubles:
        """The share of hits for each query."""
        return self.hits / self.wanted


def delivered(
    found: Rows,
    exact: Neighbours,
    corpus: Numbers,
    queries: Numbers,
    similarity: Similarity,
    *,
    admitted: Rows | None = None,
) -> Delivered:
    """Compares what an index found with the exact neighbours.

    Formula: recall = hits / exact neighbours. A delivered row is a hit if its own exact score reaches that of the last
    exact neighbour, within the rounding of single precision: of several vectors that are equally near, any will do.
    Such recall lies between recall by row number and 1. Source: the tie rule of ann-benchmarks, with a tolerance of
    2⁻²¹ of the scale (1 for cosine, the product of the lengths for inner products, the distance for L2).

    Args:
        found: queries by rows, `ABSENT` where there was none.
        exact: the exact neighbours.
        corpus: one vector a row.
        queries: one vector a row.
        similarity: what was compared.
        admitted: the rows that the filter admits, in ascending order.

    Returns:
        Counts for each query.

    Raises:
        DataError: if there is not one list for each query, or a delivered row that is not among the exact neighbours is
            nearer than the last of them: then they are not the exact ones.

    Example:
        >>> corpus = np.float32([[1, 0], [1, 0], [0, 1]])
        >>> exact = Neighbours(np.array([[0]]), np.array([[1.0]]))
        >>> told = delivered(np.array([[1]]), exact, corpus, np.float32([[1, 0]]), Similarity.COSINE)
        >>> told.hits.tolist(), told.hits_by_id.tolist()
        ([1], [0])
    """
    if found.ndim != 2 or len(found) != len(exact.rows):
        raise DataError(Problem(message=f"{len(exact.rows)} lists of rows are needed", value=f"shape {found.shape}"))
    wanted = exact.rows.shape[1]
    absent = found == ABSENT
    known = (found >= 0) & (found < len(corpus))
    if admitted is not None:
        known &= np.isin(found, admitted)
    again = _again(found) & ~absent
    usable = known & ~again
    by_id = usable & np.isin(_keys(found, len(corpus)), _keys(exact.rows, len(corpus)))
    near, nearer = _near(found, usable, exact, (corpus, queries), similarity)
    _require_exact(found, nearer & ~by_id)
    return Delivered(
        wanted=wanted,
        hits=_counted(near | by_id),
        hits_by_id=_counted(by_id),
        missing=np.maximum(wanted - _counted(~absent), 0),
        repeated=_counted(again),
        foreign=_counted(~known & ~absent),
    )


def _require_exact(found: Rows, nearer: Flags) -> None:
    wrong = np.argwhere(nearer)
    if len(wrong):
        query, place = wrong[0].tolist()
        raise DataError(
            Problem(
                message=f"the exact neighbours of query {query} are wrong: a row that is not among them is nearer",
                value=f"row {found[query, place]}",
                remedy="Leave the exact neighbours out to have them searched",
            )
        )


def _near(
    found: Rows, usable: Flags, exact: Neighbours, vectors: tuple[Numbers, Numbers], similarity: Similarity
) -> tuple[Flags, Flags]:
    """Which rows score as high as the last exact neighbour, and which score higher."""
    corpus, queries = vectors
    asked = single(queries)
    near, nearer = np.zeros(found.shape, dtype=np.bool_), np.zeros(found.shape, dtype=np.bool_)
    query, place = np.nonzero(usable)
    last = exact.scores[:, -1]
    for start in range(0, len(query), _VECTORS_AT_ONCE):
        part = slice(start, start + _VECTORS_AT_ONCE)
        beside = single(corpus[found[query[part], place[part]]])
        scores = pair_scores(asked, query[part], beside, similarity)
        tolerance = ROUNDING * _scale(asked, query[part], beside, last, similarity)
        near[query[part], place[part]] = scores >= last[query[part]] - tolerance
        nearer[query[part], place[part]] = scores > last[query[part]] + tolerance
    return near, nearer


def _scale(asked: Vectors, query: Rows, beside: Vectors, last: Doubles, similarity: Similarity) -> Doubles | float:
    if similarity is Similarity.COSINE:
        return 1.0
    if similarity is Similarity.L2:
        return np.abs(last[query])
    lengths = np.sqrt(np.square(asked, dtype=np.float64).sum(axis=1))
    scale: Doubles = lengths[query] * np.sqrt(np.square(beside, dtype=np.float64).sum(axis=1))
    return scale


def _keys(rows: Rows, total: int) -> Rows:
    """One number for each pair of a query and a row; only rows of the corpus have a number of their own."""
    keys: Rows = np.arange(len(rows))[:, None] * total + np.clip(rows, 0, total - 1)
    return keys


def _again(found: Rows) -> Flags:
    """Which entries stood in their list before."""
    order = np.argsort(found, axis=1, kind="stable")
    ordered = np.take_along_axis(found, order, axis=1)
    repeats = np.zeros(found.shape, dtype=np.bool_)
    repeats[:, 1:] = ordered[:, 1:] == ordered[:, :-1]
    again = np.empty_like(repeats)
    np.put_along_axis(again, order, repeats, axis=1)
    return again


def _counted(flags: Flags) -> Rows:
    counts: Rows = np.count_nonzero(flags, axis=1).astype(np.int64)
    return counts
