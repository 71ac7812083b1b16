"""Headings and lists of a document: found, in order, at their depth, and in one piece."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from beleg.core.score import Score, ScoreStatus
from beleg.metrics.ingestion.error_rates import DEFAULT_FORM, TextForm
from beleg.metrics.ingestion.layout import HEADING, LIST_ITEM, LayoutElement, matched_elements
from beleg.metrics.ingestion.reading_order import OrderCounts, order_counts
from beleg.metrics.ingestion.span_scores import SpanCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutScores:
    """What became of the structure of a document.

    Attributes:
        found: elements of any kind: paired by their text, missed, made up.
        order: the reading order of what was found.
        headings: headings that were found as headings, missed, and taken for some.
        heading_order: the order of those that were.
        heading_levels: how many of them have their depth, and of how many it is known.
        lists: how many lists stayed whole, and how many there are.
        list_items: list items that were found as such, missed, and taken for some.
    """

    found: SpanCounts
    order: OrderCounts
    headings: SpanCounts
    heading_order: OrderCounts
    heading_levels: tuple[int, int]
    lists: tuple[int, int]
    list_items: SpanCounts

    def levels_kept(self) -> Score:
        """The share of headings at their depth; not applicable where no depth is known."""
        return _share(self.heading_levels, "no heading that was found has a depth on both sides")

    def lists_kept(self) -> Score:
        """The share of lists that are whole; not applicable where there is no list."""
        return _share(self.lists, "there is no list")


def _share(counts: tuple[int, int], reason: str) -> Score:
    part, whole = counts
    return Score.of(part / whole) if whole else Score.without(ScoreStatus.NOT_APPLICABLE, reason)


def layout_scores(
    gold: Sequence[LayoutElement],
    predicted: Sequence[LayoutElement],
    *,
    least_similarity: float = 0.8,
    form: TextForm = DEFAULT_FORM,
) -> LayoutScores:
    """Compares the elements of one document, which both sides give in their reading order.

    A list is whole if all its items were found as items of one list, in order, and nothing else is in that list. Items
    without a list are lists of their own where they follow one another.

    Args:
        gold: the elements as they should be.
        predicted: the elements that were found.
        least_similarity: from which on two texts may be one element.
        form: the form in which texts are compared.

    Returns:
        Counts, from which shares follow.

    Raises:
        UsageError: as `matched_elements`.
        DataError: as `matched_elements`.

    Example:
        >>> page = [LayoutElement(kind="heading", text="A", level=1), LayoutElement(kind="list_item", text="one")]
        >>> read = [LayoutElement(kind="paragraph", text="A"), LayoutElement(kind="list_item", text="one")]
        >>> told = layout_scores(page, read)
        >>> told.headings.recall().value, told.lists_kept().value
        (0.0, 1.0)
    """
    pairs = matched_elements(gold, predicted, least_similarity=least_similarity, form=form)
    headings = _of_kind(gold, predicted, pairs, HEADING)
    levels = [
        gold[one].level == predicted[other].level
        for one, other in headings
        if gold[one].level is not None and predicted[other].level is not None
    ]
    whole, lists = _lists(gold, predicted, pairs)
    return LayoutScores(
        found=SpanCounts(correct=len(pairs), missed=len(gold) - len(pairs), spurious=len(predicted) - len(pairs)),
        order=order_counts([other for _, other in pairs]),
        headings=_counts(gold, predicted, headings, HEADING),
        heading_order=order_counts([other for _, other in headings]),
        heading_levels=(sum(levels), len(levels)),
        lists=(whole, lists),
        list_items=_counts(gold, predicted, _of_kind(gold, predicted, pairs, LIST_ITEM), LIST_ITEM),
    )


def _of_kind(
    gold: Sequence[LayoutElement], predicted: Sequence[LayoutElement], pairs: Sequence[tuple[int, int]], kind: str
) -> list[tuple[int, int]]:
    return [(one, other) for one, other in pairs if gold[one].kind == predicted[other].kind == kind]


def _counts(
    gold: Sequence[LayoutElement], predicted: Sequence[LayoutElement], pairs: Sequence[tuple[int, int]], kind: str
) -> SpanCounts:
    right, found = (sum(element.kind == kind for element in side) for side in (gold, predicted))
    return SpanCounts(correct=len(pairs), missed=right - len(pairs), spurious=found - len(pairs))


def _lists(
    gold: Sequence[LayoutElement], predicted: Sequence[LayoutElement], pairs: Sequence[tuple[int, int]]
) -> tuple[int, int]:
    """How many lists are whole, and how many there are."""
    became = dict(pairs)
    read_as = {tuple(items) for items in _members(predicted)}
    lists = _members(gold)
    return sum(tuple(became.get(item, -1) for item in items) in read_as for items in lists), len(lists)


def _members(elements: Sequence[LayoutElement]) -> list[list[int]]:
    """The items of each list, in their order."""
    lists: dict[str, list[int]] = defaultdict(list)
    runs: list[list[int]] = []
    for place, element in enumerate(elements):
        if element.kind != LIST_ITEM:
            continue
        if element.list_id is not None:
            lists[element.list_id].append(place)
        elif runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return [*lists.values(), *runs]
