"""Agreement of any number of raters with gaps: Gwet's AC1 and Krippendorff's alpha, each with an interval.

Ratings come one per entry: the unit that was rated, and the category or number it was given. A rating that is missing
is simply not there; nothing stands in for it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from beleg.core.errors import DataError, Problem, shown
from beleg.core.score import Score, ScoreStatus
from beleg.stats.distributions import student_t_quantile
from beleg.stats.inputs import (
    FloatArray,
    IntArray,
    Labels,
    Numbers,
    cluster_codes,
    finite_vector,
    require_between,
    require_length,
)

Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")

ONE_CATEGORY = "all ratings are one and the same, so that no disagreement was possible"
NO_PAIR = "no unit was rated twice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """A coefficient of agreement with its interval.

    Attributes:
        score: the value, or the reason why there is none.
        lower: lower bound; None where too little varies to tell.
        upper: upper bound; None likewise.
        confidence: two-sided confidence.
        units: units with two ratings or more.
    """

    score: Score
    lower: float | None
    upper: float | None
    confidence: float
    units: int


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Ratings folded to how often each category was given to each unit; only what occurs is held."""

    unit: IntArray
    category: IntArray
    times: FloatArray
    values: FloatArray
    """The categories as numbers."""
    ratings: FloatArray
    """Ratings per unit."""

    @property
    def per_category(self) -> FloatArray:
        return np.bincount(self.category, weights=self.times, minlength=len(self.values)).astype(np.float64)

    def by_unit(self, weights: FloatArray) -> FloatArray:
        return np.bincount(self.unit, weights=weights, minlength=len(self.ratings)).astype(np.float64)


def gwet_ac1(units: Labels, ratings: Numbers, confidence: float = 0.95, *, groups: Labels | None = None) -> Coefficient:
    """Gwet's AC1: agreement beyond chance that does not collapse where nearly all units belong to one category.

    Formula: (pa - pe) / (1 - pe); pa is the mean share of agreeing pairs over units with two ratings or more, pe = sum
    of pi_k (1 - pi_k) / (q - 1) over the q categories, pi_k the mean share of category k over all units (Gwet 2008).
    Interval: t with (units - 1) degrees of freedom times the linearised standard error (Gwet 2014, chapter 5), cut at
    -1 and 1. Range: up to 1 for full agreement, 0 at chance. Undefined (not applicable): where no unit was rated twice,
    or only one category occurs. Bounds are None where all units say the same.

    Args:
        units: the unit of each rating.
        ratings: the category of each rating, as a number.
        confidence: two-sided confidence.
        groups: one label per rating, the same for all ratings of a unit; units that share one are not independent, and
            the groups take the place of the units in the interval.

    Raises:
        DataError: without ratings, or for different lengths.
        UsageError: unless the confidence lies between 0 and 1.

    Example:
        >>> round(gwet_ac1([0, 0, 1, 1, 2, 2], [1, 1, 0, 1, 1, 1]).score.value, 4)
        0.5385
    """
    table = _folded(units, ratings)
    require_between("confidence", confidence, 0.0, 1.0)
    paired = table.ratings >= 2.0
    n, n_paired, categories = len(table.ratings), int(paired.sum()), len(table.values)
    refusal = _refusal(n_paired, categories)
    if refusal is not None:
        return Coefficient(score=refusal, lower=None, upper=None, confidence=confidence, units=n_paired)
    shares = table.times / table.ratings[table.unit]
    prevalence = np.bincount(table.category, weights=shares, minlength=categories) / n
    expected = float((prevalence * (1.0 - prevalence)).sum()) / (categories - 1)
    pairs = np.maximum(table.ratings * (table.ratings - 1.0), 1.0)
    agreeing = np.where(paired, table.by_unit(table.times * (table.times - 1.0)) / pairs, 0.0)
    value = (float(agreeing[paired].mean()) - expected) / (1.0 - expected)
    by_chance = table.by_unit(shares * (1.0 - prevalence[table.category])) / (categories - 1)
    own = np.where(paired, n / n_paired * (agreeing - expected) / (1.0 - expected), 0.0)
    linear = own - 2.0 * (1.0 - value) * (by_chance - expected) / (1.0 - expected)
    by_group = _summed((linear - value) / n, _unit_groups(units, groups, n))
    return _with_bounds(value, by_group, confidence, n_paired)


def krippendorff_alpha(
    units: Labels,
    ratings: Numbers,
    confidence: float = 0.95,
    *,
    level: Level = "nominal",
    groups: Labels | None = None,
) -> Coefficient:
    """Krippendorff's alpha: one minus observed over expected disagreement, for any raters, gaps and levels.

    Formula: squared differences between the ratings of a unit, over those between all ratings that have a partner
    (Krippendorff 2011); a difference is 1 for two categories (nominal), their distance in middle ranks (ordinal), or
    their distance (interval). All three need sums only, whatever the number of values. Interval: jackknife over units,
    t with (units - 1) degrees of freedom, ranks held fixed, cut at -1 and 1. Range: up to 1 for full agreement, 0 at
    chance. Undefined (not applicable): where no unit was rated twice, or all such ratings are one value.

    Args:
        units: the unit of each rating.
        ratings: each rating, as a number.
        confidence: two-sided confidence.
        level: nominal, ordinal or interval.
        groups: one label per rating, the same for all ratings of a unit; units that share one are not independent, and
            the influences of the units are summed over each group.

    Raises:
        DataError: without ratings, for different lengths, or another level.
        UsageError: unless the confidence lies between 0 and 1.

    Example:
        >>> krippendorff_alpha([0, 0, 1, 1, 2, 2], [1, 1, 0, 1, 1, 1]).score.value
        0.0
    """
    if level not in LEVELS:
        raise DataError(
            Problem(message="no such level", field="level", value=shown(level), remedy="Use " + str(LEVELS))
        )
    folded = _folded(units, ratings)
    table = _with_partner(folded)
    require_between("confidence", confidence, 0.0, 1.0)
    n = len(table.ratings)
    refusal = _refusal(n, len(np.unique(table.category)))
    if refusal is not None:
        return Coefficient(score=refusal, lower=None, upper=None, confidence=confidence, units=n)
    sums = _nominal_sums(table) if level == "nominal" else _distance_sums(table, ranked=level == "ordinal")
    value, without = (float(_alphas(*sums, left_out=False)[0]), _alphas(*sums, left_out=True))
    if n < 3 or not np.isfinite(without).all():
        return _with_bounds(value, np.zeros(1), confidence, n)
    shared = _unit_groups(units, groups, len(folded.ratings))[folded.ratings >= 2.0]
    by_group = _summed((without.mean() - without) * (n - 1) / n, shared)
    return _with_bounds(value, by_group, confidence, n)


