"""Ids of queries and documents as text: whole numbers equal their decimal text, anything else is refused."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, shown

_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,18}")


def as_text(name: object, what: str, *, query: str | None = None) -> str:
    """An id as text.

    Args:
        name: text, or a whole number of Python or numpy.
        what: of what it is the id, for the error.
        query: the query that it belongs to, for the error.

    Raises:
        DataError: if it is neither.

    Example:
        >>> as_text(np.int64(7), "document")
        '7'
    """
    if isinstance(name, str):
        return str(name)
    if isinstance(name, (int, np.integer)) and not isinstance(name, bool):
        return str(int(name))
    where = "" if query is None else f" for query {shown(query)}"
    remedy = "Write ids as text or as whole numbers"
    if isinstance(name, (float, np.floating)):
        remedy += "; a column of whole numbers with gaps often turns into fractions"
    raise DataError(
        Problem(
            field=what,
            message=f"an id of type {type(name).__name__} cannot be used{where}",
            value=shown(name),
            remedy=remedy,
        )
    )


def as_whole_number(name: str) -> int | None:
    """The whole number whose decimal text a name is.

    Example:
        >>> as_whole_number("7"), as_whole_number("007")
        (7, None)
    """
    return int(name) if _WHOLE.fullmatch(name) else None


def decimal_texts(
    numbers: npt.NDArray[np.integer],
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Whole numbers as decimal text, all in one buffer.

    Returns:
        The buffer, where each text begins, and its length.

    Example:
        >>> buffer, start, length = decimal_texts(np.array([0, -70]))
        >>> [buffer[at : at + size].tobytes() for at, size in zip(start, length)]
        [b'0', b'-70']
    """
    negative = numbers < 0
    # The negative of the least number of 64 bits has no room; as an unsigned number it has.
    whole = np.where(negative, np.negative(numbers.astype(np.int64)).view(np.uint64), numbers.astype(np.uint64))
    most = int(whole.max(initial=0))
    width = len(str(most)) + 1
    # Half the bytes are divided twice as fast.
    left = whole.astype(np.uint32) if most < 1 << 32 else whole
    ten = left.dtype.type(10)
    digits = np.empty((len(left), width), dtype=np.uint8)
    length = np.ones(len(left), dtype=np.int32)
    for place in range(width - 1, 0, -1):
        rest = left // ten
        digits[:, place] = (left - rest * ten).astype(np.uint8) + ord("0")
        left = rest
        if place > 1:
            length += left > 0
    start = np.arange(1, len(left) + 1, dtype=np.int64) * width - length
    signed = np.flatnonzero(negative)
    buffer = digits.reshape(-1)
    start[signed] -= 1
    length[signed] += 1
    buffer[start[signed]] = ord("-")
    return buffer, start, length
