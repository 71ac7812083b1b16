"""CSV with a header. Columns such as ``principal.tenant`` nest; an empty cell is an absent field.

Cells stay text here. `beleg.adapters.formats.models` reads a cell as JSON where its field takes no text, so that a
question that begins with a bracket stays a question.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from beleg.adapters.formats.files import decode_utf8, require_file
from beleg.adapters.formats.jsonl import read_lines
from beleg.adapters.formats.limits import MAX_CSV_COLUMNS, MAX_LINE_BYTES, MAX_ROW_FILE_BYTES
from beleg.adapters.formats.row import Faults, Row
from beleg.core.errors import DataError, Problem, shown


def read_csv(path: Path) -> Iterator[Row]:
    """Reads comma-separated rows below a header line; fields are quoted with double quotes, as in RFC 4180.

    Raises:
        UsageError: if there is no such file.
        DataError: at once for a bad header, bytes that are not UTF-8, an open quote or an over-long cell; at the end
            with every row whose number of cells is not that of the header.
    """
    require_file(path, MAX_ROW_FILE_BYTES)
    # The cell limit of the csv module is one for the whole process; it is only ever raised.
    csv.field_size_limit(max(MAX_LINE_BYTES, csv.field_size_limit()))
    reader = csv.reader(_decoded_lines(path), strict=True)
    header: list[str] | None = None
    faults = Faults()
    line = 1
    try:
        for cells in reader:
            if header is None:
                header = _checked_header(cells, path, line)
            elif cells:
                if len(cells) == len(header):
                    yield Row(str(path), line, _nested(header, cells), text_cells=True)
                else:
                    faults.add(_ragged(path, line, len(cells), len(header)))
            line = reader.line_num + 1
    except csv.Error as error:
        raise DataError(
            Problem(
                file=str(path),
                line=line,
                message=f"this is no valid CSV: {error}",
                remedy="Close every quote, and double the quotes inside a cell",
            )
        ) from error
    faults.raise_if_any()


def _decoded_lines(path: Path) -> Iterator[str]:
    for line, data in read_lines(path):
        yield decode_utf8(data, file=str(path), line=line)


def _checked_header(cells: list[str], path: Path, line: int) -> list[str]:
    header = [cell.strip() for cell in cells]
    if len(header) > MAX_CSV_COLUMNS:
        raise _bad_header(path, line, f"the header has more than {MAX_CSV_COLUMNS:,} columns", None, "Split the table")
    seen: set[str] = set()
    for name in header:
        if not all(name.split(".")):
            raise _bad_header(path, line, "a column has no name", name, "Name every column in the first line")
        if name in seen:
            raise _bad_header(path, line, "the column stands twice", name, "Keep one of them")
        seen.add(name)
    for name in header:
        steps = name.split(".")
        for length in range(1, len(steps)):
            outer = ".".join(steps[:length])
            if outer in seen:
                raise _bad_header(
                    path, line, f"the column lies within the column '{outer}'", name, "Use one way to write the field"
                )
    return header


def _bad_header(path: Path, line: int, message: str, name: str | None, remedy: str) -> DataError:
    return DataError(
        Problem(
            file=str(path),
            line=line,
            message=message,
            value=None if name is None else shown(name),
            remedy=remedy,
        )
    )


def _ragged(path: Path, line: int, found: int, expected: int) -> DataError:
    return DataError(
        Problem(
            file=str(path),
            line=line,
            message=f"the row has {found} cells, the header has {expected}",
            remedy="Quote cells that hold commas, and write an empty cell for an absent field",
        )
    )


def _nested(header: list[str], cells: list[str]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for name, cell in zip(header, cells, strict=True):
        if not cell:
            continue
        *outer, last = name.split(".")
        around = data
        for step in outer:
            around = around.setdefault(step, {})
        around[last] = cell
    return data
