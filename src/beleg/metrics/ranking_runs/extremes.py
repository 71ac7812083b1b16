"""How high and how low a measure can come out, whatever grades the unjudged documents get: exact, not sampled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.metrics.ranking_runs.table import FloatArray, IntArray

_CELLS = 1 << 20
"""Cells of a matrix worked on at a time."""
_LEVELS_AT_ONCE = 8
_MAX_STEPS = 60
_LAST_DIGIT = 1e-14


@dataclass(frozen=True, slots=True, eq=False)
class Ratio:
    """A measure of every query as sum over graded documents, divided by what the best possible list would have.

    With ``v`` the gain of a grade, a document adds ``v * weight`` above. Below stands ``constant`` plus the sum over
    levels of ``step * ceiling[documents of this level or better]``. nDCG, precision and recall have this form.
    """

    steps: FloatArray
    """The gain of each level over the one below it, lowest level first; the gains add up."""
    counts: IntArray
    """``counts[level, query]``: judged documents of that level or better."""
    ceiling: FloatArray
    """``ceiling[n]``: what n documents of one level give the best list; the last entry holds for any more."""
    constant: float = 0.0

    def ceilings(self, level: int, queries: slice, more: npt.NDArray[np.integer]) -> FloatArray:
        """The ceiling of a level with so many documents more."""
        number = self.counts[level, queries, None] + more
        return np.asarray(self.ceiling[np.minimum(number, len(self.ceiling) - 1)], dtype=np.float64)

    def below(self) -> FloatArray:
        """The divisor of every query by the judgements as they are."""
        counts = np.minimum(self.counts, len(self.ceiling) - 1)
        return np.asarray(self.constant + self.steps @ self.ceiling[counts], dtype=np.float64)


def largest(ratio: Ratio, above: FloatArray, query: npt.NDArray[np.integer], weight: FloatArray) -> FloatArray:
    """The largest value of every query over all grades that its unjudged documents can have.

    A grade is any of the levels or none. What the best list would have depends on the numbers of grades alone, so the
    higher grade goes to the document of the larger weight, and only the number of documents of each level is free. For
    a trial value x the best numbers maximise (above - x below), a sum over levels, which one pass finds; x is then
    raised to the value reached (Dinkelbach 1967), until nothing is left to gain. For the smallest value negate
    ``above`` and ``weight``, and the result.

    Args:
        ratio: the form of the measure.
        above: the sum above of every query by the judgements as they are.
        query: the query of every unjudged document.
        weight: what each adds above for a gain of 1; negative where it stands in the list that is taken away.

    Returns:
        One value per query; 0 where nothing is relevant and nothing can be.

    Example:
        >>> one_relevant = Ratio(np.array([1.0]), np.array([[1]]), np.arange(9.0))
        >>> largest(one_relevant, np.array([0.0]), np.array([0, 0]), np.array([1.0, 1.0])).tolist()
        [0.6666666666666666]
    """
    order = np.lexsort((-weight, query))
    size = np.bincount(query, minlength=len(above))
    begins = np.cumsum(size) - size
    widest = int(size.max(initial=0))
    # Every level has a matrix of its own.
    rows = max(1, _CELLS * _LEVELS_AT_ONCE // ((widest + 1) * max(_LEVELS_AT_ONCE, len(ratio.steps))))
    found = np.empty(len(above))
    for low in range(0, len(above), rows):
        queries = slice(low, min(low + rows, len(above)))
        width = int(size[queries].max(initial=0))
        place = begins[queries, None] + np.arange(width)
        exists = np.arange(width) < size[queries, None]
        own = np.where(exists, weight[order[np.minimum(place, max(len(order) - 1, 0))]] if len(order) else 0.0, 0.0)
        summed = np.concatenate([np.zeros((len(own), 1)), np.cumsum(own, axis=1)], axis=1)
        beyond = np.arange(width + 1) > size[queries, None]
        found[queries] = _Search(ratio, queries, above[queries], summed, beyond).run()
    return found


class _Search:
    """The search over some queries; ``summed[query, n]`` is the weight of the best n unjudged documents."""

    def __init__(
        self, ratio: Ratio, queries: slice, above: FloatArray, summed: FloatArray, beyond: npt.NDArray[np.bool_]
    ) -> None:
        self.ratio = ratio
        self.above = above
        self.summed = summed
        self.beyond = beyond
        more = np.arange(summed.shape[1])[None, :]
        self.ceilings = [ratio.ceilings(level, queries, more) for level in range(len(ratio.steps))]
        self.nothing = ratio.constant + sum(
            (step * ceiling[:, 0] for step, ceiling in zip(ratio.steps, self.ceilings, strict=True)),
            np.zeros(len(above)),
        )

    def run(self) -> FloatArray:
        """The largest value of every query."""
        can_be = (self.nothing > 0) | ~self.beyond[:, 1:].all(axis=1)
        trial = np.full(len(self.above), -1.0)
        for _ in range(_MAX_STEPS):
            top, bottom = self._best(trial)
            reached = np.where(can_be, np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0), 0.0)
            if (reached <= trial + _LAST_DIGIT).all():
                break
            trial = np.maximum(trial, reached)
        # Where nothing is judged relevant, all documents may be without relevance, and the value is 0.
        return np.where(self.nothing > 0, trial, np.where(can_be, np.maximum(trial, 0.0), 0.0))

    def _best(self, trial: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Sums above and below at the numbers of documents per level that are best for a trial value."""
        shape = self.summed.shape
        goal, top, bottom = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        for level in reversed(range(len(self.ceilings))):
            step, ceiling = self.ratio.steps[level], self.ceilings[level]
            # A document of a level is one of every lower level too, so the numbers can only grow downwards.
            chosen = _place_of_running_maximum(goal)
            goal, top, bottom = (np.take_along_axis(each, chosen, axis=1) for each in (goal, top, bottom))
            top = top + step * self.summed
            bottom = bottom + step * ceiling
            goal = goal + step * (self.summed - trial[:, None] * ceiling)
        goal[self.beyond] = -np.inf
        goal[self.nothing <= 0, 0] = -np.inf
        best = np.argmax(goal, axis=1)[:, None]
        top, bottom = (np.take_along_axis(each, best, axis=1)[:, 0] for each in (top, bottom))
        return self.above + top, self.ratio.constant + bottom


def _place_of_running_maximum(values: FloatArray) -> IntArray:
    """For every place, where the largest value up to it stands first."""
    running = np.maximum.accumulate(values, axis=1)
    is_new = np.ones(values.shape, dtype=np.bool_)
    is_new[:, 1:] = running[:, 1:] > running[:, :-1]
    return np.asarray(np.maximum.accumulate(np.where(is_new, np.arange(values.shape[1]), 0), axis=1), dtype=np.int64)
