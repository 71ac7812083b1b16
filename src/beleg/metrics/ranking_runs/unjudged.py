"""What documents without a judgement can do to a measure of a run, and to the difference of two runs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.errors import UsageError
from beleg.metrics.ranking_runs.extremes import Ratio, largest
from beleg.metrics.ranking_runs.measures import Measure
from beleg.metrics.ranking_runs.pooling import Pool
from beleg.metrics.ranking_runs.table import FloatArray, IntArray

BOUNDED = ("nDCG", "P", "R", "RR", "Success")
"""The measures whose range is found exactly; each with a cutoff."""

MAX_GRADE = 1_000
"""The highest top of a grade scale for nDCG: every whole grade up to it is a level of its own."""

_CELLS = 1 << 20
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Range:
    """A figure by the judgements as they are, between the least and the most that judging the pool can make it.

    Both ends are reached by some grades of the unjudged documents of the pool, so no narrower range holds. The pool
    holds what any of its runs has down to its depth, below the cutoff too: a relevant document there raises the best
    possible list of nDCG and the number of relevant documents of recall. Documents outside the pool count as not
    relevant, as they do in the figure.
    """

    value: float
    lowest: float
    highest: float

    @property
    def is_open(self) -> bool:
        """Whether judging the pool can change the figure at all, by more than rounding."""
        return self.highest - self.lowest > _ROUNDING

    @property
    def can_flip(self) -> bool:
        """Whether the sign of a difference is not settled by the judgements there are."""
        return not (self.lowest > 0 or self.highest < 0)


def _require_scale(max_grade: float, measure: Measure) -> None:
    if not math.isfinite(max_grade) or (measure.name == "nDCG" and max_grade > MAX_GRADE):
        raise UsageError(
            f"the highest grade must be a finite number, and at most {MAX_GRADE:,} for nDCG (found {max_grade:g})",
            hint="Give the top of the grade scale",
        )


class Unjudged:
    """A pool under one measure.

    Args:
        pool: at least as deep as the cutoff.
        measure: one of `BOUNDED` with a cutoff.
        max_grade: the highest grade that a document can get; None takes the highest that occurs.

    Raises:
        UsageError: if the measure is not one of these, the pool is too shallow, or a higher grade occurs or is needed;
            or if the highest grade is no finite number, or for nDCG above `MAX_GRADE`.
    """

    def __init__(self, pool: Pool, measure: Measure, *, max_grade: float | None = None) -> None:
        if measure.name not in BOUNDED or measure.cut is None:
            raise UsageError(
                f"what unjudged documents can do is not known for {measure.label}",
                hint=f"Use one of {', '.join(f'{name}@10' for name in BOUNDED)}",
            )
        options = dict(measure.options)
        if options.get("gains") or options.get("judged_only"):
            raise UsageError(
                f"what unjudged documents can do is not known for {measure.label}", hint="Leave its parameters out"
            )
        if measure.cut > pool.depth:
            raise UsageError(f"the pool reaches rank {pool.depth}, and {measure.label} looks deeper")
        self.pool = pool
        self.measure = measure
        self.cut = measure.cut
        self._is_exponential = options.get("dcg") == "exp-log2"
        judged = pool.grade[pool.is_judged]
        top = max(float(measure.rel), float(judged.max(initial=1.0)))
        self.max_grade = top if max_grade is None else max_grade
        if self.max_grade < top:
            raise UsageError(
                f"the highest grade is given as {self.max_grade:g}, and {top:g} occurs or is needed",
                hint="Give the top of the grade scale",
            )
        _require_scale(self.max_grade, measure)
        self.counted = pool.has_judgements
        self._levels = self._grades(judged)
        self._ratio = self._form()
        self._within = pool.rank <= self.cut
        self._weight = self._weights(pool.rank)

    def run(self, run: int) -> Range:
        """The mean of one run over the judged queries, whatever the grades of the unjudged documents of the pool."""
        return self._mean(run, None)

    def difference(self, run: int, baseline: int) -> Range:
        """The mean difference of two runs, whatever the grades of the unjudged documents of the pool."""
        return self._mean(run, baseline)

    def movement(self, wanted: IntArray) -> FloatArray:
        """By how much each unjudged pair could move the difference of two of the runs on its query.

        Formula: if this document alone were found to have the highest grade, the value of every run on the query
        would change; the largest change less the smallest is what the difference of some two runs changes by. With
        one run it is the size of the change. Range: 0 or more; divided by the number of judged queries it is the change
        of a mean difference.

        Args:
            wanted: pairs without a judgement.
        """
        found = np.empty(len(wanted))
        for part, ranks in self._rank_rows(wanted):
            change = self._changes(wanted[part], ranks)
            if change.shape[1] == 1:
                found[part] = np.abs(change[:, 0])
            else:
                found[part] = change.max(axis=1) - change.min(axis=1)
        return found

    def _grades(self, judged: FloatArray) -> FloatArray:
        if self.measure.name != "nDCG":
            return np.array([float(self.measure.rel)])
        whole = np.arange(1.0, math.floor(self.max_grade) + 1.0)
        found = np.unique(np.concatenate([judged[judged > 0], whole, [self.max_grade]]))
        return np.asarray(found, dtype=np.float64)

    def _form(self) -> Ratio:
        pool, name = self.pool, self.measure.name
        gain = np.array([self._gain(grade) for grade in self._levels.tolist()])
        query, size = pool.pairs.query, len(pool.pairs.queries)
        counts = np.array(
            [np.bincount(query[pool.is_judged & (pool.grade >= level)], minlength=size) for level in self._levels]
        )
        if name == "nDCG":
            discounts = 1.0 / np.log2(np.arange(2.0, self.cut + 2.0))
            return Ratio(np.diff(gain, prepend=0.0), counts, np.concatenate([[0.0], np.cumsum(discounts)]))
        if name == "R":
            most = int(counts.max(initial=0)) + len(pool.pairs)
            return Ratio(np.ones(1), counts, np.arange(most + 1.0))
        return Ratio(np.ones(1), counts, np.zeros(1), constant=1.0)

    def _gain(self, grade: float) -> float:
        if self.measure.name != "nDCG":
            return 1.0 if grade >= self.measure.rel else 0.0
        if grade <= 0:
            return 0.0
        return 2.0**grade - 1.0 if self._is_exponential else grade

    def _gains(self, grade: FloatArray) -> FloatArray:
        if self.measure.name != "nDCG":
            return (grade >= self.measure.rel).astype(np.float64)
        kept = np.maximum(grade, 0.0)
        return np.asarray(np.exp2(kept) - 1.0 if self._is_exponential else kept, dtype=np.float64)

    def _weights(self, rank: npt.NDArray[np.integer]) -> FloatArray:
        """What a rank is worth, for a gain of 1; for RR and Success the value that a first relevant document makes."""
        within = (rank >= 1) & (rank <= self.cut)
        least = np.maximum(rank, 1)
        worth: FloatArray | float = 1.0
        if self.measure.name == "nDCG":
            worth = 1.0 / np.log2(least + 1.0)
        elif self.measure.name == "P":
            worth = 1.0 / self.cut
        elif self.measure.name == "RR":
            worth = 1.0 / least
        return np.asarray(np.where(within, worth, 0.0), dtype=np.float64)

    @property
    def _takes_first(self) -> bool:
        return self.measure.name in ("RR", "Success")

    def _mean(self, run: int, baseline: int | None) -> Range:
        if self._takes_first:
            value, low, high = self._first(run, baseline)
        else:
            value, low, high = self._sums(run, baseline)
        kept = self.counted
        return Range(float(value[kept].mean()), float(low[kept].mean()), float(high[kept].mean()))

    def _entries(self, run: int) -> tuple[IntArray, FloatArray]:
        here = (self.pool.run == run) & self._within & self.counted[self.pool.pairs.query[self.pool.pair]]
        return self.pool.pair[here], self._weight[here]

    def _sums(self, run: int, baseline: int | None) -> tuple[FloatArray, FloatArray, FloatArray]:
        weight = np.zeros(len(self.pool.pairs))
        for sign, number in ((1.0, run), (-1.0, baseline)):
            if number is not None:
                pair, worth = self._entries(number)
                weight[pair] += sign * worth
        query, size = self.pool.pairs.query, len(self.pool.pairs.queries)
        gain = self._gains(self.pool.grade) * self.pool.is_judged
        above = np.bincount(query, weight * gain, minlength=size).astype(np.float64)
        below = self._ratio.below()
        value = np.divide(above, below, out=np.zeros(size), where=below > 0)
        # One below the cutoff, or in another run, adds nothing above, but something below.
        free = np.flatnonzero(~self.pool.is_judged & self.counted[query])
        high = largest(self._ratio, above, query[free], weight[free])
        low = -largest(self._ratio, -above, query[free], -weight[free])
        return value, np.minimum(low, value), np.maximum(high, value)

    def _first(self, run: int, baseline: int | None) -> tuple[FloatArray, FloatArray, FloatArray]:
        """For measures of the first relevant document: one document more is enough to reach either end."""
        mine, own = self._best_found(run)
        theirs, other = self._best_found(baseline)
        value = mine - theirs
        high, low = value.copy(), value.copy()
        free = np.flatnonzero(((own > 0) | (other > 0)) & ~self.pool.is_judged)
        query = self.pool.pairs.query[free]
        changed = np.maximum(mine[query], own[free]) - np.maximum(theirs[query], other[free])
        np.maximum.at(high, query, changed)
        np.minimum.at(low, query, changed)
        return value, low, high

    def _best_found(self, run: int | None) -> tuple[FloatArray, FloatArray]:
        """The value of every query, and for every pair what it would make if it were relevant."""
        value, worth = np.zeros(len(self.pool.pairs.queries)), np.zeros(len(self.pool.pairs))
        if run is not None:
            pair, weight = self._entries(run)
            worth[pair] = weight
            hit = pair[self.pool.is_judged[pair] & (self.pool.grade[pair] >= self.measure.rel)]
            np.maximum.at(value, self.pool.pairs.query[hit], worth[hit])
        return value, worth

    def _rank_rows(self, wanted: IntArray) -> Iterator[tuple[slice, IntArray]]:
        """The rank of wanted pairs in every run, 0 where it does not have one, some pairs at a time."""
        order = np.argsort(self.pool.pair, kind="stable")
        pair, run, rank = self.pool.pair[order], self.pool.run[order], self.pool.rank[order]
        rows = max(1, _CELLS // self.pool.n_runs)
        for low in range(0, len(wanted), rows):
            part = slice(low, min(low + rows, len(wanted)))
            begins, ends = (np.searchsorted(pair, wanted[part], side=side) for side in ("left", "right"))
            found = np.zeros((len(begins), self.pool.n_runs), dtype=np.int64)
            row = np.repeat(np.arange(len(begins)), ends - begins)
            entry = np.arange(len(row)) - np.repeat(np.cumsum(ends - begins) - (ends - begins), ends - begins)
            entry += np.repeat(begins, ends - begins)
            found[row, run[entry]] = rank[entry]
            yield part, found

    def _changes(self, pairs: IntArray, ranks: IntArray) -> FloatArray:
        """The change of every run on the query of each pair, if that document alone had the highest grade."""
        query, worth = self.pool.pairs.query[pairs], self._weights(ranks)
        if self._takes_first:
            value = np.stack([self._best_found(run)[0] for run in range(self.pool.n_runs)], axis=1)[query]
            return np.asarray(np.maximum(worth, value) - value, dtype=np.float64)
        above = np.stack([self._above(run) for run in range(self.pool.n_runs)], axis=1)[query]
        before, after = self._ratio.below(), self._below_with_one_more()
        old = np.divide(above, before[query, None], out=np.zeros(above.shape), where=before[query, None] > 0)
        return np.asarray((above + self._gain(self.max_grade) * worth) / after[query, None] - old, dtype=np.float64)

    def _above(self, run: int) -> FloatArray:
        pair, weight = self._entries(run)
        gain = self._gains(self.pool.grade[pair]) * self.pool.is_judged[pair]
        found = np.bincount(self.pool.pairs.query[pair], weight * gain, minlength=len(self.pool.pairs.queries))
        return np.asarray(found, dtype=np.float64)

    def _below_with_one_more(self) -> FloatArray:
        top = self._levels <= self.max_grade
        more = Ratio(self._ratio.steps, self._ratio.counts + top[:, None], self._ratio.ceiling, self._ratio.constant)
        return more.below()
