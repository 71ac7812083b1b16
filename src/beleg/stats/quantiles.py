"""Quantiles (p50, p95, p99) with intervals that assume no distribution."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from beleg.stats.clustered import group
from beleg.stats.distributions import binomial_cdf
from beleg.stats.inputs import Labels, Numbers, cluster_codes, finite_vector, require_between


@dataclass(frozen=True, slots=True)
class QuantileInterval:
    """A quantile between two observed values.

    Attributes:
        estimate: the observed quantile.
        lower: lower bound, None where so few values cannot give one.
        upper: upper bound, None where so few values cannot give one.
        confidence: how often the true quantile lies between the bounds, at least.
        p: which quantile.
        n: number of values.
        needed: fewest values at which both bounds exist.
    """

    estimate: float
    lower: float | None
    upper: float | None
    confidence: float
    p: float
    n: int
    needed: int


def quantile(values: Numbers, p: float) -> float:
    """The value at rank p (n - 1) of the sorted values, between two ranks by linear interpolation.

    Source: type 7 of Hyndman and Fan 1996.

    Args:
        values: the observed values.
        p: share of values below, 0 to 1.

    Returns:
        The quantile.

    Raises:
        DataError: if there is no value or one is not finite.
        UsageError: unless 0 <= p <= 1.

    Example:
        >>> [round(quantile([1, 2, 3, 4, 5, 10, 100], p), 1) for p in (0.5, 0.95, 0.99)]
        [4.0, 73.0, 94.6]
    """
    if p not in (0.0, 1.0):
        require_between("p", p, 0.0, 1.0)
    return float(np.quantile(finite_vector("values", values), p))


def quantile_interval(
    values: Numbers, p: float, confidence: float = 0.95, *, clusters: Labels | None = None
) -> QuantileInterval:
    """A quantile with the two order statistics that hold the true one at the given confidence.

    Formula: the number of values below the true quantile is Binomial(n, p); the bounds are the sorted values at ranks
    l and u with P(count < l) <= (1 - confidence) / 2 and P(count >= u) <= (1 - confidence) / 2, as narrow as that
    allows. Valid for independent values of any distribution. Values that come in clusters count as as many independent
    ones as there are clusters of equal size (Kish), as if each cluster moved as one; the ranks are stretched to match.
    Undefined: a bound is None where even the extreme value does not reach the confidence (an upper bound for p99 at
    95 % takes 368 values).

    Args:
        values: the observed values.
        p: share of values below, strictly between 0 and 1.
        confidence: two-sided confidence.
        clusters: one label per value; None where values are independent.

    Returns:
        Quantile and bounds; ``needed`` counts clusters where there are any.

    Raises:
        DataError: if there is no value or one is not finite.
        UsageError: unless p and confidence lie strictly between 0 and 1.

    Example:
        >>> interval = quantile_interval(range(1, 101), 0.5)
        >>> interval.lower, interval.upper
        (40.0, 61.0)
    """
    require_between("p", p, 0.0, 1.0)
    require_between("confidence", confidence, 0.0, 1.0)
    ordered = np.sort(finite_vector("values", values))
    n, tail = len(ordered), 0.5 * (1.0 - confidence)
    units = n if clusters is None else max(1, math.floor(group(ordered, cluster_codes(clusters, n)).effective))
    # Ranks count from 1: with rank l the count of smaller values would have to be below l.
    above_lower = _first(units, lambda rank: binomial_cdf(rank - 1, units, p) > tail)
    upper_rank = _first(units, lambda rank: binomial_cdf(rank - 1, units, p) >= 1.0 - tail)
    lower_rank = units if above_lower is None else above_lower - 1
    return QuantileInterval(
        estimate=float(np.quantile(ordered, p)),
        lower=float(ordered[lower_rank * n // units - 1]) if lower_rank >= 1 else None,
        upper=None if upper_rank is None else float(ordered[-(-upper_rank * n // units) - 1]),
        confidence=confidence,
        p=p,
        n=n,
        needed=max(_values_needed(p, tail), _values_needed(1.0 - p, tail)),
    )


def _values_needed(p: float, tail: float) -> int:
    """Fewest values of which the largest lies above the p-quantile with probability 1 - tail."""
    return max(1, math.ceil(math.log(tail) / math.log(p) - 1e-9))


def _first(n: int, holds: Callable[[int], bool]) -> int | None:
    """Smallest rank from 1 to n at which a condition that stays true starts to hold."""
    if not holds(n):
        return None
    low, high = 0, n
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
