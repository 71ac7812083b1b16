"""Precision, recall and F of spans, per type and over all, in named modes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from beleg.core.errors import UsageError
from beleg.core.score import Score, ScoreStatus
from beleg.metrics.ingestion.span_pairs import SpanPairs, matched, overlapping
from beleg.metrics.ingestion.spans import Integers, Spans, labels_of_both

Doubles = npt.NDArray[np.float64]

SpanMode = Literal["strict", "exact", "partial", "type"]
"""What makes a predicted span right: ``strict`` its bounds and type, ``exact`` its bounds, ``partial`` its bounds, and
an overlap counts half, ``type`` its type and any overlap. Source: the modes of SemEval 2013 task 9, after MUC-5."""

NO_SPANS = "there is no span on either side"
NO_GOLD = "there is no gold span"
NO_PREDICTIONS = "there is no predicted span"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanCounts:
    """What became of gold and predicted spans; each of them is in one count.

    Attributes:
        correct: pairs that are right in the mode.
        partial: pairs that count half.
        incorrect: pairs that overlap and are wrong.
        missed: gold spans in no pair.
        spurious: predicted spans in no pair.
    """

    correct: int = 0
    partial: int = 0
    incorrect: int = 0
    missed: int = 0
    spurious: int = 0

    @property
    def possible(self) -> int:
        """How many gold spans there are."""
        return self.correct + self.partial + self.incorrect + self.missed

    @property
    def actual(self) -> int:
        """How many predicted spans there are."""
        return self.correct + self.partial + self.incorrect + self.spurious

    @property
    def credit(self) -> float:
        """What was got right: a partial pair counts half."""
        return self.correct + self.partial / 2

    def precision(self) -> Score:
        """What was got right over the predicted spans; not applicable where there is none."""
        return _share(self.credit, self.actual, NO_PREDICTIONS)

    def recall(self) -> Score:
        """What was got right over the gold spans; not applicable where there is none."""
        return _share(self.credit, self.possible, NO_GOLD)

    def f_score(self, beta: float = 1.0) -> Score:
        """The weighted harmonic mean of precision and recall; not applicable where there is no span on either side.

        Formula: (1 + β²) · credit / (β² · gold spans + predicted spans), which is 0 where only one side has spans. With
        β = 2 recall weighs four times as much, as is usual for personal data.

        Raises:
            UsageError: if beta is not above 0.
        """
        if not 0 < beta < float("inf"):
            raise UsageError(f"beta is a number above 0, not {beta}")
        weight = beta * beta
        return _share((1 + weight) * self.credit, weight * self.possible + self.actual, NO_SPANS)


def _share(part: float, whole: float, reason: str) -> Score:
    return Score.of(part / whole) if whole else Score.without(ScoreStatus.NOT_APPLICABLE, reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanScores:
    """The counts of a mode.

    Attributes:
        mode: what makes a span or relation right.
        overall: all types together (micro average).
        by_type: each type with the spans of both sides that have it, matched among themselves.
    """

    mode: str
    overall: SpanCounts
    by_type: Mapping[str, SpanCounts]

    def macro_f_score(self, beta: float = 1.0) -> Score:
        """The mean of the F-scores of all types that either side has; not applicable where there is none."""
        scores = [counts.f_score(beta).value for counts in self.by_type.values()]
        values = [score for score in scores if score is not None]
        return _share(sum(values), len(values), NO_SPANS)


def span_scores(gold: Spans, predicted: Spans, mode: SpanMode = "strict") -> SpanScores:
    """Counts what was found, with each gold span matched to one prediction at most and the reverse.

    Pairs are chosen so that most is got right, then so that most spans are in a pair; only spans that share a unit are
    a pair. A prediction over two gold spans therefore finds one of them, and two predictions on one gold span are one
    find and one too many.

    Args:
        gold: the spans as they should be.
        predicted: the spans that were found.
        mode: what makes one right.

    Returns:
        Counts over all types and for each.

    Raises:
        DataError: if the sides are not of the same documents, or too many spans overlap (`overlapping`, `matched`).

    Example:
        >>> gold = Spans.of([[(0, 2, "PER"), (5, 8, "ORG")]])
        >>> found = Spans.of([[(0, 2, "PER"), (5, 7, "ORG")]])
        >>> [span_scores(gold, found, mode).overall.f_score().value for mode in ("strict", "partial", "type")]
        [0.5, 0.75, 1.0]
    """
    labels, one, other = labels_of_both(gold, predicted)
    pairs = overlapping((gold.document, gold.start, gold.end), (predicted.document, predicted.start, predicted.end))
    same = (gold.start[pairs.gold] == predicted.start[pairs.predicted]) & (
        gold.end[pairs.gold] == predicted.end[pairs.predicted]
    )
    alike = one[pairs.gold] == other[pairs.predicted]
    right = {"strict": same & alike, "exact": same, "partial": same, "type": alike}[mode]
    credit = np.where(right, 1.0, 0.5 if mode == "partial" else 0.0)
    chosen = _chosen(pairs, credit, (len(gold), len(predicted)))
    overall = _counts(
        credit[chosen], np.array([0]), np.zeros(int(chosen.sum()), np.int64), [len(gold)], [len(predicted)]
    )
    # Within a type only spans of that type can be pairs.
    own, own_credit = pairs.kept(alike), credit[alike]
    kept = _chosen(own, own_credit, (len(gold), len(predicted)))
    types = np.arange(len(labels))
    sizes = (np.bincount(side, minlength=len(labels)).tolist() for side in (one, other))
    by_type = _counts(own_credit[kept], types, one[own.gold[kept]], *sizes)
    return SpanScores(mode=mode, overall=overall[0], by_type=dict(zip(labels, by_type, strict=True)))


def _chosen(pairs: SpanPairs, credit: Doubles, sides: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Most credit first, then most pairs: half a credit outweighs as many pairs as there can be."""
    return matched(pairs, credit * 4 * (min(sides) + 1) + 1, sides)


def _counts(
    credit: Doubles, types: Integers, of_pair: Integers, golds: list[int], predictions: list[int]
) -> list[SpanCounts]:
    """The counts of every type from the credit of the chosen pairs."""
    correct, partial, incorrect = (
        np.bincount(of_pair[credit == value], minlength=len(types)).tolist() for value in (1.0, 0.5, 0.0)
    )
    found = []
    for number in range(len(types)):
        paired = correct[number] + partial[number] + incorrect[number]
        found.append(
            SpanCounts(
                correct=correct[number],
                partial=partial[number],
                incorrect=incorrect[number],
                missed=golds[number] - paired,
                spurious=predictions[number] - paired,
            )
        )
    return found
