"""How many scores of a list stand above some of them: the ranks of a few documents without sorting the rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from beleg.metrics.ranking_runs.table import FloatArray, IntArray

MOST_COUNTED = 6
"""Up to so many documents of a list are counted one by one; for more, the scores of the list are sorted once."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """The scores of some lists, one after the other; list ``i`` owns ``value[offsets[i]:offsets[i + 1]]``."""

    value: FloatArray
    offsets: IntArray

    def counts(self, of: IntArray, score: FloatArray) -> tuple[IntArray, IntArray]:
        """For each of some scores, how many of its list are above it, and how many equal it.

        Args:
            of: the list of each; ascending, and none of these lists is empty.
            score: the scores.

        Example:
            >>> block = Block(np.array([3.0, 1.0, 2.0, 2.0]), np.array([0, 2, 4]))
            >>> [counts.tolist() for counts in block.counts(np.array([0, 1]), np.array([1.0, 2.0]))]
            [[1, 0], [1, 2]]
        """
        above, equal = np.zeros(len(of), dtype=np.int64), np.zeros(len(of), dtype=np.int64)
        if not len(of):
            return above, equal
        begins = np.concatenate(([0], np.flatnonzero(of[1:] != of[:-1]) + 1))
        number = np.diff(begins, append=len(of))
        turn = np.arange(len(of)) - np.repeat(begins, number)
        few = np.repeat(number <= MOST_COUNTED, number)
        for each in range(min(MOST_COUNTED, int(number.max()))):
            at = np.flatnonzero(few & (turn == each))
            if len(at):
                above[at], equal[at] = self._counted(of[at], score[at])
        many = number > MOST_COUNTED
        for first, size in zip(begins[many].tolist(), number[many].tolist(), strict=True):
            at = np.arange(first, first + size)
            ascending = np.sort(self.value[self.offsets[of[first]] : self.offsets[of[first] + 1]])
            beyond = np.searchsorted(ascending, score[at], side="right")
            above[at], equal[at] = len(ascending) - beyond, beyond - np.searchsorted(ascending, score[at], side="left")
        return above, equal

    def _counted(self, of: IntArray, score: FloatArray) -> tuple[IntArray, IntArray]:
        """The same for one score in a list, with every list compared at once."""
        begins, sizes = self.offsets[of], self.offsets[of + 1] - self.offsets[of]
        if len(of) < len(self.offsets) - 1:
            inner = np.repeat(begins - np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes)
            value = self.value[inner + np.arange(len(inner))]
            begins = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        else:
            value = self.value
        limits = np.repeat(score, sizes)
        above = np.add.reduceat((value > limits).view(np.uint8), begins, dtype=np.int64)
        equal = np.add.reduceat((value == limits).view(np.uint8), begins, dtype=np.int64)
        return above, equal
