"""Means of cases that come in clusters (one source document, one session): weights, variance, degrees of freedom."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from beleg.stats.inputs import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """Cases folded to their clusters: the mean and the size of each, in order of first occurrence."""

    means: FloatArray
    sizes: FloatArray

    @property
    def mean(self) -> float:
        """The mean per case."""
        return float(self.means @ self.sizes / self.sizes.sum())

    @property
    def effective(self) -> float:
        """Number of equal clusters that weigh as much as these (Kish): (sum of sizes)² / sum of squared sizes."""
        return float(self.sizes.sum() ** 2 / (self.sizes @ self.sizes))


def group(values: FloatArray, codes: IntArray) -> Grouped:
    """Folds cases to cluster means.

    Args:
        values: one number per case.
        codes: one cluster number per case, every number from 0 on used.

    Returns:
        The mean and size of each cluster.

    Example:
        >>> group(np.array([1.0, 0.0, 1.0]), np.array([0, 1, 1])).means
        array([1. , 0.5])
    """
    sizes = np.bincount(codes).astype(np.float64)
    return Grouped(means=np.bincount(codes, weights=values) / sizes, sizes=sizes)


@dataclass(frozen=True, slots=True, eq=False)
class RobustWeights:
    """How squared residuals of cluster means become the variance of the weighted mean.

    Attributes:
        weights: share of each cluster in the mean.
        factors: variance = sum of factors times squared residuals.
        df: degrees of freedom of that variance (Satterthwaite).
    """

    weights: FloatArray
    factors: FloatArray
    df: float


def robust_weights(sizes: FloatArray) -> RobustWeights:
    """Small-sample variance of a mean per case over clusters of any sizes.

    Formula: with shares w and s = sum of w², the residual of a cluster mean has expectation (1 - w) times the variance
    of that mean when cases are independent (this gives CR2 of Bell and McCaffrey 2002, intercept only), and
    (1 - 2w + s) times when a cluster moves as one. Each squared residual is divided by the smaller of the two, so that
    the variance is not biased low under any intra-cluster correlation between. The degrees of freedom follow
    Satterthwaite under the independent working model, as usual with CR2. With G clusters of one size this is exactly
    the variance of the mean of G cluster means with G - 1 degrees of freedom.

    Args:
        sizes: cases per cluster, at least two clusters.

    Returns:
        Shares, variance factors and degrees of freedom.

    Example:
        >>> round(robust_weights(np.array([5.0, 5.0, 5.0, 5.0])).df, 6)
        3.0
    """
    shares = sizes / sizes.sum()
    together = 1.0 - 2.0 * shares + shares @ shares
    factors = shares**2 / np.minimum(1.0 - shares, together)
    # Under the independent model two residuals have the covariance [same cluster] / w - 1.
    own = 1.0 / shares - 1.0
    trace = factors @ own
    squared_trace = factors**2 @ (own**2 - 1.0) + factors.sum() ** 2
    return RobustWeights(weights=shares, factors=factors, df=float(trace**2 / squared_trace))
