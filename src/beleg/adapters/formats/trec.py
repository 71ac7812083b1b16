"""Reads whole files of runs and relevance judgements in the format of TREC."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from beleg.adapters.formats.files import BYTE_ORDER_MARK
from beleg.adapters.formats.limits import GIB, KIB, MAX_DECOMPRESSED_BYTES, MIB
from beleg.adapters.formats.trec_lines import Kind, LineReader, TrecColumns
from beleg.core.errors import DataError, Problem, UsageError
from beleg.text.packed import PAD

MAX_FILE_BYTES = 16 * GIB
CHUNK_BYTES = 512 * KIB
"""Text worked on at a time, so that all columns of a chunk stay in the cache of the processor."""
STDIN = "-"

_NEWLINE = 10
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read_trec(path: Path, kind: Kind, *, lenient: bool = False, stream: BinaryIO | None = None) -> TrecColumns:
    """Reads a file of judgements or a run; plain or gzip, ``-`` is the standard input.

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
    for low, high in chunks(buffer, begin, end, CHUNK_BYTES):
        reading.take(low, high)
        if reading.faults and not lenient:
            raise DataError(reading.problems())
    return reading.columns()


def _load(path: Path, name: str, stream: BinaryIO | None) -> tuple[bytearray, int, int]:
    """The text between its pads, ending in a line break, and where it begins and ends."""
    buffer = bytearray(PAD)
    try:
        if stream is not None:
            _append(stream, buffer, MAX_DECOMPRESSED_BYTES, name)
        elif str(path) == STDIN:
            _append(sys.stdin.buffer, buffer, MAX_DECOMPRESSED_BYTES, name)
        elif path.suffix == ".gz":
            with gzip.open(path) as unpacked:
                _append(unpacked, buffer, MAX_DECOMPRESSED_BYTES, name)  # type: ignore[arg-type]
        elif path.is_file():
            buffer = _read_whole(path, name)
        else:
            with path.open("rb") as piped:
                _append(piped, buffer, MAX_DECOMPRESSED_BYTES, name)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        problem = Problem(file=name, message=f"the archive is damaged: {error}", remedy="Fetch or pack it again")
        raise DataError(problem) from error
    except OSError as error:
        hint = "Check the path and the rights on the file"
        raise UsageError(f"cannot read {name}: {error.strerror}", hint=hint) from error
    begin = PAD + len(BYTE_ORDER_MARK) if buffer.startswith(BYTE_ORDER_MARK, PAD) else PAD
    if buffer.startswith(_UTF16, PAD):
        raise DataError(Problem(file=name, line=1, message="the file is UTF-16", remedy="Save it as UTF-8"))
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


def _append(stream: BinaryIO, buffer: bytearray, max_bytes: int, name: str) -> None:
    while part := stream.read(MIB):
        buffer += part
        require_size(len(buffer) - PAD, max_bytes, name)


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
