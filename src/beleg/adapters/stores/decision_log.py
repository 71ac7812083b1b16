"""The decision log in one file that only grows: a line for each entry, on the disk before anybody goes on.

Every process takes its turn under a lock and appends in one write. A process that is killed leaves at most whole lines
and one cut line at the end, of which nobody was told; the next writer removes the cut one. Damage anywhere else is
refused.
"""

from __future__ import annotations

import base64
import fcntl
import hashlib
import json
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from beleg.adapters.formats.atomic import create_bytes
from beleg.core.decision_log import LogEntry, LogHead, LogLine
from beleg.core.digest import canonical_json
from beleg.core.errors import EvidenceError, UsageError

MAX_LOG_BYTES = 1 << 30
RESTORE = "Restore the log from a copy; a damaged log is neither read in part nor added to"

LeafHash = Callable[[bytes], bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredLog:
    """What a log file holds.

    Attributes:
        origin: the name of the log.
        lines: the entries in order.
        leaves: their hashes.
        cut_bytes: bytes of a last line that was never finished.
    """

    origin: str
    lines: tuple[LogLine, ...]
    leaves: tuple[bytes, ...]
    cut_bytes: int


def create_log(path: Path, origin: str) -> None:
    """Makes a log without entries; of several processes one does, and nothing is overwritten.

    Raises:
        UsageError: if the file cannot be made, or is there already with another origin.
    """
    create_bytes(path, canonical_json(LogHead(origin=origin).to_json_dict()) + b"\n")


def read_log(path: Path, leaf_hash: LeafHash) -> StoredLog:
    """Reads all entries, each checked against its own hash and digest.

    Args:
        path: the file.
        leaf_hash: the hash of an entry in the tree.

    Raises:
        UsageError: if there is no such file.
        EvidenceError: if it is no log, or a line is damaged.
    """
    with _locked(path, os.O_RDONLY, fcntl.LOCK_SH) as descriptor:
        return _parsed(path, _all_of(descriptor), leaf_hash)


def append_lines(
    path: Path, documents: Sequence[tuple[LogEntry, bytes | None]], leaf_hash: LeafHash
) -> tuple[tuple[int, ...], StoredLog]:
    """Appends entries and returns their places once they are on the disk.

    A document that is there already under the same kind is not entered twice: its place is given.

    Args:
        path: the file, which is there.
        documents: each entry, with the document where it is kept in the log.
        leaf_hash: the hash of an entry in the tree.

    Returns:
        The places of the entries from 0, and the log as it was before.

    Raises:
        UsageError: if there is no such file or it cannot be written.
        EvidenceError: if it is damaged, or the disk takes no more.
    """
    with _locked(path, os.O_RDWR | os.O_APPEND, fcntl.LOCK_EX) as descriptor:
        data = _all_of(descriptor)
        before = _parsed(path, data, leaf_hash)
        places = {(line.entry.sha256, line.entry.kind): place for place, line in enumerate(before.lines)}
        added: list[bytes] = []
        found = []
        for entry, content in documents:
            place = places.setdefault((entry.sha256, entry.kind), len(places))
            if place == len(before.lines) + len(added):
                added.append(_encoded(_made(entry, content, leaf_hash)))
            found.append(place)
        if added:
            _write(path, descriptor, len(data) - before.cut_bytes, b"".join(added))
        return tuple(found), before


def _made(entry: LogEntry, content: bytes | None, leaf_hash: LeafHash) -> LogLine:
    kept = None if content is None else base64.b64encode(content).decode("ascii")
    return LogLine(entry=entry, leaf=leaf_hash(entry.leaf).hex(), content=kept)


def _write(path: Path, descriptor: int, whole_bytes: int, line: bytes) -> None:
    os.ftruncate(descriptor, whole_bytes)
    rest = memoryview(line)
    try:
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    except OSError as error:
        os.ftruncate(descriptor, whole_bytes)
        raise EvidenceError(
            f"{path}: the entry cannot be written: {error.strerror}", hint="Make room on the disk, then enter it again"
        ) from error


def _parsed(path: Path, data: bytes, leaf_hash: LeafHash) -> StoredLog:
    whole, _, cut = data.rpartition(b"\n")
    head, *rest = whole.split(b"\n")
    try:
        origin = LogHead.model_validate_json(head).origin
    except ValidationError as error:
        raise EvidenceError(f"{path} is no decision log", hint="Make one with: beleg log append") from error
    lines = tuple(_line(path, number, line, leaf_hash) for number, line in enumerate(rest, start=2))
    leaves = tuple(bytes.fromhex(line.leaf) for line in lines)
    return StoredLog(origin=origin, lines=lines, leaves=leaves, cut_bytes=len(cut))


def _line(path: Path, number: int, data: bytes, leaf_hash: LeafHash) -> LogLine:
    try:
        line = LogLine.model_validate_json(data)
    except ValidationError as error:
        raise EvidenceError(f"{path}:{number}: the line is no entry of a log", hint=RESTORE) from error
    if _encoded(line) != data + b"\n" or leaf_hash(line.entry.leaf).hex() != line.leaf:
        raise EvidenceError(f"{path}:{number}: the entry is not what was entered", hint=RESTORE)
    if line.content is not None and _digest_of(line.content) != line.entry.sha256:
        raise EvidenceError(f"{path}:{number}: the document beside the entry is another one", hint=RESTORE)
    return line


def _digest_of(content: str) -> str | None:
    try:
        return hashlib.sha256(base64.b64decode(content, validate=True)).hexdigest()
    except ValueError:
        return None


def _encoded(line: LogLine) -> bytes:
    # The digests need one form of an entry, and entries have it; for the line around it sorted keys are enough.
    return json.dumps(line.to_json_dict(), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def _all_of(descriptor: int) -> bytes:
    with os.fdopen(os.dup(descriptor), "rb") as file:
        file.seek(0)
        return file.read()


@contextmanager
def _locked(path: Path, flags: int, lock: int) -> Iterator[int]:
    try:
        descriptor = os.open(path, flags | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise UsageError(
            f"cannot open the log {path}: {error.strerror}", hint="Check the path and its rights"
        ) from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_LOG_BYTES:
            raise UsageError(f"{path} is no decision log", hint="Name the file that 'beleg log append' made")
        fcntl.flock(descriptor, lock)
        yield descriptor
    finally:
        os.close(descriptor)
