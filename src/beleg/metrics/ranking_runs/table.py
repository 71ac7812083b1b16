"""Columns of judgements and runs: integer-coded queries, document ids as spans of one byte buffer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, shown
from beleg.text.packed import PAD, WORD, WordArray, words_at

BLOCK_ROWS = 1 << 14
"""Rows worked on at a time, so that all columns of a block stay in the cache of the processor."""

IntArray = npt.NDArray[np.int64]
CodeArray = npt.NDArray[np.int32]
FloatArray = npt.NDArray[np.float64]
ByteArray = npt.NDArray[np.uint8]

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_FIRST_BYTES = np.array([(1 << (8 * kept)) - 1 for kept in range(WORD + 1)], dtype=np.uint64)


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """Byte strings in one buffer, of which `PAD` bytes or more follow the last of them."""

    buffer: ByteArray
    start: IntArray
    length: CodeArray

    @classmethod
    def of(cls, names: Iterable[str]) -> Names:
        """Packs texts as UTF-8.

        Example:
            >>> Names.of(["d1", "d22"])[1]
            b'd22'
        """
        encoded = [name.encode("utf-8", "surrogatepass") for name in names]
        length = np.array([len(name) for name in encoded], dtype=np.int32)
        end = np.cumsum(length, dtype=np.int64)
        return cls(np.frombuffer(b"".join(encoded) + bytes(PAD), np.uint8), end - length, length)

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, row: int) -> bytes:
        start = int(self.start[row])
        return self.buffer[start : start + int(self.length[row])].tobytes()

    def texts(self) -> list[str]:
        """All names as text."""
        data = self.buffer.tobytes()
        spans = zip(self.start.tolist(), self.length.tolist(), strict=True)
        return [data[start : start + length].decode("utf-8", "surrogatepass") for start, length in spans]

    def take(self, rows: IntArray) -> Names:
        """The names of some rows, in that order."""
        return Names(self.buffer, self.start[rows], self.length[rows])

    def words(self, position: int) -> WordArray:
        """Eight bytes of every name from byte ``8 * position`` on, little-endian, zero beyond the end of the name."""
        kept = np.clip(self.length - WORD * position, 0, WORD)
        start = np.where(kept > 0, self.start + WORD * position, 0)
        return words_at(self.buffer, start) & _FIRST_BYTES[kept]

    def word_count(self) -> int:
        """How many words the longest name takes."""
        return -(-int(self.length.max(initial=0)) // WORD)

    def fingerprints(self) -> WordArray:
        """A 64-bit hash of every name: equal names have equal hashes, and the reverse needs a check."""
        found = np.empty(len(self), dtype=np.uint64)
        for low in range(0, len(self), BLOCK_ROWS):
            block = slice(low, low + BLOCK_ROWS)
            found[block] = Names(self.buffer, self.start[block], self.length[block])._hashes()
        return found

    def _hashes(self) -> WordArray:
        mixed = _mixed(self.words(0) ^ (self.length.astype(np.uint64) * _MULTIPLIER))
        for position in range(1, self.word_count()):
            reaching = np.flatnonzero(self.length > WORD * position)
            mixed[reaching] = _mixed(mixed[reaching] ^ self.take(reaching).words(position))
        return mixed

    def coded(self) -> tuple[tuple[str, ...], CodeArray]:
        """The different names in the order in which they come, and the number of the name of every row.

        A name is looked at where it differs from the one before: rows that stand together cost next to nothing.

        Raises:
            DataError: if a name is not UTF-8.

        Example:
            >>> Names.of(["q1", "q1", "q2", "q1"]).coded()[1].tolist()
            [0, 0, 1, 0]
        """
        changed = np.ones(len(self), dtype=np.bool_)
        for low in range(0, len(self) - 1, BLOCK_ROWS):
            # Each block begins with the last row of the one before.
            block = slice(low, low + BLOCK_ROWS + 1)
            changed[low + 1 : low + BLOCK_ROWS + 1] = self._changes(block)
        place = np.flatnonzero(changed)
        codes: dict[str, int] = {}
        try:
            code = [codes.setdefault(name, len(codes)) for name in self.take(place).texts()]
        except UnicodeDecodeError as error:
            raise DataError(Problem(field="query", message="an id is not UTF-8", remedy="Write it as UTF-8")) from error
        return tuple(codes), np.repeat(np.array(code, dtype=np.int32), np.diff(place, append=len(self)))

    def _changes(self, block: slice) -> npt.NDArray[np.bool_]:
        """Whether each row of a span, its first one aside, differs from the one before."""
        names = Names(self.buffer, self.start[block], self.length[block])
        changed = names.length[1:] != names.length[:-1]
        for at in range(names.word_count()):
            words = names.words(at)
            changed |= words[1:] != words[:-1]
        return np.asarray(changed, dtype=np.bool_)

    def equal_to(self, other: Names) -> bool:
        """Whether both hold the same names, row by row."""
        if not np.array_equal(self.length, other.length):
            return False
        return all(np.array_equal(self.words(at), other.words(at)) for at in range(self.word_count()))

    def descending(self, group: npt.NDArray[np.integer]) -> IntArray:
        """The order of the rows by group, and in a group by name descending, bytes compared unsigned."""
        words: list[WordArray] = [~self.words(at).byteswap() for at in range(self.word_count())]
        keys: list[npt.NDArray[np.integer]] = [-self.length, *reversed(words), group]
        return np.lexsort(keys)


def _mixed(words: WordArray) -> WordArray:
    words *= _MULTIPLIER
    words ^= words >> _HALF
    words *= _MULTIPLIER
    return words


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """One value for each pair of query and document; the rows of a query stand together.

    ``offsets`` has one entry more than there are queries: query ``i`` owns the rows from ``offsets[i]`` to
    ``offsets[i + 1]``. ``source`` says where each row stood before, where rows had to be moved.
    """

    queries: tuple[str, ...]
    offsets: IntArray
    documents: Names
    fingerprint: WordArray
    value: FloatArray
    source: IntArray | None = None

    def query(self) -> CodeArray:
        """The query of every row, as its place in ``queries``."""
        return np.repeat(np.arange(len(self.queries), dtype=np.int32), np.diff(self.offsets))

    def source_row(self, row: int) -> int:
        """Where a row stood in the columns that the table was made of."""
        return row if self.source is None else int(self.source[row])

    def keys(self, code: CodeArray, queries: slice = slice(None)) -> WordArray:
        """Fingerprints of query and document for some queries; ``code`` is the number of each in a common numbering."""
        bounds = self.offsets[queries.start : None if queries.stop is None else queries.stop + 1]
        salt = _mixed(code.astype(np.uint64) + _MULTIPLIER)
        keys = np.repeat(salt, np.diff(bounds))
        keys ^= self.fingerprint[bounds[0] : bounds[-1]]
        return keys

    def blocks(self) -> Iterator[slice]:
        """Spans of whole queries with about `BLOCK_ROWS` rows each."""
        low = 0
        while low < len(self.queries):
            high = int(np.searchsorted(self.offsets, self.offsets[low] + BLOCK_ROWS, side="right")) - 1
            high = min(max(high, low + 1), len(self.queries))
            yield slice(low, high)
            low = high

    def repeats(self) -> IntArray:
        """The rows whose document stood before in the same query, in order."""
        repeated: list[int] = []
        for block in self.blocks():
            keys = self.keys(np.arange(block.start, block.stop, dtype=np.int32), block)
            # Half of the hash is sorted twice as fast, and leaves few pairs to compare that are none.
            keys = (keys >> _HALF).astype(np.uint32)
            ordered = np.sort(keys)
            same = ordered[1:] == ordered[:-1]
            if same.any():
                rows = np.flatnonzero(np.isin(keys, ordered[1:][same])) + self.offsets[block.start]
                repeated += self._repeats_among(rows)
        return np.array(repeated, dtype=np.int64)

    def _repeats_among(self, rows: IntArray) -> Iterator[int]:
        """Compares the names themselves; ``rows`` ascend."""
        seen: set[tuple[int, bytes]] = set()
        queries = np.searchsorted(self.offsets, rows, side="right").tolist()
        for row, query in zip(rows.tolist(), queries, strict=True):
            pair = (query, self.documents[row])
            if pair in seen:
                yield row
            seen.add(pair)

    def without(self, rows: IntArray) -> Table:
        """The table without some rows."""
        kept = np.ones(len(self.value), dtype=np.bool_)
        kept[rows] = False
        source = np.flatnonzero(kept)
        sizes = np.bincount(self.query()[kept], minlength=len(self.queries))
        offsets = np.concatenate(([0], np.cumsum(sizes)))
        before = source if self.source is None else self.source[source]
        return Table(
            self.queries, offsets, self.documents.take(source), self.fingerprint[source], self.value[source], before
        )


def table_of(queries: Sequence[str], query: CodeArray, documents: Names, value: FloatArray) -> Table:
    """Makes a table of columns; rows are moved only where the rows of a query do not stand together.

    Args:
        queries: the ids of the queries.
        query: for every row, the place of its query in ``queries``.
        documents: the document of every row.
        value: the score or grade of every row.

    Raises:
        DataError: if a value is not a number.
    """
    if np.isnan(value).any():
        row = int(np.flatnonzero(np.isnan(value))[0])
        raise DataError(
            Problem(
                message=f"row {row} of query {queries[query[row]]!r} has a value that is not a number",
                value=shown(documents[row]),
                remedy="Leave the row out",
            )
        )
    if (query[1:] >= query[:-1]).all():
        # Counting would copy the column into wider numbers first.
        edges = np.searchsorted(query, np.arange(len(queries) + 1, dtype=query.dtype)).astype(np.int64)
        return Table(tuple(queries), edges, documents, documents.fingerprints(), value)
    offsets = np.concatenate(([0], np.cumsum(np.bincount(query, minlength=len(queries)))))
    source = np.argsort(query, kind="stable")
    documents = documents.take(source)
    return Table(tuple(queries), offsets, documents, documents.fingerprints(), value[source], source)


def table_from_mapping(scores: Mapping[str, Mapping[str, float]]) -> Table:
    """Makes a table of nested mappings: query, document, score or grade.

    Example:
        >>> table_from_mapping({"q1": {"d1": 2.0, "d2": 1.0}}).offsets.tolist()
        [0, 2]
    """
    sizes = [len(of_query) for of_query in scores.values()]
    return table_of(
        tuple(scores),
        np.repeat(np.arange(len(sizes), dtype=np.int32), sizes),
        Names.of(document for of_query in scores.values() for document in of_query),
        np.array([value for of_query in scores.values() for value in of_query.values()], dtype=np.float64),
    )
