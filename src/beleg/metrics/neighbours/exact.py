"""Exact nearest neighbours: blocks of one matrix product, a running threshold, and exact scores for what passes it.

The product in single precision only proposes. A bound on its rounding error makes sure that no true neighbour is passed
over; the few rows that pass are scored in double precision, so that the answer does not depend on the size of blocks,
the number of threads or the library behind the product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.core.inference import Vectors
from beleg.core.nearest import ABSENT, Rows, Similarity
from beleg.metrics.neighbours.scoring import (
    Doubles,
    Numbers,
    pair_scores,
    require_matrix,
    require_same_width,
    single,
    squared_lengths,
)

BLOCK_CELLS = 1 << 23
QUERIES_AT_ONCE = 1_024
_UNIT_ROUNDOFF = 2.0**-24
_SMALLEST_NORMAL = 2.0**-126
_MANY = 8
_GROUPS_EACH = 16


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """The nearest rows of each query, nearest first; equal scores by ascending row number.

    Attributes:
        rows: queries by neighbours; fewer than asked for only where fewer rows were admitted.
        scores: their scores in double precision; a higher score is nearer (under L2 minus the squared distance).
    """

    rows: Rows
    scores: Doubles


def exact_neighbours(
    corpus: Numbers,
    queries: Numbers,
    k: int,
    similarity: Similarity,
    *,
    admitted: Rows | npt.NDArray[np.bool_] | None = None,
    advance: Callable[[int], None] | None = None,
) -> Neighbours:
    """The k nearest rows of every query, by comparing it with every row.

    Vectors are taken in single precision; scores are those of these vectors in double precision. Equal scores are
    ordered by ascending row number. Memory stays bounded whatever the size of the corpus, which may be a memory map.

    Args:
        corpus: one vector a row.
        queries: one vector a row.
        k: how many neighbours.
        similarity: what is compared.
        admitted: the rows that a filter admits, by number in ascending order or as one flag a row; by default all.
        advance: is told after each block how many rows it held.

    Returns:
        ``min(k, admitted rows)`` neighbours of every query.

    Raises:
        DataError: if a vector is not finite, too long, or all zeros under cosine; if the widths differ; if no row is
            admitted.
        UsageError: if k is below 1.

    Example:
        >>> found = exact_neighbours(np.eye(3), np.array([[1.0, 0.5, 0.0]]), 2, Similarity.INNER_PRODUCT)
        >>> found.rows.tolist(), found.scores.tolist()
        ([[0, 1]], [[1.0, 0.5]])
    """
    require_matrix("queries", queries)
    require_matrix("corpus", corpus)
    require_same_width("queries", queries, "the corpus", corpus)
    if k < 1:
        raise UsageError(f"k must be at least 1 (found {k})")
    rows = None if admitted is None else _checked(admitted, len(corpus))
    total = len(corpus) if rows is None else len(rows)
    search = _Search(single(queries), min(k, total), similarity)
    for numbers, block in _blocks(corpus, rows, search.block_rows):
        search.add(numbers, block)
        if advance is not None:
            advance(len(block))
    return Neighbours(search.rows, search.scores)


def _checked(admitted: Rows | npt.NDArray[np.bool_], total: int) -> Rows:
    if admitted.dtype == np.bool_ and admitted.shape == (total,):
        admitted = np.flatnonzero(admitted)
    if not len(admitted):
        raise DataError(Problem(message="the filter admits no row", remedy="Leave out filters that admit nothing"))
    if admitted.dtype.kind not in "iu" or admitted[0] < 0 or admitted[-1] >= total or (np.diff(admitted) <= 0).any():
        raise DataError(
            Problem(
                message=f"admitted rows must ascend and lie between 0 and {total - 1}",
                value=shown(admitted[:5].tolist()),
            )
        )
    return admitted.astype(np.int64)


def _blocks(corpus: Numbers, admitted: Rows | None, size: int) -> Iterator[tuple[Rows, Vectors]]:
    total = len(corpus) if admitted is None else len(admitted)
    for start in range(0, total, size):
        stop = min(start + size, total)
        if admitted is None:
            yield np.arange(start, stop), single(corpus[start:stop])
        else:
            yield admitted[start:stop], single(corpus[admitted[start:stop]])


class _Search:
    """The best rows so far of all queries, and what a row must reach to be among them."""

    def __init__(self, queries: Vectors, width: int, similarity: Similarity) -> None:
        self.rows: Rows = np.full((len(queries), width), ABSENT, dtype=np.int64)
        self.scores = np.full((len(queries), width), -np.inf)
        self._queries, self._similarity, self._width = queries, similarity, width
        self._lengths = np.sqrt(squared_lengths("queries", queries, similarity))
        self._factors = self._as_factors()
        at_once = min(len(queries), QUERIES_AT_ONCE)
        self.block_rows = max(BLOCK_CELLS // max(at_once, self._factors.shape[1]), 4 * width)
        self._product = np.empty(self.block_rows * at_once, dtype=np.float32)
        self._passes = np.empty(self.block_rows * at_once, dtype=np.bool_)

    def _as_factors(self) -> Vectors:
        """What the rows are multiplied with: directions under cosine, one more column under L2."""
        if self._similarity is Similarity.COSINE:
            return (self._queries / self._lengths[:, None]).astype(np.float32)
        if self._similarity is Similarity.L2:
            return np.column_stack([self._queries, np.ones(len(self._queries), dtype=np.float32)])
        return self._queries

    def add(self, numbers: Rows, block: Vectors) -> None:
        """Compares a block of rows with every query."""
        squares = squared_lengths("corpus", block, self._similarity, numbers)
        factors = self._block_factors(block, squares)
        longest = 1.001 * float(np.sqrt(squares.max()))
        for start in range(0, len(self._queries), QUERIES_AT_ONCE):
            queries = slice(start, min(start + QUERIES_AT_ONCE, len(self._queries)))
            rows, of_query = self._proposed(factors, block, queries, longest)
            if len(rows):
                self._take(numbers[rows], of_query + start, block[rows])

    def _block_factors(self, block: Vectors, squares: Doubles) -> Vectors:
        if self._similarity is Similarity.COSINE:
            if squares.min() < _SMALLEST_NORMAL:  # the inverse of such a length is beyond single precision
                return (block / np.sqrt(squares)[:, None]).astype(np.float32)
            return block * (1.0 / np.sqrt(squares)).astype(np.float32)[:, None]
        if self._similarity is Similarity.L2:
            return np.column_stack([block, (-0.5 * squares).astype(np.float32)])
        return block

    def _proposed(
        self, factors: Vectors, block: Vectors, queries: slice, longest: float
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """The pairs of row and query that may belong to the nearest, in order of the rows."""
        wide = queries.stop - queries.start
        product = self._product[: len(block) * wide].reshape(len(block), wide)
        passes = self._passes[: len(block) * wide].reshape(len(block), wide)
        np.matmul(factors, self._factors[queries].T, out=product)
        error = self._error(queries, longest)
        threshold = _below(self._needed(queries) - error)
        np.greater(product, threshold, out=passes)
        if np.count_nonzero(passes) > _MANY * wide * self._width and len(block) > self._width:
            # At least as many rows as are wanted reach this score, so that the last one wanted is not far below it.
            reached = _reached_by(product, self._width).astype(np.float64)
            np.greater(product, np.maximum(threshold, _below(reached - 2.0 * error)), out=passes)
        rows, of_query = np.divmod(np.flatnonzero(passes), wide)
        if len(rows) > _MANY * wide * self._width:
            kept = self._first_copies(block, rows, of_query)
            return rows[kept], of_query[kept]
        return rows, of_query

    def _needed(self, queries: slice) -> Doubles:
        """The score that a row must exceed, on the scale of the product."""
        last = self.scores[queries, -1]
        return 0.5 * (last + self._lengths[queries] ** 2) if self._similarity is Similarity.L2 else last

    def _error(self, queries: slice, longest: float) -> Doubles:
        """How far the product can lie from the true score.

        A sum of n products in any order is off by at most n u / (1 - n u) times the product of the lengths (Higham,
        2002, 3.1); twice that covers the rounding of the factors themselves.
        """
        width = self._factors.shape[1]
        lengths = 1.001 * self._lengths[queries]
        if self._similarity is Similarity.COSINE:
            scale = np.ones(len(lengths))
        elif self._similarity is Similarity.L2:
            scale = lengths * longest + 0.5 * longest**2 + lengths**2
        else:
            scale = lengths * longest
        error: Doubles = (2 * width + 16) * (1.01 * _UNIT_ROUNDOFF * scale + _SMALLEST_NORMAL)
        return error

    def _first_copies(
        self, block: Vectors, rows: npt.NDArray[np.intp], of_query: npt.NDArray[np.intp]
    ) -> npt.NDArray[np.bool_]:
        """Of equal rows, only as many as are wanted: later ones come after them in every list."""
        distinct, place = np.unique(rows, return_inverse=True)
        as_bytes = np.ascontiguousarray(block[distinct]).view(np.dtype((np.void, block.shape[1] * 4)))[:, 0]
        same = np.unique(as_bytes, return_inverse=True)[1]
        return _ranks(same[place] * len(self._queries) + of_query) < self._width

    def _take(self, numbers: Rows, of_query: npt.NDArray[np.intp], vectors: Vectors) -> None:
        """Puts the best of the new rows among the best so far."""
        scores = pair_scores(self._queries, of_query, vectors, self._similarity)
        touched = np.unique(of_query)
        query = np.concatenate([np.repeat(touched, self._width), of_query])
        score = np.concatenate([self.scores[touched].ravel(), scores])
        row = np.concatenate([self.rows[touched].ravel(), numbers])
        order = np.lexsort((row, -score, query))
        query, score, row = query[order], score[order], row[order]
        rank = np.arange(len(query)) - np.searchsorted(query, query)
        kept = rank < self._width
        self.scores[query[kept], rank[kept]] = score[kept]
        self.rows[query[kept], rank[kept]] = row[kept]


def _reached_by(product: Vectors, wanted: int) -> Vectors:
    """For each column a value that at least so many rows reach, from maxima of groups of rows where that will do."""
    groups = _GROUPS_EACH * wanted
    size = len(product) // groups
    if size > 1:
        product = product[: groups * size].reshape(groups, size, product.shape[1]).max(axis=1)
    place = len(product) - wanted
    reached: Vectors = np.partition(product, place, axis=0)[place]
    return reached


def _ranks(labels: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """How often the label of each entry stood before it."""
    order = np.argsort(labels, kind="stable")
    ordered = labels[order]
    ranks = np.empty(len(labels), dtype=np.intp)
    ranks[order] = np.arange(len(labels)) - np.searchsorted(ordered, ordered)
    return ranks


def _below(bounds: Doubles) -> Vectors:
    """The next number of single precision below each bound."""
    with np.errstate(over="ignore"):
        return np.nextafter(bounds.astype(np.float32), np.float32(-np.inf), dtype=np.float32)
