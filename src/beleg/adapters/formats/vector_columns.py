"""Vectors from a list column of a Parquet file, by DuckDB."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from beleg.adapters.formats.parquet import DESCRIBED, ONE_FILE, exact, locked_connection
from beleg.core.errors import DataError, Problem

ROWS_AT_ONCE = 20_000


def read_vector_column(path: Path, names: tuple[str, ...], *, max_bytes: int, max_rows: int) -> npt.NDArray[np.float32]:
    """The one list column that bears one of the names, as a table in single precision.

    Raises:
        DataError: if there is no such column, or its lists are empty, of several lengths or hold empty cells.
    """
    target = str(path.resolve())
    with locked_connection(allowed_paths=[target]) as connection:
        try:
            return _read(connection, path, target, names, (max_bytes, max_rows))
        except duckdb.Error as error:
            first = (str(error).splitlines() or [type(error).__name__])[0].replace(target, path.name)
            raise _fault(path, f"this is no readable Parquet file with vectors: {first}") from error


def _read(
    connection: duckdb.DuckDBPyConnection, path: Path, target: str, names: tuple[str, ...], limits: tuple[int, int]
) -> npt.NDArray[np.float32]:
    columns = _rows(connection, DESCRIBED, target)
    lists = [name for name, kind, *_ in columns if name in names and str(kind).endswith("]")]
    if len(lists) != 1:
        found = ", ".join(f"{name} {kind}" for name, kind, *_ in columns[:8])
        raise _fault(path, f"one list column called {' or '.join(names)} is needed", found)
    column = f'"{lists[0]}"'  # one of our own names
    counted = f"SELECT count(*), count({column}), min(len({column})), max(len({column})) FROM {ONE_FILE}"  # noqa: S608
    total, filled, shortest, longest = _rows(connection, counted, target)[0]
    if not total or filled != total or shortest != longest or not longest:
        raise _fault(path, "every row needs a vector of one length", f"{shortest} to {longest}, {total - filled} empty")
    max_bytes, max_rows = limits
    if total > max_rows or 4 * total * longest > max_bytes:
        raise _fault(path, "the column is too large; write it as .npy", f"{total:,} rows of {longest:,}")
    table = np.empty((total, longest), dtype=np.float32)
    unnested = (
        f"SELECT unnest({column})::FLOAT AS component "  # noqa: S608
        "FROM read_parquet(?, hive_partitioning = false, file_row_number = true) "
        "WHERE file_row_number >= ? AND file_row_number < ?"
    )
    for start in range(0, total, ROWS_AT_ONCE):
        stop = min(start + ROWS_AT_ONCE, total)
        part = connection.execute(unnested, [exact(target), start, stop]).fetchnumpy()["component"]
        if np.ma.is_masked(part):
            raise _fault(path, f"a vector in rows {start} to {stop - 1} has an empty component")
        table[start:stop] = np.asarray(part).reshape(stop - start, longest)
    return table


def _rows(connection: duckdb.DuckDBPyConnection, query: str, target: str) -> list[tuple[Any, ...]]:
    return connection.execute(query, [exact(target)]).fetchall()


def _fault(path: Path, message: str, value: str | None = None) -> DataError:
    return DataError(Problem(file=str(path), message=message, value=value, remedy="Write one list of numbers a row"))
