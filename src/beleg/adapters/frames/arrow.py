"""Columns of anything that speaks the C interface of Arrow: polars, pyarrow, pandas and DuckDB among others.

The layout of the structures and buffers is that of the Arrow specification ("The Arrow C data interface" and "The Arrow
C stream interface"). Nothing is copied until all batches are there, and nothing is kept of them after.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from beleg.adapters.frames.spans import Spans
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.text.packed import PAD

Column = Spans | npt.NDArray[Any]

_NUMBERS = {
    "c": np.int8, "C": np.uint8, "s": np.int16, "S": np.uint16, "i": np.int32, "I": np.uint32, "l": np.int64,
    "L": np.uint64, "e": np.float16, "f": np.float32, "g": np.float64,
}  # fmt: skip
_FRACTIONS = "efg"
_NOTHING = "n"
"""A column without any value."""
_OFFSETS: dict[str, type[np.signedinteger[Any]]] = {"u": np.int32, "U": np.int64}
_VIEW_BYTES = 16
_INLINE_BYTES = 12
"""A text up to this length stands in its view itself, after the four bytes of the length."""


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))),
    ("private_data", ctypes.c_void_p),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.POINTER(_Array)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))),
    ("private_data", ctypes.c_void_p),
]


class _Stream(ctypes.Structure):
    pass


_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))),
    ("private_data", ctypes.c_void_p),
]


def read_arrow(source: object, choose: Callable[[list[str]], Sequence[str]] | None = None) -> list[Column]:
    """Columns of a frame, or the one column that a series is.

    Text comes as spans, numbers as arrays; dictionaries (categories) are followed. The source is read once.

    Args:
        source: an object with ``__arrow_c_stream__``.
        choose: says which of the named columns to read, in the order in which they are to come; nothing for a series.

    Raises:
        DataError: naming column and row of an empty cell; in a column of fractions it becomes NaN.
        UsageError: if a column is of a type that holds neither text nor numbers.
    """
    capsule = source.__arrow_c_stream__()  # type: ignore[attr-defined]
    stream = ctypes.cast(_pointer(capsule, b"arrow_array_stream"), ctypes.POINTER(_Stream))
    with _schema(stream) as schema, _batches(stream) as batches:
        if choose is None:
            return [_column(schema, [(batch, 0, batch.length) for batch in batches], "column")]
        children = [schema.children[place].contents for place in range(schema.n_children)]
        places: dict[str, int] = {}
        for place, child in enumerate(children):
            places.setdefault((child.name or b"").decode("utf-8", "replace"), place)
        return [
            _column(
                children[places[name]],
                [(batch.children[places[name]].contents, batch.offset, batch.length) for batch in batches],
                name,
            )
            for name in choose(list(places))
        ]


def _pointer(capsule: object, name: bytes) -> int:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(get(capsule, name))


@contextmanager
def _schema(stream: Any) -> Iterator[Any]:
    schema = _Schema()
    _require(stream, stream.contents.get_schema(stream, ctypes.byref(schema)))
    try:
        yield schema
    finally:
        schema.release(ctypes.byref(schema))


@contextmanager
def _batches(stream: Any) -> Iterator[list[Any]]:
    """All batches; their memory belongs to us until they are released."""
    batches: list[Any] = []
    try:
        while True:
            batch = _Array()
            _require(stream, stream.contents.get_next(stream, ctypes.byref(batch)))
            if not batch.release:
                break
            batches.append(batch)
        yield batches
    finally:
        for batch in batches:
            batch.release(ctypes.byref(batch))


def _require(stream: Any, code: int) -> None:
    if code:
        said = (stream.contents.get_last_error(stream) or b"").decode("utf-8", "replace")
        raise UsageError(f"the columns cannot be read: {said or code}", hint="Give plain text and number columns")


Slice = tuple[Any, int, int]
"""An array, and the span of it that belongs to the column: first row, beside the array's own offset, and length."""


def _column(schema: Any, parts: list[Slice], name: str) -> Column:
    kind = (schema.format or b"").decode("ascii", "replace")
    if kind in _FRACTIONS:
        return np.concatenate([np.empty(0, _NUMBERS[kind]), *(_fractions(part, _NUMBERS[kind]) for part in parts)])
    _require_filled(parts, name, kind)
    if schema.dictionary:
        return _from_dictionary(schema, kind, parts, name)
    if kind in _NUMBERS:
        return np.concatenate([np.empty(0, _NUMBERS[kind]), *(_numbers(part, 1, _NUMBERS[kind]) for part in parts)])
    if kind == "b":
        return np.concatenate([np.empty(0, np.bool_), *(_bits(part, 1) for part in parts)])
    if kind in _OFFSETS:
        return _joined([_text(part, _OFFSETS[kind]) for part in parts])
    if kind == "vu":
        return _joined([_views(part) for part in parts])
    raise UsageError(
        f"column {shown(name)} is of a type that holds neither text nor numbers",
        hint="Cast ids to text or whole numbers, and scores to 64-bit floats",
    )


