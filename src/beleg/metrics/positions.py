"""Where in a delivered context a passage stands: its rank, and the third that it lies in."""

from __future__ import annotations

from enum import StrEnum

SHORTEST = 3
"""Contexts of fewer passages have no begin, middle and end that could be told apart."""


class Third(StrEnum):
    """A third of a delivered context."""

    BEGIN = "begin"
    MIDDLE = "middle"
    END = "end"


THIRDS: tuple[Third, ...] = tuple(Third)


def third_of(rank: int, total: int) -> Third | None:
    """The third of a context in which the passage at a rank stands.

    Formula: the middle of the passage, (rank - 1/2) / total, lies below 1/3, below 2/3, or above. The first passage is
    always in the begin and the last one in the end, and the thirds differ by one passage at most.

    Args:
        rank: from 1 on.
        total: how many passages were delivered.

    Returns:
        The third; ``None`` for a context of fewer than 3 passages.

    Example:
        >>> [str(third_of(rank, 5)) for rank in range(1, 6)]
        ['begin', 'begin', 'middle', 'end', 'end']
        >>> third_of(1, 2) is None
        True
    """
    if total < SHORTEST:
        return None
    place = 6 * rank - 3
    if place < 2 * total:
        return Third.BEGIN
    return Third.MIDDLE if place < 4 * total else Third.END
