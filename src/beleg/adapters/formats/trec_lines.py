"""Lines of runs and relevance judgements in the format of TREC: whole columns at a time, every line checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt

from beleg.adapters.formats.decimals import CodeArray, IntArray, decimals, words_before
from beleg.adapters.formats.limits import KIB
from beleg.adapters.native.judgement_lines import judgement_lines
from beleg.core.errors import MAX_PROBLEMS_SHOWN, DataError, Problem, shown
from beleg.text.packed import PAD

MAX_LINE_BYTES = 64 * KIB

_Kind = TypeVar("_Kind", bound=np.generic)

_SPARSE_BYTES = 256
"""Where fewer ids than one in so many bytes are looked at, the text between them is not copied."""

_SPACE, _TAB, _NEWLINE, _RETURN, _NUMBER_SIGN = 32, 9, 10, 13, 35
_IS_SPACE = np.isin(np.arange(256), [9, 10, 11, 12, 13, 32])

Kind = Literal["qrels", "run"]
Reason = Literal["fields", "number", "too long", "encoding", "line end"]
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
    lines_before: int = 0
    """How many lines of the file stand before the buffer."""

    def line_of(self, row: int) -> int:
        """The number of the line that a row stands on."""
        return self.lines_before + _line_at(self.buffer, int(self.document_start[row]))


def _line_at(buffer: npt.NDArray[np.uint8], offset: int) -> int:
    return int(np.count_nonzero(buffer[PAD:offset] == _NEWLINE)) + 1


def _joined(parts: list[npt.NDArray[_Kind]]) -> npt.NDArray[_Kind]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _as_text(name: bytes) -> str | None:
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return None


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
class LineReader:
    """What was read so far of a text that stands between two pads."""

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
    lines_before: int = 0
    """How many lines of the file stand before this text."""

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

    def took_at_once(self, low: int, high: int) -> bool:
        """Whether compiled code took all lines; it declines where one is not plainly in order."""
        found = judgement_lines(self.buffer, low, high) if self.kind == "qrels" else None
        if found is None:
            return False
        codes = self._codes_of(found.query_start, found.query_end)
        if (codes < 0).any():
            return False
        self.query.append(np.repeat(codes, np.diff(found.change, append=len(found.grade))))
        self.start.append(found.document_start)
        self.length.append(found.document_length)
        self.value.append(found.grade)
        self.first_line = self.first_line or (low, low)
        return True

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
        if (ends[:, -1] - begins > MAX_LINE_BYTES).any() or self._are_comments(begins, ends[:, 0]).any():
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
        filled = np.flatnonzero(count)
        last_end = np.zeros(len(count), dtype=np.int64)
        last_end[filled] = ends[first[filled] + count[filled] - 1]
        broken = self._hold_returns(text, low, line_start, last_end)
        count[filled[self._are_comments(begins[first[filled]], ends[first[filled]])]] = 0
        too_long = line_end - line_start > MAX_LINE_BYTES
        width = _FIELDS[self.kind]
        broken &= ~too_long
        fits = ((count == width) | ((count > width) & (self.kind == "run"))) & ~too_long & ~broken
        self._blame(line_start[too_long], line_end[too_long], "too long")
        self._blame(line_start[broken], line_end[broken], "line end")
        misshaped = ~fits & ~too_long & ~broken & (count > 0)
        self._blame(line_start[misshaped], line_end[misshaped], "fields")
        at, number = first[fits], _NUMBER_AT[self.kind]
        return _Fields(
            (begins[at], ends[at]),
            (begins[at + 2], ends[at + 2]),
            (begins[at + number], ends[at + number]),
            (line_start[fits], line_end[fits]),
        )

    def _hold_returns(
        self, text: npt.NDArray[np.uint8], low: int, line_start: IntArray, last_end: IntArray
    ) -> npt.NDArray[np.bool_]:
        """Which lines hold a carriage return before the end of their last field: what follows would be lost in it."""
        held = np.zeros(len(line_start), dtype=np.bool_)
        place = np.flatnonzero(text == _RETURN) + low
        if len(place):
            line = np.searchsorted(line_start, place, side="right") - 1
            held[line[place < last_end[line]]] = True
        return held

    def _are_comments(self, begins: IntArray, ends: IntArray) -> npt.NDArray[np.bool_]:
        """Which first fields are a single number sign, as trec_eval 10 begins a comment."""
        return np.asarray((self.buffer[begins] == _NUMBER_SIGN) & (ends - begins == 1))

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
        return np.repeat(self._codes_of(start[place], end[place]), np.diff(place, append=len(start)))

    def _codes_of(self, start: IntArray, end: IntArray) -> CodeArray:
        """The number of the query of each span of a chunk, -1 where it is not UTF-8."""
        low, high = int(start[0]), int(end[-1])
        spans = zip((start - low).tolist(), (end - low).tolist(), strict=True)
        with memoryview(self.data) as data, data[low:high] as text:
            if high - low > _SPARSE_BYTES * len(start):
                names = [bytes(text[begins:ends]) for begins, ends in spans]
            else:
                copied = bytes(text)
                names = [copied[begins:ends] for begins, ends in spans]
        known = self.codes
        self._learn(dict.fromkeys(name for name in names if name not in known) if known else dict.fromkeys(names))
        return np.array([*map(known.__getitem__, names)], dtype=np.int32)

    def _learn(self, names: dict[bytes, None]) -> None:
        """Numbers new ids, -1 where one is not UTF-8."""
        if not names:
            return
        first = len(self.queries)
        try:
            # No id holds a line break, so that all can be read as one text.
            self.queries += b"\n".join(names).decode("utf-8").split("\n")
        except UnicodeDecodeError:
            for name in names:
                text = _as_text(name)
                self.codes[name] = -1 if text is None else len(self.queries)
                self.queries += [] if text is None else [text]
        else:
            self.codes.update(zip(names, range(first, len(self.queries)), strict=True))

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
            self.lines_before + _line_at(self.buffer, fault.start),
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
        if fault.reason == "line end":
            message, remedy = "the line holds a carriage return before its end", "End every line with LF, or with CR LF"
            text = shown(b" ".join(parts[:8]).decode("utf-8", "replace"))
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
        """All that was read.

        Raises:
            DataError: if that is nothing.
        """
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
            query=_joined(self.query),
            document_start=_joined(self.start),
            document_length=_joined(self.length),
            value=_joined(self.value),
            tag=tag[0].decode("utf-8", "replace") if tag else None,
            dropped=self.dropped,
            lines_before=self.lines_before,
        )

    def no_columns(self) -> TrecColumns:
        """The columns of a text without any row, with what was left out."""
        empty = np.empty(0, dtype=np.int64)
        codes = np.empty(0, dtype=np.int32)
        values = np.empty(0, dtype=np.float64)
        return TrecColumns(
            self.name, self.buffer, (), codes, empty, codes, values, None, self.dropped, self.lines_before
        )
