"""How sure a figure is: the one rule for each kind of metric, and what cases without a score could change."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from beleg.core.decision import Bounds
from beleg.core.policy import Aggregate
from beleg.gating.column import GroupColumn
from beleg.gating.plan import PlannedCheck
from beleg.stats.intervals import Interval, clustered_interval, mean_t_interval, wilson
from beleg.stats.quantiles import quantile_interval

Values = npt.NDArray[np.float64]
Labels = npt.NDArray[np.intp]

QUANTILES: dict[Aggregate, float] = {Aggregate.P50: 0.5, Aggregate.P95: 0.95, Aggregate.P99: 0.99}


MOST_PLANNED_GROWTH = 30.0
"""A suite that would have to grow by the square of this is no plan; then nothing is promised."""


def two_sided(confidence: float) -> float:
    """The two-sided confidence whose single bounds each hold with a one-sided confidence.

    Example:
        >>> round(two_sided(0.95), 6)
        0.9
    """
    return 2.0 * confidence - 1.0


def figure_bounds(check: PlannedCheck, values: Values, clusters: Labels, confidence: float) -> Bounds:
    """Estimate and one-sided bounds of a figure.

    Rates take Wilson's interval, graded means the adjusted t, clustered cases their cluster rules, quantiles their
    order statistics. A quantile bound that so few values cannot give is left open (infinite), so it proves nothing.
    """
    if check.aggregate in QUANTILES:
        return _quantile_bounds(values, QUANTILES[check.aggregate], confidence)
    found = _mean_interval(check, values, clusters, two_sided(confidence))
    return Bounds(
        estimate=found.estimate,
        lower=found.lower,
        upper=found.upper,
        confidence=confidence,
        method=found.method,
        n=found.n,
        clusters=found.clusters,
        degrees_of_freedom=found.df,
    )


def _mean_interval(check: PlannedCheck, values: Values, clusters: Labels, confidence: float) -> Interval:
    shared = len(np.unique(clusters)) < len(clusters)
    limits = _limits(check, values)
    if shared:
        return clustered_interval(values, clusters, confidence, bounds=limits)
    if check.metric.spec.kind == "binary":
        return wilson(int(values.sum()), len(values), confidence)
    return mean_t_interval(values, confidence, bounds=limits)


def _limits(check: PlannedCheck, values: Values) -> tuple[float, float]:
    """The range of the metric; where it has no end, the largest value seen stands for it."""
    low = check.metric.spec.low if check.metric.spec.low is not None else float(values.min())
    high = check.metric.spec.high if check.metric.spec.high is not None else float(values.max())
    return low, high if high > low else low + 1.0


def _quantile_bounds(values: Values, p: float, confidence: float) -> Bounds:
    found = quantile_interval(values, p, two_sided(confidence))
    largest = float(np.finfo(np.float64).max)
    return Bounds(
        estimate=found.estimate,
        lower=-largest if found.lower is None else found.lower,
        upper=largest if found.upper is None else found.upper,
        confidence=confidence,
        method="order_statistics",
        n=found.n,
    )


def worst_value(check: PlannedCheck) -> float | None:
    """The worst value that a case could have had; ``None`` where the metric has no worst value."""
    return check.metric.spec.low if check.higher_is_better else check.metric.spec.high


def best_value(check: PlannedCheck) -> float | None:
    """The best value that a case could have had; ``None`` where the metric has no best value."""
    return check.metric.spec.high if check.higher_is_better else check.metric.spec.low


def aggregated(check: PlannedCheck, values: Values) -> float:
    """The figure itself."""
    if check.aggregate in QUANTILES:
        return float(np.quantile(values, QUANTILES[check.aggregate]))
    return float(values.mean())


def extreme_figure(check: PlannedCheck, column: GroupColumn, stand_in: float | None) -> float | None:
    """The figure if every due case without a score had the given value."""
    if stand_in is None or not column.due.any():
        return None
    return aggregated(check, column.bounded_values(stand_in)[0])


def cases_needed(bounds: Bounds, level: float, *, higher_is_better: bool) -> int | None:
    """How many cases would be expected to bring the deciding bound to a level that the estimate already meets.

    The width of an interval shrinks with the square root of the number of cases. ``None`` where the estimate does not
    meet the level, or lies so near to it that no suite one could write would settle it.

    Example:
        >>> b = Bounds(estimate=0.9, lower=0.8, upper=0.95, confidence=0.95, method="", n=50)
        >>> cases_needed(b, 0.85, higher_is_better=True)
        200
        >>> cases_needed(b, 0.91, higher_is_better=True) is None
        True
    """
    reserve = bounds.estimate - level if higher_is_better else level - bounds.estimate
    reach = bounds.estimate - bounds.lower if higher_is_better else bounds.upper - bounds.estimate
    if reserve <= 0 or not math.isfinite(reach) or reach > MOST_PLANNED_GROWTH * reserve:
        return None
    return max(bounds.n, math.ceil(bounds.n * (reach / reserve) ** 2 - 1e-9))
