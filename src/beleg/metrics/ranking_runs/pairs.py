"""One numbering of the pairs of query and document that several tables hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, shown
from beleg.metrics.ranking_runs.order import ranking
from beleg.metrics.ranking_runs.table import CodeArray, FloatArray, IntArray, Names, Table
from beleg.text.packed import PAD, WordArray

Mask = npt.NDArray[np.bool_]

_ASCII = 128


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Some rows of a table: all of them, or the best ranked of each query."""

    table: Table
    rows: IntArray
    rank: IntArray
    """The rank of each row in its query, from 1; 0 where rows are not ranked."""

    @classmethod
    def all_of(cls, table: Table) -> Rows:
        """Every row, in the order of the table."""
        size = len(table.value)
        return cls(table, np.arange(size, dtype=np.int64), np.zeros(size, dtype=np.int64))

    @classmethod
    def best_of(cls, table: Table, depth: int) -> Rows:
        """The rows that stand at rank ``depth`` or above, by query and rank.

        Example:
            >>> from beleg.metrics.ranking_runs.table import table_from_mapping
            >>> Rows.best_of(table_from_mapping({"q": {"d1": 1.0, "d2": 2.0, "d3": 0.5}}), 2).rows.tolist()
            [1, 0]
        """
        few, rows = _contenders(table, depth)
        order = ranking(few)
        rank = np.arange(len(order)) - np.repeat(few.offsets[:-1], np.diff(few.offsets)) + 1
        kept = rank <= depth
        return cls(table, rows[order[kept]], rank[kept])


def head_of(table: Table, depth: int) -> Table:
    """The rows at rank ``depth`` or above, best first, as a table that keeps nothing else of the old one alive.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> head_of(table_from_mapping({"q": {"d1": 1.0, "d2": 2.0, "d3": 0.5}}), 2).value.tolist()
        [2.0, 1.0]
    """
    rows = Rows.best_of(table, depth).rows
    offsets = np.concatenate(([0], np.cumsum(np.minimum(np.diff(table.offsets), depth))))
    documents = _packed([table.documents.take(rows)])
    return Table(table.queries, offsets, documents, table.fingerprint[rows], table.value[rows])


