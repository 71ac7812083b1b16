"""Frames and mappings of columns as three columns: query, document, and score or grade."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from beleg.adapters.formats.headings import Kind, choose
from beleg.adapters.frames.arrow import Column, read_arrow
from beleg.adapters.frames.spans import Spans, spans_of_fixed, spans_of_numbers, spans_of_texts
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.text.identifiers import as_text

_BEYOND = 1 << 63
_WORTH_ONCE = 4


@dataclass(frozen=True, slots=True, eq=False)
class RankedColumns:
    """The three columns; NaN is not refused yet."""

    query: Spans
    document: Spans
    value: npt.NDArray[np.float64]


def is_frame(source: object) -> bool:
    """Whether it is a frame of polars, pandas, pyarrow, DuckDB or another library that speaks Arrow."""
    return hasattr(source, "__arrow_c_stream__") or _is_pandas(source)


def columns_of(source: object, kind: Kind) -> RankedColumns:
    """Takes the three columns of a frame or of a mapping of names to columns.

    Args:
        source: a frame, or a mapping of names to lists, arrays or series of one length.
        kind: whether they hold grades or scores.

    Raises:
        DataError: if a column is missing, its cells cannot be used, or the lengths differ.
        UsageError: if a column is of a type that cannot be read.
    """
    if isinstance(source, Mapping):
        query, document, value = (_column(source[name], name) for name in choose(list(source), kind, file=kind))
    else:
        query, document, value = _frame(source, kind)
    found = RankedColumns(_ids(query, "query"), _ids(document, "document"), _numbers(value, kind))
    lengths = (len(found.query), len(found.document), len(found.value))
    if len(set(lengths)) > 1:
        raise DataError(
            Problem(
                file=kind, message="the columns differ in length", value=shown(lengths), remedy="Give one entry a row"
            )
        )
    return found


def _is_pandas(source: object) -> bool:
    return type(source).__module__.partition(".")[0] == "pandas"


def _frame(source: Any, kind: Kind) -> list[Column]:
    if not _is_pandas(source):
        return read_arrow(source, lambda names: choose(names, kind, file=kind))
    names = choose([str(name) for name in source.columns], kind, file=kind)
    try:
        # Without pyarrow, and for columns that hold several types, pandas cannot speak Arrow.
        return read_arrow(source[list(names)], lambda _: names)
    except (ImportError, TypeError, ValueError, NotImplementedError):
        return [_column(source[name], name) for name in names]


def _column(column: Any, name: str) -> Column:
    if isinstance(column, np.ndarray):
        if np.ma.is_masked(column):
            raise _empty(name, int(np.argmax(np.ma.getmaskarray(column))))
        return _array(np.asarray(column), name)
    if _is_pandas(column):
        # A series of categories shows their numbers under ``cat``, a plain array of categories on itself.
        coded = getattr(column, "cat", column)
        return _of_categories(coded, name) if hasattr(coded, "categories") else _array(np.asarray(column), name)
    if hasattr(column, "__arrow_c_stream__"):
        return read_arrow(column)[0]
    if hasattr(column, "to_pylist"):
        column = column.to_pylist()
    elif hasattr(column, "__array__"):
        return _array(np.asarray(column), name)
    if isinstance(column, (str, bytes)) or not hasattr(column, "__iter__"):
        raise UsageError(f"{name} is no column but {shown(column)}", hint="Give a list, an array or a series")
    values = list(column)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _of_categories(coded: Any, name: str) -> Column:
    code = np.asarray(coded.codes)
    if (code < 0).any():
        raise _empty(name, int(np.argmax(code < 0)))
    found = _array(np.asarray(coded.categories), name)
    return found.take(code) if isinstance(found, Spans) else found[code]


def _array(array: npt.NDArray[Any], name: str) -> Column:
    if array.ndim != 1:
        raise DataError(Problem(field=name, message="a column has one dimension", value=shown(array.shape)))
    if array.dtype.kind == "U":
        return _of_repeated(array, spans_of_fixed)
    return array.astype(object) if array.dtype.kind in "ST" else array


def _of_repeated(array: npt.NDArray[Any], pack: Callable[[npt.NDArray[Any]], Spans]) -> Spans:
    """Packs an entry once where it stands in many rows on end, as ids of queries do."""
    begins = np.ones(len(array), dtype=np.bool_)
    begins[1:] = array[1:] != array[:-1]
    place = np.flatnonzero(begins)
    if len(place) > len(array) // _WORTH_ONCE:
        return pack(array)
    found = pack(array[place])
    sizes = np.diff(place, append=len(array))
    return Spans(found.buffer, np.repeat(found.start, sizes), np.repeat(found.length, sizes))


def _ids(column: Column, what: str) -> Spans:
    if isinstance(column, Spans):
        return column
    if column.dtype.kind in "iu":
        return _of_repeated(column, spans_of_numbers)
    values = column.tolist()
    kinds = set(map(type, values))
    if kinds == {int} and min(values) >= -_BEYOND and max(values) < _BEYOND:
        return spans_of_numbers(np.array(values, dtype=np.int64))
    return spans_of_texts(values if kinds <= {str} else _texts(values, what))


def _texts(values: Sequence[object], what: str) -> list[str]:
    found = []
    for row, value in enumerate(values):
        if value is None or value != value:
            raise _empty(what, row)
        try:
            found.append(as_text(value, what))
        except DataError as error:
            (problem,) = error.problems
            raise DataError(replace(problem, message=f"row {row}: {problem.message}")) from error
    return found


def _numbers(column: Column, kind: Kind) -> npt.NDArray[np.float64]:
    if isinstance(column, Spans):
        found = shown(column[0]) if len(column) else "text"
        raise DataError(
            Problem(file=kind, field="score", message="numbers are expected", value=found, remedy="Cast the column")
        )
    if column.dtype.kind in "iufb":
        return column.astype(np.float64, copy=False)
    values = column.tolist()
    for row, value in enumerate(values):
        if isinstance(value, (str, bytes)):
            message = f"row {row}: a number is expected"
            problem = Problem(file=kind, field="score", message=message, value=shown(value), remedy="Cast the column")
            raise DataError(problem)
    try:
        # Nothing becomes NaN here, which is refused with the names of query and document.
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(Problem(file=kind, field="score", message=f"numbers are expected: {error}")) from error


def _empty(name: str, row: int) -> DataError:
    return DataError(Problem(field=name, message=f"row {row} has no value", remedy="Fill it, or leave the row out"))
