"""A run that Python holds as dictionaries: its scores in a row and its judged documents, taken by compiled code."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from beleg.adapters.native.library import opened

ABI_VERSION = 1
LIBRARY = Path(__file__).with_name("held_run.bin")

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_FUNCTIONS = (
    "PyDict_Next", "PyDict_Size", "PyDict_GetItemWithError", "PyList_Size", "PyList_GetItem", "PyFloat_AsDouble",
    "PyLong_AsDouble", "PyErr_Occurred", "PyErr_Clear",
)  # fmt: skip
_CLASSES = (str, float, int, dict, list)


class _Python(ctypes.Structure):
    """Where the interpreter has what the library calls and compares with."""

    _fields_ = (
        ("functions", ctypes.c_void_p * len(_FUNCTIONS)),
        ("classes", ctypes.c_void_p * len(_CLASSES)),
        ("class_at", ctypes.c_ssize_t),
    )


class _Block(ctypes.Structure):
    _fields_ = (
        ("lists", ctypes.c_int64),
        ("room", ctypes.c_int64),
        *((name, ctypes.c_void_p) for name in ("sizes", "low", "high", "value", "row", "of", "score")),
    )


def take_lists(
    lists: Sequence[object], names: list[str], sizes: IntArray, low: IntArray, high: IntArray
) -> tuple[FloatArray, IntArray, IntArray, FloatArray] | None:
    """Takes the scores of some lists, and looks for names among their ids.

    Args:
        lists: mappings of ids to scores.
        names: all that is looked for.
        sizes: how many scores each list has.
        low: for each list, where its names begin.
        high: for each list, where its names end.

    Returns:
        All scores; for each name found, its place in ``names``, the list that has it, ascending, and its score.
        Nothing where there is no library, or where a list is more than a dictionary of text to plain numbers.
    """
    library = held_library()
    if library is None:
        return None
    room = int((high - low).sum())
    value, score = np.empty(int(sizes.sum())), np.empty(room)
    row, of = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
    arrays = [np.ascontiguousarray(array, np.int64) for array in (sizes, low, high)]
    block = _Block(len(arrays[0]), room, *(array.ctypes.data for array in (*arrays, value, row, of, score)))
    found = library.beleg_held_take(ctypes.byref(_interpreter()), lists, names, ctypes.byref(block))
    return None if found < 0 else (value, row[:found], of[:found], score[:found])


@cache
def held_library() -> ctypes.CDLL | None:
    """The library, or nothing where it cannot be used: another interpreter, or one whose threads run at once."""
    # It takes long to load, and who reads files does not need it.
    import sysconfig

    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return None
    # This kind keeps the lock of the interpreter, so that nothing changes what the library looks at.
    loaded = opened(LIBRARY, "beleg_held_version", ABI_VERSION, loader=ctypes.PyDLL)
    if loaded is None:
        return None
    loaded.beleg_held_knows.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.py_object]
    loaded.beleg_held_take.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.py_object, ctypes.c_void_p]
    loaded.beleg_held_take.restype = ctypes.c_int64
    knows, python = loaded.beleg_held_knows, ctypes.byref(_interpreter())
    return loaded if knows(python, [], {}) and not knows(python, {}, []) else None


@cache
def _interpreter() -> _Python:
    functions = (ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value for name in _FUNCTIONS)
    # An object is a count and its class, in every build whose threads take turns.
    class_at = object.__basicsize__ - ctypes.sizeof(ctypes.c_void_p)
    return _Python((ctypes.c_void_p * len(_FUNCTIONS))(*functions),
                   (ctypes.c_void_p * len(_CLASSES))(*map(id, _CLASSES)), class_at)  # fmt: skip
