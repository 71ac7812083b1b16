"""Whole ranked lists out of a table, in the one order."""

from __future__ import annotations

import numpy as np

from beleg.core.errors import UsageError, shown
from beleg.metrics.ranking_runs.table import IntArray, Names, Table

MAX_DEPTH = 1_000_000_000


def ranking(table: Table) -> IntArray:
    """The rows of a table by query, and within each by score descending, then document id descending by bytes.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> ranking(table_from_mapping({"q": {"d1": 1.0, "d2": 1.0, "d3": 2.0}})).tolist()
        [2, 1, 0]
    """
    query = table.query()
    rows = np.empty(len(query), dtype=np.int64)
    for block in table.blocks():
        low, high = int(table.offsets[block.start]), int(table.offsets[block.stop])
        # Sorted by score with the fast sort that keeps no order, then by query with the one that keeps it.
        by_score = np.argsort(-table.value[low:high])
        number = (query[low:high] - block.start).astype(narrow(block.stop - block.start))
        by_query = np.argsort(number[by_score], kind="stable")
        rows[low:high] = by_score[by_query] + low
    value, group = table.value[rows], query[rows]
    tied = (value[1:] == value[:-1]) & (group[1:] == group[:-1])
    if tied.any():
        begins = np.concatenate(([True], ~tied))
        tie = np.cumsum(begins) - 1
        size = np.bincount(tie)
        _order_pairs(table.documents, rows, np.flatnonzero(begins)[size == 2])
        place = np.flatnonzero((size > 2)[tie])
        rows[place] = rows[place][table.documents.take(rows[place]).descending(tie[place])]
    return rows


def _order_pairs(documents: Names, rows: IntArray, place: IntArray) -> None:
    """Puts rows that are tied in pairs in order of their ids, in place: most ties are such, and need no sort."""
    one, other = documents.take(rows[place]), documents.take(rows[place + 1])
    swapped = [place[:0]]
    for at in range(max(one.word_count(), other.word_count())):
        word, other_word = one.words(at).byteswap(), other.words(at).byteswap()
        swapped.append(place[word < other_word])
        alike = np.flatnonzero(word == other_word)
        place, one, other = place[alike], one.take(alike), other.take(alike)
    swapped.append(place[one.length < other.length])
    wrong = np.concatenate(swapped)
    rows[wrong], rows[wrong + 1] = rows[wrong + 1], rows[wrong]


def ranks(table: Table) -> IntArray:
    """The rank of every row in the list of its query, from 1, in the one order.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> ranks(table_from_mapping({"q": {"d1": 1.0, "d2": 1.0, "d3": 2.0}})).tolist()
        [3, 2, 1]
    """
    place = _places(table)
    falls = np.ones(len(table.value) + 1, dtype=np.bool_)
    np.less(table.value[1:], table.value[:-1], out=falls[1:-1])
    falls[table.offsets] = True
    if falls.all():
        return place
    found = np.empty_like(place)
    found[ranking(table)] = place
    return found


def best_first(table: Table, *, depth: int | None = None) -> Table:
    """A table whose rows stand in the one order, each list cut at a depth.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> best_first(table_from_mapping({"q": {"d1": 1.0, "d2": 3.0, "d3": 2.0}}), depth=2).value.tolist()
        [3.0, 2.0]
    """
    rows = ranking(table)
    if depth is not None:
        rows = rows[_places(table) <= depth]
    sizes = np.diff(table.offsets) if depth is None else np.minimum(np.diff(table.offsets), depth)
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    return Table(
        table.queries, offsets, table.documents.take(rows), table.fingerprint[rows], table.value[rows], source=rows
    )


def require_depth(depth: int | None) -> None:
    """Refuses a depth that no list can be cut at.

    Raises:
        UsageError: naming the limits.
    """
    if depth is not None and not 1 <= depth <= MAX_DEPTH:
        raise UsageError(f"the depth is {shown(depth)}", hint=f"Give 1 to {MAX_DEPTH:,}")


def narrow(size: int) -> type[np.uint16] | type[np.int64]:
    """The type for numbers below a size that numpy sorts fastest: a stable sort of 16 bits counts, others compare.

    Example:
        >>> narrow(700) is np.uint16
        True
    """
    return np.uint16 if size <= 1 << 16 else np.int64


def _places(table: Table) -> IntArray:
    """The number of every row within its query, from 1."""
    starts = np.repeat(table.offsets[:-1], np.diff(table.offsets))
    return np.arange(1, len(table.value) + 1, dtype=np.int64) - starts
