"""The columns of a run file, and what was wrong with its rows."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from beleg.adapters.formats.headings import Kind, value_word
from beleg.adapters.frames.spans import Spans, spans_of_texts
from beleg.core.errors import MAX_PROBLEMS_SHOWN, DataError, Problem, shown
from beleg.text.identifiers import as_text

FILL = "Fill it, or leave the row out"
WRITE_NUMBER = "Write it with a decimal point, such as 12.5, or leave the row out"


@dataclass(frozen=True, slots=True, eq=False)
class FileColumns:
    """The rows of a file as three columns, with the line of each."""

    file: str
    query: Spans
    document: Spans
    value: npt.NDArray[np.float64]
    line: npt.NDArray[np.int64] | None
    """Nothing where the format has no lines."""
    dropped: dict[str, int]
    """How many rows a lenient reading left out, by reason."""

    def line_of(self, row: int) -> int | None:
        """The line of a row; of a Parquet file, its number."""
        return None if self.line is None else int(self.line[row])


class FaultyRow(DataError):
    """One row cannot be used; the reason is one word for counting."""

    def __init__(
        self, reason: str, message: str, *, what: str | None = None, value: str | None = None, remedy: str | None = None
    ) -> None:
        self.reason = reason
        self.problem = Problem(message=message, field=what, value=value, remedy=remedy)
        super().__init__(self.problem)


@dataclass(slots=True)
class Faulty:
    """Counts faulty rows, and keeps the first of them for the error."""

    is_lenient: bool
    dropped: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def add(self, fault: FaultyRow, file: str, line: int | None) -> None:
        """Notes one row.

        Raises:
            DataError: once there are as many as are shown, unless the reading is lenient.
        """
        self.dropped[fault.reason] = self.dropped.get(fault.reason, 0) + 1
        if not self.is_lenient:
            self.problems.append(replace(fault.problem, file=file, line=line))
            if len(self.problems) >= MAX_PROBLEMS_SHOWN:
                self.require_none()

    def require_none(self) -> None:
        """Raises what was noted.

        Raises:
            DataError: if a row was faulty and the reading is not lenient.
        """
        if self.problems:
            raise DataError(self.problems)


@dataclass(slots=True)
class Rows:
    """Rows that come one by one."""

    file: str
    kind: Kind
    faulty: Faulty
    queries: list[str] = field(default_factory=list)
    code: array[int] = field(default_factory=lambda: array("i"))
    documents: list[str] = field(default_factory=list)
    value: array[float] = field(default_factory=lambda: array("d"))
    line: array[int] = field(default_factory=lambda: array("q"))
    _codes: dict[str, int] = field(default_factory=dict)

    def add(self, query: object, document: object, value: object, line: int | None = None) -> None:
        """Takes one row, or notes what is wrong with it."""
        is_plain = type(query) is str and type(document) is str and type(value) is float
        if not (is_plain and query and document and value - value == 0.0):  # type: ignore[operator]
            try:
                query, document = self._id(query, "query"), self._id(document, "document")
                value = self._number(value, query, document, has_line=line is not None)
            except FaultyRow as error:
                self.faulty.add(error, self.file, line)
                return
        self.code.append(self._codes.setdefault(query, len(self._codes)))  # type: ignore[arg-type]
        self.documents.append(document)  # type: ignore[arg-type]
        self.value.append(value)  # type: ignore[arg-type]
        self.line.append(line or 0)

    def columns(self, *, has_lines: bool = True) -> FileColumns:
        """All rows.

        Raises:
            DataError: if a row was faulty and the reading is not lenient, or there is no row.
        """
        self.faulty.require_none()
        if not self.documents:
            raise nothing_read(self.file)
        code = np.frombuffer(self.code, np.int32)
        line = np.frombuffer(self.line, np.int64) if has_lines else None
        value = np.frombuffer(self.value, np.float64)
        query = spans_of_texts(list(self._codes)).take(code)
        return FileColumns(self.file, query, spans_of_texts(self.documents), value, line, self.faulty.dropped)

    def _id(self, name: object, what: str) -> str:
        if type(name) is str and name:
            return name
        try:
            text = as_text(name, what)
        except DataError as error:
            (problem,) = error.problems
            raise FaultyRow("fields", problem.message, what=what, value=problem.value, remedy=problem.remedy) from error
        if not text:
            raise FaultyRow("fields", "the id is empty", what=what, remedy=FILL)
        return text

    def _number(self, value: object, query: str, document: str, *, has_line: bool) -> float:
        if type(value) in (int, float):
            try:
                number = float(value)  # type: ignore[arg-type]
            except OverflowError:
                number = np.inf
            if number - number == 0.0:
                return number
        where = "" if has_line else f", for document {shown(document)} of query {shown(query)}"
        message = f"a finite number is expected{where}"
        raise FaultyRow("number", message, what=value_word(self.kind), value=shown(value), remedy=WRITE_NUMBER)


def nothing_read(file: str) -> DataError:
    """The error for a file that gives no row."""
    return DataError(
        Problem(file=file, message="the file holds no row that can be read", remedy="Check how it was written")
    )


class Reader(Protocol):
    """Reads a whole source."""

    def __call__(self, source: Any, kind: Kind, *, lenient: bool) -> FileColumns:
        """Gives the columns, or raises `DataError`."""
