"""The curves of a graded judge: its scores against the share that people pass, and its errors at every threshold."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from beleg.core.calibration import (
    CurveAbsence,
    CurveBin,
    ErrorRate,
    OperatingCurve,
    OperatingPoint,
    ReliabilityCurve,
)
from beleg.stats.brier import brier_parts
from beleg.stats.inputs import cluster_codes
from beleg.stats.intervals import Interval
from beleg.stats.reliability import reliability
from beleg.stats.verdict_rates import rate_among, threshold_curve

BINS = 10
MAX_POINTS = 101
"""Thresholds that a record holds at most, besides the one that was chosen."""

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


def error_rate(rate: Interval | None, *, counts_events: bool = True) -> ErrorRate | None:
    """An interval as a record stores it."""
    if rate is None:
        return None
    return ErrorRate(
        value=rate.estimate,
        lower=rate.lower,
        upper=rate.upper,
        events=round(rate.estimate * rate.n) if counts_events else None,
        n=rate.n,
        method=rate.method,
    )


def curve_absence(human: Mask, scores: Floats, *, is_graded: bool) -> CurveAbsence | None:
    """Why scores have no reliability curve; ``None`` where they have one.

    Example:
        >>> curve_absence(np.array([True, False]), np.array([4.0, 1.5]), is_graded=True)
        <CurveAbsence.NOT_SHARES: 'not_shares'>
    """
    if not is_graded:
        return CurveAbsence.PASS_OR_FAIL
    if human.all() or not human.any():
        return CurveAbsence.ONE_KIND
    return None if scores.min() >= 0.0 and scores.max() <= 1.0 else CurveAbsence.NOT_SHARES


def reliability_curve(
    human: Mask, scores: Floats, groups: Sequence[str], confidence: float, *, bins: int = BINS
) -> ReliabilityCurve:
    """A judge's scores in bins of about equal count, each against the share that people pass.

    Formula: bins as `reliability` makes them by equal mass, never parting equal scores; each share with Clopper and
    Pearson's bounds (on the items' worth in independent ones, where items share a group); the Brier score in Murphy's
    parts (`brier_parts`); the expected calibration error after Naeini et al. 2015. Range: 0 to 1. Undefined: without
    items.

    Args:
        human: whether people pass each item, shape (n,).
        scores: from 0 to 1, shape (n,).
        groups: what each item shares with others that are not independent of it.
        confidence: two-sided confidence of the shares.
        bins: how many bins there are at most.

    Raises:
        DataError: without items, or for a score outside 0 to 1.

    Example:
        >>> human, scores = np.array([False, True, True, True]), np.array([0.25, 0.25, 0.75, 0.75])
        >>> curve = reliability_curve(human, scores, ["a", "b", "c", "d"], 0.95, bins=2)
        >>> [(each.score, each.passed.value) for each in curve.bins], curve.brier
        ([(0.25, 0.5), (0.75, 1.0)], 0.1875)
    """
    found = reliability(scores, human.astype(np.float64), bins=bins, binning="equal_mass")
    parts = brier_parts(found)
    codes = cluster_codes(groups, len(human))
    place = np.searchsorted(found.upper, scores, side="left")
    made = []
    for at in range(len(found.counts)):
        passed = error_rate(rate_among(human, place == at, codes, confidence))
        if passed is None:
            raise ValueError("a bin holds something")
        made.append(
            CurveBin(
                lower=float(found.lower[at]),
                upper=float(found.upper[at]),
                score=_share(float(found.confidence[at])),
                passed=passed,
            )
        )
    return ReliabilityCurve(
        bins_at_most=bins,
        bins=tuple(made),
        brier=_share(found.brier),
        reliability=_share(parts.reliability),
        resolution=_share(parts.resolution),
        uncertainty=_share(parts.uncertainty),
        within_bins=parts.within_bins,
        calibration_error=_share(found.ece),
        expected_when_calibrated=_share(found.expected_when_calibrated),
    )


def operating_curve(
    human: Mask, scores: Floats, groups: Sequence[str], threshold: float, confidence: float
) -> OperatingCurve:
    """False pass and false fail rates at every threshold, with exact intervals.

    Formula: at each distinct score t the shares of failed items with a score of t or more and of passed items below
    it, as `threshold_curve` counts them; one threshold more passes nothing. Of more than `MAX_POINTS` thresholds,
    evenly spread ones are kept with both ends, and always the chosen one. The intervals hold for each threshold by
    itself, not for one that was picked by looking at them.

    Args:
        human: whether people pass each item, shape (n,); items of both kinds.
        scores: shape (n,).
        groups: what each item shares with others that are not independent of it.
        threshold: the chosen one.
        confidence: two-sided confidence.

    Raises:
        DataError: where people pass all items, or fail all.

    Example:
        >>> human, scores = np.array([False, False, True, True]), np.array([0.1, 0.6, 0.4, 0.9])
        >>> curve = operating_curve(human, scores, ["a", "b", "c", "d"], 0.5, 0.95)
        >>> [(each.threshold, each.false_pass.value, each.false_fail.value) for each in curve.points[:3]]
        [(0.1, 1.0, 0.0), (0.4, 0.5, 0.0), (0.5, 0.5, 0.5)]
    """
    curve = threshold_curve(human.astype(np.float64), scores)
    codes = cluster_codes(groups, len(human))
    total = len(curve.thresholds)
    kept = sorted({round(at * (total - 1) / (min(total, MAX_POINTS) - 1)) for at in range(min(total, MAX_POINTS))})
    cuts = sorted({threshold, *(float(curve.thresholds[at]) for at in kept)})
    points = []
    for cut in cuts:
        passes = scores >= cut
        false_pass = error_rate(rate_among(passes, ~human, codes, confidence))
        false_fail = error_rate(rate_among(~passes, human, codes, confidence))
        if false_pass is None or false_fail is None:
            raise ValueError("there are items of both kinds")
        points.append(OperatingPoint(threshold=cut, false_pass=false_pass, false_fail=false_fail))
    return OperatingCurve(thresholds=total, points=tuple(points))


def _share(value: float) -> float:
    """A share without what rounding put outside its range.

    Sums of shares reach past an end by a few units in the last place.
    """
    if not math.isfinite(value):
        raise ValueError(f"no share: {value}")
    return min(1.0, max(0.0, value))
