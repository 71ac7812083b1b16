"""The journal of a run: one line per finished trace, appended and never rewritten (R4, R8).

Each line carries a checksum of its trace. A process that is killed can leave at most one cut line at the end; that
line is a trace that was never reported as finished, so it is dropped and the case is run again. Damage anywhere else
is not an accident of a kill and is refused.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import ValidationError

from beleg.core.errors import EvidenceError
from beleg.core.trace import Trace

_HEAD = b'{"check":"'
_MIDDLE = b'","trace":'
_TAIL = b"}\n"
_CHECK_CHARS = 16
_BODY_START = len(_HEAD) + _CHECK_CHARS + len(_MIDDLE)


def encode(trace: Trace) -> bytes:
    """One journal line."""
    body = trace.model_dump_json(exclude_none=True).encode()
    return b"".join((_HEAD, _check(body), _MIDDLE, body, _TAIL))


def _check(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest()[:_CHECK_CHARS].encode()


def _decode(line: bytes) -> Trace | None:
    """The trace of a line, or ``None`` where the line is not whole."""
    body = line[_BODY_START : -len(_TAIL)]
    if line != b"".join((_HEAD, _check(body), _MIDDLE, body, _TAIL)):
        return None
    return Trace.model_validate_json(body)


@dataclass(frozen=True, slots=True)
class JournalContent:
    """What a journal holds: whole traces, and the length in bytes up to the last whole line."""

    traces: tuple[Trace, ...]
    whole_bytes: int
    cut_bytes: int


def read(path: Path) -> JournalContent:
    """Reads all whole traces of a journal.

    Raises:
        EvidenceError: if a line other than the last is damaged, or a case was recorded twice.
    """
    traces: list[Trace] = []
    whole = 0
    for number, line in _lines(path):
        # The newline is the last byte of a write: only a line without one can have been cut by a kill.
        if not line.endswith(b"\n"):
            break
        trace = _decode_at(path, number, line)
        if trace is None:
            raise EvidenceError(
                f"{path}:{number}: the journal is damaged",
                hint="Restore the file from a copy, or start a new run; a damaged journal is never used in part",
            )
        traces.append(trace)
        whole += len(line)
    _refuse_repeats(path, traces)
    return JournalContent(tuple(traces), whole, path.stat().st_size - whole)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as file:
        yield from enumerate(file, start=1)


def _decode_at(path: Path, number: int, line: bytes) -> Trace | None:
    try:
        return _decode(line)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise EvidenceError(
            f"{path}:{number}: field '{place}': {first['msg']}",
            hint="The line was written by another version of Beleg; read it with that version",
        ) from error


def _refuse_repeats(path: Path, traces: list[Trace]) -> None:
    seen: set[tuple[str, int]] = set()
    for trace in traces:
        key = (trace.case_id, trace.repeat)
        if key in seen:
            raise EvidenceError(f"{path}: case {trace.case_id!r} repeat {trace.repeat} was recorded twice")
        seen.add(key)


def digest_of_whole_lines(path: Path) -> str:
    """The SHA-256 of a journal without a cut last line, as ``sha256:<hex>``; the traces themselves are not checked."""
    whole = hashlib.sha256()
    for _, line in _lines(path):
        if line.endswith(b"\n"):
            whole.update(line)
    return f"sha256:{whole.hexdigest()}"


class JournalWriter:
    """Appends traces. Each append is one write, so a kill can only cut the last line.

    A writer to which the disk has failed once is broken: it takes no more, so that nothing follows a line that may be
    cut. What was written before stays whole, and a new writer goes on from there.
    """

    def __init__(self, path: Path, *, keep_bytes: int) -> None:
        self._path = path
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        os.ftruncate(self._descriptor, keep_bytes)
        self._length = keep_bytes
        self._synced = keep_bytes
        self._broken = False
        self._closed = False
        self._syncing = threading.Lock()

    def append(self, trace: Trace) -> None:
        """Hands one finished trace to the operating system; from here on a kill cannot lose it.

        Raises:
            EvidenceError: if the disk takes no more, or failed before.
        """
        if self._broken:
            raise self._not_written(trace, "the disk failed before")
        line = encode(trace)
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError as error:
            self._broken = True
            self._remove_cut_line(error)
            raise self._not_written(trace, error.strerror) from error
        self._length += len(line)

    def _not_written(self, trace: Trace, reason: str | None) -> EvidenceError:
        return EvidenceError(
            f"{self._path}: the answer to case {trace.case_id!r} cannot be written: {reason}",
            hint="Make room on the disk, then finish the run with --resume; the cases written before are kept",
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
                    hint="Check the disk, then finish the run with --resume on a disk that works",
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
