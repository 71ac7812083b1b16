"""Tango's score test and interval for the difference of two paired proportions."""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from beleg.stats.distributions import normal_cdf, normal_quantile
from beleg.stats.inputs import FloatArray

Counts: TypeAlias = npt.NDArray[np.integer] | FloatArray

_HALVINGS = 60
_SMALLEST_VARIANCE = 1e-12


def restricted_loss_share(losses: Counts, gains: Counts, n: int, difference: FloatArray | float) -> FloatArray:
    """Most likely share of losses among all pairs if the true difference had the given value.

    Formula: the larger root of 2n q² + B q + C = 0 with d the difference, B = (2n - gains + losses) d - gains - losses
    and C = -losses d (1 - d). Source: Tango 1998, Equivalence test and confidence interval for the difference in
    proportions for the paired-sample design, appendix.

    Example:
        >>> float(restricted_loss_share(np.array([3]), np.array([5]), 50, 0.0)[0])
        0.08
    """
    linear = (2.0 * n - gains + losses) * difference - gains - losses
    constant = -losses * difference * (1.0 - difference)
    root = np.sqrt(np.maximum(linear**2 - 8.0 * n * constant, 0.0))
    return np.asarray((root - linear) / (4.0 * n))


def tango_statistic(losses: Counts, gains: Counts, n: int, difference: FloatArray | float) -> FloatArray:
    """Score statistic for the hypothesis that the true difference (gains minus losses, per pair) has a given value.

    Formula: (gains - losses - n d) / sqrt(n (2q + d (1 - d))), q the restricted share of losses.
    Range: real; falls as the difference rises; standard normal where the hypothesis is true.

    Args:
        losses: pairs that only the baseline gets right, one entry per sample.
        gains: pairs that only the candidate gets right, one entry per sample.
        n: number of pairs.
        difference: the hypothesis, one for all samples or one each.

    Returns:
        One statistic per sample.

    Example:
        >>> float(tango_statistic(np.array([5]), np.array([5]), 100, 0.0)[0])
        0.0
    """
    q = restricted_loss_share(losses, gains, n, difference)
    variance = n * (2.0 * q + difference * (1.0 - difference))
    distance = gains - losses - n * difference
    return np.asarray(distance / np.sqrt(np.maximum(variance, _SMALLEST_VARIANCE)))


def tango_lower(losses: Counts, gains: Counts, n: int, alpha: float) -> FloatArray:
    """One-sided lower bounds, at confidence 1 - alpha, on the difference of two paired proportions.

    Found by inverting the score test with bisection, all samples at once. Exchange the counts and negate for an upper
    bound.

    Args:
        losses: pairs that only the baseline gets right, one entry per sample.
        gains: pairs that only the candidate gets right, one entry per sample.
        n: number of pairs.
        alpha: one minus the confidence.

    Returns:
        One bound per sample, in [-1, 1].

    Example:
        >>> round(float(tango_lower(np.array([2]), np.array([3]), 100, 0.05)[0]), 3)
        -0.033
    """
    critical = normal_quantile(1.0 - alpha)
    upper = np.asarray((gains - losses) / n, dtype=np.float64)
    lower = np.full_like(upper, -1.0)
    for _ in range(_HALVINGS):
        middle = 0.5 * (lower + upper)
        rejected = tango_statistic(losses, gains, n, middle) > critical
        lower = np.where(rejected, middle, lower)
        upper = np.where(rejected, upper, middle)
    return lower


def tango_p_value(losses: int, gains: int, n: int, margin: float) -> float:
    """P-value of the hypothesis that the true difference is -margin or less.

    Example:
        >>> tango_p_value(2, 3, 100, 0.05) < 0.05
        True
    """
    return normal_cdf(-float(tango_statistic(np.array([losses]), np.array([gains]), n, -margin)[0]))


def tango_needed(losses: int, gains: int, n: int, *, margin: float, alpha: float, power: float) -> int | None:
    """Pairs at which the lower bound would lie above -margin with this power if the shares stay as they are.

    Formula: n = ((z_alpha s0 + z_power s1) / (estimate + margin))², s0 and s1 the standard deviations of one
    difference at the margin and at the estimate. None when the estimate is at or below -margin.

    Example:
        >>> tango_needed(6, 6, 200, margin=0.05, alpha=0.05, power=0.8)
        188
    """
    estimate = (gains - losses) / n
    distance = estimate + margin
    if distance <= 0.0:
        return None
    q = float(restricted_loss_share(np.array([losses]), np.array([gains]), n, -margin)[0])
    at_margin = math.sqrt(2.0 * q - margin * (1.0 + margin))
    at_estimate = math.sqrt(max((gains + losses) / n - estimate**2, 0.0))
    reach = normal_quantile(1.0 - alpha) * at_margin + normal_quantile(power) * at_estimate
    return max(1, math.ceil((reach / distance) ** 2))
