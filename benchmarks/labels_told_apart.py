"""How well supports tell labels by people apart: areas, rates at a threshold, intervals over clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

RESAMPLES = 1_000
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


def area(supports: Floats, positive: Flags) -> float:
    """The chance that a positive has the greater support than a negative, ties counted half (Mann and Whitney)."""
    order = np.argsort(supports, kind="stable")
    values = supports[order]
    first = np.searchsorted(values, values, side="left")
    last = np.searchsorted(values, values, side="right")
    ranks = np.empty(len(values))
    ranks[order] = (first + 1 + last) / 2
    count = int(positive.sum())
    others = len(positive) - count
    return float((ranks[positive].sum() - count * (count + 1) / 2) / (count * others))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """What a threshold does."""

    false_pass: float
    """Share of the negatives at or above the threshold."""
    false_fail: float
    """Share of the positives below it."""

    @property
    def balanced_accuracy(self) -> float:
        """The mean of the shares that were right."""
        return 1 - (self.false_pass + self.false_fail) / 2


def rates(supports: Floats, positive: Flags, threshold: float) -> Rates:
    """The rates at one threshold."""
    passed = supports >= threshold
    return Rates(false_pass=float(passed[~positive].mean()), false_fail=float((~passed[positive]).mean()))


def best_threshold(supports: Floats, positive: Flags) -> float:
    """The threshold of the greatest balanced accuracy, among hundredths."""
    found = [(rates(supports, positive, at / 100).balanced_accuracy, at / 100) for at in range(1, 100)]
    return max(found)[1]


def area_interval(supports: Floats, positive: Flags, clusters: Sequence[str]) -> tuple[float, float]:
    """The 95 % percentile interval of the area, resampling whole clusters: answers to one question go together."""
    rng = np.random.default_rng(20_240_304)
    _, number = np.unique(np.array(clusters), return_inverse=True)
    rows = [np.flatnonzero(number == at) for at in range(number.max() + 1)]
    areas = []
    for _ in range(RESAMPLES):
        taken = np.concatenate([rows[at] for at in rng.integers(0, len(rows), len(rows))])
        if positive[taken].any() and not positive[taken].all():
            areas.append(area(supports[taken], positive[taken]))
    low, high = np.quantile(areas, [0.025, 0.975])
    return float(low), float(high)


def tuned_elsewhere(supports: Floats, positive: Flags, clusters: Sequence[str]) -> tuple[float, Rates]:
    """The rates on every second cluster at the threshold that the other ones chose."""
    _, number = np.unique(np.array(clusters), return_inverse=True)
    held = number % 2 == 1
    threshold = best_threshold(supports[~held], positive[~held])
    return threshold, rates(supports[held], positive[held], threshold)
