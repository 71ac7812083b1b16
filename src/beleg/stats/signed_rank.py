"""Wilcoxon's signed rank test of paired differences, exact with ties, with a stated policy for zeros."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from beleg.core.errors import UsageError
from beleg.stats.distributions import normal_cdf
from beleg.stats.inputs import FloatArray, Numbers, finite_vector

Zeros = Literal["drop", "pratt", "split"]

EXACT_UP_TO = 50
"""With so many differences that are not zero the distribution is computed, not approximated."""


@dataclass(frozen=True, slots=True)
class SignedRank:
    """What the ranks of the absolute differences say.

    Attributes:
        positive: sum of the ranks of differences above 0.
        negative: sum of the ranks of differences below 0.
        p_value: two-sided p-value.
        exact: whether the distribution was computed, not approximated by the normal one.
        zeros: how many differences are 0.
    """

    positive: float
    negative: float
    p_value: float
    exact: bool
    zeros: int


def signed_rank(differences: Numbers, *, zeros: Zeros = "pratt") -> SignedRank:
    """Wilcoxon's signed rank test: are the differences symmetric around 0?

    Absolute differences are ranked, equal ones share their middle rank. The exact p-value counts all patterns of signs
    of the very ranks that were seen, so that ties cost nothing; beyond 50 differences the normal approximation is
    taken, its variance the sum of the squared ranks over 4, which holds the correction for ties and zeros, without a
    correction for continuity. It tests another hypothesis than a difference of means.

    Zeros: ``pratt`` ranks them and then leaves them out (Pratt 1959), ``drop`` leaves them out first (Wilcoxon 1945),
    ``split`` gives half of their ranks to either side; its p-value is always approximate where there is a zero.
    Range: above 0 to 1. Undefined: never; without any difference it is 1.

    Args:
        differences: one difference per case.
        zeros: what to do with differences of 0.

    Returns:
        Rank sums and p-value.

    Raises:
        DataError: if there is no difference or one is not finite.
        UsageError: for an unknown policy.

    Example:
        >>> signed_rank([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]).p_value
        0.03125
    """
    if zeros not in ("drop", "pratt", "split"):
        raise UsageError(f"there is no policy {zeros!r} for zeros", hint="Take drop, pratt or split")
    values = finite_vector("differences", differences)
    is_zero = values == 0.0
    count = int(is_zero.sum())
    if zeros == "drop":
        values, is_zero = values[~is_zero], is_zero[~is_zero]
    ranks = middle_ranks(np.abs(values))
    positive, negative = float(ranks[values > 0.0].sum()), float(ranks[values < 0.0].sum())
    signed = ranks[~is_zero]
    if not len(signed):
        return SignedRank(positive, negative, 1.0, exact=True, zeros=count)
    if zeros == "split" and count:
        half = 0.5 * float(ranks[is_zero].sum())
        return SignedRank(
            positive + half, negative + half, _approximate(ranks, positive + half), exact=False, zeros=count
        )
    exact = len(signed) <= EXACT_UP_TO
    p_value = _exact(signed, min(positive, negative)) if exact else _approximate(signed, positive)
    return SignedRank(positive, negative, p_value, exact=exact, zeros=count)


def middle_ranks(values: FloatArray) -> FloatArray:
    """Ranks from 1 on, ascending; equal values share the mean of their ranks.

    Example:
        >>> middle_ranks(np.array([3.0, 1.0, 3.0])).tolist()
        [2.5, 1.0, 2.5]
    """
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    highest = np.cumsum(counts)
    return np.asarray(highest - 0.5 * (counts - 1.0))[inverse]


def _exact(ranks: FloatArray, smaller: float) -> float:
    """Share of sign patterns whose smaller rank sum is at most the observed one."""
    doubled = np.rint(2.0 * ranks).astype(np.int64)
    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1.0
    for rank in doubled.tolist():
        # Halved at each step, so that the counts of many patterns stay within the range of a float.
        moved = 0.5 * ways
        ways = moved.copy()
        ways[rank:] += moved[: len(moved) - rank]
    return min(1.0, 2.0 * float(ways[: round(2.0 * smaller) + 1].sum()))


def _approximate(ranks: FloatArray, positive: float) -> float:
    deviation = math.sqrt(float(ranks @ ranks) / 4.0)
    return 2.0 * normal_cdf(-abs(positive - 0.5 * float(ranks.sum())) / deviation)
