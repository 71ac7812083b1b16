"""Precision, recall and F of extracted relations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

from beleg.metrics.ingestion.span_scores import SpanCounts, SpanScores

RelationMode = Literal["strict", "boundaries"]
"""What makes a relation right: ``strict`` its label and the bounds and types of both ends, ``boundaries`` its label and
bounds. Source: Taillé and others, Let's stop incorrect comparisons in end-to-end relation extraction, 2020."""


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """One end of a relation: a span of a document and its type."""

    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A labelled relation from its head to its tail."""

    document: str
    label: str
    head: End
    tail: End


def relation_scores(
    gold: Sequence[Relation],
    predicted: Sequence[Relation],
    mode: RelationMode = "strict",
    *,
    symmetric: Collection[str] = (),
) -> SpanScores:
    """Counts relations; each gold one is found by one prediction at most, and a second one is too many.

    Args:
        gold: the relations as they should be.
        predicted: the relations that were found.
        mode: what makes one right.
        symmetric: labels of which head and tail may change places, such as ``married_to``.

    Returns:
        Counts over all labels and for each.

    Example:
        >>> head, tail = End(start=0, end=3, type="PER"), End(start=9, end=12, type="PER")
        >>> gold = [Relation(document="d", label="married_to", head=head, tail=tail)]
        >>> turned = [Relation(document="d", label="married_to", head=tail, tail=head)]
        >>> relation_scores(gold, turned).overall.f_score().value
        0.0
        >>> relation_scores(gold, turned, symmetric=["married_to"]).overall.f_score().value
        1.0
    """
    right, found = (Counter(_key(one, mode, symmetric) for one in side) for side in (gold, predicted))
    common = right & found
    by_label = [_by_label(side) for side in (common, right, found)]
    labels = sorted({*by_label[1], *by_label[2]})
    by_type = {label: _counts(*(side[label] for side in by_label)) for label in labels}
    overall = _counts(common.total(), right.total(), found.total())
    return SpanScores(mode=mode, overall=overall, by_type=by_type)


def _key(relation: Relation, mode: RelationMode, symmetric: Collection[str]) -> tuple[str, Hashable]:
    ends = [(end.start, end.end, end.type if mode == "strict" else "") for end in (relation.head, relation.tail)]
    if relation.label in symmetric:
        ends.sort()
    return relation.label, (relation.document, *ends)


def _by_label(side: Counter[tuple[str, Hashable]]) -> Counter[str]:
    totals: Counter[str] = Counter()
    for (label, _), count in side.items():
        totals[label] += count
    return totals


def _counts(correct: int, possible: int, actual: int) -> SpanCounts:
    return SpanCounts(correct=correct, missed=possible - correct, spurious=actual - correct)
