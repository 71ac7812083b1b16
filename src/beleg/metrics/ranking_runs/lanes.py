"""Several runs over the same questions laid side by side: which document of one is which document of the other."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from beleg.metrics.ranking_runs.order import narrow
from beleg.metrics.ranking_runs.table import BLOCK_ROWS, FloatArray, IntArray, Names, Table
from beleg.text.packed import WordArray

_THROWS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Lanes:
    """Runs over the union of their queries, and every pair of query and document that one or more of them returned.

    The rows of the union stand by query, and within each in the order in which the lanes, one after the other, name
    them first.
    """

    queries: tuple[str, ...]
    """The union, in the order in which the lanes name them first."""
    offsets: IntArray
    documents: Names
    fingerprint: WordArray
    tables: tuple[Table, ...]
    """The lanes, each over all queries; a query that a lane lacks has no rows there."""
    rows: tuple[IntArray, ...]
    """For every row of a lane, its row in the union."""
    absent: tuple[int, ...]
    """How many queries each lane lacks."""

    def __len__(self) -> int:
        return len(self.fingerprint)

    def table(self, value: FloatArray) -> Table:
        """The union with a value for every row."""
        return Table(self.queries, self.offsets, self.documents, self.fingerprint, value)

    def held(self) -> IntArray:
        """How many lanes returned each row of the union."""
        return np.bincount(np.concatenate(self.rows), minlength=len(self))


def join_lanes(tables: Sequence[Table], *, only: Collection[str] | None = None) -> Lanes:
    """Lays runs side by side; documents are the same where their ids have the same bytes.

    Args:
        tables: one or more runs, each pair of query and document once.
        only: the queries to keep; all where nothing is named.

    Returns:
        The lanes over the union of their queries and documents.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> one, two = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 5.0, "c": 4.0}, "p": {"a": 1.0}}
        >>> lanes = join_lanes([table_from_mapping(one), table_from_mapping(two)])
        >>> lanes.queries, lanes.absent, [rows.tolist() for rows in lanes.rows]
        (('q', 'p'), (1, 0), [[0, 1], [1, 2, 3]])
    """
    named = dict.fromkeys(query for table in tables for query in table.queries)
    queries = tuple(query for query in named if only is None or query in only)
    lanes = tuple(_over(table, queries) for table in tables)
    starts = np.concatenate(([0], np.cumsum([len(lane.value) for lane in lanes])))
    names = _together([lane.documents for lane in lanes])
    leader = _leaders(lanes, starts)
    follows = np.flatnonzero(leader != np.arange(len(leader)))
    query = np.concatenate([lane.query() for lane in lanes])
    is_sound = np.array_equal(query[follows], query[leader[follows]])
    if not (is_sound and names.take(follows).equal_to(names.take(leader[follows]))):
        leader = _leaders_one_by_one(names, query.tolist())
    first = np.flatnonzero(leader == np.arange(len(leader)))
    by_query = first[np.argsort(query[first].astype(narrow(len(queries))), kind="stable")]
    place = np.empty(len(leader), dtype=np.int64)
    place[by_query] = np.arange(len(by_query))
    rows = place[leader]
    sizes = np.bincount(query[first], minlength=len(queries))
    return Lanes(
        queries=queries,
        offsets=np.concatenate(([0], np.cumsum(sizes))),
        documents=names.take(by_query),
        fingerprint=np.concatenate([lane.fingerprint for lane in lanes])[by_query],
        tables=lanes,
        rows=tuple(rows[low:high] for low, high in pairwise(starts.tolist())),
        absent=tuple(int((np.diff(lane.offsets) == 0).sum()) for lane in lanes),
    )


def _over(table: Table, queries: tuple[str, ...]) -> Table:
    """The table over other queries in their order; queries that are not among them are left out."""
    if table.queries == queries:
        return table
    place = {name: number for number, name in enumerate(table.queries)}
    number = np.array([place.get(name, -1) for name in queries], dtype=np.int64)
    # What is not found has the number -1, and so the list of length 0 at the end.
    sizes = np.append(np.diff(table.offsets), 0)[number]
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    rows = np.repeat(table.offsets[number] - offsets[:-1], sizes) + np.arange(offsets[-1])
    return Table(queries, offsets, table.documents.take(rows), table.fingerprint[rows], table.value[rows], source=rows)


def _together(names: Sequence[Names]) -> Names:
    """The names of several lists in one list."""
    base = np.cumsum([0, *(len(each.buffer) for each in names)])
    return Names(
        np.concatenate([each.buffer for each in names]),
        np.concatenate([each.start + shift for each, shift in zip(names, base[:-1], strict=True)]),
        np.concatenate([each.length for each in names]),
    )


def _leaders(lanes: Sequence[Table], starts: IntArray) -> IntArray:
    """For every row of the lanes, one after the other, the first row that has the same key."""
    leader = np.empty(starts[-1], dtype=np.int64)
    low, queries = 0, len(lanes[0].queries)
    ends = np.sum([lane.offsets for lane in lanes], axis=0)
    while low < queries:
        high = int(np.searchsorted(ends, ends[low] + BLOCK_ROWS * len(lanes), side="right")) - 1
        block = slice(low, min(max(high, low + 1), queries))
        code = np.arange(block.start, block.stop, dtype=np.int32)
        key = np.concatenate([lane.keys(code, block) for lane in lanes])
        row = np.concatenate(
            [
                np.arange(lane.offsets[block.start], lane.offsets[block.stop]) + start
                for lane, start in zip(lanes, starts[:-1], strict=True)
            ]
        )
        leader[row] = row[_first_alike(key)]
        low = block.stop
    return leader


def _first_alike(keys: WordArray) -> IntArray:
    """For every key, the place of the first that is the same.

    Keys are thrown into slots by some of their bits. Keys that are the same meet in one slot; those that find another
    key there are thrown again by other bits. That takes a quarter of the time of sorting them.
    """
    found = np.empty(len(keys), dtype=np.int64)
    left = np.arange(len(keys))
    bits = max(8, len(keys).bit_length() + 2)
    slots = np.empty(1 << bits, dtype=np.int64)
    for throw in range(_THROWS):
        slot = ((keys[left] >> np.uint64(throw * bits)) & np.uint64(len(slots) - 1)).astype(np.int64)
        # The last to be written stays, so the first goes in last.
        slots[slot[::-1]] = left[::-1]
        first = slots[slot]
        same = keys[first] == keys[left]
        found[left[same]] = first[same]
        left = left[~same]
    if len(left):
        _, first, number = np.unique(keys[left], return_index=True, return_inverse=True)
        found[left] = left[first[number]]
    return found


def _leaders_one_by_one(names: Names, query: Sequence[int]) -> IntArray:
    """The exact way for the case that two different pairs have the same key."""
    seen: dict[tuple[int, bytes], int] = {}
    return np.array([seen.setdefault((number, names[row]), row) for row, number in enumerate(query)], dtype=np.int64)
