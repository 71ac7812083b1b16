"""Loads the compiled libraries where they were built."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from pathlib import Path

ABI_VERSION = 2
LIBRARY = Path(__file__).with_name("run_pass.bin")
SWITCH = "BELEG_NATIVE"
"""Set to 0, this variable of the environment leaves the compiled part aside."""

_BYTES = ctypes.c_void_p


@cache
def library() -> ctypes.CDLL | None:
    """The library that reads run files, or nothing where it was not built, does not load, or is not wanted."""
    loaded = opened(LIBRARY, "beleg_abi_version", ABI_VERSION)
    return None if loaded is None else _declared(loaded)


def opened(
    path: Path, version_function: str, version: int, *, loader: type[ctypes.CDLL] = ctypes.CDLL
) -> ctypes.CDLL | None:
    """A library, or nothing where it is not there, not wanted, or of another version."""
    if os.environ.get(SWITCH) == "0" or not path.is_file():
        return None
    try:
        loaded = loader(str(path))
        return loaded if loaded[version_function]() == version else None
    except (OSError, AttributeError):
        return None


def _declared(loaded: ctypes.CDLL) -> ctypes.CDLL:
    loaded.beleg_pass_new.restype = ctypes.c_void_p
    loaded.beleg_pass_new.argtypes = [ctypes.c_uint64, ctypes.c_int64, *[_BYTES] * 7]
    loaded.beleg_pass_free.restype = None
    loaded.beleg_pass_free.argtypes = [ctypes.c_void_p]
    loaded.beleg_pass_feed.restype = ctypes.c_int
    loaded.beleg_pass_feed.argtypes = [ctypes.c_void_p, _BYTES, ctypes.c_int64]
    loaded.beleg_pass_end.restype = ctypes.c_int
    loaded.beleg_pass_end.argtypes = [ctypes.c_void_p]
    loaded.beleg_pass_count.restype = ctypes.c_int64
    loaded.beleg_pass_count.argtypes = [ctypes.c_void_p, ctypes.c_int]
    loaded.beleg_pass_found.restype = None
    loaded.beleg_pass_found.argtypes = [ctypes.c_void_p, *[_BYTES] * 3]
    loaded.beleg_judgements.restype = ctypes.c_int64
    loaded.beleg_judgements.argtypes = [_BYTES, ctypes.c_int64, ctypes.c_int64, _BYTES]
    return loaded
