"""Writes runs and judgements in the format of TREC, so that reading them again gives the same lists to the last bit."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from beleg.adapters.formats.atomic import replacing
from beleg.adapters.formats.decimals import CodeArray, IntArray
from beleg.adapters.formats.limits import KIB
from beleg.adapters.formats.source import STDIN
from beleg.adapters.formats.trec_lines import MAX_LINE_BYTES
from beleg.core.errors import DataError, Problem, UsageError, shown

STDOUT = STDIN
MAX_ID_BYTES = MAX_LINE_BYTES // 4
_ROWS_AT_ONCE = 1 << 16
_IS_SPACE = np.isin(np.arange(256), [9, 10, 11, 12, 13, 32])
_MARK = "\ufeff"
_Rows: TypeAlias = Iterable[tuple[Any, ...]]
_Fields: TypeAlias = Callable[[list[bytes], list[float]], _Rows]


class _Names(Protocol):
    """Ids as spans of a buffer."""

    @property
    def buffer(self) -> npt.NDArray[np.uint8]: ...
    @property
    def start(self) -> IntArray: ...
    @property
    def length(self) -> CodeArray: ...


class RankedColumns(Protocol):
    """What is written: query ``i`` owns the rows from ``offsets[i]`` to ``offsets[i + 1]``, best first."""

    @property
    def queries(self) -> tuple[str, ...]:
        """The ids of the queries."""
        ...

    @property
    def offsets(self) -> IntArray:
        """Where the rows of each query begin, and where the last of them end."""
        ...

    @property
    def documents(self) -> _Names:
        """The document of every row."""
        ...

    @property
    def value(self) -> npt.NDArray[np.float64]:
        """The score or grade of every row."""
        ...


def write_trec_run(path: Path, table: RankedColumns, tag: str) -> None:
    """Writes a run as a whole or not at all; ``-`` is the standard output, a name that ends in ``.gz`` is packed.

    Scores are written with all the digits that a double needs, so that the order is the same when they are read again.

    Args:
        path: the file.
        table: the lists; their rows must stand in the order of their ranks.
        tag: the name of the run.

    Raises:
        UsageError: if the tag is no printable word or is too long, or the file cannot be written.
        DataError: if an id is empty, holds white space, is too long or is no text, or scores rise within a list.
    """
    # Neither white space nor control characters nor half a surrogate pair can be printed.
    if not tag or " " in tag or not tag.isprintable():
        raise UsageError(f"the name of a run is one word, not {shown(tag)}", hint="Give a name without spaces")
    if len(tag.encode()) > MAX_ID_BYTES:
        raise UsageError(
            f"the name of a run, {shown(tag)}, has more than {MAX_ID_BYTES // KIB} KiB", hint="Give it a shorter name"
        )
    _require_order(table)
    _write(path, table, b" Q0 %b %d %a " + _literal(tag) + b"\n", _run_fields)


def write_trec_qrels(path: Path, table: RankedColumns) -> None:
    """Writes judgements as a whole or not at all; see `write_trec_run`. Whole grades are written without a point.

    Raises:
        UsageError: if the file cannot be written.
        DataError: if an id is empty, holds white space, is too long or is no text, or a grade is not finite.
    """
    if not np.isfinite(table.value).all():
        raise DataError(Problem(message="a grade is not finite", field="grade", remedy="Leave the judgement out"))
    _write(path, table, b" 0 %b %b\n", _judgement_fields)


def _write(path: Path, table: RankedColumns, line: bytes, fields: _Fields) -> None:
    _require_ids(table)
    if str(path) == STDOUT:
        _write_to(sys.stdout.buffer, table, line, fields)
        sys.stdout.buffer.flush()
        return
    with replacing(path) as temporary, temporary.open("wb") as file:
        if path.suffix == ".gz":
            # Without name and time in it, the same run is the same file.
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0, compresslevel=6) as packed:
                _write_to(packed, table, line, fields)
        else:
            _write_to(file, table, line, fields)


def _write_to(file: BinaryIO | gzip.GzipFile, table: RankedColumns, line: bytes, fields: _Fields) -> None:
    """Writes the lines of one query after the other; ``line`` is what follows the query."""
    low = 0
    bounds = table.offsets.tolist()
    while low < len(table.queries):
        # Ids are taken out for many queries at once.
        high = max(low + 1, int(np.searchsorted(table.offsets, bounds[low] + _ROWS_AT_ONCE, side="right")) - 1)
        first, last = bounds[low], bounds[high]
        names, values = _ids(table.documents, slice(first, last)), table.value[first:last].tolist()
        for number in range(low, high):
            rows = slice(bounds[number] - first, bounds[number + 1] - first)
            template = _literal(table.queries[number]) + line
            file.write(b"".join(map(template.__mod__, fields(names[rows], values[rows]))))
        low = high


def _run_fields(names: list[bytes], values: list[float]) -> _Rows:
    return zip(names, range(1, len(names) + 1), values, strict=True)


def _judgement_fields(names: list[bytes], values: list[float]) -> _Rows:
    return zip(names, map(_grade, values), strict=True)


def _literal(text: str) -> bytes:
    """A text as it stands in a template."""
    return text.encode().replace(b"%", b"%%")


def _grade(value: float) -> bytes:
    return repr(int(value) if value.is_integer() else value).encode()


def _ids(names: _Names, rows: slice) -> list[bytes]:
    """The ids of some rows; none holds a line break."""
    length = names.length[rows].astype(np.int64)
    if not len(length):
        return []
    end = np.cumsum(length + 1)
    place = np.arange(end[-1]) + np.repeat(names.start[rows] - (end - length - 1), length + 1)
    text = names.buffer[place]
    text[end - 1] = 10
    found: list[bytes] = text.tobytes().split(b"\n")
    return found[:-1]


def _require_order(table: RankedColumns) -> None:
    rises = table.value[1:] > table.value[:-1]
    rises[table.offsets[(table.offsets > 0) & (table.offsets < len(table.value))] - 1] = False
    if rises.any():
        row = int(np.flatnonzero(rises)[0])
        query = table.queries[int(np.searchsorted(table.offsets, row, side="right")) - 1]
        raise DataError(
            Problem(
                message=f"the scores of query {shown(query)} rise within its list",
                value=f"{float(table.value[row])!r}, then {float(table.value[row + 1])!r}",
                remedy="Order the rows by score first",
            )
        )


def _require_ids(table: RankedColumns) -> None:
    for query in table.queries:
        encoded = query.encode("utf-8", "surrogatepass")
        if not _is_text(query) or _fault(encoded) or query.startswith(_MARK):
            raise _refused("query", query, _fault(encoded) or "is no text that can be written")
    for low in range(0, len(table.value), _ROWS_AT_ONCE):
        rows = slice(low, low + _ROWS_AT_ONCE)
        length = table.documents.length[rows]
        unfit = (length < 1) | (length > MAX_ID_BYTES)
        if not unfit.any() and not _holds_space(table.documents, rows):
            continue
        for row in range(low, min(low + _ROWS_AT_ONCE, len(table.value))):
            start = int(table.documents.start[row])
            name = table.documents.buffer[start : start + int(table.documents.length[row])].tobytes()
            if fault := _fault(name):
                raise _refused("document", name.decode("utf-8", "replace"), fault)


def _holds_space(names: _Names, rows: slice) -> bool:
    length = names.length[rows].astype(np.int64)
    end = np.cumsum(length)
    place = np.arange(end[-1]) + np.repeat(names.start[rows] - (end - length), length)
    return bool(_IS_SPACE[names.buffer[place]].any())


def _fault(name: bytes) -> str | None:
    if not name:
        return "is empty"
    if len(name) > MAX_ID_BYTES:
        return f"has more than {MAX_ID_BYTES // KIB} KiB"
    return "holds white space, which separates the fields" if _IS_SPACE[np.frombuffer(name, np.uint8)].any() else None


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refused(kind: str, name: str, fault: str) -> DataError:
    return DataError(
        Problem(message=f"the id of a {kind} {fault}", field=kind, value=shown(name), remedy="Give it another id")
    )
