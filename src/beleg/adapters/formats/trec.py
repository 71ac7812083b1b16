"""Reads runs and relevance judgements in the format of TREC: whole columns at a time, every line checked."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Literal

import numpy as np
import numpy.typing as npt

from beleg.adapters.formats.decimals import CodeArray, IntArray, decimals, words_before
from beleg.adapters.formats.files import BYTE_ORDER_MARK
from beleg.adapters.formats.limits import GIB, KIB, MAX_DECOMPRESSED_BYTES, MIB
from beleg.core.errors import MAX_PROBLEMS_SHOWN, DataError, Problem, UsageError, shown
from beleg.text.packed import PAD

MAX_FILE_BYTES = 16 * GIB
MAX_LINE_BYTES = 64 * KIB
CHUNK_BYTES = 512 * KIB
"""Text worked on at a time, so that all columns of a chunk stay in the cache of the processor."""
STDIN = "-"

_SPACE, _TAB, _NEWLINE = 32, 9, 10
_IS_SPACE = np.isin(np.arange(256), [9, 10, 11, 12, 13, 32])
_UTF16 = (b"\xff\xfe", b"\xfe\xff")

Kind = Literal["qrels", "run"]
Reason = Literal["fields", "number", "too long", "encoding"]
_FIELDS = {"qrels": 4, "run": 6}
_NUMBER = {"qrels": "grade", "run": "score"}
_NUMBER_AT = {"qrels": 3, "run": 4}
_SHAPE = {
    "qrels": "Write four fields: query, iteration (0), document, grade",
    "run": "Write six fields: query, Q0, document, rank, score, name of the run",
}
_OTHER_WAY = {
    "qrels": "This line looks like one of a run; the judgements come first, the runs after them",
    "run": "This line looks like one of judgements; the judgements come first, the runs after them",
}


@dataclass(frozen=True, slots=True, eq=False)
class TrecColumns:
    """The columns of a file. Ids of documents are spans of ``buffer``, padded as words need it."""

    file: str
    buffer: npt.NDArray[np.uint8]
    queries: tuple[str, ...]
    """The ids of the queries, in the order of their first lines."""
    query: CodeArray
    document_start: IntArray
    document_length: CodeArray
    value: npt.NDArray[np.float64]
    """Scores of a run, grades of judgements."""
    tag: str | None
    """The name of the run in its first line."""
    dropped: dict[str, int]
    """How many lines a lenient reading left out, by reason."""

    def line_of(self, row: int) -> int:
        """The number of the line that a row stands on."""
        return _line_at(self.buffer, int(self.document_start[row]))


def read_trec(path: Path, kind: Kind, *, lenient: bool = False, stream: BinaryIO | None = None) -> TrecColumns:
    """Reads a file of judgements or a run; plain or gzip, ``-`` is the standard input.

    Fields are separated by spaces or tabs, one or more. Lines may end in CR LF, a byte order mark is skipped, blank
    lines carry nothing. A run may hold spaces in its name, the last field. The rank and the iteration are not used.

    Args:
        path: the file.
        kind: what it holds.
        lenient: leave out lines that cannot be read, and count them, instead of refusing the file.
        stream: what the file holds, where it is open already and unpacked on the way.

    Raises:
        UsageError: if there is no such file.
        DataError: naming the first faulty lines, or if the file is empty or too large.
    """
    name = "standard input" if str(path) == STDIN else str(path)
    buffer, begin, end = _load(path, name, stream)
    reading = _Reading(name, buffer, kind)
    for low, high in _chunks(buffer, begin, end):
        reading.take(low, high)
        if reading.faults and not lenient:
            raise DataError(reading.problems())
    return reading.columns()


def _load(path: Path, name: str, stream: BinaryIO | None) -> tuple[bytearray, int, int]:
    """The text between its pads, ending in a line break, and where it begins and ends."""
    buffer = bytearray(PAD)
    try:
        if stream is not None:
            _append(stream, buffer, MAX_DECOMPRESSED_BYTES, name)
        elif str(path) == STDIN:
            _append(sys.stdin.buffer, buffer, MAX_DECOMPRESSED_BYTES, name)
        elif path.suffix == ".gz":
            with gzip.open(path) as unpacked:
                _append(unpacked, buffer, MAX_DECOMPRESSED_BYTES, name)  # type: ignore[arg-type]
        elif path.is_file():
            buffer = _read_whole(path, name)
        else:
            with path.open("rb") as piped:
                _append(piped, buffer, MAX_DECOMPRESSED_BYTES, name)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        problem = Problem(file=name, message=f"the archive is damaged: {error}", remedy="Fetch or pack it again")
        raise DataError(problem) from error
    except OSError as error:
        hint = "Check the path and the rights on the file"
        raise UsageError(f"cannot read {name}: {error.strerror}", hint=hint) from error
    begin = PAD + len(BYTE_ORDER_MARK) if buffer.startswith(BYTE_ORDER_MARK, PAD) else PAD
    if buffer.startswith(_UTF16, PAD):
        raise DataError(Problem(file=name, line=1, message="the file is UTF-16", remedy="Save it as UTF-8"))
    if buffer[-1] != _NEWLINE:
        buffer += b"\n"
    end = len(buffer)
    buffer += bytes(PAD)
    return buffer, begin, end


def _read_whole(path: Path, name: str) -> bytearray:
    size = path.stat().st_size
    _require_size(size, MAX_FILE_BYTES, name)
    buffer = bytearray(PAD + size)
    with path.open("rb", buffering=0) as file, memoryview(buffer) as view:
        at = PAD
        while read := file.readinto(view[at:]):
            at += read
    del buffer[at:]
    return buffer


def _append(stream: BinaryIO, buffer: bytearray, max_bytes: int, name: str) -> None:
    while part := stream.read(MIB):
        buffer += part
        _require_size(len(buffer) - PAD, max_bytes, name)


def _require_size(size: int, max_bytes: int, name: str) -> None:
    if size > max_bytes:
        message = f"the text has more than the {max_bytes:,} bytes that are read"
        raise DataError(Problem(file=name, message=message, remedy="Split it by queries"))


def _chunks(buffer: bytearray, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of whole lines."""
    low = begin
    while low < end:
        high = buffer.rfind(b"\n", low, min(low + CHUNK_BYTES, end)) + 1
        if high == 0:
            high = buffer.find(b"\n", low) + 1
        yield low, high
        low = high


