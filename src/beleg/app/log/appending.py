"""Entering documents into a decision log: what they are is read from them, and nothing is sent anywhere (P5)."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from beleg.adapters.formats.files import require_file
from beleg.adapters.stores.decision_log import StoredLog, append_lines, create_log, read_log
from beleg.app.safe import visible
from beleg.app.verifying import MAX_ENVELOPE_BYTES
from beleg.core.attestation import DECISION_TYPE, OVERRIDE_TYPE, PAYLOAD_TYPE, TRUST_PAYLOAD_TYPE, VSA_TYPE, Statement
from beleg.core.decision_log import LogEntry, LogKind
from beleg.core.errors import DataError, Problem, UsageError
from beleg.release.canonical import parse_canonical, read_as
from beleg.release.checkpoints import require_origin
from beleg.release.merkle import leaf_hash
from beleg.release.opening import open_envelope
from beleg.run.folder import make_folder

PACK_SUFFIX = ".zip"

_KINDS = {DECISION_TYPE: LogKind.DECISION, OVERRIDE_TYPE: LogKind.OVERRIDE, VSA_TYPE: LogKind.SUMMARY}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """A document with its place in the log."""

    index: int
    entry: LogEntry
    is_new: bool
    """Whether it was not there before."""
    dropped_bytes: int
    """What a writer that was killed had left of a line at the end."""


def enter_files(
    log: Path, files: Sequence[Path], *, kind: LogKind | None = None, origin: str | None = None
) -> tuple[Entered, ...]:
    """Enters files into a log, which is made where there is none.

    Args:
        log: the file of the log.
        files: envelopes, audit packs, or with a kind any document.
        kind: what they are; read from them where it is left out.
        origin: the name of a new log; a random one where it is left out.

    Raises:
        UsageError: if a file cannot be read, or the log has another name.
        DataError: if it cannot be told what a file is.
        EvidenceError: if the log is damaged or cannot be written.
    """
    if not files:
        raise UsageError("no file is named", hint="Name what is to be entered, such as RUN/decision/decision.dsse.json")
    found = [_entry(path, kind) for path in files]
    _open(log, origin)
    return _enter(log, found)


def enter_documents(log: Path, documents: Mapping[str, bytes]) -> tuple[Entered, ...]:
    """Enters signed documents that are about to be written, by the names of their files.

    Raises:
        UsageError: if the log cannot be written.
        DataError: if it cannot be told what a document is.
        EvidenceError: if the log is damaged or the disk takes no more.
    """
    found = [(_described(name, data, _kind_of(data, Path(name))), data) for name, data in documents.items()]
    _open(log, None)
    return _enter(log, found)


def stored_log(log: Path) -> StoredLog:
    """All entries of a log.

    Raises:
        UsageError: if there is no such file.
        EvidenceError: if it is no log, or damaged.
    """
    return read_log(log, leaf_hash)


def _open(log: Path, origin: str | None) -> None:
    if origin is not None:
        require_origin(origin)
    if not log.exists():
        make_folder(log.parent)
        try:
            create_log(log, origin or f"beleg-log-{secrets.token_hex(8)}")
        except UsageError:
            # Another process was first; its log is taken. Where it is another fault, reading tells.
            if not log.exists():
                raise
    named = stored_log(log).origin if origin is not None else None
    if named != origin:
        raise UsageError(
            f"{log} is the log {visible(named or '')}, not {origin}", hint="Name another file, or no origin"
        )


def _enter(log: Path, documents: Sequence[tuple[LogEntry, bytes | None]]) -> tuple[Entered, ...]:
    places, before = append_lines(log, documents, leaf_hash)
    seen: set[int] = set(range(len(before.lines)))
    entered = []
    for place, (entry, _) in zip(places, documents, strict=True):
        is_new = place not in seen
        seen.add(place)
        known = before.lines[place].entry if place < len(before.lines) else entry
        dropped = before.cut_bytes if place >= len(before.lines) else 0
        entered.append(Entered(index=place, entry=known, is_new=is_new, dropped_bytes=dropped))
    return tuple(entered)


def _entry(path: Path, kind: LogKind | None) -> tuple[LogEntry, bytes | None]:
    if kind is LogKind.PACK or (kind is None and path.suffix.lower() == PACK_SUFFIX):
        return _pack(path), None
    require_file(path, MAX_ENVELOPE_BYTES)
    data = path.read_bytes()
    if b"PRIVATE KEY" in data:
        raise DataError(
            Problem(
                file=str(path),
                message="this is a private key, and a log is copied around",
                remedy="Keep it to yourself",
            )
        )
    return _described(path.name, data, kind or _kind_of(data, path)), data


def _described(name: str, data: bytes, kind: LogKind) -> LogEntry:
    return LogEntry(
        kind=kind,
        name=_name(name),
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        at=datetime.now(UTC),
    )


def _pack(path: Path) -> LogEntry:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", hint="Check the path and the rights on it") from error
    return LogEntry(kind=LogKind.PACK, name=_name(path.name), sha256=digest, size=size, at=datetime.now(UTC))


def _name(name: str) -> str:
    return visible(name.encode("utf-8", "backslashreplace").decode("utf-8"))[:200]


def _kind_of(data: bytes, path: Path) -> LogKind:
    """What an envelope holds; whose signatures it bears is not looked at."""
    kind = _kind_in(data)
    if kind is None:
        raise DataError(
            Problem(
                file=str(path),
                message="it cannot be told what this is: no decision, override, trust file or audit pack",
                remedy="Name a signed file, or say what it is with --kind",
            )
        )
    return kind


def _kind_in(data: bytes) -> LogKind | None:
    try:
        opened = open_envelope(data)
        if opened.payload_type == TRUST_PAYLOAD_TYPE:
            return LogKind.TRUST
        statement = read_as(Statement, parse_canonical(opened.payload))
    except DataError:
        return None
    return _KINDS.get(statement.predicate_type) if opened.payload_type == PAYLOAD_TYPE else None
