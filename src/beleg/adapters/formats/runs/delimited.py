"""Runs and judgements as CSV or TSV with a header, among them the judgements of BEIR.

Lines without quotes are taken whole columns at a time; what has quotes, or does not fit, goes through the csv module.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from beleg.adapters.formats.decimals import decimal, decimals
from beleg.adapters.formats.headings import Kind, choose, value_word
from beleg.adapters.formats.limits import KIB, MAX_CSV_COLUMNS, MAX_LINE_BYTES
from beleg.adapters.formats.runs.collected import FILL, WRITE_NUMBER, Faulty, FaultyRow, FileColumns, nothing_read
from beleg.adapters.formats.source import Source
from beleg.adapters.frames.spans import Spans
from beleg.core.errors import DataError, Problem, shown
from beleg.text.packed import PAD

IntArray = npt.NDArray[np.int64]

CHUNK_BYTES = 512 * KIB
"""Text worked on at a time, so that all columns of a chunk stay in the cache of the processor."""

CLOSE_QUOTES = "Close every quote, and double the quotes inside a cell"
_NEWLINE, _RETURN, _QUOTE = 10, 13, 34
_BREAK = b"\n"


def read_csv_columns(source: Source, kind: Kind, *, lenient: bool) -> FileColumns:
    """Reads comma-separated rows below a header; see `read_delimited`."""
    return read_delimited(source, kind, ",", lenient=lenient)


def read_tsv_columns(source: Source, kind: Kind, *, lenient: bool) -> FileColumns:
    """Reads tab-separated rows below a header; see `read_delimited`."""
    return read_delimited(source, kind, "\t", lenient=lenient)


def read_delimited(source: Source, kind: Kind, separator: str, *, lenient: bool) -> FileColumns:
    """Reads rows of separated cells below a header line; cells are quoted with double quotes, as in RFC 4180.

    Raises:
        DataError: for a header that lacks a column, an open quote, and naming the first faulty rows.
    """
    data = bytearray(PAD)
    while part := source.stream.read(4 * CHUNK_BYTES):
        data += part
    if not data.endswith(_BREAK):
        data += _BREAK
    end = len(data)
    data += bytes(PAD)
    begin = data.index(_BREAK, PAD) + 1
    header = _header(source.name, bytes(data[PAD:begin]), separator)
    reading = _Reading(source.name, kind, separator, data, header, Faulty(lenient))
    low = begin
    while low < end:
        high = data.rfind(_BREAK, low, min(low + CHUNK_BYTES, end)) + 1 or data.index(_BREAK, low) + 1
        if data.find(b'"', low, high) >= 0:
            # A quoted cell may hold a line break, so that chunks have no certain end from here on.
            high = end
        reading.take(low, high)
        low = high
    return reading.columns()


def _header(file: str, line: bytes, separator: str) -> list[str]:
    if len(line) > MAX_LINE_BYTES:
        raise DataError(Problem(file=file, line=1, message="the header is too long", remedy="Check the format"))
    try:
        cells = next(csv.reader([line.decode("utf-8")], delimiter=separator, strict=True), [])
    except UnicodeDecodeError as error:
        message = f"the header is not UTF-8: {error}"
        raise DataError(Problem(file=file, line=1, message=message, remedy="Save the file as UTF-8")) from error
    except csv.Error as error:
        is_return = b"\r" in line.rstrip()
        message = "a carriage return stands inside the header" if is_return else f"the header is no valid CSV: {error}"
        remedy = "End lines with a line feed" if is_return else CLOSE_QUOTES
        raise DataError(Problem(file=file, line=1, message=message, remedy=remedy)) from error
    if len(cells) > MAX_CSV_COLUMNS:
        message = f"the header has more than {MAX_CSV_COLUMNS:,} columns"
        raise DataError(Problem(file=file, line=1, message=message, remedy="Keep query, document and number"))
    return cells


@dataclass(slots=True)
class _Part:
    """Rows of one chunk: where their ids stand."""

    query: tuple[IntArray, IntArray]
    document: tuple[IntArray, IntArray]
    value: npt.NDArray[np.float64]
    line: IntArray


@dataclass(slots=True)
class _Reading:
    """What was read so far."""

    file: str
    kind: Kind
    separator: str
    data: bytearray
    header: list[str]
    faulty: Faulty
    line: int = 2
    """The number of the line that comes next."""
    parts: list[_Part] = field(default_factory=list)
    extra: bytearray = field(default_factory=bytearray)
    """Ids that do not stand in the file as they are."""
    places: tuple[int, int, int] = field(init=False)
    buffer: npt.NDArray[np.uint8] = field(init=False)

    def __post_init__(self) -> None:
        names = choose(self.header, self.kind, file=self.file, line=1)
        query, document, value = (self.header.index(name) for name in names)
        self.places = (query, document, value)
        self.buffer = np.frombuffer(self.data, np.uint8)

    def take(self, low: int, high: int) -> None:
        """Reads the lines of one chunk."""
        part = self._plain(low, high)
        self.parts.append(self._any(low, high) if part is None else part)

    def _plain(self, low: int, high: int) -> _Part | None:
        """The rows of a chunk where every line has all cells, none of them quoted or empty; otherwise nothing."""
        text, width = self.buffer[low:high], len(self.header)
        newline = text == _NEWLINE
        edge = np.flatnonzero(newline | (text == ord(self.separator)))
        if (text == _QUOTE).any() or len(edge) % width or not _is_utf8(text):
            return None
        ends = edge.reshape(-1, width)
        if not newline[ends[:, -1]].all() or np.count_nonzero(newline) != len(ends):
            return None
        begins = np.concatenate(([0], ends[:-1, -1] + 1))
        starts = np.column_stack((begins, ends[:, :-1] + 1))
        returns = text[ends[:, -1] - 1] == _RETURN
        ends[:, -1] -= returns
        if (
            np.count_nonzero(text == _RETURN) != np.count_nonzero(returns)
            or (ends <= starts)[:, list(self.places)].any()
        ):
            return None
        query, document, number = ((starts[:, place] + low, ends[:, place] + low) for place in self.places)
        value, is_number = decimals(self.buffer, *number)
        if not is_number.all() or (self.kind == "qrels" and not np.isfinite(value).all()):
            return None
        line = np.arange(self.line, self.line + len(ends), dtype=np.int64)
        self.line += len(ends)
        return _Part(query, document, value, line)

    def _any(self, low: int, high: int) -> _Part:
        """The rows of a chunk, one by one."""
        found: list[tuple[int, int, int, float, int]] = []
        base = len(self.data)
        for line, cells in self._cells(low, high):
            if not cells:
                continue
            try:
                query, document, number = self._row(cells)
            except FaultyRow as error:
                self.faulty.add(error, self.file, line)
                continue
            at = base + len(self.extra)
            self.extra += query + document
            found.append((at, at + len(query), at + len(query) + len(document), number, line))
        columns = np.array([row[:3] + row[4:] for row in found], dtype=np.int64).reshape(-1, 4)
        value = np.array([row[3] for row in found], dtype=np.float64)
        return _Part((columns[:, 0], columns[:, 1]), (columns[:, 1], columns[:, 2]), value, columns[:, 3])

    def _cells(self, low: int, high: int) -> Iterator[tuple[int, list[str]]]:
        # The cell limit of the csv module is one for the whole process; it is only ever raised.
        csv.field_size_limit(max(MAX_LINE_BYTES, csv.field_size_limit()))
        # What is no UTF-8 is kept as half a surrogate, so that its row can be named.
        text = io.StringIO(bytes(self.data[low:high]).decode("utf-8", "surrogateescape"), newline="")
        reader = csv.reader(text, delimiter=self.separator, strict=True)
        first = self.line
        line = first
        try:
            for cells in reader:
                yield line, cells
                line = first + reader.line_num
        except csv.Error as error:
            message = f"this is no valid CSV: {error}"
            raise DataError(Problem(file=self.file, line=line, message=message, remedy=CLOSE_QUOTES)) from error
        self.line = line

    def _row(self, cells: list[str]) -> tuple[bytes, bytes, float]:
        if len(cells) != len(self.header):
            message = f"the row has {len(cells)} cells, the header has {len(self.header)}"
            found = shown(self.separator.join(cells))
            raise FaultyRow("fields", message, value=found, remedy="Write one cell for each column")
        query, document, written = (cells[place] for place in self.places)
        for what, name in (("query", query), ("document", document)):
            if not name:
                raise FaultyRow("fields", "the id is empty", what=what, remedy=FILL)
        try:
            return query.encode("utf-8"), document.encode("utf-8"), self._number(written.strip())
        except UnicodeEncodeError as error:
            found = shown(self.separator.join(cells))
            raise FaultyRow("encoding", "the row is not UTF-8", value=found, remedy="Save the file as UTF-8") from error

    def _number(self, written: str) -> float:
        value = decimal(written.encode("utf-8"))
        if value is not None and (self.kind == "run" or math.isfinite(value)):
            return value
        word = value_word(self.kind)
        raise FaultyRow("number", "a number is expected", what=word, value=shown(written), remedy=WRITE_NUMBER)

    def columns(self) -> FileColumns:
        """All rows.

        Raises:
            DataError: if a row was faulty and the reading is not lenient, or there is no row.
        """
        self.faulty.require_none()
        if not sum(len(part.value) for part in self.parts):
            raise nothing_read(self.file)
        buffer = (
            np.concatenate((self.buffer, np.frombuffer(self.extra + bytes(PAD), np.uint8)))
            if self.extra
            else self.buffer
        )
        query, document = (
            _spans(buffer, [getattr(part, what) for part in self.parts]) for what in ("query", "document")
        )
        value = np.concatenate([part.value for part in self.parts])
        line = np.concatenate([part.line for part in self.parts])
        return FileColumns(self.file, query, document, value, line, self.faulty.dropped)


def _is_utf8(text: npt.NDArray[np.uint8]) -> bool:
    try:
        text.tobytes().decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _spans(buffer: npt.NDArray[np.uint8], parts: list[tuple[IntArray, IntArray]]) -> Spans:
    start, end = (np.concatenate([part[side] for part in parts]) for side in (0, 1))
    return Spans(buffer, start, (end - start).astype(np.int32))
