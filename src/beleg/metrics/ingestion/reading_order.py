"""Whether a parser reads in the right order: pairs in order, elements to move, breaks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from beleg.core.errors import DataError, Problem
from beleg.core.score import Score, ScoreStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderCounts:
    """How far an order is from the right one.

    Attributes:
        elements: how many elements both sides have.
        swapped: pairs of them that stand the other way round.
        to_move: the least number of elements that must move to make it right.
        breaks: neighbours in the right order between which something else stands, or which are turned round.
    """

    elements: int
    swapped: int
    to_move: int
    breaks: int

    def tau(self) -> Score:
        """Kendall's tau, from -1 (the reverse) to 1; not applicable for fewer than two elements.

        Formula: 1 - 2 · swapped / pairs. Two columns read line by line lose little in it and all in `continuity`.
        """
        return self._over(1, 2 * self.swapped, self.elements * (self.elements - 1) // 2)

    def in_place(self) -> Score:
        """The share of elements that need not move; not applicable for fewer than two elements."""
        return self._over(1, self.to_move, self.elements)

    def continuity(self) -> Score:
        """The share of neighbours that stayed neighbours, in order; not applicable for fewer than two elements."""
        return self._over(1, self.breaks, self.elements - 1)

    def _over(self, whole: float, part: float, size: int) -> Score:
        if self.elements < 2:
            return Score.without(ScoreStatus.NOT_APPLICABLE, "an order needs two elements that both sides have")
        return Score.of(whole - part / size)


def order_counts(places: Sequence[int]) -> OrderCounts:
    """Compares an order with the right one.

    Args:
        places: for each element in the right order, where the parser has it; elements that it lost are left out.

    Returns:
        Counts, in a time that grows with n log n.

    Raises:
        DataError: if two elements have one place.

    Example:
        >>> # Two columns of three lines, read line by line.
        >>> told = order_counts([0, 2, 4, 1, 3, 5])
        >>> told.swapped, told.to_move, told.breaks, told.tau().value
        (3, 2, 5, 0.6)
    """
    rank = np.argsort(np.argsort(np.asarray(places, dtype=np.int64), kind="stable"), kind="stable")
    if len(set(places)) != len(places):
        raise DataError(Problem(message="two elements have one place", field="places"))
    return OrderCounts(
        elements=len(rank),
        swapped=_inversions(rank.tolist()),
        to_move=len(rank) - _longest_ascending(rank.tolist()),
        breaks=int(np.count_nonzero(np.diff(rank) != 1)),
    )


def _inversions(ranks: list[int]) -> int:
    """How many pairs descend: every element counts those before it that rank higher."""
    total, tree = 0, [0] * (len(ranks) + 1)
    for before, rank in enumerate(ranks):
        lower, place = 0, rank + 1
        while place:
            lower += tree[place]
            place &= place - 1
        total += before - lower
        place = rank + 1
        while place < len(tree):
            tree[place] += 1
            place += place & -place
    return total


def _longest_ascending(ranks: list[int]) -> int:
    ends: list[int] = []
    for rank in ranks:
        place = bisect_left(ends, rank)
        ends[place : place + 1] = [rank]
    return len(ends)
