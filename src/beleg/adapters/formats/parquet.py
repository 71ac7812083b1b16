"""Parquet through DuckDB, in a connection that can reach nothing but the one file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from beleg.adapters.formats.atomic import replacing
from beleg.adapters.formats.files import require_file
from beleg.adapters.formats.limits import MAX_PARQUET_MEMORY, MAX_ROW_FILE_BYTES
from beleg.adapters.formats.plain import plain
from beleg.adapters.formats.row import Faults, Row
from beleg.core.errors import DataError, Problem, shown

BATCH_ROWS = 1_000

ONE_FILE = "read_parquet(?, hive_partitioning = false)"
"""The rows of the file whose `exact` path is the parameter; folders such as ``rel=7`` give no column."""
DESCRIBED = f"DESCRIBE SELECT * FROM {ONE_FILE}"  # noqa: S608 - a constant
"""The names and types of the columns of such a file."""

_PATTERN = re.compile(r"[*?\[]")

Column = Sequence[Any] | npt.NDArray[Any]


def read_parquet(path: Path) -> Iterator[Row]:
    """Reads the rows of a Parquet file; an empty cell is an absent field, also inside a struct.

    Raises:
        UsageError: if there is no such file.
        DataError: if the file is no Parquet, or, at the end, with every row that holds NaN or bytes.
    """
    require_file(path, MAX_ROW_FILE_BYTES)
    target = str(path.resolve())
    faults = Faults()
    with locked_connection(allowed_paths=[target]) as connection:
        try:
            cursor = connection.execute(f"SELECT * FROM {ONE_FILE}", [exact(target)])  # noqa: S608 - a constant
            names = [column[0] for column in cursor.description or ()]
            number = 0
            while batch := cursor.fetchmany(BATCH_ROWS):
                for cells in batch:
                    number += 1
                    try:
                        data = plain(dict(zip(names, cells, strict=True)), file=str(path), line=number)
                    except DataError as error:
                        faults.add(error)
                        continue
                    yield Row(str(path), number, _without_absent(data))
        except duckdb.Error as error:
            raise DataError(
                Problem(
                    file=str(path),
                    message=f"this is no readable Parquet file: {_first_line(error, path)}",
                    remedy="Write the file again",
                )
            ) from error
    faults.raise_if_any()


def read_columns(path: Path, names: Sequence[str]) -> dict[str, npt.NDArray[Any]]:
    """Whole columns of a Parquet file; absent cells are masked, or ``None`` in columns of text.

    Raises:
        UsageError: if there is no such file.
        DataError: if the file is no Parquet, or lacks a column.
    """
    require_file(path, MAX_ROW_FILE_BYTES)
    target = str(path.resolve())
    listed = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
    with locked_connection(allowed_paths=[target]) as connection:
        try:
            query = f"SELECT {listed} FROM {ONE_FILE}"  # noqa: S608 - quoted names
            found = connection.execute(query, [exact(target)]).fetchnumpy()
        except duckdb.Error as error:
            raise DataError(
                Problem(
                    file=str(path),
                    message=f"this is no readable Parquet file: {_first_line(error, path)}",
                    remedy="Write the file again",
                )
            ) from error
    return {name: _unmasked(found[name]) for name in names}


def _unmasked(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if column.dtype != object or not isinstance(column, np.ma.MaskedArray):
        return column
    cells = column.data.copy()
    cells[np.ma.getmaskarray(column)] = None
    return cells


def write_parquet(path: Path, columns: Mapping[str, Column]) -> None:
    """Writes columns of equal length as one Parquet file, at once or not at all.

    The same columns give the same bytes. ``None`` and masked entries become absent cells.

    Args:
        path: the file to write.
        columns: numpy arrays (masked where entries are absent), or sequences of text, numbers or booleans of one kind.

    Raises:
        DataError: if there are no columns, their lengths differ, or one holds NaN, infinity or mixed kinds.
    """
    arrays = {name: _as_array(name, column) for name, column in columns.items()}
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) != 1:
        raise DataError(
            Problem(
                file=str(path),
                message="a table needs columns of one length",
                value=shown(lengths),
                remedy="Give every column one entry a row",
            )
        )
    with replacing(path) as temporary, locked_connection(allowed_paths=[str(temporary)]) as connection:
        connection.register("rows", arrays)
        literal = str(temporary).replace("'", "''")
        options = "FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false"
        connection.execute(f"COPY rows TO '{literal}' ({options})")


def exact(path: str) -> str:
    """The path as a pattern that matches nothing else: DuckDB takes every path for a pattern.

    Example:
        >>> exact("runs/a[1].parquet")
        'runs/a[[]1].parquet'
    """
    return _PATTERN.sub(r"[\g<0>]", path)


@contextmanager
def locked_connection(*, allowed_paths: Sequence[str]) -> Iterator[duckdb.DuckDBPyConnection]:
    """An in-memory connection that may touch the named files and whose settings cannot be changed any more.

    A path may be read by its `exact` pattern too.
    """
    with duckdb.connect(":memory:") as connection:
        # One thread keeps the row groups, and with them the bytes written, the same on every machine.
        connection.execute("SET threads = 1")
        connection.execute(f"SET memory_limit = '{MAX_PARQUET_MEMORY}'")
        connection.execute("SET autoinstall_known_extensions = false")
        connection.execute("SET autoload_known_extensions = false")
        # What a pattern finds has to be allowed beside the pattern.
        names = dict.fromkeys([*allowed_paths, *map(exact, allowed_paths)])
        listed = ", ".join("'" + path.replace("'", "''") + "'" for path in names)
        # This order matters: paths cannot be allowed any more once external access is off.
        connection.execute(f"SET allowed_paths = [{listed}]")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        yield connection


def _as_array(name: str, column: Column) -> npt.NDArray[Any]:
    array = column if isinstance(column, np.ndarray) else _from_sequence(name, column)
    if array.ndim != 1:
        raise _bad_column(name, "a column has one dimension", array.shape)
    # Over a column whose entries are all masked, numpy.ma.all is neither true nor false.
    if array.dtype.kind == "f" and not np.isfinite(np.ma.compressed(array)).all():
        raise _bad_column(name, "a column holds NaN or infinity", "NaN or infinity")
    return array


def _from_sequence(name: str, column: Sequence[Any]) -> npt.NDArray[Any]:
    kinds = {type(entry) for entry in column if entry is not None}
    if kinds == {int, float}:
        kinds = {float}
    if len(kinds) > 1 or not kinds <= {str, int, float, bool}:
        names = sorted(kind.__name__ for kind in kinds)
        raise _bad_column(name, "a column holds text, numbers or booleans of one kind", names)
    kind = next(iter(kinds), str)
    if kind is str:
        return np.array(column, dtype=object)
    absent = np.array([entry is None for entry in column], dtype=np.bool_)
    filled = [kind() if entry is None else entry for entry in column]
    return np.ma.masked_array(np.array(filled, dtype={int: np.int64, float: np.float64, bool: np.bool_}[kind]), absent)


def _bad_column(name: str, message: str, value: object) -> DataError:
    return DataError(
        Problem(field=name, message=message, value=shown(value), remedy="Mask the entries that have no value")
    )


def _without_absent(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_absent(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_absent(item) for item in value]
    return value


def _first_line(error: Exception, path: Path) -> str:
    lines = str(error).splitlines() or [type(error).__name__]
    return lines[0].replace(str(path.resolve()), path.name)
