"""The Merkle tree of a log: one hash over all entries, and short proofs about it (RFC 9162, section 2.1).

A leaf is hashed with a zero byte before it and a node with a one, so that no node passes for an entry. Everything here
takes the hashes of leaves, which `leaf_hash` gives.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

EMPTY_ROOT = hashlib.sha256(b"").digest()
"""The root of a log without entries."""

_LEAF = b"\x00"
_NODE = b"\x01"


def leaf_hash(data: bytes) -> bytes:
    """The hash of one entry.

    Example:
        >>> leaf_hash(b"").hex()[:16]
        '6e340b9cffb37a98'
    """
    return hashlib.sha256(_LEAF + data).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    r"""The root over the hashes of all leaves, in order.

    Args:
        leaves: as `leaf_hash` gives them.

    Example:
        >>> root_of([leaf_hash(b""), leaf_hash(b"\x00")]).hex()[:16]
        'fac54203e7cc696c'
    """
    if not leaves:
        return EMPTY_ROOT
    level = list(leaves)
    while len(level) > 1:
        level = _above(level)
    return level[0]


def inclusion_path(index: int, leaves: Sequence[bytes]) -> tuple[bytes, ...]:
    """The hashes that lead from one leaf to the root, the leaf's neighbour first.

    Args:
        index: which leaf, from 0.
        leaves: all leaves of the tree.

    Raises:
        IndexError: if there is no such leaf.

    Example:
        >>> path = inclusion_path(1, [leaf_hash(b"a"), leaf_hash(b"b")])
        >>> path == (leaf_hash(b"a"),)
        True
    """
    if not 0 <= index < len(leaves):
        raise IndexError(f"a tree of {len(leaves)} leaves has no leaf {index}")
    path = []
    level = list(leaves)
    while len(level) > 1:
        neighbour = index ^ 1
        if neighbour < len(level):
            path.append(level[neighbour])
        level = _above(level)
        index //= 2
    return tuple(path)


def consistency_path(first: int, leaves: Sequence[bytes]) -> tuple[bytes, ...]:
    """The hashes that show that the tree over the first leaves is a beginning of the tree over all.

    It is empty where there is nothing to show: of an empty beginning, and of the whole.

    Args:
        first: how many leaves the smaller tree has.
        leaves: all leaves of the larger one.

    Raises:
        IndexError: if the smaller tree is not the smaller one.

    Example:
        >>> consistency_path(1, [leaf_hash(b"a"), leaf_hash(b"b")]) == (leaf_hash(b"b"),)
        True
    """
    if not 0 <= first <= len(leaves):
        raise IndexError(f"a tree of {len(leaves)} leaves has no beginning of {first}")
    if first in (0, len(leaves)):
        return ()
    return tuple(_subproof(first, leaves, is_whole=True))


def verify_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Whether a path proves that a leaf stands at a place of the tree with this size and root.

    Args:
        leaf: the hash of the leaf.
        index: its place, from 0.
        size: how many leaves the tree has.
        path: as `inclusion_path` gives it; any bytes of a stranger.
        root: the root of the tree.

    Example:
        >>> a, b = leaf_hash(b"a"), leaf_hash(b"b")
        >>> verify_inclusion(b, 1, 2, [a], root_of([a, b])), verify_inclusion(b, 0, 2, [a], root_of([a, b]))
        (True, False)
    """
    if not 0 <= index < size:
        return False
    place, last = index, size - 1
    made = leaf
    for step in path:
        if last == 0:
            return False
        if place % 2 or place == last:
            made = _node(step, made)
            place, last = _up_to_odd(place, last)
        else:
            made = _node(made, step)
        place, last = place >> 1, last >> 1
    return last == 0 and made == root


def verify_consistency(first: int, second: int, first_root: bytes, second_root: bytes, path: Sequence[bytes]) -> bool:
    """Whether a path proves that nothing of a smaller tree was changed or taken away in a larger one.

    Args:
        first: how many leaves the smaller tree has.
        second: how many the larger one has.
        first_root: the root of the smaller tree.
        second_root: the root of the larger one.
        path: as `consistency_path` gives it; any bytes of a stranger.

    Example:
        >>> a, b = leaf_hash(b"a"), leaf_hash(b"b")
        >>> verify_consistency(1, 2, a, root_of([a, b]), [b]), verify_consistency(1, 2, b, root_of([a, b]), [b])
        (True, False)
    """
    if not 0 <= first <= second:
        return False
    if first == 0:
        return not path and first_root == EMPTY_ROOT
    if first == second:
        return not path and first_root == second_root
    # Of a full tree the prover leaves its root out: the verifier has it.
    steps = [first_root, *path] if first & (first - 1) == 0 else list(path)
    return bool(path) and _is_consistent(first - 1, second - 1, steps, (first_root, second_root))


def _is_consistent(place: int, last: int, steps: Sequence[bytes], roots: tuple[bytes, bytes]) -> bool:
    while place % 2:
        place, last = place >> 1, last >> 1
    before = after = steps[0]
    for step in steps[1:]:
        if last == 0:
            return False
        if place % 2 or place == last:
            before, after = _node(step, before), _node(step, after)
            place, last = _up_to_odd(place, last)
        else:
            after = _node(after, step)
        place, last = place >> 1, last >> 1
    return last == 0 and (before, after) == roots


def _up_to_odd(place: int, last: int) -> tuple[int, int]:
    """Up past the levels on which the last node has no neighbour, and is therefore handed on as it is."""
    while place and not place % 2:
        place, last = place >> 1, last >> 1
    return place, last


def _subproof(first: int, leaves: Sequence[bytes], *, is_whole: bool) -> list[bytes]:
    if first == len(leaves):
        return [] if is_whole else [root_of(leaves)]
    half = 1 << ((len(leaves) - 1).bit_length() - 1)
    if first <= half:
        return [*_subproof(first, leaves[:half], is_whole=is_whole), root_of(leaves[half:])]
    return [*_subproof(first - half, leaves[half:], is_whole=False), root_of(leaves[:half])]


def _above(level: Sequence[bytes]) -> list[bytes]:
    paired = [_node(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
    return [*paired, level[-1]] if len(level) % 2 else paired


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(_NODE + left + right).digest()
