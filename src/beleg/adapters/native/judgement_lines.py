"""Lines of judgements as columns, by compiled code, where all of them are plainly in order."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.adapters.native.library import library

LEAST_LINE_BYTES = 8
"""Four fields of one byte, and what separates and ends them."""

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class JudgementLines:
    """The columns; ids are spans of the buffer. ``change`` holds the rows whose query is not that of the row before."""

    document_start: IntArray
    document_length: npt.NDArray[np.int32]
    grade: npt.NDArray[np.float64]
    change: IntArray
    query_start: IntArray
    query_end: IntArray


class _Columns(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("start", "length", "value", "run", "run_start", "run_end")),
        ("runs", ctypes.c_int64),
    )


def judgement_lines(buffer: npt.NDArray[np.uint8], low: int, high: int) -> JudgementLines | None:
    """Reads whole lines, behind which 16 bytes may be read.

    Returns:
        The columns; nothing where there is no library, or where a line has anything but four fields with one separator
        between two of them, or a grade that is more than a few digits.
    """
    loaded = library()
    if loaded is None:
        return None
    room = (high - low) // LEAST_LINE_BYTES + 1
    start, change, query_start, query_end = (np.empty(room, dtype=np.int64) for _ in range(4))
    length, grade = np.empty(room, dtype=np.int32), np.empty(room)
    arrays = (start, length, grade, change, query_start, query_end)
    columns = _Columns(*(array.ctypes.data for array in arrays), 0)
    rows = loaded.beleg_judgements(buffer.ctypes.data, low, high, ctypes.byref(columns))
    if rows <= 0:
        return None
    runs = columns.runs
    return JudgementLines(
        start[:rows], length[:rows], grade[:rows], change[:runs], query_start[:runs], query_end[:runs]
    )
