"""How many paired cases a decision needs, and what a given number can show."""

from __future__ import annotations

import math

from beleg.stats.distributions import normal_quantile, student_t_quantile
from beleg.stats.inputs import require_between
from beleg.stats.noncentral import noncentral_t_cdf

_CLOSE = 1e-9


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


def two_sided_power(effect: float, df: float, *, alpha: float = 0.05) -> float:
    """Chance that a two-sided t test finds a true difference.

    Formula: 1 - F(t) + F(-t), F the noncentral t distribution with the effect as its shift, t the critical value.

    Args:
        effect: the true difference in standard errors of its estimate (d_z sqrt(n) for n pairs).
        df: degrees of freedom, 1 or more.
        alpha: two-sided error rate.

    Returns:
        The power, alpha to 1.

    Raises:
        UsageError: for fewer than one degree of freedom or alpha outside (0, 1).

    Example:
        >>> round(two_sided_power(0.5 * 34**0.5, 33), 3)
        0.808
    """
    require_between("alpha", alpha, 0.0, 1.0)
    critical = student_t_quantile(1.0 - 0.5 * alpha, df)
    shift = abs(effect)
    return 1.0 - noncentral_t_cdf(critical, df, shift) + noncentral_t_cdf(-critical, df, shift)


def detectable_difference(error: float, df: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Smallest true difference that a two-sided t test finds with the given power, either sign.

    Found by bisection of `two_sided_power`. Range: above 0, in the unit of the standard error; smaller is sharper.

    Args:
        error: standard error of the estimated difference.
        df: its degrees of freedom, 1 or more.
        alpha: two-sided error rate.
        power: wanted chance to find the difference, above alpha.

    Returns:
        The difference.

    Raises:
        UsageError: for a negative standard error, fewer than one degree of freedom, or rates out of order.

    Example:
        >>> round(detectable_difference(0.25 / 200**0.5, 199), 4)
        0.0498
    """
    require_between("alpha", alpha, 0.0, 1.0)
    require_between("power", power, alpha, 1.0)
    require_between("error", error, 0.0, math.inf)
    low, high = 0.0, 1.0
    while two_sided_power(high, df, alpha=alpha) < power:
        low, high = high, 2.0 * high
    while high - low > _CLOSE * high:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if two_sided_power(middle, df, alpha=alpha) >= power else (middle, high)
    return high * error


def pairs_for_difference(sd: float, difference: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """Fewest pairs with which a two-sided paired t test finds a true difference with the given power.

    Args:
        sd: standard deviation of the paired differences.
        difference: the true difference, of either sign.
        alpha: two-sided error rate.
        power: wanted chance to find it, above alpha.

    Returns:
        The number of pairs, at least 2.

    Raises:
        UsageError: for a standard deviation or difference of 0, or rates out of order.

    Example:
        >>> pairs_for_difference(1.0, 0.5)
        34
    """
    require_between("alpha", alpha, 0.0, 1.0)
    require_between("power", power, alpha, 1.0)
    require_between("sd", sd, 0.0, math.inf)
    require_between("size of the difference", abs(difference), 0.0, math.inf)
    size = abs(difference) / sd
    low, high = 1, 2
    while two_sided_power(size * math.sqrt(high), high - 1, alpha=alpha) < power:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        found = two_sided_power(size * math.sqrt(middle), middle - 1, alpha=alpha) >= power
        low, high = (low, middle) if found else (middle, high)
    return high