def _line_at(buffer: npt.NDArray[np.uint8], offset: int) -> int:
    return int(np.count_nonzero(buffer[PAD:offset] == _NEWLINE)) + 1


@dataclass(frozen=True, slots=True, order=True)
class _Fault:
    """A line that cannot be used: its span, and what is wrong."""

    start: int
    end: int
    reason: Reason


@dataclass(frozen=True, slots=True, eq=False)
class _Fields:
    """The spans of the used fields of some lines: query, document, number, and the whole lines."""

    query: tuple[IntArray, IntArray]
    document: tuple[IntArray, IntArray]
    number: tuple[IntArray, IntArray]
    line: tuple[IntArray, IntArray]

    def where(self, kept: npt.NDArray[np.bool_]) -> _Fields:
        """The fields of some of the lines."""
        parts = (self.query, self.document, self.number, self.line)
        return _Fields(*((start[kept], end[kept]) for start, end in parts))


@dataclass(slots=True)
class _Reading:
    """What was read so far."""

    name: str
    data: bytearray
    kind: Kind
    faults: list[_Fault] = field(default_factory=list)
    """The first faulty lines of each reason; all are counted."""
    dropped: dict[str, int] = field(default_factory=dict)
    codes: dict[bytes, int] = field(default_factory=dict)
    queries: list[str] = field(default_factory=list)
    query: list[CodeArray] = field(default_factory=list)
    start: list[IntArray] = field(default_factory=list)
    length: list[CodeArray] = field(default_factory=list)
    value: list[npt.NDArray[np.float64]] = field(default_factory=list)
    buffer: npt.NDArray[np.uint8] = field(init=False)
    first_line: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self.buffer = np.frombuffer(self.data, np.uint8)

    def take(self, low: int, high: int) -> None:
        """Reads the lines of one chunk."""
        fields = self._plain(low, high) or self._any(low, high)
        value, is_number = decimals(self.buffer, *fields.number)
        if self.kind == "qrels":
            is_number &= np.isfinite(value)
        if not is_number.all():
            self._blame(*fields.where(~is_number).line, "number")
            fields, value = fields.where(is_number), value[is_number]
        if not len(value):
            return
        code = self._codes(fields)
        if (code < 0).any():
            self._blame(*fields.where(code < 0).line, "encoding")
            fields, value, code = fields.where(code >= 0), value[code >= 0], code[code >= 0]
        start, end = fields.document
        self.query.append(code)
        self.start.append(start)
        self.length.append((end - start).astype(np.int32))
        self.value.append(value)
        if self.first_line is None and len(code):
            self.first_line = (int(fields.number[1][0]), int(fields.line[1][0]))

    def _plain(self, low: int, high: int) -> _Fields | None:
        """The spans where every line has its fields and one separator between two of them; otherwise nothing."""
        text = self.buffer[low:high]
        width = _FIELDS[self.kind]
        separates = text <= _SPACE
        if separates[0] or (separates[1:] & separates[:-1]).any():
            return None
        edge = np.flatnonzero(separates)
        found = text[edge]
        found[found == _TAB] = _SPACE
        expected = np.full(len(found), _SPACE, dtype=np.uint8)
        expected[width - 1 :: width] = _NEWLINE
        if len(found) % width or not np.array_equal(found, expected):
            return None
        edge += low
        ends = edge.reshape(-1, width)
        begins = np.concatenate(([low], ends[:-1, -1] + 1))
        if (ends[:, -1] - begins > MAX_LINE_BYTES).any():
            return None
        number = _NUMBER_AT[self.kind]
        return _Fields(
            (begins, ends[:, 0]),
            (ends[:, 1] + 1, ends[:, 2]),
            (ends[:, number - 1] + 1, ends[:, number]),
            (begins, ends[:, -1]),
        )

    def _any(self, low: int, high: int) -> _Fields:
        """The spans for any number of separators and fields; lines that do not fit are blamed."""
        text = self.buffer[low:high]
        space = _IS_SPACE[text]
        before = np.concatenate(([True], space[:-1]))
        begins, ends = np.flatnonzero(~space & before) + low, np.flatnonzero(space & ~before) + low
        line_end = np.flatnonzero(text == _NEWLINE) + low
        line_start = np.concatenate(([low], line_end[:-1] + 1))
        first = np.searchsorted(begins, line_start)
        count = np.diff(first, append=len(begins))
        too_long = line_end - line_start > MAX_LINE_BYTES
        width = _FIELDS[self.kind]
        fits = ((count == width) | ((count > width) & (self.kind == "run"))) & ~too_long
        self._blame(line_start[too_long], line_end[too_long], "too long")
        misshaped = ~fits & ~too_long & (count > 0)
        self._blame(line_start[misshaped], line_end[misshaped], "fields")
        at, number = first[fits], _NUMBER_AT[self.kind]
        return _Fields(
            (begins[at], ends[at]),
            (begins[at + 2], ends[at + 2]),
            (begins[at + number], ends[at + number]),
            (line_start[fits], line_end[fits]),
        )

    def _codes(self, fields: _Fields) -> CodeArray:
        """The number of the query of every line, -1 where its id is not UTF-8; an id is looked at where it changes."""
        start, end = fields.query
        length = end - start
        changed = np.ones(len(start), dtype=np.bool_)
        changed[1:] = length[1:] != length[:-1]
        # Words are taken from the end of the id: where it is shorter than a word, what stands before it is masked.
        for at in range(0, int(length.max(initial=0)), 8):
            word = words_before(self.buffer, end - at, np.maximum(length - at, 0))
            changed[1:] |= word[1:] != word[:-1]
        place = np.flatnonzero(changed)
        spans = zip(start[place].tolist(), end[place].tolist(), strict=True)
        codes = np.array([self._code(bytes(self.data[low:high])) for low, high in spans], dtype=np.int32)
        return np.repeat(codes, np.diff(place, append=len(start)))

    def _code(self, name: bytes) -> int:
        code = self.codes.get(name)
        if code is None:
            try:
                text = name.decode("utf-8")
            except UnicodeDecodeError:
                code = -1
            else:
                code = len(self.queries)
                self.queries.append(text)
            self.codes[name] = code
        return code

    def _blame(self, start: IntArray, end: IntArray, reason: Reason) -> None:
        if not len(start):
            return
        before = self.dropped.get(reason, 0)
        self.dropped[reason] = before + len(start)
        wanted = slice(max(0, MAX_PROBLEMS_SHOWN - before))
        spans = zip(start[wanted].tolist(), end[wanted].tolist(), strict=True)
        self.faults += (_Fault(low, high, reason) for low, high in spans)

    def problems(self) -> list[Problem]:
        """What is wrong with the first faulty lines; where the whole file is of the other kind, one line says it."""
        found = [self._problem(fault) for fault in sorted(self.faults)[:MAX_PROBLEMS_SHOWN]]
        is_other_file = all(problem.remedy == _OTHER_WAY[self.kind] for problem in found)
        return found[:1] if is_other_file else found

    def _problem(self, fault: _Fault) -> Problem:
        line, parts = (
            _line_at(self.buffer, fault.start),
            bytes(self.data[fault.start : fault.end][:MAX_LINE_BYTES]).split(),
        )
        if fault.reason == "too long":
            message, value = f"the line has more than {MAX_LINE_BYTES:,} bytes", f"{fault.end - fault.start:,} bytes"
            return Problem(file=self.name, line=line, message=message, value=value, remedy=_SHAPE[self.kind])
        if fault.reason == "fields":
            is_other = len(parts) == (4 if self.kind == "run" else 6)
            remedy = _OTHER_WAY[self.kind] if is_other else _SHAPE[self.kind]
            text = shown(b" ".join(parts).decode("utf-8", "replace"))
            message = f"the line has {len(parts)} fields"
            return Problem(file=self.name, line=line, message=message, value=text, remedy=remedy)
        if fault.reason == "encoding":
            message = "the id of the query is not UTF-8"
            remedy = "Save the file as UTF-8"
            return Problem(
                file=self.name, line=line, field="query", message=message, value=shown(parts[0]), remedy=remedy
            )
        text = parts[_NUMBER_AT[self.kind]].decode("utf-8", "replace")
        return Problem(
            file=self.name, line=line, field=_NUMBER[self.kind], message="a number is expected", value=shown(text),
            remedy="Write it with a decimal point, such as 12.5, or leave the line out",
        )  # fmt: skip

    def columns(self) -> TrecColumns:
        """All that was read."""
        if self.first_line is None:
            raise DataError(
                Problem(file=self.name, message="the file holds no line that can be read", remedy=_SHAPE[self.kind])
            )
        low, high = self.first_line
        tag = bytes(self.data[low:high]).split() if self.kind == "run" else []
        return TrecColumns(
            file=self.name,
            buffer=self.buffer,
            queries=tuple(self.queries),
            query=np.concatenate(self.query),
            document_start=np.concatenate(self.start),
            document_length=np.concatenate(self.length),
            value=np.concatenate(self.value),
            tag=tag[0].decode("utf-8", "replace") if tag else None,
            dropped=self.dropped,
        )
