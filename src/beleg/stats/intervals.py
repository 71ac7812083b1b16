"""Two-sided intervals for one rate or one mean, and the sample sizes they need."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from beleg.core.errors import DataError, Problem, shown
from beleg.stats.clustered import Grouped, group, robust_weights
from beleg.stats.distributions import (
    beta_quantile,
    normal_quantile,
    regularised_incomplete_beta,
    student_t_quantile,
)
from beleg.stats.inputs import FloatArray, Labels, Numbers, cluster_codes, finite_vector, require_between

UNIT: tuple[float, float] = (0.0, 1.0)
# Two at either bound: to a bounded mean what Agresti and Coull's "plus four" is to a proportion.
_PSEUDO_PER_BOUND = 2


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate between two bounds.

    Attributes:
        estimate: the observed value.
        lower: lower bound, at most the estimate.
        upper: upper bound, at least the estimate.
        confidence: how often such an interval holds the true value.
        method: the rule that made it.
        n: number of cases.
        clusters: number of clusters, None where cases are independent.
        df: degrees of freedom, None where the rule has none.
    """

    estimate: float
    lower: float
    upper: float
    confidence: float
    method: str
    n: int
    clusters: int | None = None
    df: float | None = None


def wilson(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Wilson's score interval for a rate.

    Formula: (p + z²/2n ± z sqrt(p (1 - p) / n + z²/4n²)) / (1 + z²/n). Source: Wilson 1927.
    Range: within [0, 1]. Undefined: never for n > 0.

    Args:
        successes: cases that succeeded.
        n: all cases.
        confidence: two-sided confidence.

    Returns:
        The interval.

    Raises:
        DataError: unless 0 <= successes <= n and n > 0.
        UsageError: unless the confidence lies between 0 and 1.

    Example:
        >>> interval = wilson(160, 200)
        >>> round(interval.lower, 4), round(interval.upper, 4)
        (0.7391, 0.8495)
    """
    _require_counts(successes, n)
    rate = successes / n
    lower, upper = _wilson_bounds(rate, float(n), _two_sided(confidence))
    return Interval(rate, lower, upper, confidence, "wilson", n)


def clopper_pearson(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Clopper and Pearson's exact interval for a rate: it holds the true rate at least as often as it says.

    Formula: quantiles of Beta(k, n - k + 1) and Beta(k + 1, n - k). Source: Clopper and Pearson 1934.

    Args:
        successes: cases that succeeded.
        n: all cases.
        confidence: two-sided confidence.

    Returns:
        The interval.

    Raises:
        DataError: unless 0 <= successes <= n and n > 0.
        UsageError: unless the confidence lies between 0 and 1.

    Example:
        >>> round(clopper_pearson(0, 10).upper, 4)
        0.3085
    """
    _require_counts(successes, n)
    require_between("confidence", confidence, 0.0, 1.0)
    tail = 0.5 * (1.0 - confidence)
    upper = largest_share(successes, n, tail)
    lower = 1.0 - largest_share(n - successes, n, tail)
    return Interval(successes / n, lower, upper, confidence, "clopper_pearson", n)


def largest_share(events: int, n: int, alpha: float) -> float:
    """One-sided exact upper bound, at confidence 1 - alpha, on the probability of an event seen so often in n trials.

    Example:
        >>> round(largest_share(0, 149, 0.05), 4)
        0.0199
    """
    _require_counts(events, n)
    require_between("alpha", alpha, 0.0, 1.0)
    return 1.0 if events == n else beta_quantile(1.0 - alpha, events + 1.0, float(n - events))


def mean_t_interval(values: Numbers, confidence: float = 0.95, *, bounds: tuple[float, float] = UNIT) -> Interval:
    """Interval for the mean of independent values that cannot leave known bounds.

    Formula: the t interval of the sample with two more observations at either bound, cut at the bounds and widened to
    hold the observed mean. The four are to a bounded mean what Agresti and Coull's (1998) are to a proportion; without
    them a sample of equal values would have an interval of no width and a skewed one would be trusted too early.
    Range: within the bounds. Undefined: never; a single value gives nearly the whole range.
    For scores that are only 0 or 1 use `clopper_pearson`.

    Args:
        values: the observed values.
        confidence: two-sided confidence.
        bounds: smallest and largest possible value.

    Returns:
        The interval around the observed mean.

    Raises:
        DataError: if there is no value, one is not finite or one lies outside the bounds.
        UsageError: if the bounds or the confidence are not in order.

    Example:
        >>> round(mean_t_interval([1.0] * 50).lower, 3)
        0.911
    """
    array = _bounded(values, bounds)
    require_between("confidence", confidence, 0.0, 1.0)
    return _padded_interval(Grouped(array, np.ones(len(array))), confidence, bounds, clustered=False)


def clustered_interval(
    values: Numbers, clusters: Labels, confidence: float = 0.95, *, bounds: tuple[float, float] = UNIT
) -> Interval:
    """Interval for the mean per case of bounded values that come in clusters.

    Formula, graded values: as `mean_t_interval`, over cluster means weighted by size (`robust_weights`), with two
    pseudo-clusters of average size at either bound. Values that are all 0 or 1: Clopper and Pearson's bounds on the
    number of independent cases that the clusters are worth (`effective_cases`). Range: within the bounds.
    Undefined: never.

    Args:
        values: the observed values.
        clusters: one label per value; cases with the same label are not independent.
        confidence: two-sided confidence.
        bounds: smallest and largest possible value.

    Returns:
        The interval around the mean per case.

    Raises:
        DataError: if a value is not finite or outside the bounds, or the labels do not match the values.
        UsageError: if the bounds or the confidence are not in order.

    Example:
        >>> one = clustered_interval([1, 1, 0, 0, 1, 1], ["a", "a", "b", "b", "c", "c"])
        >>> two = wilson(4, 6)
        >>> one.upper - one.lower > two.upper - two.lower
        True
    """
    array = _bounded(values, bounds)
    require_between("confidence", confidence, 0.0, 1.0)
    grouped = group(array, cluster_codes(clusters, len(array)))
    binary = bounds == UNIT and bool(np.isin(array, (0.0, 1.0)).all())
    if binary:
        return _clustered_rate(grouped, confidence)
    return _padded_interval(grouped, confidence, bounds, clustered=True)


def planned_half_width(p: float, n: int, confidence: float = 0.95) -> float:
    """Half the width that Wilson's interval will have if a share ``p`` of ``n`` cases succeeds.

    Raises:
        UsageError: unless 0 <= p <= 1, n > 0 and the confidence lies between 0 and 1.

    Example:
        >>> round(planned_half_width(0.8, 200), 3)
        0.055
    """
    _require_rate(p)
    require_between("n", n, 0, math.inf)
    lower, upper = _wilson_bounds(p, float(n), _two_sided(confidence))
    return 0.5 * (upper - lower)


def sample_size_for_half_width(p: float, half_width: float, confidence: float = 0.95) -> int:
    """Fewest cases at which Wilson's interval is no wider than planned if a share ``p`` succeeds.

    Formula: the positive root n of h² (n + z²)² = z² p (1 - p) n + z⁴/4, rounded up.

    Raises:
        UsageError: unless 0 <= p <= 1, 0 < half_width < 0.5 and the confidence lies between 0 and 1.

    Example:
        >>> sample_size_for_half_width(0.8, 0.055)
        202
    """
    _require_rate(p)
    require_between("half_width", half_width, 0.0, 0.5)
    z2, h2 = _two_sided(confidence) ** 2, half_width**2
    linear = 2.0 * h2 * z2 - z2 * p * (1.0 - p)
    constant = h2 * z2**2 - 0.25 * z2**2
    root = (-linear + math.sqrt(linear**2 - 4.0 * h2 * constant)) / (2.0 * h2)
    return max(1, math.ceil(root - 1e-9))


def _two_sided(confidence: float) -> float:
    require_between("confidence", confidence, 0.0, 1.0)
    return normal_quantile(0.5 + 0.5 * confidence)


def _wilson_bounds(rate: float, n: float, quantile: float) -> tuple[float, float]:
    share = quantile**2 / n
    centre = (rate + 0.5 * share) / (1.0 + share)
    half = math.sqrt(rate * (1.0 - rate) * share + 0.25 * share**2) / (1.0 + share)
    # At 0 and 1 the bound equals the rate exactly; rounding must not put it on the wrong side.
    return min(rate, max(0.0, centre - half)), max(rate, min(1.0, centre + half))


def _clustered_rate(grouped: Grouped, confidence: float) -> Interval:
    rate, n, count = grouped.mean, float(grouped.sizes.sum()), len(grouped.sizes)
    tail = 0.5 * (1.0 - confidence)
    below, above = (effective_cases(grouped, tail, unseen=end) for end in UNIT)
    return Interval(
        estimate=rate,
        lower=exact_bounds(rate, below, tail)[0],
        upper=exact_bounds(rate, above, tail)[1],
        confidence=confidence,
        method="exact_effective_n",
        n=int(n),
        clusters=count,
    )


def effective_cases(grouped: Grouped, tail: float, *, unseen: float) -> float:
    """How many independent cases clustered cases of a rate are worth, if one more cluster may be all ``unseen``.

    Formula: p (1 - p) over the variance of the mean per case (`robust_weights`) of the clusters and one more of average
    size at ``unseen``, between 1 and n; reduced by (z / t)² for the few clusters that it rests on. Where every
    case came out alike the variance says nothing, and a cluster counts once (Kish). Without the unseen cluster the
    variance is low exactly when no bad cluster was drawn, and the bound passes too often.
    """
    rate, n, count = grouped.mean, float(grouped.sizes.sum()), len(grouped.sizes)
    if count < 2 or not 0.0 < rate < 1.0:
        return grouped.effective
    sizes = np.append(grouped.sizes, grouped.sizes.mean())
    means = np.append(grouped.means, unseen)
    design = robust_weights(sizes)
    variance = float((means - means @ design.weights) ** 2 @ design.factors)
    share = rate * (1.0 - rate) / variance if variance > 0.0 else n
    reduced = (normal_quantile(1.0 - tail) / student_t_quantile(1.0 - tail, design.df)) ** 2
    return min(n, max(1.0, share * reduced))


def exact_bounds(rate: float, n: float, tail: float) -> tuple[float, float]:
    """Clopper and Pearson's bounds around a rate of a number of cases that need not be whole.

    Example:
        >>> [round(bound, 4) for bound in exact_bounds(0.0, 149, 0.05)]
        [0.0, 0.0199]
    """
    events = rate * n
    lower = 0.0 if events <= 0.0 else beta_quantile(tail, events, n - events + 1.0)
    upper = 1.0 if events >= n else beta_quantile(1.0 - tail, events + 1.0, n - events)
    return min(rate, lower), max(rate, upper)


def exact_bound_reaches(rate: float, n: float, tail: float, level: float, *, is_lower: bool) -> bool:
    """Whether such a bound lies on the right side of a level, without finding the bound itself.

    Example:
        >>> [exact_bound_reaches(0.0, n, 0.05, 0.02, is_lower=False) for n in (148, 149)]
        [False, True]
    """
    events = rate * n
    if is_lower:
        return level <= 0.0 if events <= 0.0 else regularised_incomplete_beta(level, events, n - events + 1.0) <= tail
    if events >= n:
        return level >= 1.0
    return regularised_incomplete_beta(level, events + 1.0, n - events) >= 1.0 - tail


def _padded_interval(grouped: Grouped, confidence: float, bounds: tuple[float, float], *, clustered: bool) -> Interval:
    pseudo = np.repeat(bounds, _PSEUDO_PER_BOUND)
    means = np.append(grouped.means, pseudo)
    design = robust_weights(np.append(grouped.sizes, np.full(len(pseudo), grouped.sizes.mean())))
    centre = float(means @ design.weights)
    error = math.sqrt((means - centre) ** 2 @ design.factors)
    half = student_t_quantile(0.5 + 0.5 * confidence, design.df) * error
    estimate = min(max(grouped.mean, bounds[0]), bounds[1])
    return Interval(
        estimate=estimate,
        lower=min(estimate, max(bounds[0], centre - half)),
        upper=max(estimate, min(bounds[1], centre + half)),
        confidence=confidence,
        method="cluster_adjusted_t" if clustered else "adjusted_t",
        n=int(grouped.sizes.sum()),
        clusters=len(grouped.sizes) if clustered else None,
        df=design.df,
    )


def _bounded(values: Numbers, bounds: tuple[float, float]) -> FloatArray:
    array = finite_vector("values", values)
    require_between("lower bound", bounds[0], -math.inf, bounds[1])
    require_between("upper bound", bounds[1], bounds[0], math.inf)
    outside = np.flatnonzero((array < bounds[0]) | (array > bounds[1]))
    if len(outside):
        raise DataError(
            Problem(
                message=f"the value at position {outside[0]} lies outside [{bounds[0]:g}, {bounds[1]:g}]",
                field="values",
                value=shown(float(array[outside[0]])),
                remedy="Give the bounds of the metric",
            )
        )
    return array


def _require_counts(events: int, n: int) -> None:
    if n <= 0 or not 0 <= events <= n:
        raise DataError(
            Problem(
                message="a rate needs at least one case and no more events than cases",
                field="successes",
                value=f"{shown(events)} of {shown(n)}",
            )
        )


def _require_rate(p: float) -> None:
    if p not in UNIT:
        require_between("p", p, 0.0, 1.0)
