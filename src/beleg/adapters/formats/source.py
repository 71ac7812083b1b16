"""Opening run files: plain, gzip or zstd, a file or the standard input, with a limit to what they unfold to."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from beleg.adapters.formats.files import BYTE_ORDER_MARK
from beleg.adapters.formats.limits import KIB, MAX_DECOMPRESSED_BYTES, MAX_LINE_BYTES, MIB
from beleg.core.errors import DataError, Problem, UsageError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

STDIN = "-"
HEAD_BYTES = 64 * KIB
"""What is looked at to tell the format."""
MAX_WINDOW_LOG = 27
"""The memory that a zstd archive may ask for is 2 to this power in bytes, the default of the zstd tools."""

_GZIP, _ZSTD, _SKIPPABLE = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x2a\x4d\x18"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(slots=True, eq=False)
class Source:
    """An opened file, unpacked on the way; can be read once."""

    name: str
    path: Path
    head: bytes
    """The first bytes, which ``stream`` gives again; without a byte order mark."""
    stream: BinaryIO
    is_plain: bool
    """Whether the file can be opened again and read as it is."""


@contextmanager
def opened(path: Path) -> Iterator[Source]:
    """Opens a file; its first bytes say whether it is packed, whatever its name.

    Raises:
        UsageError: if the file cannot be read.
        DataError: if it is empty, damaged, UTF-16, or unfolds to too much.
    """
    is_stdin = str(path) == STDIN
    name = "standard input" if is_stdin else str(path)
    try:
        with _raw(path, is_stdin=is_stdin) as raw:
            plain, is_packed = _unpacked(raw)
            is_plain = not is_packed and not is_stdin and path.is_file()
            capped = _Capped(plain, name)
            head = capped.peek()
            if not head:
                raise DataError(Problem(file=name, message="the file is empty", remedy="Check how it was written"))
            if head.startswith(_UTF16):
                raise DataError(Problem(file=name, line=1, message="the file is UTF-16", remedy="Save it as UTF-8"))
            yield Source(name, path, head, cast("BinaryIO", io.BufferedReader(capped, MIB)), is_plain)
    except (gzip.BadGzipFile, zlib.error, zstd.ZstdError, EOFError) as error:
        problem = Problem(file=name, message=f"the archive is damaged: {error}", remedy="Fetch or pack it again")
        raise DataError(problem) from error
    except OSError as error:
        hint = "Check the path and the rights on the file"
        raise UsageError(f"cannot read {name}: {error.strerror or error}", hint=hint) from error


@contextmanager
def _raw(path: Path, *, is_stdin: bool) -> Iterator[io.BufferedReader]:
    if not is_stdin:
        with path.open("rb") as stream:
            yield stream
        return
    # Where the standard input was closed before the start, Python has none.
    if sys.stdin is None:
        raise UsageError("there is no standard input", hint="Name a file, or pipe one in")
    stdin = sys.stdin.buffer
    yield stdin if isinstance(stdin, io.BufferedReader) else io.BufferedReader(cast("io.RawIOBase", stdin))


def _unpacked(raw: io.BufferedReader) -> tuple[BinaryIO, bool]:
    # A pipe may give its first bytes one by one, so they are read, not looked at, and put back in front.
    magic = raw.read(len(_ZSTD))
    whole = io.BufferedReader(cast("io.RawIOBase", _Joined(magic, raw)))
    if magic.startswith(_GZIP):
        return cast("BinaryIO", gzip.GzipFile(fileobj=whole)), True
    if magic.startswith(_ZSTD) or (magic[1:] == _SKIPPABLE and 0x50 <= magic[0] <= 0x5F):
        options = {int(zstd.DecompressionParameter.window_log_max): MAX_WINDOW_LOG}
        return cast("BinaryIO", zstd.ZstdFile(whole, options=options)), True
    return cast("BinaryIO", whole), False


class _Joined(io.RawIOBase):
    """First bytes that were read already, and then the stream that they came from."""

    def __init__(self, first: bytes, rest: io.BufferedReader) -> None:
        self._first = first
        self._rest = rest

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fills a buffer."""
        if not self._first:
            return self._rest.readinto(buffer)
        part, self._first = self._first[: len(buffer)], self._first[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)


class _Capped(io.RawIOBase):
    """Gives what a stream holds up to a limit, its byte order mark aside; its head can be looked at first."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self._total = 0
        self._head = b""

    def peek(self) -> bytes:
        """The first bytes."""
        while len(self._head) < HEAD_BYTES and (part := self._stream.read(HEAD_BYTES - len(self._head))):
            self._head += part
        self._head = self._head.removeprefix(BYTE_ORDER_MARK)
        return self._head

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fills a buffer."""
        if self._head:
            part, self._head = self._head[: len(buffer)], self._head[len(buffer) :]
        else:
            part = self._stream.read(len(buffer))
        self._total += len(part)
        if self._total > MAX_DECOMPRESSED_BYTES:
            message = f"the text has more than the {MAX_DECOMPRESSED_BYTES:,} bytes that are read"
            raise DataError(Problem(file=self._name, message=message, remedy="Split it by queries"))
        buffer[: len(part)] = part
        return len(part)


def lines_of(source: Source) -> Iterator[tuple[int, bytes]]:
    """The numbered lines; one that is too long comes cut to one byte more than the limit."""
    number = 0
    while data := source.stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        yield number, data
        while len(data) > MAX_LINE_BYTES and not data.endswith(b"\n") and data:
            data = source.stream.readline(MAX_LINE_BYTES + 1)
