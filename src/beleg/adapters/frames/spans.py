"""Columns of text as spans of one buffer, from lists and numpy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.text.identifiers import decimal_texts
from beleg.text.packed import PAD

ByteArray = npt.NDArray[np.uint8]
IntArray = npt.NDArray[np.int64]
CodeArray = npt.NDArray[np.int32]

_ASCII_END = 0x80


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Texts as UTF-8 in one buffer, which goes on for `PAD` bytes or more after the last of them."""

    buffer: ByteArray
    start: IntArray
    length: CodeArray

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, row: int) -> str:
        start = int(self.start[row])
        return self.buffer[start : start + int(self.length[row])].tobytes().decode("utf-8", "replace")

    def take(self, rows: npt.NDArray[np.integer]) -> Spans:
        """The texts of some rows."""
        return Spans(self.buffer, self.start[rows], self.length[rows])


def spans_of_texts(texts: Sequence[str]) -> Spans:
    """Packs texts.

    Example:
        >>> spans_of_texts(["d1", "é"]).length.tolist()
        [2, 2]
    """
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    length = np.fromiter(map(len, encoded), np.int32, len(encoded))
    end = np.cumsum(length, dtype=np.int64)
    return Spans(np.frombuffer(b"".join(encoded) + bytes(PAD), np.uint8), end - length, length)


def spans_of_numbers(numbers: npt.NDArray[np.integer]) -> Spans:
    """Whole numbers as their decimal text.

    Example:
        >>> spans_of_numbers(np.array([7, -12]))[1]
        '-12'
    """
    buffer, start, length = decimal_texts(numbers)
    return Spans(np.concatenate((buffer, np.zeros(PAD, dtype=np.uint8))), start, length)


def spans_of_fixed(texts: npt.NDArray[np.str_]) -> Spans:
    """An array of numpy's own text type; where all of it is ASCII, no text is looked at alone.

    Example:
        >>> spans_of_fixed(np.array(["d1", "d200"]))[1]
        'd200'
    """
    width = texts.dtype.itemsize // 4
    if not width or not len(texts):
        return spans_of_texts(texts.tolist())
    points = np.ascontiguousarray(texts).view(np.uint32).reshape(len(texts), width)
    if texts.dtype.byteorder == ">" or (points >= _ASCII_END).any():
        return spans_of_texts(texts.tolist())
    buffer = np.concatenate((points.astype(np.uint8).reshape(-1), np.zeros(PAD, dtype=np.uint8)))
    # The array fills up with NUL; one inside a text belongs to it.
    filled = points[:, ::-1] != 0
    length = np.where(filled.any(axis=1), width - np.argmax(filled, axis=1), 0).astype(np.int32)
    return Spans(buffer, np.arange(len(texts), dtype=np.int64) * width, length)
