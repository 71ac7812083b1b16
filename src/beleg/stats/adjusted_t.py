"""The adjusted t bound for the mean of bounded differences: one kernel for single cases and for clusters."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from beleg.stats.clustered import Grouped, robust_weights
from beleg.stats.distributions import (
    beta_quantile,
    normal_quantile,
    regularised_incomplete_beta,
    student_t_cdf,
    student_t_quantile,
)
from beleg.stats.inputs import FloatArray

_NO_SKEWNESS = 1e-6
_MAX_UNITS = 10**9


@dataclass(frozen=True, slots=True, eq=False)
class AdjustedT:
    """Lower bounds for one or many samples of the same design, and what they are made of.

    Every array has one entry per sample. For upper bounds fit the negated differences.

    Attributes:
        span: largest possible size of a difference.
        sizes: cases per unit (a unit is a case or a cluster).
        mean: the observed mean per case.
        heavy: for each size of a unit, from the largest down, how many units are at least as large.
        heavy_share: the share that those have in the mean.
        least: the smallest unit mean among those, sizes by samples.
        centre: the mean with the two pseudo-units.
        error: its standard error.
        skewness: its skewness.
        df: degrees of freedom.
        gained: what the mean would be without the units below the median one.
        lost: what those take from it, as a positive number.
        losing: how many equal losses would weigh as much as those (Kish).
        variance: variance of the observed mean without pseudo-units.
        third_moment: third central moment of the observed mean without pseudo-units.
    """

    span: float
    sizes: FloatArray
    mean: FloatArray
    heavy: FloatArray
    heavy_share: FloatArray
    least: FloatArray
    centre: FloatArray
    error: FloatArray
    skewness: FloatArray
    df: float
    gained: FloatArray
    lost: FloatArray
    losing: FloatArray
    variance: FloatArray
    third_moment: FloatArray

    def lower(self, alpha: float) -> FloatArray:
        """One-sided lower bounds at confidence 1 - alpha."""
        quantile = skewed_quantile(student_t_quantile(1.0 - alpha, self.df), self.skewness)
        unseen = self.mean - (self._room * _unseen_share(self.heavy, alpha)[:, None]).max(axis=0)
        counted = self.gained - self.lost * _more_often(self.losing, self.effective, alpha)
        by_t = self.centre - quantile * self.error
        return np.asarray(np.maximum(np.minimum(np.minimum(by_t, unseen), counted), -self.span))

    @property
    def effective(self) -> float:
        """How many units of equal size would weigh as much as these (Kish)."""
        return Grouped(self.sizes, self.sizes).effective

    @property
    def _room(self) -> FloatArray:
        """What the mean would lose if all units of a size or more lost the full span; sizes by samples."""
        return np.asarray(self.heavy_share[:, None] * (self.span + self.least))

    def p_value(self, margin: float) -> float:
        """Smallest alpha at which the lower bound of the first sample lies above -margin."""
        t = float((self.centre[0] + margin) / self.error[0])
        skewness = float(self.skewness[0])
        corrected = t + skewness * t**2 / 3.0 + skewness**2 * t**3 / 27.0 + skewness / 6.0
        by_t = student_t_cdf(-min(t, corrected), self.df)
        reserve = float(self.mean[0]) + margin
        if reserve <= 0.0:
            return 1.0
        room = self._room[:, 0]
        left = 1.0 - np.divide(reserve, room, out=np.ones_like(room), where=room > reserve)
        return max(by_t, float((left**self.heavy).max()), self._p_counted(margin))

    def _p_counted(self, margin: float) -> float:
        """The same for the bound by the number of losses: so few, if losses were as frequent as the margin allows."""
        units, losing, lost = self.effective, float(self.losing[0]), float(self.lost[0])
        if losing <= 0.0:
            return 0.0
        tolerated = (float(self.gained[0]) + margin) / lost * losing / units
        if losing >= units or not 0.0 < tolerated < 1.0:
            return float(tolerated <= 0.0)
        return 1.0 - regularised_incomplete_beta(tolerated, losing + 1.0, units - losing)

    def needed(self, margin: float, *, alpha: float, power: float) -> int | None:
        """Units at which the lower bound of the first sample would lie above -margin with this power.

        Mean, spread and skewness are taken as they are; None when the mean is at or below -margin.
        """
        if float(self.mean[0]) <= -margin or not self._passes_at(_MAX_UNITS, margin, alpha, power):
            return None
        low, high = 0, 1
        while not self._passes_at(high, margin, alpha, power):
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._passes_at(middle, margin, alpha, power) else (middle, high)
        return high

    def _planned_often(self, units: float, ratio: float, alpha: float) -> float:
        """As `_more_often` for a planned number of units, by Wilson's bound, which is quick and near enough."""
        losing = min(float(self.losing[0]) / ratio, units)
        if losing <= 0.0:
            return 1.0
        share, z2 = losing / units, normal_quantile(1.0 - alpha) ** 2 / units
        upper = (share + z2 / 2.0 + math.sqrt(share * (1.0 - share) * z2 + z2**2 / 4.0)) / (1.0 + z2)
        return upper / share

    def _passes_at(self, units: int, margin: float, alpha: float, power: float) -> bool:
        ratio = len(self.sizes) / units
        kept = units / (units + 2.0)
        mean, noise = float(self.mean[0]), math.sqrt(float(self.variance[0]) * ratio)
        centre = kept * mean
        pseudo = 1.0 / (units + 2.0)
        error = math.sqrt((kept * noise) ** 2 + 2.0 * (pseudo * self.span) ** 2)
        skewness = float(self.third_moment[0]) * ratio**2 * kept**3 / error**3
        quantile = float(skewed_quantile(student_t_quantile(1.0 - alpha, self.df / ratio), np.array([skewness]))[0])
        reach = normal_quantile(power)
        # Multiplied first, so that units of one size come out as the very number that is planned.
        heavy, effective = self.heavy * units / len(self.sizes), self.effective * units / len(self.sizes)
        unseen = mean - reach * noise - float((self._room[:, 0] * _unseen_share(heavy, alpha)).max())
        often = self._planned_often(effective, ratio, alpha)
        counted = float(self.gained[0]) - float(self.lost[0]) * often - reach * noise
        return centre - (quantile + reach) * error > -margin and unseen > -margin and counted > -margin


