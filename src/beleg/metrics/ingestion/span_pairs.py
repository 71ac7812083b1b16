"""Which gold span a predicted span stands for: one to one, and so that most of them fit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem
from beleg.metrics.ingestion.assignment import best_pairs
from beleg.metrics.ingestion.spans import Flags, Integers

Doubles = npt.NDArray[np.float64]

MOST_PAIRS = 20_000_000
"""How many pairs of spans may overlap."""
MOST_ENTANGLED = 1_000
"""How many gold or predicted spans may hang together by overlaps that no order unties."""


@dataclass(frozen=True, slots=True, eq=False)
class SpanPairs:
    """Pairs of a gold and a predicted span, as row numbers of both."""

    gold: Integers
    predicted: Integers

    def __len__(self) -> int:
        return len(self.gold)

    def kept(self, rows: Flags | Integers) -> SpanPairs:
        """Some of the pairs."""
        return SpanPairs(self.gold[rows], self.predicted[rows])


def overlapping(gold: tuple[Integers, Integers, Integers], predicted: tuple[Integers, Integers, Integers]) -> SpanPairs:
    """All pairs that share a unit.

    Args:
        gold: group, start and end of every span; only spans of one group can overlap.
        predicted: the same for the other side.

    Returns:
        Pairs by predicted span, then by where the gold span begins.

    Raises:
        DataError: if there are more than 20,000,000 of them.

    Example:
        >>> one, two = np.array([0, 0]), np.array([0])
        >>> pairs = overlapping((one, np.array([0, 5]), np.array([3, 9])), (two, np.array([2]), np.array([6])))
        >>> list(zip(pairs.gold.tolist(), pairs.predicted.tolist()))
        [(0, 0), (1, 0)]
    """
    (start, end), (other_start, other_end) = _on_one_line(gold, predicted)
    order = np.argsort(start, kind="stable")
    start, end = start[order], end[order]
    reached = np.maximum.accumulate(end) if len(end) else end
    low = np.searchsorted(reached, other_start, side="right")
    count = np.maximum(np.searchsorted(start, other_end, side="left") - low, 0)
    total = int(count.sum())
    if total > MOST_PAIRS:
        raise DataError(
            Problem(message=f"more than {MOST_PAIRS:,} pairs of spans may overlap", value=f"{total:,} pairs to look at")
        )
    row = np.repeat(np.arange(len(count)), count)
    place = np.arange(total) - np.repeat(np.cumsum(count) - count, count) + np.repeat(low, count)
    real = end[place] > other_start[row]
    return SpanPairs(order[place[real]], row[real])


def _on_one_line(
    gold: tuple[Integers, Integers, Integers], predicted: tuple[Integers, Integers, Integers]
) -> tuple[tuple[Integers, Integers], tuple[Integers, Integers]]:
    """Starts and ends with every group behind the one before."""
    groups, numbers = np.unique(np.concatenate((gold[0], predicted[0])), return_inverse=True)
    lengths = np.zeros(len(groups), dtype=np.int64)
    np.maximum.at(lengths, numbers, np.concatenate((gold[2], predicted[2])))
    offset = (np.cumsum(lengths) - lengths)[numbers]
    one, other = offset[: len(gold[0])], offset[len(gold[0]) :]
    return (gold[1] + one, gold[2] + one), (predicted[1] + other, predicted[2] + other)


def matched(pairs: SpanPairs, worth: Doubles, sides: tuple[int, int]) -> Flags:
    """Chooses pairs so that every span is in one at most, and what they are worth together is largest.

    Args:
        pairs: pairs that may be chosen, each once.
        worth: what each is worth, more than 0.
        sides: how many gold and predicted spans there are.

    Returns:
        Which pairs are chosen; of equal ones an earlier one.

    Raises:
        DataError: if more than 1,000 spans hang together by overlaps on both sides.

    Example:
        >>> pairs = SpanPairs(np.array([0, 0, 1]), np.array([0, 1, 1]))
        >>> matched(pairs, np.ones(3), (2, 2)).tolist()
        [True, False, True]
    """
    chosen = np.zeros(len(pairs), dtype=np.bool_)
    crowded = np.bincount(pairs.predicted, minlength=sides[1])[pairs.predicted] > 1
    star = np.bincount(pairs.gold, weights=crowded, minlength=sides[0])[pairs.gold] == 0
    _take_best(chosen, pairs.gold, worth, star)
    crowded = np.bincount(pairs.gold, minlength=sides[0])[pairs.gold] > 1
    other_star = np.bincount(pairs.predicted, weights=crowded, minlength=sides[1])[pairs.predicted] == 0
    _take_best(chosen, pairs.predicted, worth, other_star & ~star)
    rest = np.flatnonzero(~star & ~other_star)
    for knot in _knots(pairs.kept(rest)):
        rows = rest[knot]
        chosen[rows[_untied(pairs.kept(rows), worth[rows])]] = True
    return chosen


def _take_best(chosen: Flags, centre: Integers, worth: Doubles, rows: Flags) -> None:
    """Of all pairs around one span, whose other ends are in no other pair, the one that is worth most."""
    picked = np.flatnonzero(rows)
    order = picked[np.lexsort((picked, -worth[picked], centre[picked]))]
    around = centre[order]
    chosen[order[np.concatenate(([True], around[1:] != around[:-1]))[: len(order)]]] = True


def _knots(pairs: SpanPairs) -> Iterator[Integers]:
    """The pairs that hang together, one group after the other."""
    parent: dict[tuple[int, int], tuple[int, int]] = {}

    def root(node: tuple[int, int]) -> tuple[int, int]:
        while (above := parent.setdefault(node, node)) != node:
            parent[node] = parent[above]
            node = above
        return node

    ends = list(zip(pairs.gold.tolist(), pairs.predicted.tolist(), strict=True))
    for gold, predicted in ends:
        parent[root((0, gold))] = root((1, predicted))
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, (gold, _) in enumerate(ends):
        groups[root((0, gold))].append(number)
    for rows in groups.values():
        yield np.array(rows, dtype=np.int64)


def _untied(pairs: SpanPairs, worth: Doubles) -> Integers:
    """The chosen pairs of one knot."""
    golds, gold = np.unique(pairs.gold, return_inverse=True)
    predictions, predicted = np.unique(pairs.predicted, return_inverse=True)
    if max(len(golds), len(predictions)) > MOST_ENTANGLED:
        raise DataError(
            Problem(
                message=f"more than {MOST_ENTANGLED:,} spans hang together by overlaps",
                value=f"{len(golds):,} gold and {len(predictions):,} predicted spans",
            )
        )
    table = np.zeros((len(golds), len(predictions)))
    number = np.zeros(table.shape, dtype=np.int64)
    table[gold, predicted], number[gold, predicted] = worth, np.arange(len(pairs))
    return np.array([number[pair] for pair in best_pairs(table)], dtype=np.int64)
