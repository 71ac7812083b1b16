"""One compiled pass over a run file: where the judged documents stand, without a table of the run in memory."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from beleg.adapters.native.library import library
from beleg.text.packed import PAD

AHEAD_BYTES = 64
"""What the library may read behind the last line of a block."""
BLOCK_BYTES = 1 << 20
"""Text given to the library at a time; a line that does not fit makes it decline."""

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedIds:
    """The ids that are looked for; query ``i`` owns the rows from ``offsets[i]`` to ``offsets[i + 1]``."""

    queries: Sequence[str]
    offsets: IntArray
    buffer: npt.NDArray[np.uint8]
    start: IntArray
    length: npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class PassFound:
    """Judged documents that a run returned, query by query as in the file, by rank within a query."""

    judgement: IntArray
    """The row of the judged document."""
    rank: IntArray
    returned: IntArray
    """How many documents the run has for each judged query."""
    extra_queries: int
    """Queries of the run that are not judged."""
    lines: int
    tag: str


def pass_over(stream: BinaryIO, judged: JudgedIds) -> PassFound | None:
    """Reads a run to its end.

    Args:
        stream: the text, past a byte order mark if there is one.
        judged: the judged documents.

    Returns:
        What was found; nothing where there is no library, or where the text has anything that only the portable reader
        can judge: a faulty line, a repeat, a query whose rows do not stand together.
    """
    loaded = library()
    if loaded is None:
        return None
    made = _Pass(loaded, judged)
    try:
        return made.found() if made.read(stream) else None
    finally:
        made.free()


class _Pass:
    """The library's state of one pass, and the arrays that it points into."""

    def __init__(self, loaded: ctypes.CDLL, judged: JudgedIds) -> None:
        self._library = loaded
        names = "".join(judged.queries).encode("utf-8", "surrogatepass")
        lengths = [*map(len, judged.queries)]
        if sum(lengths) != len(names):
            lengths = [len(name.encode("utf-8", "surrogatepass")) for name in judged.queries]
        self._names = np.frombuffer(names + bytes(PAD), dtype=np.uint8)
        self._name_offsets = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
        self._buffer, self._start = np.ascontiguousarray(judged.buffer), np.ascontiguousarray(judged.start, np.int64)
        self._length = np.ascontiguousarray(judged.length, np.int32)
        self._offsets = np.ascontiguousarray(judged.offsets, np.int64)
        self._returned = np.zeros(len(lengths), dtype=np.int64)
        self._state = loaded.beleg_pass_new(
            int.from_bytes(os.urandom(8), "little"),
            len(lengths),
            *(
                array.ctypes.data
                for array in (
                    self._names, self._name_offsets, self._buffer, self._start, self._length, self._offsets,
                    self._returned,
                )
            ),
        )  # fmt: skip
        if not self._state:
            raise MemoryError

    def free(self) -> None:
        self._library.beleg_pass_free(self._state)

    def read(self, stream: BinaryIO) -> bool:
        """Whether the whole text was plainly in order."""
        block = bytearray(BLOCK_BYTES + AHEAD_BYTES)
        place = (ctypes.c_uint8 * len(block)).from_buffer(block)
        begins = 0
        with memoryview(block) as view:
            while got := stream.readinto(view[begins:BLOCK_BYTES]):  # type: ignore[attr-defined]
                ends = begins + got
                lines = block.rfind(b"\n", begins, ends) + 1
                if lines and self._library.beleg_pass_feed(self._state, place, lines) != 0:
                    return False
                begins = ends - lines
                if begins == BLOCK_BYTES:
                    return False
                view[:begins] = view[lines:ends]
            if begins:
                view[begins : begins + 1] = b"\n"
                if self._library.beleg_pass_feed(self._state, place, begins + 1) != 0:
                    return False
        return bool(self._library.beleg_pass_end(self._state) == 0)

    def found(self) -> PassFound:
        """What was found."""
        hits, extra, lines, tag_size = (self._library.beleg_pass_count(self._state, what) for what in range(4))
        judgement, rank = np.empty(hits, dtype=np.int64), np.empty(hits, dtype=np.int64)
        tag = np.zeros(tag_size, dtype=np.uint8)
        self._library.beleg_pass_found(self._state, *(each.ctypes.data for each in (judgement, rank, tag)))
        return PassFound(judgement, rank, self._returned, extra, lines, tag.tobytes().decode("utf-8", "replace"))
