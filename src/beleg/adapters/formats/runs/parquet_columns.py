"""Runs and judgements as Parquet, through DuckDB, in a connection that can reach nothing but the one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from beleg.adapters.formats.files import require_file
from beleg.adapters.formats.headings import Kind, choose, value_word
from beleg.adapters.formats.limits import GIB, MAX_DECOMPRESSED_BYTES
from beleg.adapters.formats.parquet import DESCRIBED, ONE_FILE, exact, locked_connection
from beleg.adapters.formats.runs.collected import FILL, Faulty, FaultyRow, FileColumns, nothing_read
from beleg.adapters.frames.spans import Spans, spans_of_numbers, spans_of_texts
from beleg.core.errors import MAX_PROBLEMS_SHOWN, DataError, Problem, shown

MAX_FILE_BYTES = 4 * GIB

_WHOLE = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"}


def read_parquet_columns(path: Path, kind: Kind, *, lenient: bool) -> FileColumns:
    """Reads the three columns of a Parquet file; ids are text or whole numbers, other columns are passed over.

    Raises:
        UsageError: if there is no such file.
        DataError: if the file is no Parquet, lacks a column, unfolds to too much, or has an empty cell or NaN.
    """
    require_file(path, MAX_FILE_BYTES)
    target = str(path.resolve())
    with locked_connection(allowed_paths=[target]) as connection:
        try:
            described = connection.execute(DESCRIBED, [exact(target)]).fetchall()
            types = {str(row[0]): str(row[1]) for row in described}
            names = choose(list(types), kind, file=str(path))
            wanted = [_sql(path, name, types[name], is_id=place < 2) for place, name in enumerate(names)]
            _require_size(connection, path, target, wanted[:2])
            listed = ", ".join(f"{sql} AS c{place}" for place, sql in enumerate(wanted))
            found = connection.execute(f"SELECT {listed} FROM {ONE_FILE}", [exact(target)]).fetchnumpy()  # noqa: S608
        except duckdb.Error as error:
            said = (str(error).splitlines() or [""])[0].replace(target, path.name)
            message = f"this is no readable Parquet file: {said}"
            raise DataError(Problem(file=str(path), message=message, remedy="Write the file again")) from error
    return _checked(path, kind, [np.ma.asarray(found[f"c{place}"]) for place in range(3)], lenient=lenient)


def _sql(path: Path, name: str, kind: str, *, is_id: bool) -> str:
    quoted = '"' + name.replace('"', '""') + '"'
    if is_id and (kind in _WHOLE or kind == "VARCHAR" or kind.startswith("ENUM")):
        return quoted if kind in _WHOLE else f"{quoted}::VARCHAR"
    if not is_id and (kind in _WHOLE or kind in ("FLOAT", "DOUBLE", "HUGEINT") or kind.startswith("DECIMAL")):
        return f"{quoted}::DOUBLE"
    expected = "ids are text or whole numbers" if is_id else "numbers are expected"
    remedy = "Write the column in another type"
    raise DataError(Problem(file=str(path), field=name, message=expected, value=shown(kind), remedy=remedy))


def _require_size(connection: duckdb.DuckDBPyConnection, path: Path, target: str, ids: list[str]) -> None:
    """Adds up the bytes before any is kept: a few megabytes may stand for terabytes of one text."""
    sizes = " + ".join(f"sum(coalesce(strlen({sql}::VARCHAR), 0))::DOUBLE" for sql in ids)
    query = f"SELECT count(*) * 16.0 + coalesce({sizes}, 0) FROM {ONE_FILE}"  # noqa: S608 - quoted names
    (row,) = connection.execute(query, [exact(target)]).fetchall()
    if float(row[0]) > MAX_DECOMPRESSED_BYTES:
        message = f"the columns have more than the {MAX_DECOMPRESSED_BYTES:,} bytes that are read"
        raise DataError(Problem(file=str(path), message=message, remedy="Split it by queries"))


def _checked(path: Path, kind: Kind, columns: list[Any], *, lenient: bool) -> FileColumns:
    faulty = Faulty(lenient)
    kept = np.ones(len(columns[0]), dtype=np.bool_)
    word = value_word(kind)
    for column, what in zip(columns, ("query", "document", word), strict=True):
        absent = np.ma.getmaskarray(column)
        _note(
            faulty,
            path,
            np.flatnonzero(absent & kept),
            FaultyRow("fields", "the cell is empty", what=what, remedy=FILL),
        )
        kept &= ~absent
    value = np.ma.getdata(columns[2]).astype(np.float64)
    no_number = FaultyRow("number", "a finite number is expected", what=word, remedy=FILL)
    _note(faulty, path, np.flatnonzero(kept & ~np.isfinite(value)), no_number)
    kept &= np.isfinite(value)
    for place, what in enumerate(("query", "document")):
        data = np.ma.getdata(columns[place])
        empty = kept & (data == "") if data.dtype.kind == "O" else np.zeros_like(kept)
        _note(faulty, path, np.flatnonzero(empty), FaultyRow("fields", "the id is empty", what=what, remedy=FILL))
        kept &= ~empty
    faulty.require_none()
    rows = np.flatnonzero(kept)
    if not len(rows):
        raise nothing_read(str(path))
    query, document = (_spans(np.ma.getdata(column)[rows]) for column in columns[:2])
    return FileColumns(str(path), query, document, value[rows], rows + 1, faulty.dropped)


def _note(faulty: Faulty, path: Path, rows: npt.NDArray[np.int64], fault: FaultyRow) -> None:
    for row in rows[:MAX_PROBLEMS_SHOWN].tolist():
        faulty.add(fault, str(path), row + 1)
    if len(rows) > MAX_PROBLEMS_SHOWN:
        faulty.dropped[fault.reason] += len(rows) - MAX_PROBLEMS_SHOWN


def _spans(values: npt.NDArray[Any]) -> Spans:
    return spans_of_numbers(values) if values.dtype.kind in "iu" else spans_of_texts(values.tolist())
