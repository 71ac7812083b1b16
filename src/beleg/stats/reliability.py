"""How far stated confidences agree with what came true: reliability bins, calibration error, Brier score (A9)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.stats.distributions import normal_cdf
from beleg.stats.inputs import AT_LEAST_ONE, FINITE_ONLY, FloatArray, Numbers, require_length

Binning = Literal["equal_width", "equal_mass"]

MAX_BINS = 10_000
# A product such as 0.7 * 10 lies a rounding above its edge and still belongs to the bin below.
_BELOW_EDGE = 1.0 - 1e-12
# Blocks that stay in the processor's cache.
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reliability:
    """Confidences and outcomes by bin. A bin holds what lies above its lower and up to its upper edge.

    Attributes:
        binning: how the edges were chosen.
        lower: lower edge of each bin that holds something, shape (bins,).
        upper: upper edge of each, shape (bins,).
        counts: how many confidences each holds, shape (bins,).
        confidence: mean confidence of each, shape (bins,).
        accuracy: share that came true in each, shape (bins,).
        brier: mean squared distance between confidence and outcome.
        empty: how many bins hold nothing; they add nothing to any error.
    """

    binning: Binning
    lower: FloatArray
    upper: FloatArray
    counts: FloatArray
    confidence: FloatArray
    accuracy: FloatArray
    brier: float
    empty: int

    @property
    def n(self) -> int:
        """How many confidences there are."""
        return int(self.counts.sum())

    @property
    def gap(self) -> float:
        """Mean confidence minus the share that came true: above 0 the confidence is too high."""
        return float((self._weights * (self.confidence - self.accuracy)).sum())

    @property
    def ece(self) -> float:
        """Expected calibration error: the sum over bins of n_b / n · |accuracy - confidence|.

        Source: Naeini et al. 2015, Guo et al. 2017. Range: 0 to 1, lower is better. It is above 0 for a perfectly
        calibrated source too; hold it against `expected_when_calibrated`.
        """
        return float((self._weights * np.abs(self.accuracy - self.confidence)).sum())

    @property
    def largest_gap(self) -> float:
        """The largest distance between accuracy and confidence in any bin (MCE). Lower is better."""
        return float(np.abs(self.accuracy - self.confidence).max())

    @property
    def debiased_ece(self) -> float:
        """The calibration error less what chance adds to it, at least 0.

        Formula: 2 · ECE - the sum over bins of n_b / n · E|confidence - N(accuracy, accuracy (1 - accuracy) / n_b)|,
        with the closed mean of a folded normal variable in place of resampling. Source: Kumar, Liang and Ma 2019.
        """
        spread = np.sqrt(self.accuracy * (1.0 - self.accuracy) / self.counts)
        noisy = [
            _folded_mean(float(mean), float(each))
            for mean, each in zip(self.confidence - self.accuracy, spread, strict=True)
        ]
        return max(0.0, 2.0 * self.ece - float((self._weights * np.array(noisy)).sum()))

    @property
    def expected_when_calibrated(self) -> float:
        """The calibration error that a perfectly calibrated source would show with the same confidences on average.

        Formula: the sum over bins of n_b / n · E|X / n_b - c_b|, X binomial with n_b draws at the mean confidence c_b,
        by De Moivre's closed form of the mean absolute deviation.
        """
        deviations = [
            _mean_deviation(int(count), float(mean)) for count, mean in zip(self.counts, self.confidence, strict=True)
        ]
        return float((self._weights * np.array(deviations)).sum())

    @property
    def _weights(self) -> FloatArray:
        weights: FloatArray = self.counts / self.counts.sum()
        return weights


def reliability(
    confidences: Numbers, outcomes: Numbers, *, bins: int = 15, binning: Binning = "equal_width"
) -> Reliability:
    """Sorts confidences into bins and holds each against what came true.

    Args:
        confidences: from 0 to 1, one per case, shape (n,).
        outcomes: what came true, 0 or 1, or a graded correctness between, shape (n,).
        bins: how many bins there are at most.
        binning: ``equal_width``: edges at 0, 1/bins, …, 1. ``equal_mass``: about as many cases in each bin; equal
            confidences are never parted, so that there may be fewer bins.

    Returns:
        The bins, from which every figure follows.

    Raises:
        DataError: for no case, different lengths, or a value that is not between 0 and 1.
        UsageError: for a number of bins that is not between 1 and 10,000.

    Example:
        >>> found = reliability([0.9] * 4, [0, 0, 0, 0])
        >>> round(found.ece, 12), round(found.brier, 12)
        (0.9, 0.81)
    """
    if not 1 <= bins <= MAX_BINS:
        raise UsageError(f"the number of bins must lie between 1 and {MAX_BINS:,} (found {shown(bins)})")
    given, true = _unit_vector("confidences", confidences), _unit_vector("outcomes", outcomes)
    require_length("outcomes", len(true), len(given))
    if binning == "equal_width":
        edges = np.arange(bins + 1) / bins
        counts, sums, hits, squares = _by_width(given, true, bins)
    else:
        edges, counts, sums, hits = _by_mass(given, true, bins)
        squares = float(np.square(given - true).sum())
    held = counts > 0
    return Reliability(
        binning=binning,
        lower=edges[:-1][held],
        upper=edges[1:][held],
        counts=counts[held],
        confidence=sums[held] / counts[held],
        accuracy=hits[held] / counts[held],
        brier=squares / len(given),
        empty=int(len(counts) - np.count_nonzero(held)),
    )


def _by_width(given: FloatArray, true: FloatArray, bins: int) -> tuple[FloatArray, FloatArray, FloatArray, float]:
    """Counts, sums of confidences and outcomes per bin, and the sum of squared distances, block by block."""
    counts, sums, hits = (np.zeros(bins) for _ in range(3))
    squares = 0.0
    scaled, place = np.empty(min(len(given), _BLOCK)), np.empty(min(len(given), _BLOCK), dtype=np.intp)
    for start in range(0, len(given), _BLOCK):
        one, other = given[start : start + _BLOCK], true[start : start + _BLOCK]
        held, at = scaled[: len(one)], place[: len(one)]
        np.multiply(one, bins * _BELOW_EDGE, out=held)
        np.copyto(at, held, casting="unsafe")
        counts += np.bincount(at, minlength=bins)
        sums += np.bincount(at, weights=one, minlength=bins)
        hits += np.bincount(at, weights=other, minlength=bins)
        np.subtract(one, other, out=held)
        np.multiply(held, held, out=held)
        squares += float(held.sum())
    return counts, sums, hits, squares


def _by_mass(given: FloatArray, true: FloatArray, bins: int) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    values, inverse, each = np.unique(given, return_inverse=True, return_counts=True)
    middle = np.cumsum(each) - 0.5 * each
    group = np.minimum((middle * bins / len(given)).astype(np.intp), bins - 1)
    _, group = np.unique(group, return_inverse=True)
    last = np.flatnonzero(np.append(np.diff(group) > 0, True))
    edges = np.concatenate([[0.0], values[last]])
    edges[-1] = 1.0
    place = group[inverse]
    counts = np.bincount(place).astype(np.float64)
    sums, hits = (np.bincount(place, weights=each).astype(np.float64) for each in (given, true))
    return edges, counts, sums, hits


def _unit_vector(field: str, values: Numbers) -> FloatArray:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise DataError(Problem(message="a flat list of numbers is needed", field=field, value=f"shape {array.shape}"))
    if not len(array):
        raise DataError(Problem(message="there is no value", field=field, remedy=AT_LEAST_ONE))
    # A value that is not a number fails both comparisons.
    if array.min() >= 0.0 and array.max() <= 1.0:
        return array
    at = int(np.flatnonzero(~((array >= 0.0) & (array <= 1.0)))[0])
    raise DataError(
        Problem(
            message=f"the value at position {at} does not lie between 0 and 1",
            field=field,
            value=shown(float(array[at])),
            remedy="Give 80 % as 0.8" if np.isfinite(array[at]) else FINITE_ONLY,
        )
    )


def _folded_mean(mean: float, spread: float) -> float:
    """The mean size of a normal variable."""
    if spread == 0.0:
        return abs(mean)
    z = mean / spread
    return spread * math.sqrt(2.0 / math.pi) * math.exp(-0.5 * z * z) + mean * (1.0 - 2.0 * normal_cdf(-z))


def _mean_deviation(n: int, p: float) -> float:
    """The mean absolute deviation of a binomial share from its probability."""
    if p <= 0.0 or p >= 1.0:
        return 0.0
    k = min(math.floor(n * p), n - 1)
    log_chance = math.lgamma(n + 1) - math.lgamma(k + 2) - math.lgamma(n - k)
    log_chance += (k + 1) * math.log(p) + (n - k) * math.log1p(-p)
    return 2.0 * (k + 1) * math.exp(log_chance) / n
