"""The tree edit distance by compiled code; the same figure as the portable way, to the last bit."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from beleg.adapters.native.library import opened

ABI_VERSION = 1
LIBRARY = Path(__file__).with_name("tree_saving.bin")


def most_saved(
    left_a: npt.NDArray[np.int64], left_b: npt.NDArray[np.int64], saving: npt.NDArray[np.float64]
) -> float | None:
    """The most that pairing the nodes of two trees saves.

    Args:
        left_a: for each node of the first tree, in postorder, the first node of its subtree.
        left_b: the same for the second tree.
        saving: what pairing each two nodes saves.

    Returns:
        The amount; nothing where there is no library, no memory for it, or these are no trees, and then the portable
        way is taken.
    """
    loaded = trees_library()
    if loaded is None or saving.shape != (len(left_a), len(left_b)) or not (_is_tree(left_a) and _is_tree(left_b)):
        return None
    one, other = (np.ascontiguousarray(left, dtype=np.int64) for left in (left_a, left_b))
    amounts = np.ascontiguousarray(saving, dtype=np.float64)
    saved = np.zeros_like(amounts)
    done = loaded.beleg_trees_saved(
        one.ctypes.data, len(one), other.ctypes.data, len(other), amounts.ctypes.data, saved.ctypes.data
    )
    return float(saved[-1, -1]) if done == 0 else None


def _is_tree(left: npt.NDArray[np.int64]) -> bool:
    """Whether subtrees lie in one another or apart, all below the last node; other numbers lead out of a table."""
    open_subtrees: list[int] = []
    for node, start in enumerate(left.tolist()):
        first = node
        while open_subtrees and open_subtrees[-1] >= start:
            first = open_subtrees.pop()
        if first != start:
            return False
        open_subtrees.append(start)
    return open_subtrees == [0]


@cache
def trees_library() -> ctypes.CDLL | None:
    """The library, or nothing where it was not built, does not load, or is not wanted."""
    loaded = opened(LIBRARY, "beleg_trees_version", ABI_VERSION)
    if loaded is not None:
        loaded.beleg_trees_saved.argtypes = [
            ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p,
        ]  # fmt: skip
    return loaded
