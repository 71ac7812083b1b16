"""Rank-biased overlap: how alike two rankings are that were cut off and may hold ties, with more weight on the top.

Webber, Moffat and Zobel (2010) define it, with bounds for what is not seen. Corsi and Urbano (2024) say what equal
scores mean: ``w`` lets all tied documents in as soon as one is reached, ``a`` takes the mean over all orders of them,
``b`` corrects ``a`` so that a ranking agrees with itself whatever its ties.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from beleg.core.errors import DataError, Problem, UsageError
from beleg.metrics.ranking_runs.order import ranking
from beleg.metrics.ranking_runs.ranked import BoolArray
from beleg.metrics.ranking_runs.table import FloatArray, IntArray, Table

Ties = Literal["w", "a", "b"]
TIES: tuple[Ties, ...] = get_args(Ties)
_CELLS_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class Overlap:
    """The overlap of two rankings, from 0 to 1: 1 is the same ranking."""

    extrapolated: float
    """As if what is not seen went on as what is seen."""
    least: float
    """As if nothing that is not seen were common."""
    most: float
    """As if as much as possible of it were common."""

    @property
    def residual(self) -> float:
        """What is open between the bounds."""
        return self.most - self.least


@dataclass(frozen=True, slots=True, eq=False)
class OverlapOfRuns:
    """The overlap of two runs on every query that both have, by the bytes of the ids of queries."""

    queries: tuple[str, ...]
    overlaps: tuple[Overlap, ...]
    only_first: int
    """Queries that only the first run has: left out."""
    only_second: int

    def mean(self) -> Overlap:
        """The mean over the common queries."""
        count = len(self.overlaps)
        return Overlap(
            sum(each.extrapolated for each in self.overlaps) / count,
            sum(each.least for each in self.overlaps) / count,
            sum(each.most for each in self.overlaps) / count,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """A ranking: the first and the last rank of the tie of every document, and which documents are common."""

    top: IntArray
    bottom: IntArray
    common: BoolArray

    @property
    def length(self) -> int:
        return len(self.top)

    def share(self, rows: IntArray, depth: IntArray, ties: Ties) -> FloatArray:
        """How far each document is in at each depth: a row for each document, a column for each depth."""
        top, size = self.top[rows, None], (self.bottom - self.top + 1)[rows, None]
        part = np.clip((depth - top + 1) / size, 0.0, 1.0)
        return np.asarray((depth >= top).astype(np.float64) if ties == "w" else part)

    def size(self, depth: IntArray, ties: Ties) -> FloatArray:
        """What the overlap is measured against: the documents in at each depth."""
        if ties == "a":
            return depth.astype(np.float64)
        whole, crossing, part = self.crossing(depth, np.ones(self.length, dtype=np.bool_))
        if ties == "w":
            return np.asarray(whole + crossing)
        return np.sqrt(whole + crossing * part**2)

    def crossing(self, depth: IntArray, kept: BoolArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """At each depth: documents that are in, those of the tie that crosses it, and how far the latter are in."""
        ends = np.sort(self.bottom[kept])
        starts = np.sort(self.top[kept])
        whole = np.searchsorted(ends, depth, side="right")
        crossing = np.searchsorted(starts, depth, side="right") - whole
        at = np.minimum(depth, self.length) - 1
        tops, sizes = np.sort(self.top)[at], (np.sort(self.bottom) - np.sort(self.top) + 1)[at]
        part = np.clip((depth - tops + 1) / sizes, 0.0, 1.0)
        return whole.astype(np.float64), crossing.astype(np.float64), np.asarray(part, dtype=np.float64)


def rank_overlap(
    first: Sequence[Sequence[str]], second: Sequence[Sequence[str]], *, p: float = 0.9, ties: Ties = "a"
) -> Overlap:
    """Rank-biased overlap of two rankings.

    (1 - p) times the sum over depths d of p^(d - 1) times the share of documents that both have down to d.

    Args:
        first: the documents from the top down; those that stand together in one inner list are tied.
        second: the other ranking, likewise.
        p: how far down a reader goes, above 0 and below 1; the top 10 hold about 86 % of the weight at 0.9.
        ties: what equal documents mean, ``w``, ``a`` or ``b``.

    Raises:
        UsageError: if p or ties cannot be.
        DataError: if a ranking is empty or names a document twice.

    Example:
        >>> round(rank_overlap([["a"], ["b"], ["c"]], [["b"], ["a"], ["c"]], p=0.9).extrapolated, 4)
        0.9
        >>> round(rank_overlap([["a", "b"]], [["b", "a"]], ties="b").extrapolated, 9)
        1.0
    """
    sides = [_ties_of(ranked) for ranked in (first, second)]
    names = [[name for tie in ranked for name in tie] for ranked in (first, second)]
    for listed in names:
        if len(set(listed)) < len(listed):
            raise DataError(Problem(message="a ranking names a document twice", remedy="Name it once"))
    place = {name: number for number, name in enumerate(names[1])}
    pairs = np.array([(row, place[name]) for row, name in enumerate(names[0]) if name in place]).reshape(-1, 2)
    return _overlap(sides[0], sides[1], pairs.astype(np.int64), p, ties)


def overlap_of_runs(
    first: Table, second: Table, *, p: float = 0.9, ties: Ties = "a", depth: int | None = None
) -> OverlapOfRuns:
    """Rank-biased overlap of two runs on every query that both have; equal scores are ties.

    Args:
        first: scores by query and document, each pair once.
        second: the other run.
        p: see `rank_overlap`.
        ties: see `rank_overlap`.
        depth: take no more than so many documents of a list; which ones of a tie, the one order says.

    Raises:
        UsageError: if p, ties or depth cannot be.
        DataError: if the runs have no query in common.
    """
    if depth is not None and depth < 1:
        raise UsageError(f"the depth is {depth}", hint="Give 1 or more")
    place = {name: number for number, name in enumerate(second.queries)}
    common = [(name, number, place[name]) for number, name in enumerate(first.queries) if name in place]
    if not common:
        remedy = "Check that both write the ids of the queries in the same way"
        raise DataError(Problem(message="the runs have no query in common", remedy=remedy))
    common.sort(key=lambda each: each[0].encode("utf-8", "surrogatepass"))
    rows = [ranking(run) for run in (first, second)]

    def listed(side: int, query: int) -> IntArray:
        offsets = (first, second)[side].offsets
        return rows[side][offsets[query] : offsets[query + 1]][:depth]

    found = tuple(_compared((first, second), (listed(0, one), listed(1, two)), p, ties) for _, one, two in common)
    names = tuple(name for name, _, _ in common)
    return OverlapOfRuns(names, found, len(first.queries) - len(names), len(second.queries) - len(names))


def _ties_of(ranked: Sequence[Sequence[str]]) -> tuple[IntArray, IntArray]:
    sizes = np.array([len(tie) for tie in ranked], dtype=np.int64)
    bottom = np.cumsum(sizes)
    return np.repeat(bottom - sizes + 1, sizes), np.repeat(bottom, sizes)


def _compared(runs: tuple[Table, Table], rows: tuple[IntArray, IntArray], p: float, ties: Ties) -> Overlap:
    """Compares the lists that stand in some rows of two runs, best first."""
    sides = [_ties_by_score(run.value[own]) for run, own in zip(runs, rows, strict=True)]
    prints = [run.fingerprint[own] for run, own in zip(runs, rows, strict=True)]
    names = [run.documents.take(own) for run, own in zip(runs, rows, strict=True)]
    _, one, two = np.intersect1d(prints[0], prints[1], return_indices=True)
    is_exact = all(len(np.unique(each)) == len(each) for each in prints)
    if is_exact and names[0].take(one).equal_to(names[1].take(two)):
        return _overlap(sides[0], sides[1], np.stack((one, two), axis=1), p, ties)
    # Two different names have the same fingerprint: the names themselves decide.
    place = {names[1][row]: row for row in range(len(names[1]))}
    pairs = [(row, place[names[0][row]]) for row in range(len(names[0])) if names[0][row] in place]
    return _overlap(sides[0], sides[1], np.array(pairs, dtype=np.int64).reshape(-1, 2), p, ties)


def _ties_by_score(score: FloatArray) -> tuple[IntArray, IntArray]:
    begins = np.ones(len(score), dtype=np.bool_)
    begins[1:] = score[1:] != score[:-1]
    sizes = np.diff(np.flatnonzero(begins), append=len(score))
    bottom = np.cumsum(sizes)
    return np.repeat(bottom - sizes + 1, sizes), np.repeat(bottom, sizes)


def _overlap(
    first: tuple[IntArray, IntArray], second: tuple[IntArray, IntArray], pairs: IntArray, p: float, ties: Ties
) -> Overlap:
    if not 0.0 < p < 1.0:
        raise UsageError(f"p is {p:g}", hint="Give a number above 0 and below 1, such as 0.9")
    if ties not in TIES:
        raise UsageError(f"ties are {ties!r}", hint="Give w, a or b")
    if not len(first[0]) or not len(second[0]):
        raise DataError(Problem(message="a ranking is empty", remedy="Compare rankings of one document or more"))
    if len(first[0]) < len(second[0]):
        first, second, pairs = second, first, pairs[:, ::-1]
    longer, shorter = (
        _Side(*ties_of, _marked(len(ties_of[0]), pairs[:, at])) for at, ties_of in enumerate((first, second))
    )
    return _bounds(longer, shorter, pairs, p, ties)


def _marked(length: int, rows: IntArray) -> BoolArray:
    marked = np.zeros(length, dtype=np.bool_)
    marked[rows] = True
    return marked


def _bounds(longer: _Side, shorter: _Side, pairs: IntArray, p: float, ties: Ties) -> Overlap:
    length, seen = longer.length, shorter.length
    depth = np.arange(1, length + 1)
    common = _common(longer, shorter, pairs, depth, ties)
    unseen = np.maximum(depth - seen, 0)
    size = _sizes(longer, shorter, depth, ties)
    agreement = float(common[seen - 1] / size[seen - 1])
    whole, crossing, part = longer.crossing(depth, ~longer.common)
    if ties == "w":
        part = np.ones_like(part)
    active = whole + crossing
    mean = np.divide(whole + crossing * part, active, out=np.ones_like(active), where=active > 0)
    matched = np.minimum(unseen, whole) + np.clip(unseen - whole, 0.0, crossing) * part
    weight = (1.0 - p) * p ** (depth - 1.0)
    reached = float(common[-1])
    extrapolated = (common + agreement * unseen * mean) / size
    least = float((weight * common / size).sum()) + (1.0 - p) / p * reached * _tail(p, depth)
    most = float((weight * (common + matched) / size).sum()) + _best_tail(p, length, seen, reached)
    return Overlap(float((weight * extrapolated).sum()) + p**length * float(extrapolated[-1]), least, most)


def _common(longer: _Side, shorter: _Side, pairs: IntArray, depth: IntArray, ties: Ties) -> FloatArray:
    """What both have down to every depth; a tied document counts as far as it is in on both sides."""
    one, two = pairs[:, 0], pairs[:, 1]
    tied = (longer.top != longer.bottom)[one] | (shorter.top != shorter.bottom)[two]
    if ties == "w":
        tied[:] = False
    meets = np.maximum(longer.top[one], shorter.top[two])[~tied]
    plain = np.cumsum(np.bincount(meets, minlength=len(depth) + 1)[1:]).astype(np.float64)
    return np.asarray(plain + _shared(longer, shorter, pairs[tied], depth, ties))


def _shared(longer: _Side, shorter: _Side, pairs: IntArray, depth: IntArray, ties: Ties) -> FloatArray:
    """What tied documents add at every depth: nothing above both ties, one each from the lower end of both on.

    All documents of the same two ties have one curve, and pairs of ties that begin near each other are summed
    together, so that the memory does not grow with the square of the list.
    """
    begin = np.maximum(longer.top[pairs[:, 0]], shorter.top[pairs[:, 1]])
    end = np.maximum(longer.bottom[pairs[:, 0]], shorter.bottom[pairs[:, 1]])
    _, first, times = np.unique(
        longer.top[pairs[:, 0]] * (len(depth) + 1) + shorter.top[pairs[:, 1]], return_index=True, return_counts=True
    )
    order = np.argsort(begin[first], kind="stable")
    first, times = first[order], times[order]
    part, ended = np.zeros(len(depth) + 1), np.zeros(len(depth) + 1)
    at_once = max(1, _CELLS_AT_ONCE // len(depth))
    for start in range(0, len(first), at_once):
        rows, many = first[start : start + at_once], times[start : start + at_once].astype(np.float64)
        low, high = int(begin[rows].min()) - 1, int(end[rows].max())
        one, two = pairs[rows, 0], pairs[rows, 1]
        part[low:high] += many @ (longer.share(one, depth[low:high], ties) * shorter.share(two, depth[low:high], ties))
        ended[high] += many.sum()
    return np.asarray((part + np.cumsum(ended))[:-1])


def _sizes(longer: _Side, shorter: _Side, depth: IntArray, ties: Ties) -> FloatArray:
    """What agreement divides by: beyond the shorter list, as if it went on without ties."""
    beyond = depth > shorter.length
    other = np.where(beyond, np.sqrt(depth) if ties == "b" else depth, shorter.size(depth, ties))
    own = longer.size(depth, ties)
    return np.asarray(own * other if ties == "b" else (own + other) / 2.0)


def _tail(p: float, depth: IntArray) -> float:
    """The sum of p^d / d over all depths beyond."""
    return -math.log1p(-p) - float((p**depth / depth).sum())


def _best_tail(p: float, length: int, seen: int, reached: float) -> float:
    """The weight of the depths beyond both lists where all that is not seen is common."""
    full = length + seen - round(reached)
    depth = np.arange(length + 1, full + 1)
    common = np.minimum(depth, reached + 2 * depth - length - seen)
    return float(((1.0 - p) * p ** (depth - 1.0) * common / depth).sum()) + p ** max(full, length)
