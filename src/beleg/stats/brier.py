"""What a Brier score is made of: how honest scores are, how much they tell apart, how hard the question is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from beleg.stats.reliability import Reliability


@dataclass(frozen=True, slots=True, kw_only=True)
class BrierParts:
    """Murphy's parts of a Brier score over bins: brier = reliability - resolution + uncertainty + within_bins.

    Attributes:
        reliability: how far the mean score of a bin lies from its share of hits. Lower is better.
        resolution: how far the shares of the bins lie from the share over all. Higher is better.
        uncertainty: the Brier score of always saying the share over all.
        within_bins: what varying scores within a bin add or take off; 0 where every bin holds one score.
    """

    reliability: float
    resolution: float
    uncertainty: float
    within_bins: float


def brier_parts(found: Reliability) -> BrierParts:
    """Takes a Brier score apart, for outcomes that are 0 or 1.

    Formula: with n_b items, mean score c_b and share of hits a_b in bin b, and the share a over all n items:
    reliability = sum of n_b / n (c_b - a_b)^2, resolution = sum of n_b / n (a_b - a)^2, uncertainty = a (1 - a).
    Source: Murphy 1973; the rest within bins after Stephenson, Coelho and Jolliffe 2008. Range: 0 to 1 for the first
    three. Undefined: never, as bins hold something.

    Args:
        found: the bins.

    Example:
        >>> from beleg.stats.reliability import reliability
        >>> parts = brier_parts(reliability([0.5, 0.5, 1.0, 1.0], [0, 1, 1, 1], bins=2))
        >>> parts.reliability, parts.resolution, parts.uncertainty, parts.within_bins
        (0.0, 0.0625, 0.1875, 0.0)
    """
    weights = found.counts / found.counts.sum()
    base = float((weights * found.accuracy).sum())
    reliability = float((weights * np.square(found.confidence - found.accuracy)).sum())
    resolution = float((weights * np.square(found.accuracy - base)).sum())
    uncertainty = base * (1.0 - base)
    return BrierParts(
        reliability=reliability,
        resolution=resolution,
        uncertainty=uncertainty,
        within_bins=found.brier - (reliability - resolution + uncertainty),
    )
