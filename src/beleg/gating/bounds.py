"""How sure a figure is: the one rule for each kind of metric, and what cases without a score could change."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from beleg.core.decision import Bounds
from beleg.core.policy import Aggregate
from beleg.gating.column import GroupColumn
from beleg.gating.plan import PlannedCheck
from beleg.stats.intervals import Interval, clopper_pearson, clustered_interval, exact_bound_reaches, mean_t_interval
from beleg.stats.quantiles import quantile_interval
from beleg.stats.repeat_noise import noise_reach

Values = npt.NDArray[np.float64]
Labels = npt.NDArray[np.intp]

QUANTILES: dict[Aggregate, float] = {Aggregate.P50: 0.5, Aggregate.P95: 0.95, Aggregate.P99: 0.99}


MOST_PLANNED_GROWTH = 30.0
"""A suite that would have to grow by the square of this is no plan; then nothing is promised."""

MOST_CASES_PLANNED = 1e8


class Needed(NamedTuple):
    """How many of what a check would take."""

    total: int
    unit: str


def two_sided(confidence: float) -> float:
    """The two-sided confidence whose single bounds each hold with a one-sided confidence.

    Example:
        >>> round(two_sided(0.95), 6)
        0.9
    """
    return 2.0 * confidence - 1.0


def figure_bounds(check: PlannedCheck, values: Values, clusters: Labels, confidence: float) -> Bounds:
    """Estimate and one-sided bounds of a figure.

    Rates take Clopper and Pearson's exact bounds, graded means the adjusted t, clustered cases their cluster rules,
    quantiles their order statistics. A quantile bound that so few values cannot give is left open: it proves nothing.
    """
    if check.aggregate in QUANTILES:
        return _quantile_bounds(values, clusters, QUANTILES[check.aggregate], confidence)
    found = _mean_interval(check, values, clusters, two_sided(confidence))
    made = Bounds(
        estimate=found.estimate,
        lower=found.lower,
        upper=found.upper,
        confidence=confidence,
        method=found.method,
        n=found.n,
        clusters=found.clusters,
        degrees_of_freedom=found.df,
    )
    return made if check.noise is None else widened(made, check.noise.of_mean(found.n), _limits(check, values))


def widened(bounds: Bounds, variance: float, limits: tuple[float, float]) -> Bounds:
    """Bounds that also hold under a judge's noise of this variance, put together by square-and-add.

    Noise that is independent from case to case is in the spread of the scores already; it is counted once more, because
    nobody knows how much of it the cases of one run share. What that costs and what it saves was simulated
    (`benchmarks/bench_calibration.py`).

    Example:
        >>> made = Bounds(estimate=0.9, lower=0.87, upper=0.92, confidence=0.95, method="", n=200)
        >>> round(widened(made, 0.02**2, (0.0, 1.0)).lower, 4)
        0.8555
    """
    reach = noise_reach(variance, bounds.confidence)
    if reach == 0.0:
        return bounds
    lower, middle, upper = bounds.lower, bounds.estimate, bounds.upper
    return bounds.model_copy(
        update={
            "lower": None if lower is None else max(limits[0], middle - math.hypot(middle - lower, reach)),
            "upper": None if upper is None else min(limits[1], middle + math.hypot(upper - middle, reach)),
            "judge_noise": reach,
        }
    )


def _mean_interval(check: PlannedCheck, values: Values, clusters: Labels, confidence: float) -> Interval:
    shared = len(np.unique(clusters)) < len(clusters)
    limits = _limits(check, values)
    if shared:
        return clustered_interval(values, clusters, confidence, bounds=limits)
    if check.metric.spec.kind == "binary":
        return clopper_pearson(int(values.sum()), len(values), confidence)
    return mean_t_interval(values, confidence, bounds=limits)


def _limits(check: PlannedCheck, values: Values) -> tuple[float, float]:
    """The range of the metric; where it has no end, for display, up to the largest value seen."""
    low = check.metric.spec.low if check.metric.spec.low is not None else float(values.min())
    end = highest(check)
    high = float(values.max()) if end is None else end
    return low, high if high > low else low + 1.0


def highest(check: PlannedCheck) -> float | None:
    """The largest value one case can have: by the metric, else as the policy says; ``None`` where nobody said."""
    return check.metric.spec.high if check.metric.spec.high is not None else check.largest


def _quantile_bounds(values: Values, clusters: Labels, p: float, confidence: float) -> Bounds:
    shared = len(np.unique(clusters)) < len(clusters)
    found = quantile_interval(values, p, two_sided(confidence), clusters=clusters if shared else None)
    return Bounds(
        estimate=found.estimate,
        lower=found.lower,
        upper=found.upper,
        confidence=confidence,
        method="order_statistics",
        n=found.n,
        clusters=len(np.unique(clusters)) if shared else None,
    )


def beyond_largest(check: PlannedCheck, values: Values) -> bool:
    """Whether a case has more than the policy says a case can have, so that no bound holds."""
    return check.largest is not None and bool((values > check.largest).any())


UNBOUNDED = 1e300
"""Stands for a value without limit where only its rank counts, as in a quantile."""


def worst_value(check: PlannedCheck) -> float | None:
    """The worst value that a case could have had; ``None`` where nothing bounds it."""
    if check.higher_is_better:
        return check.metric.spec.low
    end = highest(check)
    return UNBOUNDED if end is None and check.aggregate in QUANTILES else end


def best_value(check: PlannedCheck) -> float | None:
    """The best value that a case could have had; ``None`` where nothing bounds it."""
    return highest(check) if check.higher_is_better else check.metric.spec.low


def aggregated(check: PlannedCheck, values: Values) -> float:
    """The figure itself."""
    if check.aggregate in QUANTILES:
        return float(np.quantile(values, QUANTILES[check.aggregate]))
    return float(values.mean())


def extreme_figure(check: PlannedCheck, column: GroupColumn, stand_in: float | None) -> float | None:
    """The figure if every due case without a score had the given value."""
    if stand_in is None or not column.due.any():
        return None
    figure = aggregated(check, column.bounded_values(stand_in)[0])
    return figure if abs(figure) < UNBOUNDED / 1e3 else None


def cases_needed(check: PlannedCheck, bounds: Bounds, level: float) -> Needed | None:
    """How many cases, or groups of dependent ones, would be expected to bring the deciding bound to a level.

    ``None`` where the estimate does not meet the level itself, so that no number settles it, or lies so near to it that
    no suite one could write would. The rule is the one that made the bound, with everything else as it is.
    """
    up = check.higher_is_better
    units, unit = (bounds.n, "cases") if bounds.clusters is None else (bounds.clusters, "groups")
    reserve = bounds.estimate - level if up else level - bounds.estimate
    if reserve <= 0:
        return None
    deciding = bounds.lower if up else bounds.upper
    if check.aggregate in QUANTILES:
        least = _values_for_a_bound(check, 1.0 - bounds.confidence)
        return Needed(least, unit) if deciding is None else None
    if deciding is None:
        return None
    if bounds.method.startswith(("clopper", "exact")):
        growth = _growth_of_a_rate(bounds, level, deciding, up=up)
    else:
        growth = (abs(bounds.estimate - deciding) / reserve) ** 2
    if growth > MOST_PLANNED_GROWTH**2:
        return None
    return Needed(max(units, math.ceil(units * growth - 1e-9)), unit)


def groups_for(minimum_n: int, cases: int, bounds: Bounds) -> int:
    """How many groups of dependent cases hold so many cases, if they go on to be as large as they are.

    Example:
        >>> made = Bounds(estimate=0.9, confidence=0.95, method="", n=30, clusters=5)
        >>> groups_for(30, 10, made)
        15
    """
    return math.ceil(minimum_n * (bounds.clusters or 1) / max(cases, 1) - 1e-9)


def _growth_of_a_rate(bounds: Bounds, level: float, deciding: float, *, up: bool) -> float:
    """By which factor a sample must grow so that the exact bound around its rate reaches a level."""
    tail = 1.0 - bounds.confidence

    def first_size(wanted: float) -> float:
        return _first_size(lambda n: exact_bound_reaches(bounds.estimate, n, tail, wanted, is_lower=up))

    # Clustered cases are worth fewer independent ones; how many, the bound itself tells.
    now = float(bounds.n) if bounds.clusters is None else first_size(deciding)
    return first_size(level) / now


def _first_size(holds: Callable[[float], bool]) -> float:
    """The smallest number of independent cases at which a bound that only narrows reaches its mark."""
    low, high = 1e-6, 1.0
    while not holds(high) and high < MOST_CASES_PLANNED:
        low, high = high, 2.0 * high
    while high - low > 1e-9 * high:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _values_for_a_bound(check: PlannedCheck, alpha: float) -> int:
    """Fewest values of which the extreme one bounds the quantile of a check."""
    p = QUANTILES[check.aggregate]
    share = 1.0 - p if check.higher_is_better else p
    return math.ceil(math.log(alpha) / math.log(share) - 1e-9)
