"""How often a judge passes what people fail, and fails what they pass; and where to cut a graded judge."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, shown
from beleg.stats.distributions import normal_quantile
from beleg.stats.inputs import (
    FloatArray,
    IntArray,
    Labels,
    Numbers,
    cluster_codes,
    finite_vector,
    require_between,
    require_length,
)
from beleg.stats.intervals import Interval, clopper_pearson, clustered_interval, largest_share

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictRates:
    """A judge against human labels that say pass or fail.

    Attributes:
        passed: items that people pass.
        failed: items that people fail.
        false_pass: share of the failed items that the judge passes; None where people fail none.
        false_fail: share of the passed items that the judge fails; None where people pass none.
        accuracy: share of all items in which both say the same.
        balanced_accuracy: mean of the shares of passed and of failed items that the judge gets right; None where one
            kind is absent.
    """

    passed: int
    failed: int
    false_pass: Interval | None
    false_fail: Interval | None
    accuracy: Interval
    balanced_accuracy: Interval | None


def verdict_rates(
    human: Numbers, judge: Numbers, confidence: float = 0.95, *, groups: Labels | None = None
) -> VerdictRates:
    """False pass and false fail rates of a judge, with exact intervals.

    Formula: false pass = P(judge passes | a person fails), false fail = P(judge fails | a person passes), each with
    Clopper and Pearson's bounds; where items share a group (the claims of one answer), with the same bounds on the
    number of independent items that they are worth (`clustered_interval`). Balanced accuracy is 1 minus the mean of the
    two, its bounds by square-and-add. Range: 0 to 1; of the false rates lower is better. Undefined (None): where people
    fail, or pass, no item.

    Args:
        human: 1 for a pass and 0 for a fail, by people.
        judge: the same by the judge.
        confidence: two-sided confidence.
        groups: one label per item; items with the same one are not independent.

    Raises:
        DataError: without items, for different lengths, or a value other than 0 and 1.
        UsageError: unless the confidence lies between 0 and 1.

    Example:
        >>> found = verdict_rates([1] * 40 + [0] * 10, [1] * 38 + [0] * 2 + [1] + [0] * 9)
        >>> found.false_pass.estimate, found.false_fail.estimate
        (0.1, 0.05)
    """
    labels, verdicts = _verdicts("human", human), _verdicts("judge", judge)
    require_length("judge", len(verdicts), len(labels))
    codes = None if groups is None else cluster_codes(groups, len(labels))
    false_pass = rate_among(verdicts, ~labels, codes, confidence)
    false_fail = rate_among(~verdicts, labels, codes, confidence)
    agreed = rate_among(labels == verdicts, np.ones(len(labels), dtype=np.bool_), codes, confidence)
    if agreed is None:
        raise ValueError("there are items")
    return VerdictRates(
        passed=int(labels.sum()),
        failed=int((~labels).sum()),
        false_pass=false_pass,
        false_fail=false_fail,
        accuracy=agreed,
        balanced_accuracy=_balanced(false_pass, false_fail),
    )


def rate_among(event: BoolArray, among: BoolArray, codes: IntArray | None, confidence: float) -> Interval | None:
    """Share of some items in which something happened, with Clopper and Pearson's bounds.

    Args:
        event: whether it happened, shape (n,).
        among: which items are looked at, shape (n,).
        codes: the group of each item, shape (n,); where looked-at items share one, the bounds are those on the number
            of independent items that they are worth. None where every item stands for itself.
        confidence: two-sided confidence.

    Returns:
        The share, or None where no item is looked at.

    Example:
        >>> rate_among(np.array([True, False]), np.array([True, True]), None, 0.95).estimate
        0.5
    """
    n = int(among.sum())
    if n == 0:
        return None
    if codes is not None and len(np.unique(codes[among])) < n:
        return clustered_interval(event[among].astype(np.float64), codes[among], confidence)
    return clopper_pearson(int((event & among).sum()), n, confidence)


def _balanced(false_pass: Interval | None, false_fail: Interval | None) -> Interval | None:
    if false_pass is None or false_fail is None:
        return None
    estimate = 1.0 - 0.5 * (false_pass.estimate + false_fail.estimate)
    down, up = (
        0.5 * math.hypot(*(end - rate.estimate for end, rate in zip(ends, (false_pass, false_fail), strict=True)))
        for ends in ((false_pass.upper, false_fail.upper), (false_pass.lower, false_fail.lower))
    )
    return Interval(
        estimate,
        max(0.0, estimate - down),
        min(1.0, estimate + up),
        false_pass.confidence,
        "square_and_add",
        false_pass.n + false_fail.n,
    )


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdCurve:
    """What a graded judge would do at every threshold that changes a verdict; it passes scores at or above one.

    Attributes:
        thresholds: ascending; the last one passes nothing.
        false_passes: failed items that would pass.
        false_fails: passed items that would fail.
        passed: items that people pass.
        failed: items that people fail.
    """

    thresholds: FloatArray
    false_passes: IntArray
    false_fails: IntArray
    passed: int
    failed: int

    @property
    def accuracy(self) -> FloatArray:
        """Share of all items in which judge and people would say the same."""
        return np.asarray(1.0 - (self.false_passes + self.false_fails) / (self.passed + self.failed))

    @property
    def false_pass(self) -> FloatArray:
        """Share of the failed items that would pass."""
        return np.asarray(self.false_passes / self.failed)

    @property
    def false_fail(self) -> FloatArray:
        """Share of the passed items that would fail."""
        return np.asarray(self.false_fails / self.passed)


def threshold_curve(human: Numbers, scores: Numbers) -> ThresholdCurve:
    """Both kinds of error at every threshold.

    Args:
        human: 1 for a pass and 0 for a fail, by people.
        scores: the judge's score of each item, higher for better.

    Raises:
        DataError: for different lengths, values that are not finite, or where people only pass or only fail.

    Example:
        >>> curve = threshold_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
        >>> curve.thresholds[:4].tolist(), curve.false_passes.tolist()
        ([0.1, 0.4, 0.6, 0.9], [2, 1, 1, 0, 0])
    """
    labels, given = _both_kinds(human, scores)
    values, place = np.unique(given, return_inverse=True)
    good = np.bincount(place[labels], minlength=len(values))
    bad = np.bincount(place[~labels], minlength=len(values))
    above = np.nextafter(values[-1], np.inf)
    return ThresholdCurve(
        thresholds=np.append(values, above),
        false_passes=np.append(bad[::-1].cumsum()[::-1], 0),
        false_fails=np.append(0, good.cumsum()),
        passed=int(good.sum()),
        failed=int(bad.sum()),
    )


def smallest_safe_threshold(curve: ThresholdCurve, largest_false_pass: float, confidence: float = 0.95) -> float | None:
    """The smallest threshold at which the false pass rate is proven to be small enough, on the items it is chosen from.

    Formula: the smallest threshold whose one-sided exact upper bound (Clopper and Pearson) of the false pass rate is at
    most the limit. The bound does not hold for the threshold so chosen: check it on other items. None where no
    threshold does it, because there are too few failed items.

    Raises:
        UsageError: unless limit and confidence lie between 0 and 1.

    Example:
        >>> curve = threshold_curve([0] * 80 + [1] * 20, [0.01 * i for i in range(100)])
        >>> smallest_safe_threshold(curve, 0.05)
        0.8
    """
    require_between("largest_false_pass", largest_false_pass, 0.0, 1.0)
    require_between("confidence", confidence, 0.0, 1.0)
    # The number of false passes falls with the threshold, so the first one that is small enough is found by halving.
    low, high = 0, len(curve.thresholds) - 1
    if largest_share(0, curve.failed, 1.0 - confidence) > largest_false_pass:
        return None
    while low < high:
        middle = (low + high) // 2
        if largest_share(int(curve.false_passes[middle]), curve.failed, 1.0 - confidence) <= largest_false_pass:
            high = middle
        else:
            low = middle + 1
    return float(curve.thresholds[low])


def roc_auc(human: Numbers, scores: Numbers, confidence: float = 0.95) -> Interval:
    """Chance that a passed item has a higher score than a failed one, ties counted half.

    Formula: Mann and Whitney's U over the product of both numbers. Interval: the values t for which |t - estimate| = z
    sqrt(V(t)), V(t) = t (1 - t) (1 + m (1 - t) / (2 - t) + m t / (1 + t)) / (passed * failed) with m = (passed +
    failed) / 2 - 1 (Newcombe 2006, method 5); it has a width at 1 too. Range: 0 to 1, 0.5 for chance.

    Args:
        human: 1 for a pass and 0 for a fail, by people.
        scores: the judge's score of each item.
        confidence: two-sided confidence.

    Raises:
        DataError: for different lengths, values that are not finite, or where people only pass or only fail.
        UsageError: unless the confidence lies between 0 and 1.

    Example:
        >>> found = roc_auc([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
        >>> found.estimate
        0.75
    """
    labels, given = _both_kinds(human, scores)
    require_between("confidence", confidence, 0.0, 1.0)
    values, place = np.unique(given, return_inverse=True)
    counts = np.bincount(place, minlength=len(values))
    ranks = np.cumsum(counts) - (counts - 1) / 2.0
    passed, failed = int(labels.sum()), int((~labels).sum())
    estimate = float((ranks[place[labels]].sum() - passed * (passed + 1) / 2.0) / (passed * failed))
    z = normal_quantile(0.5 + 0.5 * confidence)
    upper = _auc_bound(estimate, passed, failed, z)
    lower = 1.0 - _auc_bound(1.0 - estimate, passed, failed, z)
    return Interval(
        estimate, min(lower, estimate), max(upper, estimate), confidence, "newcombe_5", len(labels)
    )  # fmt: skip


def _auc_bound(estimate: float, passed: int, failed: int, z: float) -> float:
    """The largest value from which the estimate lies no more than z standard errors away."""
    m = 0.5 * (passed + failed) - 1.0

    def within(t: float) -> bool:
        variance = t * (1.0 - t) * (1.0 + m * (1.0 - t) / (2.0 - t) + m * t / (1.0 + t)) / (passed * failed)
        return t - estimate <= z * math.sqrt(variance)

    low, high = estimate, 1.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if within(middle) else (low, middle)
    return high


def _both_kinds(human: Numbers, scores: Numbers) -> tuple[BoolArray, FloatArray]:
    labels, given = _verdicts("human", human), finite_vector("scores", scores)
    require_length("scores", len(given), len(labels))
    if labels.all() or not labels.any():
        raise DataError(
            Problem(
                message="people pass all items, or fail all; a threshold parts the two kinds",
                field="human",
                remedy="Label items of both kinds",
            )
        )
    return labels, given


def _verdicts(field: str, values: Numbers) -> BoolArray:
    array = finite_vector(field, values)
    odd = array[~np.isin(array, (0.0, 1.0))]
    if len(odd):
        raise DataError(
            Problem(message="a verdict is 1 for pass or 0 for fail", field=field, value=shown(float(odd[0])))
        )
    return array.astype(np.bool_)
