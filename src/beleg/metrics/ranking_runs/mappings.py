"""Where the judged documents stand in a run that is held as nested mappings: no table of the run is made.

Only judged documents are looked up. The rank of one is the number of scores above its own, and ids are compared only
with the documents that share its score.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from beleg.core.errors import DataError, Problem, shown
from beleg.metrics.ranking_runs.blocks import Block
from beleg.metrics.ranking_runs.matching import Hits
from beleg.metrics.ranking_runs.table import FloatArray, IntArray, Table
from beleg.text.identifiers import as_text

BLOCK_ROWS = 1 << 15
"""Scores that are compared at a time, so that they stay in the cache of the processor."""

Scores = Mapping[object, float]


def hits_of_mapping(judged: Table, run: Mapping[object, Scores]) -> Hits:
    """Finds the judged documents of a run and their ranks, with the same result as `find_hits` on its table.

    Whole numbers are ids too: they equal their decimal text, so that 7 is "7" and is not "007".

    Args:
        judged: grades by query and document, each pair once.
        run: scores by query and document. Ids are text or whole numbers, scores are numbers of Python or numpy.

    Raises:
        DataError: naming query and document, if a score is NaN or no number, an id is neither text nor a whole number,
            or two ids have the same text.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> judged = table_from_mapping({"1": {"7": 1}})
        >>> hits_of_mapping(judged, {1: {7: 0.5, 8: 0.5, 9: 0.5}}).rank.tolist()
        [3]
    """
    looking = _Looking(judged)
    for query, scores in _by_text(run):
        looking.take(query, scores)
    looking.rank_block()
    rows, rank = np.array(looking.rows, dtype=np.int64), np.array(looking.rank, dtype=np.int64)
    query_of = judged.query()[rows]
    order = np.lexsort((rank, query_of))
    return Hits(query_of[order], rank[order], judged.value[rows][order], looking.returned, looking.extra)


def _by_text(run: Mapping[object, Scores]) -> Iterator[tuple[str, Scores]]:
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

    def __init__(self, judged: Table) -> None:
        self.place = {name: number for number, name in enumerate(judged.queries)}
        self.names = judged.documents.texts()
        self.bounds = judged.offsets.tolist()
        self.returned = np.zeros(len(judged.queries), dtype=np.int64)
        self.extra = 0
        self.rows: list[int] = []
        """The judgements that were found."""
        self.rank: list[int] = []
        self._lists: list[tuple[str, Scores]] = []
        self._size = 0
        self._of: list[int] = []
        """The list in the block that each judgement was found in, for those of `rows` that have no rank yet."""
        self._score: list[float] = []

    def take(self, query: str, scores: Scores) -> None:
        """Looks up the judged documents of a query."""
        get: Callable[[str], float | None] = scores.get
        try:
            # Joining fails unless every id is text, and runs outside Python.
            "".join(scores)  # type: ignore[arg-type]
        except TypeError:
            get = require_sound(query, scores).get
        number = self.place.get(query, -1)
        low, high = (0, 0) if number < 0 else self.bounds[number : number + 2]
        if low == high:
            self.extra += 1
        else:
            self.returned[number] = len(scores)
        if not scores:
            return
        for row, score in enumerate(map(get, self.names[low:high]), start=low):
            if score is not None:
                self.rows.append(row)
                self._of.append(len(self._lists))
                self._score.append(score)
        self._lists.append((query, scores))
        self._size += len(scores)
        if self._size >= BLOCK_ROWS:
            self.rank_block()

    def rank_block(self) -> None:
        """Gives a rank to all that was found in the lists of the block, and begins the next one."""
        if not self._lists:
            return
        value = np.empty(self._size, dtype=np.float64)
        packed, at = value.data.cast("B"), 0
        for query, scores in self._lists:
            try:
                # This takes what is a number and no text, which numpy would read as one.
                struct.pack_into(f"{len(scores)}d", packed, at, *scores.values())
            except (struct.error, TypeError, ValueError, OverflowError):
                numbers = require_sound(query, scores)
                struct.pack_into(f"{len(numbers)}d", packed, at, *numbers.values())
            at += value.itemsize * len(scores)
        sizes = np.array([len(scores) for _, scores in self._lists], dtype=np.int64)
        block = Block(value, np.concatenate(([0], np.cumsum(sizes))))
        if np.isnan(value.min()):
            for query, scores in self._lists:
                require_sound(query, scores)
        if self._of:
            self.rank += self._ranks(block, np.array(self._of), np.array(self._score, dtype=np.float64))
        self._lists, self._size, self._of, self._score = [], 0, [], []

    def _ranks(self, block: Block, of: IntArray, score: FloatArray) -> list[int]:
        above, equal = block.counts(of, score)
        tied = np.flatnonzero(equal > 1)
        if len(tied):
            first = len(self.rows) - len(of)
            orders: dict[tuple[int, float], dict[str, int]] = {}
            for each in tied.tolist():
                key = (int(of[each]), float(score[each]))
                if key not in orders:
                    value = block.value[block.offsets[key[0]] : block.offsets[key[0] + 1]]
                    orders[key] = _order(value, key[1], self._lists[key[0]][1])
                order = orders[key]
                above[each] += order[self.names[self.rows[first + each]]]
        return [count + 1 for count in above.tolist()]


def _order(value: FloatArray, score: float, scores: Scores) -> dict[str, int]:
    """The documents of a list that have one score, in order, each with the number of those before it."""
    ids = list(scores)
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
