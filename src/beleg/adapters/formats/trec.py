"""Reads whole files of runs and relevance judgements in the format of TREC."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from beleg.adapters.formats.files import BYTE_ORDER_MARK
from beleg.adapters.formats.limits import GIB, KIB, MIB
from beleg.adapters.formats.source import STDIN, opened
from beleg.adapters.formats.trec_lines import MAX_LINE_BYTES, Kind, LineReader, TrecColumns
from beleg.core.errors import DataError, Problem
from beleg.text.packed import PAD

MAX_FILE_BYTES = 16 * GIB
CHUNK_BYTES = 512 * KIB
"""Text worked on at a time, so that all columns of a chunk stay in the cache of the processor."""

_NEWLINE = 10


def read_trec(path: Path, kind: Kind, *, lenient: bool = False, stream: BinaryIO | None = None) -> TrecColumns:
    """Reads a file of judgements or a run; plain, gzip or zstd, ``-`` is the standard input.

    Fields are separated by spaces or tabs, one or more. Lines may end in CR LF, a byte order mark is skipped, blank
    lines and lines whose first field is ``#`` carry nothing. A run may hold spaces in its name, the last field. The
    rank and the iteration are not used.

    Args:
        path: the file.
        kind: what it holds.
        lenient: leave out lines that cannot be read, and count them, instead of refusing the file.
        stream: what the file holds, where it is open already and unpacked on the way.

    Raises:
        UsageError: if there is no such file.
        DataError: naming the first faulty lines, or if the file is empty or too large.
    """
    name = "standard input" if str(path) == STDIN else str(path)
    buffer, begin, end = _load(path, name, stream)
    reading = LineReader(name, buffer, kind)
    if reading.took_at_once(begin, end):
        return reading.columns()
    for low, high in chunks(buffer, begin, end, CHUNK_BYTES):
        reading.take(low, high)
        if reading.faults and not lenient:
            raise DataError(reading.problems())
    return reading.columns()


def _load(path: Path, name: str, stream: BinaryIO | None) -> tuple[bytearray, int, int]:
    """The text between its pads, ending in a line break, and where it begins and ends."""
    if stream is not None:
        buffer = _collected(stream, name)
    else:
        with opened(path) as source:
            buffer = _read_whole(path, name) if source.is_plain else _collected(source.stream, name)
    begin = PAD + len(BYTE_ORDER_MARK) if buffer.startswith(BYTE_ORDER_MARK, PAD) else PAD
    if buffer[-1] != _NEWLINE:
        buffer += b"\n"
    end = len(buffer)
    buffer += bytes(PAD)
    return buffer, begin, end


def _read_whole(path: Path, name: str) -> bytearray:
    size = path.stat().st_size
    require_size(size, MAX_FILE_BYTES, name)
    buffer = bytearray(PAD + size)
    with path.open("rb", buffering=0) as file, memoryview(buffer) as view:
        at = PAD
        while read := file.readinto(view[at:]):
            at += read
    del buffer[at:]
    return buffer


def _collected(stream: BinaryIO, name: str) -> bytearray:
    buffer, total = bytearray(PAD), 0
    while part := stream.read(MIB):
        buffer += part
        total += len(part)
        require_size(total, MAX_FILE_BYTES, name)
        if not cut_endless_line(stream, buffer):
            break
    return buffer


def cut_endless_line(stream: BinaryIO, text: bytearray) -> bool:
    """Cuts a last line that is too long already, and reads on to its end without keeping it; whether more may follow.

    What is left of the line is still too long, so that it is counted and named as such.
    """
    start = max(text.rfind(b"\n", PAD) + 1, PAD)
    if len(text) - start <= MAX_LINE_BYTES:
        return True
    del text[start + MAX_LINE_BYTES + 1 :]
    skipped = 0
    while part := stream.read(MIB):
        at = part.find(b"\n")
        if at >= 0:
            text += part[at:]
            return True
        skipped += len(part)
        if skipped > MAX_FILE_BYTES:
            return False
    return False


def require_size(size: int, max_bytes: int, name: str) -> None:
    """Refuses a text that is too large.

    Raises:
        DataError: if it is.
    """
    if size > max_bytes:
        message = f"the text has more than the {max_bytes:,} bytes that are read"
        raise DataError(Problem(file=name, message=message, remedy="Split it by queries"))


def chunks(buffer: bytearray, begin: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """Spans of whole lines, of about a size."""
    low = begin
    while low < end:
        high = buffer.rfind(b"\n", low, min(low + size, end)) + 1
        if high == 0:
            high = buffer.find(b"\n", low) + 1
        yield low, high
        low = high
