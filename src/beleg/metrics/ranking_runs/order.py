"""Whole ranked lists out of a table, in the one order."""

from __future__ import annotations

import numpy as np

from beleg.metrics.ranking_runs.table import IntArray, Table


def ranking(table: Table) -> IntArray:
    """The rows of a table by query, and within each by score descending, then document id descending by bytes.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> ranking(table_from_mapping({"q": {"d1": 1.0, "d2": 1.0, "d3": 2.0}})).tolist()
        [2, 1, 0]
    """
    query = table.query()
    rows = np.lexsort((-table.value, query))
    value, group = table.value[rows], query[rows]
    tied = (value[1:] == value[:-1]) & (group[1:] == group[:-1])
    if tied.any():
        begins = np.concatenate(([True], ~tied))
        tie = np.cumsum(begins) - 1
        place = np.flatnonzero((np.bincount(tie) > 1)[tie])
        rows[place] = rows[place][table.documents.take(rows[place]).descending(tie[place])]
    return np.asarray(rows, dtype=np.int64)
