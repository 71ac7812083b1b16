"""The hits of a run with what several measures share, each made once."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from beleg.metrics.ranking_runs.matching import Hits
from beleg.metrics.ranking_runs.table import CodeArray, FloatArray, IntArray

BoolArray = npt.NDArray[np.bool_]

_CELLS_PER_PAIR = 8
"""How much more room than pairs counting may take before they are sorted instead."""


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """The relevant hits at one level: query, rank, how many were met so far, and how many there are in all."""

    query: CodeArray
    rank: IntArray
    met: IntArray
    total: IntArray
    hit: BoolArray


class Ranked:
    """Judgements and where a run has them.

    ``judged_query`` and ``judged_grade`` hold one entry for every judgement; queries are numbers below ``size``.
    """

    def __init__(self, size: int, judged_query: CodeArray, judged_grade: FloatArray, hits: Hits) -> None:
        self.size = size
        self.judged_query = judged_query
        self.judged_grade = judged_grade
        self.hits = hits
        self._binary: dict[int, Binary] = {}
        self._discounts: FloatArray = np.empty(0)

    @cached_property
    def best_first(self) -> tuple[CodeArray, IntArray, FloatArray]:
        """The judgements with gain in the ideal order: query, rank, grade."""
        return self.ideal(self.judged_grade)

    def ideal(self, judged_gain: FloatArray) -> tuple[CodeArray, IntArray, FloatArray]:
        """The judgements by gain, the best first, as far as they have any: query, rank, gain."""
        gaining = judged_gain > 0
        query, gain = _best_first(self.judged_query[gaining], judged_gain[gaining], self.size)
        return query, running(query, np.ones(len(query), dtype=np.int64)), gain

    @cached_property
    def highest_grade(self) -> FloatArray:
        """The highest grade of every query, 0 where none is positive."""
        best = np.zeros(self.size)
        np.maximum.at(best, self.judged_query, self.judged_grade)
        return best

    def binary(self, level: int) -> Binary:
        """Relevance at a level."""
        if level not in self._binary:
            hit = self.hits.grade >= level
            query = self.hits.query[hit]
            total = self.count(self.judged_query[self.judged_grade >= level])
            met = running(query, np.ones(len(query), dtype=np.int64))
            self._binary[level] = Binary(query, self.hits.rank[hit], met, total, hit)
        return self._binary[level]

    def count(self, query: CodeArray) -> IntArray:
        """How often each query occurs."""
        return np.bincount(query, minlength=self.size)

    def add(self, query: CodeArray, terms: FloatArray) -> FloatArray:
        """The sum of the terms of each query, added from the first rank on."""
        return np.asarray(np.bincount(query, terms, minlength=self.size), dtype=np.float64)

    def discount(self, rank: IntArray) -> FloatArray:
        """The logarithm to base 2 of rank + 1."""
        deepest = int(rank.max(initial=0))
        if deepest >= len(self._discounts):
            # The C library's logarithm, as trec_eval takes it; numpy's vectorised one may differ in the last bit.
            self._discounts = np.array([math.log2(each + 1) for each in range(deepest + 1)])
        return np.asarray(self._discounts[rank], dtype=np.float64)


def _best_first(query: CodeArray, gain: FloatArray, size: int) -> tuple[CodeArray, FloatArray]:
    """Pairs of query and gain by query, the highest gain first."""
    levels = int(gain.max(initial=0.0)) + 1
    if levels * size <= _CELLS_PER_PAIR * len(gain):
        whole = gain.astype(np.int64)
        if (whole == gain).all():
            # Grades are a few whole numbers nearly always: counting them takes a fraction of the time of sorting.
            cells = np.bincount(query * np.int64(levels) + (levels - 1 - whole), minlength=levels * size)
            place = np.repeat(np.arange(size, dtype=query.dtype), levels)
            falling = np.tile(np.arange(levels - 1, -1, -1, dtype=np.float64), size)
            return np.repeat(place, cells), np.repeat(falling, cells)
    order = np.lexsort((-gain, query))
    return query[order], gain[order]


def restricted(hits: Hits, *, depth: int | None = None, judged_only: bool = False) -> Hits:
    """The hits as if documents without a judgement had not been returned, and then as if the lists ended at a depth.

    A document with a negative grade is in the pool and not judged.
    """
    if judged_only:
        known = hits.grade >= 0
        query = hits.query[known]
        rank = running(query, np.ones(len(query), dtype=np.int64))
        returned = np.bincount(query, minlength=len(hits.returned))
        hits = Hits(query, rank, hits.grade[known], returned, hits.extra_queries)
    if depth is not None:
        kept = hits.rank <= depth
        returned = np.minimum(hits.returned, depth)
        hits = Hits(hits.query[kept], hits.rank[kept], hits.grade[kept], returned, hits.extra_queries)
    return hits


def running(query: npt.NDArray[np.integer], amount: IntArray) -> IntArray:
    """The running sum within each query; the rows of a query stand together."""
    total = np.cumsum(amount)
    begins = np.ones(len(query), dtype=np.bool_)
    begins[1:] = query[1:] != query[:-1]
    before = (total - amount)[begins]
    return np.asarray(total - before[np.cumsum(begins) - 1])


def running_sum(query: npt.NDArray[np.integer], amount: FloatArray) -> FloatArray:
    """The running sum within each query, each added from its own start: no rounding comes from other queries."""
    total = amount.astype(np.float64)
    for rows, before in turns(query):
        total[rows] += total[before]
    return total


def turns(query: npt.NDArray[np.integer]) -> Iterator[tuple[IntArray, IntArray]]:
    """For the second, third, … row of all queries at once: these rows, and those before them."""
    place = running(query, np.ones(len(query), dtype=np.int64))
    order = np.argsort(place, kind="stable")
    bounds = np.cumsum(np.bincount(place, minlength=2)).tolist()
    for low, high in itertools.pairwise(bounds[1:]):
        rows = order[low:high]
        yield rows, rows - 1


def divided(above: npt.NDArray[np.generic], below: npt.NDArray[np.generic]) -> FloatArray:
    """The quotient, 0 where nothing is to be divided by."""
    top = above.astype(np.float64)
    return np.asarray(np.divide(top, below, out=np.zeros_like(top), where=below != 0), dtype=np.float64)


def within(cut: int | None, rank: IntArray) -> BoolArray:
    """Which ranks are not beyond a cutoff."""
    return np.ones(len(rank), dtype=np.bool_) if cut is None else rank <= cut
