"""The pairing of two sides that is worth most, each member in one pair at most."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]

_FREE = -1


def best_pairs(worth: Doubles) -> list[tuple[int, int]]:
    """Pairs rows and columns so that the sum of what the pairs are worth is largest; nothing is paired that is worth 0.

    The Hungarian method with shortest augmenting paths (Jonker and Volgenant, 1987): exact, cubic in the smaller side.

    Args:
        worth: what each row and column are worth together, 0 or more.

    Returns:
        Rows with their columns, by ascending row.

    Example:
        >>> best_pairs(np.array([[0.9, 0.8], [0.8, 0.1]]))
        [(0, 1), (1, 0)]
    """
    if not worth.size:
        return []
    if worth.shape[0] > worth.shape[1]:
        return sorted((row, column) for column, row in best_pairs(worth.T))
    row_of = _rows_of_columns(worth.max() - worth)
    pairs = ((int(row), column) for column, row in enumerate(row_of.tolist()) if row != _FREE)
    return sorted(pair for pair in pairs if worth[pair] > 0)


def _rows_of_columns(cost: Doubles) -> npt.NDArray[np.int64]:
    """For each column its row in the cheapest assignment of all rows, of which there are no more than columns."""
    rows, columns = cost.shape
    row_price, column_price = np.zeros(rows), np.zeros(columns)
    row_of = np.full(columns, _FREE, dtype=np.int64)
    for start in range(rows):
        distance = np.full(columns, np.inf)
        before = np.full(columns, _FREE, dtype=np.int64)
        done = np.zeros(columns, dtype=np.bool_)
        row, reached, column = start, 0.0, _FREE
        while row != _FREE:
            offered = reached + cost[row] - row_price[row] - column_price
            nearer = ~done & (offered < distance)
            distance[nearer], before[nearer] = offered[nearer], column
            column = int(np.where(done, np.inf, distance).argmin())
            done[column] = True
            reached, row = float(distance[column]), int(row_of[column])
        gained = reached - distance[done]
        paired = row_of[done]
        row_price[paired[paired != _FREE]] += gained[paired != _FREE]
        row_price[start] += reached
        column_price[done] -= gained
        while column != _FREE:
            previous = int(before[column])
            row_of[column] = start if previous == _FREE else row_of[previous]
            column = previous
    return row_of