def _unit_groups(units: Labels, groups: Labels | None, count: int) -> IntArray:
    """The group of each unit, in the order of the units; each unit its own where none are given."""
    if groups is None:
        return np.arange(count, dtype=np.intp)
    require_length("groups", len(groups), len(units))
    own = np.zeros(count, dtype=np.intp)
    own[cluster_codes(units, len(units))] = cluster_codes(groups, len(units))
    return own


def _summed(influences: FloatArray, groups: IntArray) -> FloatArray:
    _, codes = np.unique(groups, return_inverse=True)
    return np.bincount(codes, weights=influences).astype(np.float64)


def _refusal(pairs: int, categories: int) -> Score | None:
    if pairs == 0:
        return Score.without(ScoreStatus.NOT_APPLICABLE, NO_PAIR)
    return Score.without(ScoreStatus.NOT_APPLICABLE, ONE_CATEGORY) if categories < 2 else None


def _with_bounds(value: float, influences: FloatArray, confidence: float, units: int) -> Coefficient:
    """The value with t bounds: what each group of units moves it by gives the standard error."""
    groups = len(influences)
    error = math.sqrt(groups / (groups - 1) * float(influences @ influences)) if groups > 1 else 0.0
    if error <= 0.0:
        return Coefficient(score=Score.of(value), lower=None, upper=None, confidence=confidence, units=units)
    half = student_t_quantile(0.5 + 0.5 * confidence, groups - 1.0) * error
    return Coefficient(
        score=Score.of(value),
        lower=max(-1.0, value - half),
        upper=min(1.0, value + half),
        confidence=confidence,
        units=units,
    )


def _folded(units: Labels, ratings: Numbers) -> _Table:
    given = finite_vector("ratings", ratings)
    require_length("units", len(units), len(given))
    codes = cluster_codes(units, len(given))
    values, category = np.unique(given, return_inverse=True)
    flat, times = np.unique(codes * len(values) + category, return_counts=True)
    unit = flat // len(values)
    return _Table(
        unit=unit,
        category=flat % len(values),
        times=times.astype(np.float64),
        values=values,
        ratings=np.bincount(codes).astype(np.float64),
    )


def _with_partner(table: _Table) -> _Table:
    """The table without the units that were rated once: such a rating can agree with nothing."""
    kept = table.ratings >= 2.0
    rows = kept[table.unit]
    return _Table(
        unit=(np.cumsum(kept) - 1)[table.unit[rows]],
        category=table.category[rows],
        times=table.times[rows],
        values=table.values,
        ratings=table.ratings[kept],
    )


Sums = tuple[FloatArray, FloatArray, FloatArray, FloatArray]
"""By unit the disagreement within and the ratings; then the disagreement of everything, whole and without each unit."""


def _nominal_sums(table: _Table) -> Sums:
    total = table.per_category
    squares = table.by_unit(table.times**2)
    within = (table.ratings**2 - squares) / (table.ratings - 1.0)
    all_squares = float(total @ total)
    left = all_squares - 2.0 * table.by_unit(table.times * total[table.category]) + squares
    n = table.ratings.sum()
    return within, table.ratings, np.array([n**2 - all_squares]), (n - table.ratings) ** 2 - left


def _distance_sums(table: _Table, *, ranked: bool) -> Sums:
    total = table.per_category
    places = np.cumsum(total) - total / 2.0 if ranked else table.values
    centred = places - float(places @ total) / total.sum()
    peak = float(np.abs(centred).max()) or 1.0
    at = (centred / peak)[table.category]
    first, second = table.by_unit(table.times * at), table.by_unit(table.times * at**2)
    within = 2.0 * (table.ratings * second - first**2) / (table.ratings - 1.0)
    n, sum_1, sum_2 = table.ratings.sum(), first.sum(), second.sum()
    whole = 2.0 * (n * sum_2 - sum_1**2)
    left = 2.0 * ((n - table.ratings) * (sum_2 - second) - (sum_1 - first) ** 2)
    return within, table.ratings, np.array([whole]), left


def _alphas(
    within: FloatArray, ratings: FloatArray, whole: FloatArray, left: FloatArray, *, left_out: bool
) -> FloatArray:
    """Alpha over all units, or without each of them in turn; infinite where nothing differs any more."""
    observed = within.sum() - within if left_out else np.array([within.sum()])
    n = ratings.sum() - ratings if left_out else np.array([ratings.sum()])
    expected = left if left_out else whole
    ratio = np.divide(observed * (n - 1.0), expected, out=np.full(len(observed), np.inf), where=expected > 1e-12)
    return np.asarray(1.0 - ratio)