def _from_dictionary(schema: Any, kind: str, parts: list[Slice], name: str) -> Column:
    """Every batch has a dictionary of its own."""
    values, codes, before = [], [], 0
    for part in parts:
        dictionary = part[0].dictionary.contents
        values.append((dictionary, 0, dictionary.length))
        codes.append(_numbers(part, 1, _NUMBERS[kind]).astype(np.int64) + before)
        before += dictionary.length
    code = np.concatenate([np.empty(0, np.int64), *codes])
    found = _column(schema.dictionary.contents, values, name)
    return found.take(code)


def _memory(address: int | None, size: int) -> npt.NDArray[np.uint8]:
    if not address or not size:
        return np.empty(0, dtype=np.uint8)
    return np.frombuffer(memoryview((ctypes.c_uint8 * size).from_address(address)).cast("B"), np.uint8)


def _numbers(part: Slice, place: int, kind: Any, extra: int = 0) -> npt.NDArray[Any]:
    array, first, length = part
    size = np.dtype(kind).itemsize
    start = (array.offset + first) * size
    address = array.buffers[place]
    whole = _memory(address, start + (length + extra) * size if length else 0)
    return whole[start:].view(kind)


def _bits(part: Slice, place: int) -> npt.NDArray[np.bool_]:
    array, first, length = part
    start = array.offset + first
    bits = np.unpackbits(_memory(array.buffers[place], (start + length + 7) // 8), bitorder="little")
    return bits[start : start + length].astype(np.bool_)


def _filled(part: Slice) -> npt.NDArray[np.bool_] | None:
    """Which rows have a value; nothing where all have."""
    array, _, length = part
    return _bits(part, 0) if array.null_count and length and array.n_buffers and array.buffers[0] else None


def _fractions(part: Slice, kind: Any) -> npt.NDArray[Any]:
    filled, found = _filled(part), _numbers(part, 1, kind)
    return found if filled is None else np.where(filled, found, kind(np.nan))


def _require_filled(parts: list[Slice], name: str, kind: str) -> None:
    row = 0
    for part in parts:
        filled = np.zeros(part[2], np.bool_) if kind == _NOTHING else _filled(part)
        if filled is not None and not filled.all():
            at = row + int(np.argmin(filled))
            raise DataError(
                Problem(field=name, message=f"row {at} has no value", remedy="Fill it, or leave the row out")
            )
        row += part[2]


Pieces = tuple[list[npt.NDArray[np.uint8]], npt.NDArray[np.int64], npt.NDArray[np.int32]]
"""Memory, and the spans of the texts in it, as if it were joined."""


def _text(part: Slice, kind: Any) -> Pieces:
    offsets = _numbers(part, 1, kind, extra=1)
    if not len(offsets):
        return [], np.empty(0, np.int64), np.empty(0, np.int32)
    low, high = int(offsets[0]), int(offsets[-1])
    data = _memory(part[0].buffers[2], high)[low:]
    return (
        [data],
        np.subtract(offsets[:-1], low, dtype=np.int64),
        np.subtract(offsets[1:], offsets[:-1], dtype=np.int32),
    )


def _views(part: Slice) -> Pieces:
    """Short texts stand in their views; a long one is named by the number of its buffer and the place in it."""
    array, first, length = part
    if not length:
        return [], np.empty(0, np.int64), np.empty(0, np.int32)
    start = (array.offset + first) * _VIEW_BYTES
    views = _memory(array.buffers[1], start + length * _VIEW_BYTES)[start:]
    fields = views.view(np.int32).reshape(length, _VIEW_BYTES // 4)
    count = array.n_buffers - 3
    sizes = _memory(array.buffers[array.n_buffers - 1], 8 * count).view(np.int64).tolist()
    pieces = [views, *(_memory(array.buffers[2 + each], sizes[each]) for each in range(count))]
    begins = np.cumsum([len(views), *sizes], dtype=np.int64)
    start_of = np.arange(4, length * _VIEW_BYTES, _VIEW_BYTES, dtype=np.int64)
    long = np.flatnonzero(fields[:, 0] > _INLINE_BYTES)
    if len(long):
        start_of[long] = begins[fields[long, 2]] + fields[long, 3]
    return pieces, start_of, fields[:, 0].copy()


def _joined(parts: list[Pieces]) -> Spans:
    """Memory is only asked for where there is something to join: for millions of rows the asking is what takes time."""
    memory: list[npt.NDArray[np.uint8]] = []
    before = 0
    for pieces, start, _ in parts:
        memory += pieces
        start += before
        before += sum(map(len, pieces))
    buffer = np.concatenate([*memory, np.zeros(PAD, dtype=np.uint8)])
    if len(parts) == 1:
        return Spans(buffer, parts[0][1], parts[0][2])
    starts = [np.empty(0, np.int64), *(start for _, start, _ in parts)]
    lengths = [np.empty(0, np.int32), *(length for _, _, length in parts)]
    return Spans(buffer, np.concatenate(starts), np.concatenate(lengths))
