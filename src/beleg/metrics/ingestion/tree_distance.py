"""The tree edit distance of Zhang and Shasha, exact for ordered trees of every shape, in whole rows of numbers.

Inserting and deleting cost 1, renaming at most 1. With such costs the distance is the size of both trees less the most
that pairing nodes can save: a pair saves 2 - rename. The saved amounts obey the recurrences of Zhang and Shasha with a
maximum, and the row of a table of prefixes then is a running maximum, which numpy does at once.

Source: K. Zhang, D. Shasha, Simple fast algorithms for the editing distance between trees and related problems, SIAM
Journal on Computing 18 (1989).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Doubles = npt.NDArray[np.float64]

GRAIN = 2.0**-38
"""Costs are multiples of this, so that every sum is exact and no order of adding changes a figure."""
_AT_ONCE = 1 << 22
"""How many numbers the tables of one batch may have."""


def in_grains(costs: Doubles) -> Doubles:
    """Costs from 0 to 1, each rounded to a multiple of 2^-38; a sum of up to 32,768 of them is exact."""
    rounded: Doubles = costs * (1 / GRAIN)
    np.rint(rounded, out=rounded)
    rounded *= GRAIN
    return rounded


MostSaved = Callable[[Integers, Integers, Doubles], float | None]
"""Another way to `most_saved`, which gives the same figure or declines with nothing."""


def tree_distance(left_a: Integers, left_b: Integers, saving: Doubles, *, quicker: MostSaved | None = None) -> float:
    """The edit distance of two ordered trees.

    Args:
        left_a: for each node of the first tree, in postorder, the first node of its subtree.
        left_b: the same for the second tree.
        saving: for each node of the first tree and each of the second, what pairing them saves: 2 less the cost of
            renaming, which is from 0 to 1 and a multiple of `GRAIN`.
        quicker: a way that is asked first.

    Returns:
        The least cost of edits that turn the first tree into the second.

    Example:
        >>> left = np.array([0, 1, 0])
        >>> tree_distance(left, np.array([0, 0]), np.array([[2.0, 1], [1, 1], [1, 2]]))
        1.0
    """
    saved = None if quicker is None else quicker(left_a, left_b, saving)
    if saved is None:
        saved = most_saved(left_a, left_b, saving)
    return float(len(left_a) + len(left_b) - saved)


def most_saved(left_a: Integers, left_b: Integers, saving: Doubles) -> float:
    """The most that pairing nodes of two trees saves, with the arguments of `tree_distance`."""
    work = _Work(_Side.of(left_a), _Side.of(left_b), saving, np.zeros_like(saving))
    _leaves(work)
    for first in work.a.batches:
        for second in work.b.batches:
            _batch(work, first, second)
    return float(work.saved[-1, -1])


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """One tree."""

    left: Integers
    inner: list[int]
    """Nodes that are no leaf, ascending."""
    batches: list[Integers]
    """Key roots that are no leaf and that do not need one another: the lower ones first."""

    @classmethod
    def of(cls, left: Integers) -> _Side:
        nodes = np.arange(len(left))
        # The key root of every first leaf is the highest node that begins with it.
        highest = np.zeros(len(left), dtype=np.int64)
        highest[left] = nodes
        level = np.zeros(len(left), dtype=np.int64)
        groups: dict[tuple[int, int], list[int]] = defaultdict(list)
        for root in sorted(set(highest[left].tolist())):
            first = int(left[root])
            if first == root:
                continue
            level[root] = 1 + int(level[first:root].max())
            groups[int(level[root]), (root - first + 1).bit_length()].append(root)
        batches = [np.array(groups[key], dtype=np.int64) for key in sorted(groups)]
        return cls(left, np.flatnonzero(left < nodes).tolist(), batches)

    def children(self, node: int) -> list[int]:
        """The nodes right below one, from the last to the first."""
        found, child = [], node - 1
        while child >= self.left[node]:
            found.append(child)
            child = int(self.left[child]) - 1
        return found


@dataclass(frozen=True, slots=True, eq=False)
class _Work:
    """Both trees, what pairs save, and what subtrees save, which is filled from the leaves up."""

    a: _Side
    b: _Side
    saving: Doubles
    saved: Doubles

    def turned(self) -> _Work:
        """The same with the trees in the other order; both write to one table."""
        return _Work(self.b, self.a, self.saving.T, self.saved.T)


def _leaves(work: _Work) -> None:
    """A leaf is paired with the node of a subtree that saves most."""
    for one in (work, work.turned()):
        leaves = np.flatnonzero(one.a.left == np.arange(len(one.a.left)))
        best = one.saving[leaves]
        for node in one.b.inner:
            below = [best[:, child] for child in one.b.children(node)]
            best[:, node] = np.maximum(best[:, node], np.maximum.reduce(below))
        one.saved[leaves] = best


def _batch(work: _Work, first: Integers, second: Integers) -> None:
    """All pairs of key roots of two batches, in pieces that fit into memory."""
    if _longest(work.a, first) > _longest(work.b, second) and len(first) * len(second) > 1:
        _batch(work.turned(), second, first)
        return
    length, width = _longest(work.a, first) + 1, _longest(work.b, second) + 1
    if len(first) == len(second) == 1:
        _single(work, int(first[0]), int(second[0]))
        return
    for columns in _pieces(second, _AT_ONCE // (length * width)):
        for rows in _pieces(first, _AT_ONCE // (length * width * len(columns))):
            _together(work, rows, columns)


def _longest(side: _Side, roots: Integers) -> int:
    return int((roots - side.left[roots]).max()) + 1


def _pieces(roots: Integers, size: int) -> Iterator[Integers]:
    size = max(size, 1)
    for start in range(0, len(roots), size):
        yield roots[start : start + size]


def _single(work: _Work, root_a: int, root_b: int) -> None:
    """One pair of key roots: the table of prefixes, a row for each node of the first."""
    first_a, first_b = int(work.a.left[root_a]), int(work.b.left[root_b])
    before_a = (work.a.left[first_a : root_a + 1] - first_a).tolist()
    before_b = work.b.left[first_b : root_b + 1] - first_b
    spine = np.flatnonzero(before_b == 0)
    saving = work.saving[first_a : root_a + 1, first_b : root_b + 1]
    saved = work.saved[first_a : root_a + 1, first_b : root_b + 1]
    prefixes = np.zeros((len(before_a) + 1, len(before_b) + 1))
    for node, before in enumerate(before_a):
        row = prefixes[before].take(before_b)
        row += saved[node]
        if before == 0:
            row[spine] = prefixes[node].take(spine) + saving[node].take(spine)
        np.maximum(row, prefixes[node, 1:], out=row)
        np.maximum.accumulate(row, out=prefixes[node + 1, 1:])
        if before == 0:
            saved[node, spine] = prefixes[node + 1].take(spine + 1)


def _together(work: _Work, rows: Integers, columns: Integers) -> None:
    """Many pairs of key roots at once; tables shorter than the longest have rows and columns that nobody reads."""
    first_a, first_b = work.a.left[rows], work.b.left[columns]
    length, width = _longest(work.a, rows), _longest(work.b, columns)
    nodes_a = np.minimum(first_a[:, None] + np.arange(length), len(work.a.left) - 1)
    nodes_b = np.minimum(first_b[:, None] + np.arange(width), len(work.b.left) - 1)
    before_a = np.maximum(work.a.left[nodes_a] - first_a[:, None], 0)
    before_b = np.maximum(work.b.left[nodes_b] - first_b[:, None], 0)
    inside_a, inside_b = nodes_a <= rows[:, None], nodes_b <= columns[:, None]
    spine_of, spine_at = np.nonzero((before_b == 0) & inside_b)
    spine_nodes = nodes_b[spine_of, spine_at]
    spine = spine_of * (width + 1) + spine_at
    places = (np.arange(len(columns))[:, None] * (width + 1) + before_b).ravel()
    every, wanted = np.arange(len(rows)), nodes_b.ravel()
    prefixes = np.zeros((length + 1, len(rows), len(columns), width + 1))
    flat = prefixes.reshape(length + 1, len(rows), -1)
    for step in range(length):
        before, nodes = before_a[:, step], nodes_a[:, step]
        behind = flat[step] if (before == step).all() else flat[before, every]
        candidates = behind.take(places, axis=1)
        candidates += work.saved[nodes].take(wanted, axis=1)
        on_spine = np.flatnonzero((before == 0) & inside_a[:, step])
        if len(on_spine):
            paired = flat[step][on_spine[:, None], spine] + work.saving[nodes[on_spine, None], spine_nodes]
            candidates[on_spine[:, None], spine_of * width + spine_at] = paired
        table = candidates.reshape(len(rows), len(columns), width)
        np.maximum(table, prefixes[step, :, :, 1:], out=table)
        np.maximum.accumulate(table, axis=2, out=prefixes[step + 1, :, :, 1:])
        if len(on_spine):
            work.saved[nodes[on_spine, None], spine_nodes] = flat[step + 1][on_spine[:, None], spine + 1]
