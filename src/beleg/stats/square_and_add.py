"""Interval for a difference from the intervals of both sides."""

from __future__ import annotations

import math

from beleg.core.errors import UsageError
from beleg.stats.intervals import Interval


def difference_interval(first: Interval, second: Interval) -> Interval:
    """Interval for first minus second, of two estimates that do not depend on each other.

    Formula: d - sqrt((e1 - l1)² + (u2 - e2)²) and d + sqrt((u1 - e1)² + (e2 - l2)²), the distances squared and added.
    Source: Newcombe 1998, method 10, for rates; Zou and Donner 2008 for any pair of intervals. Where both sides share
    their luck, as cases of one document do, the interval is wider than need be.

    Args:
        first: the interval of one estimate.
        second: the interval of the other, at the same confidence.

    Returns:
        The interval of the difference; ``n`` counts both sides.

    Raises:
        UsageError: if the two were made at different confidence.

    Example:
        >>> from beleg.stats.intervals import wilson
        >>> found = difference_interval(wilson(56, 70), wilson(48, 80))
        >>> round(found.lower, 4), round(found.upper, 4)
        (0.0524, 0.3339)
    """
    if first.confidence != second.confidence:
        raise UsageError(f"intervals at {first.confidence:g} and {second.confidence:g} make none of their difference")
    estimate = first.estimate - second.estimate
    below = math.hypot(first.estimate - first.lower, second.upper - second.estimate)
    above = math.hypot(first.upper - first.estimate, second.estimate - second.lower)
    return Interval(
        estimate=estimate,
        lower=estimate - below,
        upper=estimate + above,
        confidence=first.confidence,
        method=f"square_and_add({first.method})",
        n=first.n + second.n,
    )
