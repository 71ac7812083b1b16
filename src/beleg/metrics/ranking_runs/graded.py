"""Measures of cumulated gain: each grade counts as it is, or as the gain that a measure gives it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from beleg.core.errors import DataError, Problem
from beleg.metrics.ranking_runs.ranked import Ranked, divided, running_sum, within
from beleg.metrics.ranking_runs.table import CodeArray, FloatArray, IntArray

if TYPE_CHECKING:
    from beleg.metrics.ranking_runs.kinds import Measure

MAX_EXPONENT = 60
_RANK_BITS = 32


def gain(measure: Measure, grade: FloatArray) -> FloatArray:
    """The gain of each grade: the grade, what ``gains`` says of it, or 2 to its power less 1.

    Raises:
        DataError: if that power is too large to be added up.
    """
    mapped = grade
    pairs = measure.option("gains")
    for pair in pairs if isinstance(pairs, tuple) else ():
        if isinstance(pair, tuple):
            mapped = np.where(grade == pair[0], pair[1], mapped)
    if measure.option("dcg") == "log2":
        return mapped
    if (mapped > MAX_EXPONENT).any():
        raise DataError(
            Problem(
                message=f"{measure} takes 2 to the power of a grade",
                value=f"grade {float(mapped.max()):g}",
                remedy=f"Give grades up to {MAX_EXPONENT}",
            )
        )
    return np.asarray(np.exp2(mapped) - 1.0)


def discounted_gain(ranked: Ranked, measure: Measure) -> FloatArray:
    """The sum of gain over log2(rank + 1), as it is."""
    hits = ranked.hits
    gained = gain(measure, hits.grade)
    kept = (gained > 0) & within(measure.cut, hits.rank)
    return ranked.add(hits.query[kept], gained[kept] / ranked.discount(hits.rank[kept]))


def normalised_discounted_gain(ranked: Ranked, measure: Measure) -> FloatArray:
    """Discounted gain over that of the best order, cut at the same rank."""
    query, rank, best = _ideal(ranked, measure)
    kept = within(measure.cut, rank)
    ideal = ranked.add(query[kept], best[kept] / ranked.discount(rank[kept]))
    return divided(discounted_gain(ranked, measure), ideal)


def gain_at_relevant(ranked: Ranked, measure: Measure) -> FloatArray:
    """The nDCG at the rank of each document with gain, averaged; one not returned counts with the whole list."""
    query, rank, found = _gaining(ranked, measure)
    so_far = running_sum(query, found / ranked.discount(rank))
    curve = _Ideal(ranked, measure)
    ratio = ranked.add(query, so_far / curve.discounted_at(query, rank))
    missed = curve.total - ranked.count(query)
    rest = divided(missed * ranked.add(query, found / ranked.discount(rank)), curve.discounted)
    return divided(ratio + rest, curve.total)


def gain_at_levels(ranked: Ranked, measure: Measure) -> FloatArray:
    """The nDCG where the best order steps from one gain to the next, averaged over these steps.

    A list that is longer than the documents with gain by two or more adds a step at its end, and a query without a
    relevant document is 0, as in trec_eval.
    """
    query, rank, found = _gaining(ranked, measure)
    so_far = running_sum(query, found / ranked.discount(rank))
    curve = _Ideal(ranked, measure)
    place = np.flatnonzero(curve.is_step)
    step_query, step_rank = curve.query[place], curve.rank[place]
    reached = np.searchsorted(_key(query, rank), _key(step_query, step_rank), side="right") - 1
    has_hit = (reached >= 0) & (query[np.maximum(reached, 0)] == step_query) if len(query) else reached >= 0
    reached_gain = np.where(has_hit, so_far[np.maximum(reached, 0)], 0.0) if len(query) else np.zeros(len(reached))
    total = ranked.add(step_query, reached_gain / curve.so_far[place])
    steps = ranked.count(step_query)
    longer = (ranked.hits.returned > curve.total + 1) & (curve.total > 0)
    whole = divided(ranked.add(query, found / ranked.discount(rank)), curve.discounted)
    value = divided(np.where(longer, total + whole, total), steps + longer)
    return np.where(ranked.binary(measure.rel).total > 0, value, 0.0)


def balanced_gain(ranked: Ranked, measure: Measure) -> FloatArray:
    """Gain over log2(2 + what the best order would have gained more by then), over all there is to gain.

    Beyond the documents with gain the best order is taken to gain 1 at every rank, as in trec_eval.
    """
    query, rank, found = _gaining(ranked, measure)
    curve = _Ideal(ranked, measure)
    behind = curve.gained_at(query, rank) - running_sum(query, found)
    return divided(ranked.add(query, found / _logarithm(behind + 2.0)), curve.gained)


def balanced_binary_gain(ranked: Ranked, measure: Measure) -> FloatArray:
    """The sum of 1 / log2(2 + not relevant documents above) at each relevant document, over all relevant ones."""
    binary = ranked.binary(measure.rel)
    above = binary.rank - binary.met
    return divided(ranked.add(binary.query, 1.0 / ranked.discount(above + 1)), binary.total)


class _Ideal:
    """What the best order has gained at every rank."""

    def __init__(self, ranked: Ranked, measure: Measure) -> None:
        self.query, self.rank, gained = _ideal(ranked, measure)
        discounted = gained / ranked.discount(self.rank)
        self.so_far = running_sum(self.query, discounted)
        self.gained_so_far = running_sum(self.query, gained)
        self.total = ranked.count(self.query)
        self.discounted = ranked.add(self.query, discounted)
        self.gained = ranked.add(self.query, gained)
        self.first = np.concatenate(([0], np.cumsum(self.total)[:-1]))
        ends = np.ones(len(gained), dtype=np.bool_)
        ends[:-1] = (gained[1:] != gained[:-1]) | (self.query[1:] != self.query[:-1])
        self.is_step = ends

    def _row(self, query: CodeArray, rank: IntArray) -> IntArray:
        return np.asarray(self.first[query] + np.minimum(rank, self.total[query]) - 1)

    def discounted_at(self, query: CodeArray, rank: IntArray) -> FloatArray:
        """Discounted gain down to a rank."""
        return self.so_far[self._row(query, rank)]

    def gained_at(self, query: CodeArray, rank: IntArray) -> FloatArray:
        """Gain down to a rank, and 1 for every rank beyond."""
        return np.asarray(self.gained_so_far[self._row(query, rank)] + np.maximum(rank - self.total[query], 0))


def _ideal(ranked: Ranked, measure: Measure) -> tuple[CodeArray, IntArray, FloatArray]:
    if not measure.option("gains") and measure.option("dcg") == "log2":
        return ranked.best_first
    return ranked.ideal(gain(measure, ranked.judged_grade))


def _gaining(ranked: Ranked, measure: Measure) -> tuple[CodeArray, IntArray, FloatArray]:
    gained = gain(measure, ranked.hits.grade)
    kept = gained > 0
    return ranked.hits.query[kept], ranked.hits.rank[kept], gained[kept]


def _key(query: CodeArray, rank: IntArray) -> IntArray:
    return np.asarray((query.astype(np.int64) << _RANK_BITS) + rank)


def _logarithm(values: FloatArray) -> FloatArray:
    """The C library's logarithm to base 2, taken once for each value."""
    distinct, place = np.unique(values, return_inverse=True)
    return np.array([math.log2(each) for each in distinct.tolist()])[place] if len(distinct) else values
