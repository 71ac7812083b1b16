"""Where to set the threshold of a detector that tells its confidence, as for personal data."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, UsageError
from beleg.metrics.ingestion.span_pairs import SpanPairs, overlapping
from beleg.metrics.ingestion.span_scores import SpanCounts
from beleg.metrics.ingestion.spans import Spans, labels_of_both

Doubles = npt.NDArray[np.float64]

ThresholdMode = Literal["strict", "exact", "type"]
"""The modes of `span_scores` in which a prediction is right or wrong, and not half."""

MOST_PAIRS = 2_000_000
"""How many pairs of a gold span and a prediction may be right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatingPoint:
    """What a detector finds from one threshold on.

    Attributes:
        threshold: predictions with at least this confidence are kept.
        counts: what became of gold spans and of the predictions that are kept.
    """

    threshold: float
    counts: SpanCounts


def operating_points(
    gold: Spans, predicted: Spans, confidence: Sequence[float] | Doubles, mode: ThresholdMode = "strict"
) -> list[OperatingPoint]:
    """What a detector finds from each of its confidences on, the highest one first.

    At every threshold as many gold spans are found as can be, each by one prediction: predictions come in one after the
    other, the surest first, and one that fits only what is taken already may move others to other gold spans.

    Args:
        gold: the spans as they should be; take those of one type with `Spans.with_label`.
        predicted: every span that was found, however unsure.
        confidence: how sure the detector is of each.
        mode: what makes a prediction right.

    Returns:
        One point for each confidence that occurs; none where nothing was predicted.

    Raises:
        DataError: if there is not one finite confidence for each prediction, the sides are not of the same documents,
            or more than 2,000,000 pairs are right.

    Example:
        >>> gold = Spans.of([[(0, 4, "IBAN"), (9, 12, "IBAN")]])
        >>> found = Spans.of([[(0, 4, "IBAN"), (5, 6, "IBAN"), (9, 12, "IBAN")]])
        >>> points = operating_points(gold, found, [0.9, 0.5, 0.5])
        >>> [(point.threshold, point.counts.correct, point.counts.spurious) for point in points]
        [(0.9, 1, 0), (0.5, 2, 1)]
    """
    sure = np.asarray(confidence, dtype=np.float64)
    if sure.shape != (len(predicted),) or not np.isfinite(sure).all():
        raise DataError(
            Problem(message=f"a finite confidence is needed for each of {len(predicted)} spans", field="confidence")
        )
    order = np.argsort(-sure, kind="stable")
    pairs = _right_pairs(gold, predicted, mode)
    found = _found_in_turn(pairs, order)
    last = np.flatnonzero(np.append(sure[order][1:] != sure[order][:-1], [True])[: len(order)])
    points = []
    for place in last.tolist():
        correct = int(found[place])
        counts = SpanCounts(correct=correct, missed=len(gold) - correct, spurious=place + 1 - correct)
        points.append(OperatingPoint(threshold=float(sure[order[place]]), counts=counts))
    return points


def surest_with_recall(points: Sequence[OperatingPoint], least_recall: float) -> OperatingPoint | None:
    """The point with the highest precision among those that find enough; of equal ones that with the higher threshold.

    Args:
        points: as `operating_points` gives them.
        least_recall: the share of gold spans that must be found, above 0.

    Returns:
        The point; ``None`` where no threshold finds as much.

    Raises:
        UsageError: if the recall is not above 0 and at most 1.

    Example:
        >>> gold, found = Spans.of([[(0, 4, "IBAN")]]), Spans.of([[(5, 6, "IBAN"), (0, 4, "IBAN")]])
        >>> surest_with_recall(operating_points(gold, found, [0.9, 0.4]), 1.0).threshold
        0.4
    """
    if not 0 < least_recall <= 1:
        raise UsageError(f"a recall is above 0 and at most 1, not {least_recall}")
    enough = [point for point in points if (point.counts.recall().value or 0) >= least_recall]
    return max(enough, key=lambda point: (point.counts.precision().value or 0, point.threshold), default=None)


def _right_pairs(gold: Spans, predicted: Spans, mode: ThresholdMode) -> SpanPairs:
    _, one, other = labels_of_both(gold, predicted)
    pairs = overlapping((gold.document, gold.start, gold.end), (predicted.document, predicted.start, predicted.end))
    right = np.ones(len(pairs), dtype=np.bool_)
    if mode != "type":
        right &= gold.start[pairs.gold] == predicted.start[pairs.predicted]
        right &= gold.end[pairs.gold] == predicted.end[pairs.predicted]
    if mode != "exact":
        right &= one[pairs.gold] == other[pairs.predicted]
    if int(right.sum()) > MOST_PAIRS:
        raise DataError(Problem(message=f"more than {MOST_PAIRS:,} pairs of spans are right", value=f"{right.sum():,}"))
    return pairs.kept(right)


def _found_in_turn(pairs: SpanPairs, order: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """How many gold spans are found when predictions come in one after the other."""
    fitting: dict[int, list[int]] = {}
    for gold, prediction in zip(pairs.gold.tolist(), pairs.predicted.tolist(), strict=True):
        fitting.setdefault(prediction, []).append(gold)
    taken = _Taken(fitting)
    gained = [prediction in fitting and taken.take_in(prediction) for prediction in order.tolist()]
    return np.cumsum(np.array(gained, dtype=np.int64))


@dataclass(slots=True)
class _Taken:
    """Which prediction stands for which gold span; grows by one augmenting path at a time."""

    fitting: dict[int, list[int]]
    by: dict[int, int] = field(default_factory=dict)
    goal: dict[int, int] = field(default_factory=dict)
    """The same the other way round."""
    closed: set[int] = field(default_factory=set)
    """Gold spans from which no path leads to a free one; none ever will again."""

    def take_in(self, prediction: int) -> bool:
        """Finds a gold span for a prediction, moving others where that helps; whether there is one."""
        reached: dict[int, int] = {}
        waiting = deque([prediction])
        while waiting:
            mover = waiting.popleft()
            for gold in self.fitting[mover]:
                if gold in reached or gold in self.closed:
                    continue
                reached[gold] = mover
                if gold not in self.by:
                    self._move(gold, prediction, reached)
                    return True
                waiting.append(self.by[gold])
        self.closed.update(reached)
        return False

    def _move(self, gold: int, prediction: int, reached: dict[int, int]) -> None:
        """Gives every gold span of the path to the prediction that reached it."""
        mover = reached[gold]
        while mover != prediction:
            self.by[gold], self.goal[mover], gold = mover, gold, self.goal[mover]
            mover = reached[gold]
        self.by[gold], self.goal[mover] = mover, gold
