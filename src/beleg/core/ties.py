"""Which items hang together through shared ties: cases of one session or one source are not independent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def tied_groups(ties: Sequence[Sequence[str]]) -> npt.NDArray[np.intp]:
    """Numbers the groups of items that hang together through a shared tie, over any chain, by first occurrence.

    Example:
        >>> tied_groups([["a"], ["a", "b"], ["c"], ["b"]]).tolist()
        [0, 0, 1, 0]
    """
    parent = list(range(len(ties)))

    def root(item: int) -> int:
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    first_with: dict[str, int] = {}
    for item, labels in enumerate(ties):
        for label in labels:
            one, other = sorted((root(item), root(first_with.setdefault(label, item))))
            parent[other] = one
    numbers: dict[int, int] = {}
    return np.array([numbers.setdefault(root(item), len(numbers)) for item in range(len(ties))], dtype=np.intp)


def number_of_groups(ties: Sequence[Sequence[str]]) -> int:
    """How many groups `tied_groups` finds.

    Example:
        >>> number_of_groups([["a"], ["b"], ["a"], []])
        3
    """
    return len(np.unique(tied_groups(ties)))
