"""Reads a run in blocks of whole queries, so that memory does not grow with the file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from beleg.adapters.formats.files import BYTE_ORDER_MARK
from beleg.adapters.formats.limits import MIB
from beleg.adapters.formats.source import opened
from beleg.adapters.formats.trec import CHUNK_BYTES, MAX_FILE_BYTES, chunks, cut_endless_line, require_size
from beleg.adapters.formats.trec_lines import LineReader, TrecColumns
from beleg.core.errors import DataError
from beleg.text.packed import PAD

BLOCK_BYTES = 4 * MIB
_PROBE_BYTES = 4096


@contextmanager
def opened_text(path: Path) -> Iterator[BinaryIO]:
    """The text of a file from behind its byte order mark on, unpacked where it is packed.

    Raises:
        UsageError: if the file cannot be read.
        DataError: if it is empty or damaged.
    """
    with opened(path) as source:
        if not source.is_plain:
            yield source.stream
            return
    with path.open("rb", buffering=0) as stream:
        if stream.read(len(BYTE_ORDER_MARK)) != BYTE_ORDER_MARK:
            stream.seek(0)
        yield cast("BinaryIO", stream)


def stream_run(stream: BinaryIO, name: str, *, lenient: bool = False) -> Iterator[TrecColumns]:
    """Reads a run block by block; the last rows of a block belong to a query that is whole in it.

    A query whose rows do not stand together may come back in a later block; that is for the caller to see.

    Args:
        stream: the text.
        name: the name of the file, for messages.
        lenient: leave out lines that cannot be read, and count them.

    Yields:
        The columns of each block that has any row or left any line out.

    Raises:
        DataError: naming the first faulty lines, or if the text is too large.
    """
    carried, wanted, lines_before, total, more = b"", BLOCK_BYTES, 0, 0, True
    while more:
        text = bytearray(PAD)
        text += carried
        more = _fill(stream, text, PAD + wanted) and cut_endless_line(stream, text)
        require_size(total + len(text), MAX_FILE_BYTES, name)
        if not more and text[-1:] != b"\n":
            text += b"\n"
        cut = _start_of_last_query(text) if more else len(text)
        carried = bytes(text[cut:])
        # A query that fills the block needs a larger one.
        wanted = BLOCK_BYTES if cut > PAD else 2 * wanted
        if cut == PAD:
            continue
        del text[cut:]
        lines = text.count(b"\n")
        total += cut
        text += bytes(PAD)
        reader = LineReader(name, text, "run", lines_before=lines_before)
        for low, high in chunks(text, PAD, cut, CHUNK_BYTES):
            reader.take(low, high)
            if reader.faults and not lenient:
                raise DataError(reader.problems())
        lines_before += lines
        if reader.first_line is not None:
            yield reader.columns()
        elif reader.dropped:
            yield reader.no_columns()


def _fill(stream: BinaryIO, text: bytearray, size: int) -> bool:
    """Reads until the text has a size; whether there may be more."""
    while len(text) < size:
        part = stream.read(size - len(text))
        if not part:
            return False
        text += part
    return True


def _start_of_last_query(text: bytearray) -> int:
    """Where the rows of the query begin that the last whole line belongs to, if the rows of a query stand together."""
    end = text.rfind(b"\n", PAD) + 1
    if not end:
        return PAD
    same = _line_start(text, end - 1)
    wanted = _query(text, same)
    step = _PROBE_BYTES
    while same > PAD:
        probe = _line_start(text, max(PAD, same - step))
        if _query(text, probe) != wanted:
            while _query(text, probe) != wanted:
                probe = text.find(b"\n", probe) + 1
            return probe
        same, step = probe, 2 * step
    return PAD


def _line_start(text: bytearray, place: int) -> int:
    return max(text.rfind(b"\n", PAD, place) + 1, PAD)


def _query(text: bytearray, start: int) -> bytes:
    first = text[start : text.find(b"\n", start)].split(None, 1)[:1]
    return bytes(first[0]) if first else b""