def adjusted_t(units: FloatArray, sizes: FloatArray, *, span: float) -> AdjustedT:
    """Fits the adjusted t bound to one or many samples.

    Measures the mean difference per case from below. One loss and one gain of the largest possible size and of average
    weight are added to the units, which is to bounded differences what the adjustment of Agresti and Min (2005) is to
    proportions; then comes the t bound of the weighted mean (`robust_weights`). Three safeguards can only lower it:

    * Skewness: where losses are rarer and larger than gains, the t quantile is replaced by the one that Hall's (1992)
      cubic transformation gives, because t then passes too often.
    * Unseen loss: no sample rules out a loss of the full span with probability u = 1 - alpha^(1/units), so the bound
      is at most mean - (span + smallest unit mean) u. For a sample without any spread this is the exact binomial bound.
      Many small units say nothing about a few large ones. So with sizes that differ the same is asked of the units of
      each size or more alone, by their number, their smallest mean, and their share in the mean.
    * Few losses: what units below the median take from the mean is scaled up from their share to Clopper and Pearson's
      upper bound on it. A loss counts by its weight (Kish: the squared sum over the sum of squares), so that small
      noise does not pass for many losses, and so do units of unequal size. Where units and losses have one size this is
      exact; where losses are many, t is lower.

    Args:
        units: samples by units, each entry the mean difference of a case or cluster, within [-span, span].
        sizes: cases per unit.
        span: largest possible size of a difference.

    Returns:
        The fit, whose `lower` gives the bounds of all samples.

    Example:
        >>> fit = adjusted_t(np.zeros((1, 149)), np.ones(149), span=1.0)
        >>> bool(fit.lower(0.05)[0] > -0.02)
        True
    """
    centre, error, skewness, df = _padded(units, sizes, span)
    shares = sizes / sizes.sum()
    mean = units @ shares
    own = units - mean[:, None]
    gained, lost, losing = _below_the_median(units, shares)
    heavy, heavy_share, least = _heaviest(units, sizes)
    plain_factors = robust_weights(sizes).factors if len(sizes) > 1 else np.zeros(1)
    return AdjustedT(
        span=span,
        sizes=sizes,
        mean=mean,
        heavy=heavy,
        heavy_share=heavy_share,
        least=least,
        centre=centre,
        error=error,
        skewness=skewness,
        df=df,
        gained=gained,
        lost=lost,
        losing=losing,
        variance=own**2 @ plain_factors,
        third_moment=own**3 @ shares**3,
    )


