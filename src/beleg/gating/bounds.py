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
    order statistics. A quantile bound that so few values cannot give is left open, so it proves nothing.
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
    return Bounds(
        estimate=found.estimate,
        lower=found.lower,
        upper=found.upper,
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


def cases_needed(check: PlannedCheck, bounds: Bounds, level: float, confidence: float) -> int | None:
    """How many cases would be expected to bring the deciding bound to a level that the estimate already meets.

    An interval around an estimate inside the range narrows with the square root of the number of cases; one around
    the end of the range (no failure seen at all) narrows with the number itself. ``None`` where the estimate does not
    meet the level, or lies so near to it that no suite one could write would settle it.
    """
    up = check.higher_is_better
    reserve = bounds.estimate - level if up else level - bounds.estimate
    if reserve <= 0:
        return None
    deciding = bounds.lower if up else bounds.upper
    if deciding is None:
        return _values_for_a_bound(check, confidence)
    growth = abs(bounds.estimate - deciding) / reserve
    if growth > MOST_PLANNED_GROWTH:
        return None
    at_the_end = bounds.estimate == (check.metric.spec.high if up else check.metric.spec.low)
    return max(bounds.n, math.ceil(bounds.n * (growth if at_the_end else growth**2) - 1e-9))


def _values_for_a_bound(check: PlannedCheck, confidence: float) -> int | None:
    """Fewest values of which the extreme one bounds the quantile of a check."""
    if check.aggregate not in QUANTILES:
        return None
    p = QUANTILES[check.aggregate]
    share = 1.0 - p if check.higher_is_better else p
    return math.ceil(math.log(1.0 - confidence) / math.log(share) - 1e-9)
