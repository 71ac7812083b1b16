"""Student's t test and interval for paired differences, over cases or over clusters of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from beleg.stats.clustered import group, robust_weights
from beleg.stats.distributions import student_t_cdf, student_t_quantile
from beleg.stats.inputs import Labels, Numbers, binary_scaled, cluster_codes, finite_vector, require_between
from beleg.stats.intervals import Interval

_LAST_DIGITS = 1e-12


@dataclass(frozen=True, slots=True)
class PairedT:
    """The mean difference beside its standard error.

    Attributes:
        estimate: mean difference per case.
        error: its standard error; None where it cannot be estimated.
        df: degrees of freedom; None likewise.
        n: number of cases.
        clusters: number of clusters, None where cases are independent.
    """

    estimate: float
    error: float | None
    df: float | None
    n: int
    clusters: int | None

    @property
    def statistic(self) -> float | None:
        """The mean in standard errors; None where there is no standard error."""
        return None if self.error is None else self.estimate / self.error

    @property
    def p_value(self) -> float | None:
        """Two-sided p-value of "the true mean difference is 0"; None where there is no standard error."""
        if self.error is None or self.df is None:
            return None
        return min(1.0, 2.0 * student_t_cdf(-abs(self.estimate / self.error), self.df))

    def interval(self, confidence: float = 0.95) -> Interval | None:
        """Two-sided interval for the true mean difference; None where there is no standard error.

        Raises:
            UsageError: unless the confidence lies between 0 and 1.
        """
        require_between("confidence", confidence, 0.0, 1.0)
        if self.error is None or self.df is None:
            return None
        half = student_t_quantile(0.5 + 0.5 * confidence, self.df) * self.error
        method = "t" if self.clusters is None else "cluster_t"
        lower, upper = self.estimate - half, self.estimate + half
        return Interval(self.estimate, lower, upper, confidence, method, self.n, self.clusters, self.df)


def paired_t(differences: Numbers, *, clusters: Labels | None = None) -> PairedT:
    """The t test of paired differences.

    Formula: mean over standard error with n - 1 degrees of freedom. With clusters the mean per case is that of cluster
    means weighted by size, its variance and degrees of freedom those of `robust_weights`; clusters of one size give
    exactly the t test over cluster means. Undefined (None): one unit only, or units without any spread, which no
    sample of rounded numbers can be trusted on.

    Args:
        differences: one difference per case.
        clusters: one label per case; None where cases are independent.

    Returns:
        Estimate, standard error and degrees of freedom.

    Raises:
        DataError: if there is no difference, one is not finite, or the labels do not match.

    Example:
        >>> test = paired_t([0.1, 0.2, 0.3, -0.1])
        >>> round(test.statistic, 3), round(test.p_value, 3)
        (1.464, 0.239)
    """
    values = finite_vector("differences", differences)
    n = len(values)
    if clusters is None:
        means, sizes, counted = values, np.ones(n), None
    else:
        grouped = group(values, cluster_codes(clusters, n))
        means, sizes, counted = grouped.means, grouped.sizes, len(grouped.sizes)
    scaled, exponent = binary_scaled(means)
    centre = float(scaled @ sizes / sizes.sum())
    estimate = math.ldexp(centre, int(exponent))
    if len(means) < 2 or np.ptp(scaled) <= _LAST_DIGITS * float(np.abs(scaled).max()):
        return PairedT(estimate, None, None, n, counted)
    design = robust_weights(sizes)
    error = math.ldexp(math.sqrt(float((scaled - centre) ** 2 @ design.factors)), int(exponent))
    # Below the smallest number there is no standard error to divide by.
    return PairedT(estimate, error, design.df, n, counted) if error else PairedT(estimate, None, None, n, counted)