def _padded(units: FloatArray, sizes: FloatArray, span: float) -> tuple[FloatArray, FloatArray, FloatArray, float]:
    """Mean with the two pseudo-units, its standard error and skewness, and the degrees of freedom."""
    padded = np.append(sizes, np.full(2, sizes.mean()))
    design = robust_weights(padded)
    weights, factors = design.weights[:-2], design.factors[:-2]
    pseudo_weight, pseudo_factor = design.weights[-1], design.factors[-1]
    # The two pseudo-units cancel in the mean.
    centre = units @ weights
    residuals = units - centre[:, None]
    below, above = -span - centre, span - centre
    squared = residuals**2
    variance = squared @ factors + pseudo_factor * (below**2 + above**2)
    third = (squared * residuals) @ weights**3 + pseudo_weight**3 * (below**3 + above**3)
    error = np.sqrt(variance)
    return centre, error, third / error**3, design.df


def _heaviest(units: FloatArray, sizes: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Units of each size or more, from the largest size down: number, share in the mean, smallest mean per sample."""
    order = np.argsort(-sizes, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(sizes[order])), len(sizes) - 1)
    cases = np.cumsum(sizes[order])
    least = np.minimum.accumulate(units[:, order], axis=1)
    return ends + 1.0, cases[ends] / cases[-1], least[:, ends].T


def _below_the_median(units: FloatArray, shares: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The mean without the losses below the median, what those take from it, and how many equal ones they weigh."""
    usual = np.median(units, axis=1)[:, None]
    losses, gains = np.maximum(usual - units, 0.0), np.maximum(units - usual, 0.0)
    lost = losses @ shares
    squares = losses**2 @ shares**2
    losing = np.divide(lost**2, squares, out=np.zeros_like(lost), where=squares > 0.0)
    return usual[:, 0] + gains @ shares, lost, losing


def skewed_quantile(quantile: float, skewness: FloatArray) -> FloatArray:
    """The quantile to use for a lower bound on a mean whose estimate has some skewness, never below the given one.

    Formula: the inverse of Hall's transformation t + g t²/3 + g² t³/27 + g/6 with g the skewness of the mean
    (Hall 1992, On the removal of skewness by transformation).

    Example:
        >>> skewed_quantile(1.645, np.array([0.5, 0.0])).tolist()
        [1.645, 1.645]
    """
    skewed = skewness < -_NO_SKEWNESS
    g = np.where(skewed, skewness, -1.0)
    corrected = 3.0 / g * (np.cbrt(1.0 + g * (quantile - g / 6.0)) - 1.0)
    return np.where(skewed, np.maximum(corrected, quantile), quantile)


def _more_often(losing: FloatArray, units: float, alpha: float) -> FloatArray:
    """By which factor losses may truly be more frequent than they were seen, at confidence 1 - alpha; 1 for none."""
    factors = np.ones_like(losing)
    for count in np.unique(losing[losing > 0.0]):
        if count < units:
            factors[losing == count] = beta_quantile(1.0 - alpha, count + 1.0, units - count) / (count / units)
    return factors


def _unseen_share(units: FloatArray, alpha: float) -> FloatArray:
    """Largest share that none of so many independent units shows with probability alpha."""
    return -np.expm1(math.log(alpha) / units)
