"""GriTS: how alike two tables are as grids, by their most similar rows and columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import LCSseq

from beleg.core.errors import DataError, Problem
from beleg.metrics.ingestion.table_grid import NO_CELL, Box, Grid

Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Value = TypeVar("Value", str, Box)

MOST_PAIRED_PLACES = 400_000_000
"""How many pairs of places are compared, as of two grids of 20,000 places."""
MOST_PAIRED_VALUES = 16_000_000
"""How many pairs of different texts, spans or boxes are compared."""
_AT_ONCE = 1 << 21
_WHOLE: Box = (0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class GridSimilarity:
    """How alike two grids are.

    Attributes:
        value: the F-score, from 0 to 1.
        precision: what was matched over the places of the predicted grid.
        recall: what was matched over the places of the gold grid.
        upper_bound: what the F-score of the best choice of rows and columns, which is too dear to find, is at most.
    """

    value: float
    precision: float
    recall: float
    upper_bound: float


def grits_topology(gold: Grid, predicted: Grid) -> GridSimilarity:
    """GriTS of the cells' spans: for each place, where the cell that covers it begins and ends.

    Formula: F = 2 · matched / (places of both); what two places match is the intersection of their cells, laid over one
    another at these places, over the union. Rows and columns are chosen one after the other, each by aligning all rows
    and then all columns. A place that no cell covers counts as an empty cell of its own. Two empty grids are alike.
    Source: Smock, Pesala and Abraham, GriTS: Grid table similarity metric for table structure recognition, 2022.

    Args:
        gold: the grid as it should be.
        predicted: the grid as it was extracted.

    Returns:
        The similarity.

    Raises:
        DataError: if there are more than 400,000,000 pairs of places.

    Example:
        >>> from beleg.metrics.ingestion.table_grid import GridCell, grid_of_cells
        >>> two = grid_of_cells([GridCell(row=0, column=0), GridCell(row=0, column=1)])
        >>> one = grid_of_cells([GridCell(row=0, column=0, columns=2)])
        >>> grits_topology(two, one).value
        0.5
    """
    return _compared(_spans(gold), _spans(predicted), overlap)


def grits_content(gold: Grid, predicted: Grid) -> GridSimilarity:
    """GriTS of the cells' text: as `grits_topology`, and two places match by their longest common subsequence.

    Formula: twice the length of the longest common subsequence over the length of both texts; two empty ones are alike.

    Example:
        >>> from beleg.metrics.ingestion.table_grid import GridCell, grid_of_cells
        >>> right = grid_of_cells([GridCell(row=0, column=0, text="95"), GridCell(row=0, column=1, text="a")])
        >>> found = grid_of_cells([GridCell(row=0, column=0, text="90"), GridCell(row=0, column=1, text="a")])
        >>> grits_content(right, found).value
        0.75
    """
    right, found = ([cell.text for cell in grid.cells] + [""] for grid in (gold, predicted))
    return _compared(_numbered(gold.cover, right), _numbered(predicted.cover, found), common_share)


def grits_location(gold: Grid, predicted: Grid) -> GridSimilarity:
    """GriTS of the cells' boxes on the page: two places match by the intersection of their cells' boxes over the union.

    A place that no cell covers has no box and matches nothing.

    Raises:
        DataError: if a cell has no box, or one that ends before it begins or is not finite.

    Example:
        >>> from beleg.metrics.ingestion.table_grid import GridCell, grid_of_cells
        >>> right = grid_of_cells([GridCell(row=0, column=0, box=(0, 0, 2, 1))])
        >>> found = grid_of_cells([GridCell(row=0, column=0, box=(0, 0, 1, 1))])
        >>> grits_location(right, found).value
        0.5
    """
    nowhere: Box = (0.0, 0.0, 0.0, 0.0)
    right, found = ([*_boxes(grid), nowhere] for grid in (gold, predicted))
    return _compared(_numbered(gold.cover, right), _numbered(predicted.cover, found), overlap)


def _boxes(grid: Grid) -> list[Box]:
    boxes = []
    for number, cell in enumerate(grid.cells):
        box = cell.box
        if box is None or not np.isfinite(box).all() or box[2] < box[0] or box[3] < box[1]:
            raise DataError(
                Problem(
                    message=f"cell {number} has no box on the page",
                    value=str(box),
                    remedy="Give left, top, right and bottom",
                )
            )
        boxes.append(box)
    return boxes


def _numbered(cover: Integers, values: Sequence[Value]) -> tuple[Integers, list[Value]]:
    """The number of a value for each place, and the values; the last value is for places that no cell covers."""
    known: dict[Value, int] = {}
    numbers = np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)
    return numbers[np.where(cover == NO_CELL, len(values) - 1, cover)], list(known)


def _spans(grid: Grid) -> tuple[Integers, list[Box]]:
    """For each place, the cell that covers it as a box, seen from this place."""
    boxes: list[Box] = [_WHOLE]
    first: dict[tuple[int, int], int] = {}
    for cell in grid.cells:
        size = (cell.rows, cell.columns)
        if size not in first:
            first[size] = len(boxes)
            boxes += [
                (-left, -top, cell.columns - left, cell.rows - top)
                for top in range(cell.rows)
                for left in range(cell.columns)
            ]
    if not grid.cells:
        return grid.cover, boxes
    shape = np.array([(cell.row, cell.column, cell.columns, first[cell.rows, cell.columns]) for cell in grid.cells])
    row, column, width, start = np.moveaxis(shape[grid.cover], -1, 0)
    rows, columns = np.indices(grid.cover.shape)
    return np.where(grid.cover == NO_CELL, 0, start + (rows - row) * width + columns - column), boxes


def overlap(boxes: Sequence[Box], others: Sequence[Box]) -> Doubles:
    """The intersection of every two boxes over their union; 0 where both have no area.

    Example:
        >>> overlap([(0, 0, 2, 2)], [(1, 0, 3, 2), (5, 5, 6, 6)]).round(3).tolist()
        [[0.333, 0.0]]
    """
    one, other = np.array(boxes, dtype=np.float64)[:, None], np.array(others, dtype=np.float64)[None, :]
    low, high = np.maximum(one[..., :2], other[..., :2]), np.minimum(one[..., 2:], other[..., 2:])
    both = np.prod(np.maximum(high - low, 0), axis=-1)
    union = np.prod(one[..., 2:] - one[..., :2], axis=-1) + np.prod(other[..., 2:] - other[..., :2], axis=-1) - both
    share: Doubles = np.divide(both, union, out=np.zeros_like(both), where=union > 0)
    return share


def common_share(texts: Sequence[str], others: Sequence[str]) -> Doubles:
    """Twice the longest common subsequence of every two texts over the length of both; 1 where both are empty.

    Example:
        >>> common_share(["abc", ""], ["axc", ""]).round(3).tolist()
        [[0.667, 0.0], [0.0, 1.0]]
    """
    common = process.cdist(texts, others, scorer=LCSseq.similarity, dtype=np.int64)
    total = np.add.outer([len(text) for text in texts], [len(text) for text in others])
    share: Doubles = np.where(total == 0, 1.0, 2 * common / np.maximum(total, 1))
    return share


def _compared(
    gold: tuple[Integers, list[Value]],
    predicted: tuple[Integers, list[Value]],
    alike: Callable[[Sequence[Value], Sequence[Value]], Doubles],
) -> GridSimilarity:
    """Aligns rows and columns of two grids of numbered values, and sums what the chosen places match."""
    (right, values), (found, others) = gold, predicted
    if not right.size or not found.size:
        equal = float(right.size == found.size)
        return GridSimilarity(value=equal, precision=equal, recall=equal, upper_bound=equal)
    for pairs, most, what in (
        (right.size * found.size, MOST_PAIRED_PLACES, "places"),
        (len(values) * len(others), MOST_PAIRED_VALUES, "different values"),
    ):
        if pairs > most:
            raise DataError(
                Problem(message=f"grids with more than {most:,} pairs of {what} are not compared", value=f"{pairs:,}")
            )
    reward = alike(values, others)
    rows, by_rows = _aligned(_row_rewards(right, found, reward))
    columns, by_columns = _aligned(_row_rewards(right.T, found.T, reward))
    matched = float(reward[right[np.ix_(rows[0], columns[0])], found[np.ix_(rows[1], columns[1])]].sum())
    return GridSimilarity(
        value=2 * matched / (right.size + found.size),
        precision=matched / found.size,
        recall=matched / right.size,
        upper_bound=2 * min(by_rows, by_columns) / (right.size + found.size),
    )


def _row_rewards(right: Integers, found: Integers, reward: Doubles) -> Doubles:
    """What every row of one grid and every row of the other match when their columns are aligned."""
    rewards = np.empty((len(right), len(found)))
    at_once = max(_AT_ONCE // (len(found) * (found.shape[1] + 1)), 1)
    for start in range(0, len(right), at_once):
        part = right[start : start + at_once]
        best = np.zeros((len(part), len(found), found.shape[1] + 1))
        for column in part.T:
            paired = reward[column].take(found, axis=1)
            paired += best[..., :-1]
            np.maximum(paired, best[..., 1:], out=paired)
            np.maximum.accumulate(paired, axis=2, out=best[..., 1:])
        rewards[start : start + at_once] = best[..., -1]
    return rewards


def _aligned(rewards: Doubles) -> tuple[tuple[list[int], list[int]], float]:
    """The rows of both that a best alignment pairs, and what they match; of equal ways the one that pairs more."""
    best = np.zeros((rewards.shape[0] + 1, rewards.shape[1] + 1))
    for number, row in enumerate(rewards):
        paired = np.maximum(best[number, :-1] + row, best[number, 1:])
        np.maximum.accumulate(paired, out=best[number + 1, 1:])
    one, other = [], []
    row, column = rewards.shape
    while row and column:
        if best[row, column] == best[row - 1, column - 1] + rewards[row - 1, column - 1]:
            row, column = row - 1, column - 1
            one.append(row)
            other.append(column)
        elif best[row, column] == best[row - 1, column]:
            row -= 1
        else:
            column -= 1
    return (one[::-1], other[::-1]), float(best[-1, -1])
