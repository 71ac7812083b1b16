"""Finding many names among others, by hash and then by name."""

from __future__ import annotations

import numpy as np

from beleg.metrics.ranking_runs.table import IntArray, Names


def places_in(known: Names, names: Names) -> IntArray:
    """Where each name stands among known ones, -1 where it does not.

    Args:
        known: names, each once.
        names: what to look up.

    Example:
        >>> places_in(Names.of(["a", "b"]), Names.of(["b", "x", "b"])).tolist()
        [1, -1, 1]
    """
    if not len(known):
        return np.full(len(names), -1, dtype=np.int64)
    hashes, wanted = known.fingerprints(), names.fingerprints()
    order = np.argsort(hashes)
    ordered = hashes[order]
    at = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    place = np.where(ordered[at] == wanted, order[at], -1)
    found = np.flatnonzero(place >= 0)
    is_unique = not (ordered[1:] == ordered[:-1]).any()
    if is_unique and known.take(place[found]).equal_to(names.take(found)):
        return place
    # Two different names have one hash: only comparing the names themselves tells them apart.
    by_name = {known[row]: row for row in range(len(known))}
    return np.array([by_name.get(names[row], -1) for row in range(len(names))], dtype=np.int64)


def first_of_each(names: Names) -> tuple[IntArray, IntArray]:
    """The rows with names that did not stand before, ascending, and for every row which of those names it has.

    Example:
        >>> rows, number = first_of_each(Names.of(["b", "a", "b"]))
        >>> rows.tolist(), number.tolist()
        ([0, 1], [0, 1, 0])
    """
    _, first, number = np.unique(names.fingerprints(), return_index=True, return_inverse=True)
    if not names.take(first[number]).equal_to(names):
        seen: dict[bytes, int] = {}
        rows = [seen.setdefault(names[row], row) for row in range(len(names))]
        first, number = np.unique(np.array(rows, dtype=np.int64), return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return first[order].astype(np.int64), rank[number]
