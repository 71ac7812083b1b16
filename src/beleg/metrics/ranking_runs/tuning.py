"""Weights of a fusion chosen on some queries and judged on others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, UsageError
from beleg.metrics.ranking_runs.table import FloatArray

Weights = tuple[float, ...]
Mask = npt.NDArray[np.bool_]

PARTS_PER_ONE = (20, 10, 5, 4, 2)
"""How finely weights are tried where nobody says it: in twentieths, tenths, fifths, quarters or halves."""
MAX_CANDIDATES = 1_000
_COMFORTABLE = 100
_SAME = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """What was chosen on the queries outside one fold."""

    weights: Weights
    trained_on: int
    """How many queries chose the weights."""
    held_out: Mask
    """The queries of the fold, which had no part in it."""


@dataclass(frozen=True, slots=True, eq=False)
class Tuned:
    """Weights chosen by cross-validation."""

    candidates: tuple[Weights, ...]
    choices: tuple[Choice, ...]
    number: npt.NDArray[np.int64]
    """For every query, the candidate that was chosen without it."""
    final: Weights
    """The choice on all queries: what to use from now on."""
    means: FloatArray
    """The mean of every candidate over all queries."""

    @property
    def final_number(self) -> int:
        """The candidate that is the final choice."""
        return self.candidates.index(self.final)


def weight_grid(lanes: int, parts: int | None = None) -> tuple[Weights, ...]:
    """All weights in steps of 1 / parts that sum to 1.

    Args:
        lanes: how many weights, two or more.
        parts: the steps from 0 to 1; where none is named the finest of `PARTS_PER_ONE` that gives few enough.

    Returns:
        The weights, those of the first lane ascending first; each lane alone is among them.

    Raises:
        UsageError: if there are fewer than two lanes, no step, or more than `MAX_CANDIDATES` weights.

    Example:
        >>> weight_grid(2, 4)
        ((0.0, 1.0), (0.25, 0.75), (0.5, 0.5), (0.75, 0.25), (1.0, 0.0))
    """
    if lanes < 2:
        raise UsageError("one lane has no weights to choose", hint="Give two runs or more")
    if parts is None:
        parts = next((each for each in PARTS_PER_ONE if _count(lanes, each) <= _COMFORTABLE), PARTS_PER_ONE[-1])
    if parts < 1:
        raise UsageError("the weights cannot be tried in less than one step", hint="Give 1 step or more")
    if _count(lanes, parts) > MAX_CANDIDATES:
        raise UsageError(
            f"{lanes} lanes in {parts} steps are {_count(lanes, parts):,} combinations of weights, more than the "
            f"{MAX_CANDIDATES:,} that are tried",
            hint="Give fewer steps or fewer runs",
        )
    # A combination of bars among parts and bars cuts the parts into as many pieces as there are lanes.
    bars = combinations(range(parts + lanes - 1), lanes - 1)
    ends = ((-1, *each, parts + lanes - 1) for each in bars)
    return tuple(tuple((high - low - 1) / parts for low, high in pairwise(each)) for each in ends)


def deal_folds(groups: npt.NDArray[np.int64], folds: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Deals queries to folds of like size, all queries of a group to the same.

    Groups are shuffled, then dealt from the largest on, each to the fold that has the fewest queries.

    Args:
        groups: the group of every query, numbered from 0.
        folds: how many.
        rng: shuffles.

    Returns:
        The fold of every query.

    Raises:
        UsageError: for fewer than two folds.
        DataError: if there are fewer groups than folds.

    Example:
        >>> deal_folds(np.array([0, 0, 1, 2]), 2, np.random.default_rng(1)).tolist()
        [0, 0, 1, 1]
    """
    if folds < 2:
        raise UsageError(f"{folds} fold leaves nothing to choose on", hint="Give 2 folds or more")
    sizes = np.bincount(groups)
    if np.count_nonzero(sizes) < folds:
        raise DataError(
            Problem(
                message=f"{np.count_nonzero(sizes)} groups of judged queries cannot be dealt to {folds} folds",
                remedy="Give fewer folds, or judge more queries",
            )
        )
    shuffled = rng.permutation(len(sizes))
    order = shuffled[np.argsort(-sizes[shuffled], kind="stable")]
    filled = np.zeros(folds, dtype=np.int64)
    fold_of = np.zeros(len(sizes), dtype=np.int64)
    for number in order.tolist():
        fold_of[number] = int(filled.argmin())
        filled[fold_of[number]] += sizes[number]
    return fold_of[groups]


def choose_weights(values: FloatArray, candidates: Sequence[Weights], folds: npt.NDArray[np.int64]) -> Tuned:
    """Chooses weights on the queries outside each fold, so that the queries inside can judge the choice.

    The choice is the candidate of the highest mean; of equal ones that whose weights lie closest to each other, then
    the first. Nothing but the weights is fitted, so that cutting the choosing queries into inner folds would average
    the same values and choose the same.

    Args:
        values: ``values[i, j]``, the measure under candidate ``i`` on query ``j``; higher is better.
        candidates: the weights.
        folds: the fold of every query.

    Returns:
        The choice of every fold, and the final one on all queries.

    Example:
        >>> values = np.array([[1.0, 0.0, 1.0, 0.0], [1.0, 1.0, 0.0, 1.0]])
        >>> tuned = choose_weights(values, [(1.0, 0.0), (0.0, 1.0)], np.array([0, 0, 1, 1]))
        >>> tuned.final, tuned.number.tolist()
        ((0.0, 1.0), [0, 0, 1, 1])
    """
    number = np.zeros(values.shape[1], dtype=np.int64)
    choices = []
    for fold in np.unique(folds).tolist():
        held_out = folds == fold
        best = _best(values[:, ~held_out].mean(axis=1), candidates)
        number[held_out] = best
        choices.append(Choice(candidates[best], int((~held_out).sum()), held_out))
    means = np.asarray(values.mean(axis=1), dtype=np.float64)
    return Tuned(tuple(candidates), tuple(choices), number, candidates[_best(means, candidates)], means)


def _best(means: FloatArray, candidates: Sequence[Weights]) -> int:
    near = np.flatnonzero(means >= means.max() - _SAME).tolist()
    return min(near, key=lambda number: (max(candidates[number]) - min(candidates[number]), number))


def _count(lanes: int, parts: int) -> int:
    return math.comb(parts + lanes - 1, lanes - 1)
