"""Lines that carry a checksum of what they hold: appended one by one, and never rewritten.

A process that is killed can leave at most one cut line at the end; it holds something that was never reported as
finished, so it is dropped. Damage anywhere else is not an accident of a kill and is refused.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from pydantic import ValidationError

from beleg.core.errors import EvidenceError
from beleg.core.model import StoredModel

Record = TypeVar("Record", bound=StoredModel)

_HEAD = b'{"check":"'
_TAIL = b"}\n"
_CHECK_CHARS = 16
_BUFFER_BYTES = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class LineKind(Generic[Record]):
    """What the lines of a file hold, and how a person is told of one that could not be written."""

    name: str
    """The key under which the record stands in its line."""
    model: type[Record]
    told: Callable[[Record], str]
    """Names a record in a message, such as ``the answer to case 'c1'``."""
    go_on: str
    """What to do when the disk has failed."""
    anew: str
    """What to do when the file is damaged and there is no copy."""
    file: str = "the journal"
    """What the file is called in a message."""

    def encode(self, record: Record) -> bytes:
        """One line."""
        body = record.model_dump_json(exclude_none=True).encode()
        return b"".join((_HEAD, _check(body), self._middle, body, _TAIL))

    def decode(self, line: bytes) -> Record | None:
        """The record of a line, or ``None`` where the line is not whole."""
        body = line[len(_HEAD) + _CHECK_CHARS + len(self._middle) : -len(_TAIL)]
        if line != b"".join((_HEAD, _check(body), self._middle, body, _TAIL)):
            return None
        return self.model.model_validate_json(body)

    @property
    def _middle(self) -> bytes:
        return f'","{self.name}":'.encode()


def _check(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest()[:_CHECK_CHARS].encode()


@dataclass(frozen=True, slots=True)
class LineContent(Generic[Record]):
    """What a file holds: whole records, and the length in bytes up to the last whole line."""

    records: tuple[Record, ...]
    whole_bytes: int
    cut_bytes: int


def read_lines(path: Path, kind: LineKind[Record]) -> LineContent[Record]:
    """Reads all whole records.

    Raises:
        EvidenceError: if a line other than the last is damaged.
    """
    records: list[Record] = []
    whole = 0
    for placed in each_line(path, kind):
        records.append(placed.record)
        whole = placed.start + placed.length
    return LineContent(tuple(records), whole, path.stat().st_size - whole)


@dataclass(frozen=True, slots=True)
class PlacedRecord(Generic[Record]):
    """A record, and where its line stands in the file, in bytes."""

    record: Record
    start: int
    length: int


def each_line(path: Path, kind: LineKind[Record]) -> Iterator[PlacedRecord[Record]]:
    """Reads whole records one by one, in order, and ends before a cut last line.

    Raises:
        EvidenceError: if a line other than the last is damaged.
    """
    start = 0
    for number, line in _lines(path):
        # The newline is the last byte of a write: only a line without one can have been cut by a kill.
        if not line.endswith(b"\n"):
            return
        yield PlacedRecord(decoded(path, number, line, kind), start, len(line))
        start += len(line)


def decoded(path: Path, number: int, line: bytes, kind: LineKind[Record]) -> Record:
    """The record of one whole line.

    Args:
        path: the file, for the message.
        number: the number of the line in it.
        line: the bytes of the line.
        kind: what it holds.

    Raises:
        EvidenceError: if it is damaged.
    """
    record = _decode_at(path, number, line, kind)
    if record is None:
        raise EvidenceError(
            f"{path}:{number}: {kind.file} is damaged",
            hint=f"Restore the file from a copy, or {kind.anew}; a damaged file is never used in part",
        )
    return record


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    # A line is longer than the usual buffer, which would put most lines together from pieces.
    with path.open("rb", buffering=_BUFFER_BYTES) as file:
        yield from enumerate(file, start=1)


def _decode_at(path: Path, number: int, line: bytes, kind: LineKind[Record]) -> Record | None:
    try:
        return kind.decode(line)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise EvidenceError(
            f"{path}:{number}: field '{place}': {first['msg']}",
            hint="The line was written by another version of Beleg; read it with that version",
        ) from error


def digest_of_whole_lines(path: Path) -> str:
    """The SHA-256 of a file without a cut last line, as ``sha256:<hex>``; the records themselves are not checked."""
    whole = hashlib.sha256()
    for _, line in _lines(path):
        if line.endswith(b"\n"):
            whole.update(line)
    return f"sha256:{whole.hexdigest()}"


class LineWriter(Generic[Record]):
    """Appends records. Each append is one write, so a kill can only cut the last line.

    A writer to which the disk has failed once is broken: it takes no more, so that nothing follows a line that may be
    cut. What was written before stays whole, and a new writer goes on from there.
    """

    def __init__(self, kind: LineKind[Record], path: Path, *, keep_bytes: int) -> None:
        self._kind = kind
        self._path = path
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        os.ftruncate(self._descriptor, keep_bytes)
        self._length = keep_bytes
        self._synced = keep_bytes
        self._broken = False
        self._closed = False
        self._syncing = threading.Lock()

    def append(self, record: Record) -> None:
        """Hands one finished record to the operating system; from here on a kill cannot lose it.

        Raises:
            EvidenceError: if the disk takes no more, or failed before.
        """
        if self._broken:
            raise self._not_written(record, "the disk failed before")
        line = self._kind.encode(record)
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError as error:
            self._broken = True
            self._remove_cut_line(error)
            raise self._not_written(record, error.strerror) from error
        self._length += len(line)

    def _not_written(self, record: Record, reason: str | None) -> EvidenceError:
        return EvidenceError(
            f"{self._path}: {self._kind.told(record)} cannot be written: {reason}",
            hint=f"Make room on the disk, then {self._kind.go_on}",
        )

    def _remove_cut_line(self, cause: OSError) -> None:
        try:
            os.ftruncate(self._descriptor, self._length)
        except OSError as error:
            # Harmless: a cut last line is dropped on resuming, and nothing is appended to it any more.
            cause.add_note(f"the cut line stays at the end of {self._path}: {error.strerror}")

    def sync(self) -> None:
        """Forces everything appended so far onto the disk, against a power cut; may be called from any thread.

        Raises:
            EvidenceError: if the disk fails; the writer is then broken.
        """
        with self._syncing:
            length = self._length
            if self._closed or self._synced == length:
                return
            try:
                os.fsync(self._descriptor)
            except OSError as error:
                self._broken = True
                raise EvidenceError(
                    f"{self._path} cannot be forced onto the disk: {error.strerror}",
                    hint=f"Check the disk, then {self._kind.go_on}",
                ) from error
            self._synced = length

    def close(self) -> None:
        """Waits for a sync that is under way in another thread, syncs and closes."""
        try:
            self.sync()
        finally:
            with self._syncing:
                if not self._closed:
                    self._closed = True
                    os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