def _contenders(table: Table, depth: int) -> tuple[Table, IntArray]:
    """The rows that can stand at ``depth`` or above: of a list in falling order its head with the ties of the last."""
    sizes = np.diff(table.offsets)
    last = np.minimum(table.offsets[:-1] + depth, table.offsets[1:]) - 1
    least = np.full(len(sizes), -np.inf)
    least[sizes > 0] = table.value[last[sizes > 0]]
    rises = np.flatnonzero(table.value[1:] > table.value[:-1]) + 1
    query = np.searchsorted(table.offsets, rises, side="right") - 1
    least[query[rises > table.offsets[query]]] = -np.inf
    rows = np.flatnonzero(table.value >= np.repeat(least, sizes))
    kept = np.searchsorted(rows, table.offsets)
    few = Table(table.queries, kept, table.documents.take(rows), table.fingerprint[rows], table.value[rows])
    return few, rows


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Distinct pairs, by query and document ascending by bytes, and which of them each row of each part holds."""

    queries: tuple[str, ...]
    """Every query of the parts, ascending by the bytes of its id."""
    query: CodeArray
    documents: Names
    parts: tuple[IntArray, ...]
    """For each part, the number of the pair of each of its rows."""

    def __len__(self) -> int:
        return len(self.query)

    def ids(self, pairs: IntArray) -> Iterator[tuple[str, str]]:
        """Query and document of some pairs as text; see `text_of`."""
        for number, query in zip(pairs.tolist(), self.query[pairs].tolist(), strict=True):
            yield self.queries[query], text_of(self.documents[number])

    def require_text(self, pairs: IntArray) -> None:
        """Refuses ids of some pairs that are no text, before anything is written; see `text_of`.

        Raises:
            DataError: naming the first.
        """
        beyond_ascii = np.concatenate(([0], np.cumsum(self.documents.buffer >= _ASCII)))
        start = self.documents.start[pairs]
        doubtful = beyond_ascii[start + self.documents.length[pairs]] > beyond_ascii[start]
        for number in pairs[doubtful].tolist():
            text_of(self.documents[number])

    def values(self, part: int, value: FloatArray) -> tuple[FloatArray, IntArray]:
        """The value that a part has for every pair, and how many of its rows hold the pair; 0 and 0 for none."""
        found = np.zeros(len(self), dtype=np.float64)
        found[self.parts[part]] = value
        return found, np.bincount(self.parts[part], minlength=len(self))


def pairs_of(parts: Sequence[Rows], *, keys: WordArray | None = None) -> Pairs:
    """Numbers the pairs of several tables.

    Pairs are told apart by a 64-bit fingerprint, and the names behind equal fingerprints are compared, so that two
    pairs never become one by chance.

    Args:
        parts: rows of tables.
        keys: the fingerprints of all rows, part after part; made here unless a test brings its own.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> judged = table_from_mapping({"q2": {"d1": 1.0}, "q1": {"d2": 0.0}})
        >>> run = table_from_mapping({"q1": {"d2": 5.0, "d1": 4.0}})
        >>> found = pairs_of([Rows.all_of(judged), Rows.best_of(run, 10)])
        >>> list(found.ids(np.arange(3))), [part.tolist() for part in found.parts]
        ([('q1', 'd1'), ('q1', 'd2'), ('q2', 'd1')], [[2, 1], [1, 0]])
    """
    queries = sorted({name for part in parts for name in part.table.queries}, key=_as_bytes)
    code = {name: number for number, name in enumerate(queries)}
    own = [np.array([code[name] for name in part.table.queries], dtype=np.int32) for part in parts]
    codes = [numbers[part.table.query()[part.rows]] for numbers, part in zip(own, parts, strict=True)]
    query = np.concatenate([np.empty(0, dtype=np.int32), *codes])
    documents = _packed([part.table.documents.take(part.rows) for part in parts])
    if keys is None:
        hashes = [part.table.keys(numbers)[part.rows] for numbers, part in zip(own, parts, strict=True)]
        keys = np.concatenate([np.empty(0, dtype=np.uint64), *hashes])
    number, first = _numbered(query, documents, keys)
    order = documents.take(first).descending(-query[first])[::-1]
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    ends = np.cumsum([len(part.rows) for part in parts])[:-1]
    return Pairs(
        tuple(queries),
        query[first][order],
        documents.take(first[order]),
        tuple(np.split(place[number], ends)),
    )


def text_of(name: bytes) -> str:
    """An id as text, to be written where only text can stand.

    Raises:
        DataError: if it is not UTF-8.
    """
    try:
        return name.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise DataError(
            Problem(
                message="the id of a document is not UTF-8",
                value=shown(name),
                remedy="Write the ids of all files in UTF-8",
            )
        ) from error


def _as_bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")


def _packed(parts: Sequence[Names]) -> Names:
    """Names of several buffers in one that holds nothing else."""
    texts = []
    for names in parts:
        begins = np.cumsum(names.length, dtype=np.int64) - names.length
        places = np.repeat(names.start - begins, names.length) + np.arange(int(names.length.sum()))
        texts.append(names.buffer[places])
    length = np.concatenate([np.empty(0, dtype=np.int32), *(names.length for names in parts)])
    end = np.cumsum(length, dtype=np.int64)
    return Names(np.concatenate([*texts, np.zeros(PAD, dtype=np.uint8)]), end - length, length)


def _numbered(query: CodeArray, documents: Names, keys: WordArray) -> tuple[IntArray, IntArray]:
    """A number for each distinct pair: that of every row, and the first row of every number."""
    if not len(keys):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    order = np.argsort(keys, kind="stable")
    same = keys[order][1:] == keys[order][:-1]
    if not _are_same(query, documents, order, same).all():
        order = documents.descending(query)
        same = _are_same(query, documents, order, np.ones(len(order) - 1, dtype=np.bool_))
        first = np.concatenate(([True], ~same))
        lowest = np.minimum.reduceat(order, np.flatnonzero(first))
    else:
        first = np.concatenate(([True], ~same))
        lowest = order[first]
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.cumsum(first) - 1
    return number, lowest


def _are_same(query: CodeArray, documents: Names, order: IntArray, asked: Mask) -> Mask:
    """For neighbours in an order, whether they are one pair; those not asked about count as they were given."""
    place = np.flatnonzero(asked)
    left, right = order[place], order[place + 1]
    mine, theirs = documents.take(left), documents.take(right)
    same = (query[left] == query[right]) & (mine.length == theirs.length)
    for at in range(documents.word_count()):
        same &= mine.words(at) == theirs.words(at)
    found = ~asked
    found[place] = same
    return found
