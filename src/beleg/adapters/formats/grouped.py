"""Reads judgements that stand in groups: by several judges, by subtopic, or as preferences."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from beleg.adapters.formats.decimals import decimal
from beleg.adapters.formats.limits import KIB, MAX_ROW_FILE_BYTES
from beleg.adapters.formats.source import STDIN, lines_of, opened
from beleg.adapters.formats.trec import require_size
from beleg.core.errors import MAX_PROBLEMS_SHOWN, DataError, Problem, shown

MAX_LINE_BYTES = 64 * KIB
_SHOWN_BYTES = 80

Shape = Literal["groups", "preferences"]
_FIELDS: dict[Shape, int] = {"groups": 4, "preferences": 5}
_SHAPE: dict[Shape, str] = {
    "groups": "Write four fields: query, group or subtopic, document, grade",
    "preferences": "Write five fields: query, group, subgroup, document, grade",
}
_OTHER_WAY: dict[tuple[Shape, int], str] = {
    ("groups", 5): "Five fields are preferences: read them with --judgements prefs",
    ("preferences", 4): "Four fields are judgements by group: read them with --judgements qrels_prefs",
}


@dataclass(slots=True)
class GroupedColumns:
    """The columns of a file of judgements in groups; codes count what was met in order."""

    file: str
    queries: list[str] = field(default_factory=list)
    query: list[int] = field(default_factory=list)
    group: list[int] = field(default_factory=list)
    subgroup: list[int] = field(default_factory=list)
    document: list[str] = field(default_factory=list)
    grade: list[float] = field(default_factory=list)
    dropped: dict[str, int] = field(default_factory=dict)
    """How many lines a lenient reading left out, by reason."""


def read_grouped(path: Path, shape: Shape, *, lenient: bool = False) -> GroupedColumns:
    """Reads judgements in groups; plain, gzip or zstd, ``-`` is the standard input.

    Fields are separated by spaces or tabs. A line whose first field is ``#`` is a comment; blank lines carry nothing.

    Args:
        path: the file.
        shape: ``groups`` has four fields, ``preferences`` five, of which the third is the subgroup.
        lenient: leave out lines that cannot be read, and repeats, and count them, instead of refusing the file.

    Raises:
        UsageError: if there is no such file.
        DataError: naming the first faulty lines, or if the file is empty or too large.
    """
    name = "standard input" if str(path) == STDIN else str(path)
    reading = _Reading(GroupedColumns(name), shape)
    size = 0
    with opened(path) as source:
        for number, line in lines_of(source):
            size += len(line)
            require_size(size, MAX_ROW_FILE_BYTES, name)
            reading.take(number, line)
            if not lenient and len(reading.problems) >= MAX_PROBLEMS_SHOWN:
                break
    if reading.problems and not lenient:
        is_other_file = all(problem.remedy in _OTHER_WAY.values() for problem in reading.problems)
        raise DataError(reading.problems[:1] if is_other_file else reading.problems)
    if not reading.columns.query:
        raise DataError(Problem(file=name, message="the file holds no line that can be read", remedy=_SHAPE[shape]))
    return reading.columns


@dataclass(slots=True)
class _Reading:
    columns: GroupedColumns
    shape: Shape
    problems: list[Problem] = field(default_factory=list)
    codes: dict[bytes, int] = field(default_factory=dict)
    groups: dict[bytes, int] = field(default_factory=dict)
    seen: set[tuple[int, int, int, str]] = field(default_factory=set)

    def take(self, number: int, line: bytes) -> None:
        """Reads one line."""
        fields = line.split()
        if not fields or fields[0] == b"#":
            return
        if len(line) > MAX_LINE_BYTES:
            message = f"the line has more than {MAX_LINE_BYTES:,} bytes"
            self._blame(number, "too long", message, line[:_SHOWN_BYTES], _SHAPE[self.shape])
            return
        if len(fields) != _FIELDS[self.shape]:
            remedy = _OTHER_WAY.get((self.shape, len(fields)), _SHAPE[self.shape])
            self._blame(number, "fields", f"the line has {len(fields)} fields", line, remedy)
            return
        grade = decimal(fields[-1])
        if grade is None or not math.isfinite(grade):
            remedy = "Write the grade with a decimal point, such as 2.5, or leave the line out"
            self._blame(number, "number", "a number is expected", fields[-1], remedy)
            return
        try:
            name, document = fields[0].decode("utf-8"), fields[-2].decode("utf-8")
        except UnicodeDecodeError as error:
            self._blame(number, "encoding", "an id is not valid UTF-8", error.object, "Save the file as UTF-8")
            return
        if fields[0] not in self.codes:
            self.codes[fields[0]] = len(self.columns.queries)
            self.columns.queries.append(name)
        code = self.codes[fields[0]]
        group = self.groups.setdefault(fields[1], len(self.groups))
        subgroup = self.groups.setdefault(fields[2], len(self.groups)) if self.shape == "preferences" else 0
        key = (code, group, subgroup, document)
        if key in self.seen:
            message = f"the document stands twice in a group of query {shown(name)}"
            self._blame(number, "repeats", message, fields[-2], "Remove one of the lines, or keep the first: --lenient")
            return
        self.seen.add(key)
        self.columns.query.append(code)
        self.columns.group.append(group)
        self.columns.subgroup.append(subgroup)
        self.columns.document.append(document)
        self.columns.grade.append(grade)

    def _blame(self, number: int, reason: str, message: str, value: bytes, remedy: str) -> None:
        self.columns.dropped[reason] = self.columns.dropped.get(reason, 0) + 1
        if len(self.problems) < MAX_PROBLEMS_SHOWN:
            text = shown(value[:KIB].decode("utf-8", "replace"))
            self.problems.append(
                Problem(file=self.columns.file, line=number, message=message, value=text, remedy=remedy)
            )
