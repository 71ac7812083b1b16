"""How many paired cases a decision needs, and what a given number can show."""

from __future__ import annotations

import math

from beleg.stats.distributions import normal_quantile
from beleg.stats.inputs import require_between


def minimum_detectable_difference(sd: float, n: int, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Smallest true distance from the margin that a one-sided paired test shows with the given power.

    Formula: (z_alpha + z_power) sd / sqrt(n), in the large-sample normal form.
    Range: 0 or more, in the unit of the scores; smaller is sharper.

    Args:
        sd: standard deviation of the paired differences.
        n: number of pairs.
        alpha: one-sided error rate.
        power: wanted chance to show the difference.

    Returns:
        The distance.

    Raises:
        UsageError: for a negative sd, n below 1, or alpha or power outside (0, 1).

    Example:
        >>> round(minimum_detectable_difference(0.25, 200), 4)
        0.044
    """
    require_between("n", n, 0, math.inf)
    return _reach(sd, alpha, power) / math.sqrt(n)


def needed_pairs(sd: float, distance: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """Pairs with which a one-sided paired test shows a true distance from the margin with the given power.

    Formula: ((z_alpha + z_power) sd / distance)², rounded up, in the large-sample normal form. For a non-inferiority
    margin the distance is the expected difference plus the margin.

    Args:
        sd: standard deviation of the paired differences.
        distance: true distance from the margin, above 0.
        alpha: one-sided error rate.
        power: wanted chance to show it.

    Returns:
        The number of pairs, at least 1.

    Raises:
        UsageError: for a negative sd, a distance that is not positive, or alpha or power outside (0, 1).

    Example:
        >>> needed_pairs(0.25, 0.05)
        155
    """
    require_between("distance", distance, 0.0, math.inf)
    return max(1, math.ceil((_reach(sd, alpha, power) / distance) ** 2 - 1e-9))


def _reach(sd: float, alpha: float, power: float) -> float:
    if sd != 0.0:
        require_between("sd", sd, 0.0, math.inf)
    return (normal_quantile(1.0 - alpha) + normal_quantile(power)) * sd
