"""Where the judged documents stand in a run that is held as nested mappings: no table of the run is made.

Only judged documents are looked up. The rank of one is the number of scores above its own, and ids are compared only
with the documents that share its score.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, repeat
from typing import Any

import numpy as np

from beleg.core.errors import DataError, Problem, shown
from beleg.metrics.ranking_runs.blocks import Block
from beleg.metrics.ranking_runs.matching import Hits
from beleg.metrics.ranking_runs.table import FloatArray, IntArray, Table
from beleg.text.identifiers import as_text

BLOCK_ROWS = 1 << 15
"""Scores that are compared at a time, so that they stay in the cache of the processor."""

Scores = Mapping[Any, float]
Taken = tuple[FloatArray, IntArray, IntArray, FloatArray]
"""All scores of some lists; for each judged document that is found, its row, its list, ascending, and its score."""
Take = Callable[[list[Scores], list[str], IntArray, IntArray, IntArray], Taken | None]
"""Takes lists, all names that are looked for, the size of each list, and where its names begin and end."""


def hits_of_mapping(judged: Table, run: Mapping[object, Scores], *, take: Take | None = None) -> Hits:
    """Finds the judged documents of a run and their ranks, with the same result as `find_hits` on its table.

    Whole numbers are ids too: they equal their decimal text, so that 7 is "7" and is not "007".

    Args:
        judged: grades by query and document, each pair once.
        run: scores by query and document. Ids are text or whole numbers, scores are numbers of Python or numpy.
        take: a quicker way to take lists, which may decline any of them.

    Raises:
        DataError: naming query and document, if a score is NaN or no number, an id is neither text nor a whole number,
            or two ids have the same text.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> judged = table_from_mapping({"1": {"7": 1}})
        >>> hits_of_mapping(judged, {1: {7: 0.5, 8: 0.5, 9: 0.5}}).rank.tolist()
        [3]
    """
    looking = _Looking(judged, take)
    looking.look(run)
    rows, rank = np.concatenate(looking.rows), np.concatenate(looking.rank)
    query_of = judged.query()[rows]
    order = np.lexsort((rank, query_of))
    return Hits(query_of[order], rank[order], judged.value[rows][order], looking.returned, looking.extra)


def _by_text(run: Mapping[object, Scores]) -> Iterable[tuple[str, Scores]]:
    if set(map(type, run)) <= {str}:
        return run.items()  # type: ignore[return-value]
    return _by_checked_text(run)


def _by_checked_text(run: Mapping[object, Scores]) -> Iterator[tuple[str, Scores]]:
    seen: set[str] = set()
    for name, scores in run.items():
        query = as_text(name, "query")
        if query in seen:
            raise DataError(
                Problem(
                    field="query",
                    message="two ids of queries have the same text",
                    value=shown(query),
                    remedy="Write ids as text, or as whole numbers, but not as both",
                )
            )
        seen.add(query)
        yield query, scores


class _Looking:
    """What was found so far, and the block of lists that is filled before it is ranked."""

    def __init__(self, judged: Table, take: Take | None) -> None:
        self.place = {name: number for number, name in enumerate(judged.queries)}
        self.names = judged.documents.texts()
        self.returned = np.zeros(len(judged.queries), dtype=np.int64)
        self.extra = 0
        self.rows = [np.empty(0, dtype=np.int64)]
        """The judgements that were found."""
        self.rank = [np.empty(0, dtype=np.int64)]
        self._offsets = judged.offsets
        self._take = take
        self._queries: list[str] = []
        self._lists: list[Scores] = []

    def look(self, run: Mapping[object, Scores]) -> None:
        """Looks up the judged documents of all queries."""
        filled = 0
        for query, scores in _by_text(run):
            self._queries.append(query)
            self._lists.append(scores)
            filled += len(scores)
            if filled >= BLOCK_ROWS:
                self._end_block()
                filled = 0
        self._end_block()

    def _end_block(self) -> None:
        """Gives a rank to all that is found in the lists of the block, and begins the next one."""
        sizes = np.array([*map(len, self._lists)], dtype=np.int64)
        number = np.array([*map(self.place.get, self._queries, repeat(-1))], dtype=np.int64)
        low, high = self._offsets[number], self._offsets[number + 1]
        # A query that is not judged has the place -1, which would be that of the last offset.
        low[number < 0] = high[number < 0]
        judged = low < high
        taken = None if self._take is None else self._take(self._lists, self.names, sizes, low, high)
        if taken is None:
            sizes, taken = self._taken(low.tolist(), high.tolist())
        value, row, of, score = taken
        self.extra += int((~judged).sum())
        self.returned[number[judged]] = sizes[judged]
        if len(of):
            block = Block(value, np.concatenate(([0], np.cumsum(sizes))))
            self.rows.append(row)
            self.rank.append(self._ranks(block, row, of, score))
        self._queries, self._lists = [], []

    def _taken(self, low: list[int], high: list[int]) -> tuple[IntArray, Taken]:
        try:
            sizes, value = _packed(self._lists)
        except (struct.error, TypeError, ValueError, OverflowError):
            self._lists = [require_sound(*each) for each in zip(self._queries, self._lists, strict=True)]
            sizes, value = _packed(self._lists)
        if len(value) and np.isnan(value.min()):
            for query, scores in zip(self._queries, self._lists, strict=True):
                require_sound(query, scores)
        row: list[int] = []
        of: list[int] = []
        found: list[float] = []
        for number, scores in enumerate(self._lists):
            for place in range(low[number], high[number]):
                score = scores.get(self.names[place])
                if score is not None:
                    row.append(place)
                    of.append(number)
                    found.append(score)
        rows, lists = (np.array(each, dtype=np.int64) for each in (row, of))
        return sizes, (value, rows, lists, np.array(found, dtype=np.float64))

    def _ranks(self, block: Block, rows: IntArray, of: IntArray, score: FloatArray) -> IntArray:
        above, equal = block.counts(of, score)
        orders: dict[tuple[int, float], dict[str, int]] = {}
        for each in np.flatnonzero(equal > 1).tolist():
            key = (int(of[each]), float(score[each]))
            if key not in orders:
                value = block.value[block.offsets[key[0]] : block.offsets[key[0] + 1]]
                orders[key] = _order(value, key[1], self._lists[key[0]])
            above[each] += orders[key][self.names[rows[each]]]
        return above + 1


def _packed(lists: list[Scores]) -> tuple[IntArray, FloatArray]:
    """The size of each list, and all scores; fails unless every id is text, and every score a number."""
    # Joining takes nothing but text, and packing no text, which numpy would read as a number. Both run outside Python.
    "".join(chain.from_iterable(lists))
    sizes = np.array([*map(len, lists)], dtype=np.int64)
    scores = [*chain.from_iterable(held.values() for held in lists)]
    if len(scores) != sizes.sum():
        raise ValueError("a list has another length than it says")
    value = np.empty(len(scores), dtype=np.float64)
    struct.pack_into(f"{len(scores)}d", value.data.cast("B"), 0, *scores)
    return sizes, value


def _order(value: FloatArray, score: float, scores: Scores) -> dict[str, int]:
    """The documents of a list that have one score, in order, each with the number of those before it."""
    ids = list(scores)
    if len(ids) != len(value):
        remedy = "Give lists that nothing changes"
        raise DataError(Problem(field="document", message="a list changed while it was read", remedy=remedy))
    # Code points order as the bytes of UTF-8 do.
    ordered = sorted(
        (as_text(ids[place], "document") for place in np.flatnonzero(value == score).tolist()), reverse=True
    )
    return {name: place for place, name in enumerate(ordered)}


def require_sound(query: str, scores: Scores) -> dict[str, float]:
    """Looks at every pair of a list that holds more than text and plain numbers.

    Returns:
        The same scores as plain numbers, by the text of the ids.

    Raises:
        DataError: naming query and document of the first pair that cannot be used.
    """
    found: dict[str, float] = {}
    for document, score in scores.items():
        text = as_text(document, "document", query=query)
        if text in found:
            message = f"two ids of documents of query {shown(query)} have the same text"
            raise DataError(Problem(field="document", message=message, value=shown(text), remedy="Keep one of them"))
        found[text] = as_number(score, query, text)
    return found


def as_number(score: object, query: str, document: str) -> float:
    """A score or grade as a double.

    Raises:
        DataError: naming query and document, if it is no number.

    Example:
        >>> as_number(np.float32(0.5), "q1", "d1")
        0.5
    """
    if isinstance(score, (str, bytes, bytearray)) or score is None:
        raise _bad_score(query, document, "a number is expected", score)
    try:
        number = float(score)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError) as error:
        raise _bad_score(query, document, "a number is expected", score) from error
    if math.isnan(number):
        raise _bad_score(query, document, "the score is not a number", score)
    return number


def _bad_score(query: str, document: str, message: str, value: object) -> DataError:
    where = f"{message}, for document {shown(document)} of query {shown(query)}"
    return DataError(Problem(field="score", message=where, value=shown(value), remedy="Give a number, or leave it out"))
