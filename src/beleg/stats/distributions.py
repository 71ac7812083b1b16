"""Distribution functions and quantiles, from the standard library alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

from beleg.stats.inputs import require_between

_STANDARD = NormalDist()
_HALF_LOG_2PI = 0.5 * math.log(2.0 * math.pi)
_TINY = 1e-300
_LAST_DIGIT = 4e-16
_SERIES_FROM = 15.0
# From here on two terms of the expansion in 1 / df are exact to 1e-15, and the continued fraction loses digits.
_EXPANSION_FROM_DF = 1e6
_EXPANSION_UP_TO_T = 30.0


def normal_cdf(x: float) -> float:
    """Probability that a standard normal variable is at most ``x``.

    Example:
        >>> normal_cdf(0.0)
        0.5
    """
    return _STANDARD.cdf(x)


def normal_quantile(p: float) -> float:
    """Value below which a standard normal variable lies with probability ``p``.

    Raises:
        UsageError: unless 0 < p < 1.

    Example:
        >>> round(normal_quantile(0.975), 6)
        1.959964
    """
    require_between("p", p, 0.0, 1.0)
    return _STANDARD.inv_cdf(p)


def regularised_incomplete_beta(x: float, a: float, b: float) -> float:
    """Regularised incomplete beta function, the distribution function of Beta(a, b) at ``x``.

    Formula: I_x(a, b) by its continued fraction (modified Lentz), on whichever side it converges fast; the leading
    factor by deviance and Stirling errors, so that large parameters cost no digits (DLMF 8.17.22; Loader 2000).
    Range: 0 to 1.

    Args:
        x: where to evaluate; values outside [0, 1] give 0 or 1.
        a: first parameter, above 0.
        b: second parameter, above 0.

    Returns:
        The probability.

    Raises:
        UsageError: unless both parameters are positive and finite.

    Example:
        >>> round(regularised_incomplete_beta(0.5, 2.0, 3.0), 4)
        0.6875
    """
    _require_shape(a, b)
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    return _incomplete_beta(x, 1.0 - x, a, b)


@lru_cache(maxsize=65_536)
def beta_quantile(p: float, a: float, b: float) -> float:
    """Value below which a Beta(a, b) variable lies with probability ``p``.

    Raises:
        UsageError: unless 0 < p < 1 and both parameters are positive.

    Example:
        >>> round(beta_quantile(0.95, 1.0, 149.0), 4)
        0.0199
    """
    require_between("p", p, 0.0, 1.0)
    _require_shape(a, b)

    def distance(x: float) -> float:
        return regularised_incomplete_beta(x, a, b) - p

    def density(x: float) -> float:
        return _beta_factor(x, 1.0 - x, a, b) / (x * (1.0 - x))

    return _root(distance, density, (0.0, 1.0), a / (a + b))


def binomial_cdf(k: int, n: int, p: float) -> float:
    """Probability of at most ``k`` events in ``n`` trials of probability ``p``.

    Raises:
        UsageError: if ``n`` is negative.

    Example:
        >>> round(binomial_cdf(0, 149, 0.02), 4)
        0.0493
    """
    require_between("n", n, -1, math.inf)
    if k < 0:
        return 0.0
    if k >= n:
        return 1.0
    return 1.0 - regularised_incomplete_beta(p, k + 1.0, float(n - k))


def student_t_cdf(t: float, df: float) -> float:
    """Probability that a Student t variable with ``df`` degrees of freedom (any positive real) is at most ``t``.

    Formula: upper tail = I_y(df / 2, 1 / 2) / 2 at y = df / (df + t²).

    Raises:
        UsageError: unless ``df`` is positive.

    Example:
        >>> student_t_cdf(0.0, 7.5)
        0.5
    """
    require_between("df", df, 0.0, math.inf)
    tail = _student_tail(abs(t), df)
    return tail if t < 0.0 else 1.0 - tail


@lru_cache(maxsize=65_536)
def student_t_quantile(p: float, df: float) -> float:
    """Value below which a Student t variable with ``df`` degrees of freedom (any positive real) lies.

    Raises:
        UsageError: unless 0 < p < 1 and ``df`` is positive.

    Example:
        >>> round(student_t_quantile(0.95, 10.0), 4)
        1.8125
    """
    require_between("p", p, 0.0, 1.0)
    require_between("df", df, 0.0, math.inf)
    if p == 0.5:
        return 0.0
    if df > _EXPANSION_FROM_DF:
        z = normal_quantile(p)
        return z + (z**3 + z) / (4.0 * df) + (5.0 * z**5 + 16.0 * z**3 + 3.0 * z) / (96.0 * df * df)
    wanted = min(p, 1.0 - p)

    def distance(t: float) -> float:
        return wanted - _student_tail(t, df)

    def density(t: float) -> float:
        scale = df + t * t
        return _beta_factor(df / scale, t * t / scale, df / 2.0, 0.5) / t

    start = -normal_quantile(wanted)
    upper = max(1.0, start)
    while distance(upper) < 0.0:
        upper *= 2.0
    size = _root(distance, density, (0.0, upper), start)
    return size if p > 0.5 else -size


def _require_shape(a: float, b: float) -> None:
    require_between("a", a, 0.0, math.inf)
    require_between("b", b, 0.0, math.inf)


def _student_tail(t: float, df: float) -> float:
    if t == 0.0:
        return 0.5
    if df > _EXPANSION_FROM_DF and t < _EXPANSION_UP_TO_T:
        return normal_cdf(-t + (t**3 + t) / (4.0 * df) - (13.0 * t**5 + 8.0 * t**3 + 3.0 * t) / (96.0 * df * df))
    scale = df + t * t
    return 0.5 * _incomplete_beta(df / scale, t * t / scale, df / 2.0, 0.5)


def _stirling_error(z: float) -> float:
    """The log of Γ(z) minus its Stirling approximation (z - ½) log z - z + ½ log 2π."""
    if z < _SERIES_FROM:
        return math.lgamma(z) - ((z - 0.5) * math.log(z) - z + _HALF_LOG_2PI)
    r = 1.0 / (z * z)
    return (1.0 / 12.0 - r * (1.0 / 360.0 - r * (1.0 / 1260.0 - r / 1680.0))) / z


def _beta_factor(x: float, y: float, a: float, b: float) -> float:
    """x^a y^b / B(a, b) for x + y = 1; both are given, so that the smaller one keeps its digits."""
    total = a + b
    x0, y0 = a / total, b / total
    # The difference from the mean is taken on the smaller side, where it is not rounded away.
    shift = x - x0 if x <= y else y0 - y
    log_ratio = a * _log_ratio(x, x0, shift) + b * _log_ratio(y, y0, -shift)
    correction = _stirling_error(total) - _stirling_error(a) - _stirling_error(b)
    return math.exp(log_ratio + correction + 0.5 * math.log(a * y0) - _HALF_LOG_2PI)


def _log_ratio(value: float, mean: float, shift: float) -> float:
    step = shift / mean
    if abs(step) < 0.5:
        return math.log1p(step)
    return math.log(max(value, _TINY)) - math.log(mean)


def _incomplete_beta(x: float, y: float, a: float, b: float) -> float:
    factor = _beta_factor(x, y, a, b)
    if x < (a + 1.0) / (a + b + 2.0):
        return min(1.0, factor * _continued_fraction(x, a, b) / a)
    return max(0.0, 1.0 - factor * _continued_fraction(y, b, a) / b)


def _continued_fraction(x: float, a: float, b: float) -> float:
    numerator = 1.0
    denominator = 1.0 / _away_from_zero(1.0 - (a + b) * x / (a + 1.0))
    value = denominator
    m, change = 0, 0.0
    while abs(change - 1.0) > _LAST_DIGIT:
        m += 1
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        for term in (even, odd):
            denominator = 1.0 / _away_from_zero(1.0 + term * denominator)
            numerator = _away_from_zero(1.0 + term / numerator)
            change = numerator * denominator
            value *= change
    return value


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def _root(
    distance: Callable[[float], float], slope: Callable[[float], float], bracket: tuple[float, float], start: float
) -> float:
    """Root of an increasing function by Newton steps that never leave a shrinking bracket."""
    lower, upper = bracket
    x = start if lower < start < upper else 0.5 * (lower + upper)
    while True:
        gap = distance(x)
        if gap == 0.0:
            return x
        lower, upper = (x, upper) if gap < 0.0 else (lower, x)
        steepness = slope(x)
        following = x - gap / steepness if steepness > 0.0 else lower
        if not lower < following < upper:
            following = 0.5 * (lower + upper)
        if abs(following - x) <= _LAST_DIGIT * abs(x) or following in (lower, upper):
            return x
        x = following
