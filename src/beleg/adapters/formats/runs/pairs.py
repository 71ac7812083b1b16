"""What is known of every passage, from a file: its parent document, or its number of tokens.

Two cells a line, separated by a tab (or commas, in ``.csv``), with or without a header; or JSON Lines.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Container, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from beleg.adapters.formats.files import decode_utf8
from beleg.adapters.formats.headings import DOCUMENT
from beleg.adapters.formats.limits import MAX_LINE_BYTES
from beleg.adapters.formats.runs.json_lines import parse_row
from beleg.adapters.formats.source import STDIN, lines_of, opened
from beleg.adapters.frames.spans import Spans, spans_of_texts
from beleg.core.errors import MAX_PROBLEMS_SHOWN, DataError, Problem, UsageError, shown
from beleg.text.identifiers import as_text

PASSAGE = ("passage_id", "chunk_id", *DOCUMENT, "id", "_id")
PARENT = ("parent_id", "parent", "document_id", "source_id", "doc_id")
TOKENS = ("tokens", "token_count", "n_tokens", "num_tokens")
MAX_TOKENS = 10**9

Pair = tuple[int, object, object]
"""A line, a passage, and what is said of it."""


def read_parents(path: Path) -> tuple[Spans, Spans]:
    """Reads the parent document of every passage.

    Returns:
        The passages, each once, and their documents.

    Raises:
        UsageError: if there is no such file.
        DataError: naming the first faulty lines, and passages that stand twice.
    """
    found = _read(path, PARENT, lambda value: as_text(value, "parent"), is_number=False)
    return spans_of_texts(list(found)), spans_of_texts(list(found.values()))


def read_tokens(path: Path) -> tuple[Spans, npt.NDArray[np.int64]]:
    """Reads the number of tokens of every passage.

    Returns:
        The passages, each once, and their numbers, 0 or more.

    Raises:
        UsageError: if there is no such file.
        DataError: naming the first faulty lines, and passages that stand twice.
    """
    found = _read(path, TOKENS, _whole_number, is_number=True)
    return spans_of_texts(list(found)), np.array(list(found.values()), dtype=np.int64)


def _whole_number(value: object) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= len(str(MAX_TOKENS)):
        value = int(value)
    if type(value) is int and 0 <= value <= MAX_TOKENS:
        return value
    message = f"a whole number from 0 to {MAX_TOKENS:,} is expected"
    raise DataError(Problem(field="tokens", message=message, value=shown(value), remedy="Count the tokens"))


def _read(path: Path, names: tuple[str, ...], take: Callable[[Any], Any], *, is_number: bool) -> dict[str, Any]:
    if str(path) == STDIN:
        raise UsageError("only judgements and runs can be the standard input", hint="Name a file")
    found: dict[str, Any] = {}
    problems: list[Problem] = []
    for line, passage, value in _pairs(path, names, is_number=is_number):
        try:
            name = _passage(passage, found)
            found[name] = take(_filled(value))
        except DataError as error:
            problems += (replace(problem, file=str(path), line=line) for problem in error.problems)
            if len(problems) >= MAX_PROBLEMS_SHOWN:
                break
    if problems:
        raise DataError(problems)
    if not found:
        raise DataError(Problem(file=str(path), message="the file names no passage", remedy="Check how it was written"))
    return found


def _passage(passage: object, found: Container[str]) -> str:
    name = as_text(_filled(passage), "passage")
    if name in found:
        message = "the passage stands twice"
        raise DataError(Problem(field="passage", message=message, value=shown(name), remedy="Keep one line"))
    return name


def _filled(value: object) -> object:
    if value == "":
        raise DataError(Problem(message="a cell is empty", remedy="Fill it, or leave the line out"))
    return value


def _pairs(path: Path, names: tuple[str, ...], *, is_number: bool) -> Iterator[Pair]:
    with opened(path) as source:
        file = source.name
        lines = (
            (number, _decoded(data, file, number).rstrip("\r\n")) for number, data in lines_of(source) if data.strip()
        )
        if source.head.lstrip().startswith(b"{"):
            yield from (_of_object(file, line, text, names) for line, text in lines)
            return
        separator = "," if ".csv" in path.suffixes else "\t"
        for line, text in lines:
            cells = _cells(text, separator, file, line)
            if len(cells) != 2:
                message = f"the line has {len(cells)} cells, 2 are expected"
                remedy = f"Write the passage, a {'comma' if separator == ',' else 'tab'}, and the {names[0]}"
                raise DataError(Problem(file=file, line=line, message=message, value=shown(text), remedy=remedy))
            if line > 1 or not _is_header(cells, names, is_number=is_number):
                yield line, cells[0], cells[1]


def _decoded(data: bytes, file: str, line: int) -> str:
    if len(data) > MAX_LINE_BYTES:
        message = f"the line has more than {MAX_LINE_BYTES:,} bytes"
        raise DataError(Problem(file=file, line=line, message=message, remedy="Check how the file was written"))
    return decode_utf8(data, file=file, line=line)


def _cells(text: str, separator: str, file: str, line: int) -> list[str]:
    # The cell limit of the csv module is one for the whole process; it is only ever raised.
    csv.field_size_limit(max(MAX_LINE_BYTES, csv.field_size_limit()))
    try:
        return next(csv.reader([text], delimiter=separator), [])
    except csv.Error as error:
        is_return = "\r" in text
        message = "a carriage return stands inside the line" if is_return else f"the line cannot be read: {error}"
        remedy = "End lines with a line feed" if is_return else "Check how the file was written"
        raise DataError(Problem(file=file, line=line, message=message, value=shown(text), remedy=remedy)) from error


def _is_header(cells: list[str], names: tuple[str, ...], *, is_number: bool) -> bool:
    first, second = (cell.strip().lower() for cell in cells)
    return second in names and (is_number or first in PASSAGE)


def _of_object(file: str, line: int, text: str, names: tuple[str, ...]) -> Pair:
    row = parse_row(text.encode("utf-8"), file=file, line=line)
    passage = next((name for name in PASSAGE if name in row), None) if isinstance(row, dict) else None
    value = next((name for name in names if isinstance(row, dict) and name in row and name != passage), None)
    if passage is None or value is None:
        remedy = f'Write {{"{PASSAGE[0]}": …, "{names[0]}": …}}'
        raise DataError(Problem(file=file, line=line, message="a field is missing", value=shown(row), remedy=remedy))
    return line, row[passage], row[value]
