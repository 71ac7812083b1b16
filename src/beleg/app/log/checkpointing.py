"""Checkpoints of a decision log: signed only if they contradict none before, and held against the log later (P5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from beleg.adapters.formats.atomic import create_bytes
from beleg.adapters.formats.files import require_file
from beleg.adapters.signing.note_keys import verifies
from beleg.adapters.stores.decision_log import StoredLog
from beleg.app.key_files import read_public_key
from beleg.app.log.appending import stored_log
from beleg.app.signers import open_note_signer
from beleg.core.decision_log import LogEntry
from beleg.core.errors import EvidenceError, UsageError
from beleg.release.checkpoints import Checkpoint, parse_checkpoint, sign_checkpoint, verified_checkpoint
from beleg.release.merkle import consistency_path, root_of, verify_consistency
from beleg.release.notes import MAX_NOTE_BYTES, NoteKey, parse_note
from beleg.release.public_keys import ed25519_bytes
from beleg.run.folder import make_folder

SUFFIX = ".checkpoint"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenCheckpoint:
    """A signed checkpoint, and where it stands."""

    checkpoint: Checkpoint
    path: Path
    verifier: str
    """The key in the one line that other tools take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedLog:
    """A log whose every line is what was entered, held against what was known of it."""

    checkpoint: Checkpoint
    """Its state now; nobody has signed it."""
    entries: tuple[LogEntry, ...]
    against: tuple[Checkpoint, ...]
    """The earlier states that are a beginning of it."""
    signed: bool
    """Whether the signatures of those were checked."""
    without_document: int
    """Entries whose document is not kept in the log: packs, and what was erased."""
    cut_bytes: int
    """Bytes of a last line that was never finished."""


def write_checkpoint(log: Path, key: str, out: Path | None = None) -> WrittenCheckpoint:
    """Signs how many entries a log has and what their root is; the file is new.

    A log that contradicts a checkpoint beside it is not signed: two such signatures would be a lie.

    Args:
        log: the file of the log.
        key: where the Ed25519 key is.
        out: where the checkpoint goes; beside the log, with the number of entries, where it is left out.

    Raises:
        UsageError: if the log or the key cannot be used, or another file is there.
        DataError: if the key is none of Ed25519, or a checkpoint beside the log is none.
        EvidenceError: if the log is damaged or contradicts a checkpoint beside it.
    """
    stored = stored_log(log)
    for path in checkpoints_beside(log):
        require_beginning(read_checkpoint(path), stored, path)
    signer = open_note_signer(key)
    public_key = ed25519_bytes(signer.public_key)
    checkpoint = state_of(stored)
    note = sign_checkpoint(checkpoint, public_key, signer.sign_bytes).render().encode()
    verified_checkpoint(note, public_key, verifies)
    path = out or log.with_name(f"{log.name}.{checkpoint.size}{SUFFIX}")
    make_folder(path.parent)
    create_bytes(path, note)
    return WrittenCheckpoint(checkpoint=checkpoint, path=path, verifier=NoteKey(checkpoint.origin, public_key).verifier)


def verify_log(log: Path, against: Sequence[Path] = (), key: Path | None = None) -> VerifiedLog:
    """Checks every line of a log, and that earlier checkpoints are a beginning of it.

    Args:
        log: the file of the log.
        against: checkpoints that were kept elsewhere.
        key: the public half of the log's key; without it the checkpoints are believed as they are.

    Raises:
        UsageError: if a file cannot be read, or a key is given without a checkpoint.
        DataError: if a checkpoint is none or the key has not signed it.
        EvidenceError: if the log is damaged, or a checkpoint is no beginning of it.
    """
    if key is not None and not against:
        raise UsageError("a key verifies checkpoints, and none is named", hint="Name one with --against")
    public_key = ed25519_bytes(read_public_key(key)) if key is not None else None
    stored = stored_log(log)
    known = tuple(read_checkpoint(path, public_key) for path in against)
    for checkpoint, path in zip(known, against, strict=True):
        require_beginning(checkpoint, stored, path)
    return VerifiedLog(
        checkpoint=state_of(stored),
        entries=tuple(line.entry for line in stored.lines),
        against=known,
        signed=public_key is not None,
        without_document=sum(line.content is None for line in stored.lines),
        cut_bytes=stored.cut_bytes,
    )


def state_of(stored: StoredLog, size: int | None = None) -> Checkpoint:
    """How a log stands, or stood when it had fewer entries."""
    leaves = stored.leaves if size is None else stored.leaves[:size]
    return Checkpoint(stored.origin, len(leaves), root_of(leaves))


def read_checkpoint(path: Path, public_key: bytes | None = None) -> Checkpoint:
    """A checkpoint in a file.

    Args:
        path: the file.
        public_key: the key that must have signed it, 32 bytes; ``None`` to believe it as it is.

    Raises:
        UsageError: if there is no such file.
        DataError: if it is none, or this key has not signed it.
    """
    data = note_in(path)
    return parse_checkpoint(parse_note(data)) if public_key is None else verified_checkpoint(data, public_key, verifies)


def note_in(path: Path) -> bytes:
    """The bytes of a note.

    Raises:
        UsageError: if there is no such file.
        DataError: if it is empty or too large.
    """
    require_file(path, MAX_NOTE_BYTES)
    return path.read_bytes()


def checkpoints_beside(log: Path) -> tuple[Path, ...]:
    """The checkpoints that were written beside a log, in the order of their sizes."""
    prefix = f"{log.name}."
    sizes = {
        int(middle): path
        for path in log.parent.glob("*")
        if path.name.startswith(prefix)
        and path.name.endswith(SUFFIX)
        and (middle := path.name[len(prefix) : -len(SUFFIX)]).isascii()
        and middle.isdigit()
    }
    return tuple(sizes[size] for size in sorted(sizes))


def require_beginning(known: Checkpoint, stored: StoredLog, path: Path) -> None:
    """Refuses a log of which a checkpoint is no beginning: something was changed, put in between, or cut off.

    Raises:
        EvidenceError: naming what does not fit.
    """
    size = len(stored.leaves)
    if known.origin != stored.origin:
        raise EvidenceError(
            f"{path} is a checkpoint of the log {known.origin}, and this is {stored.origin}", hint="Name its own log"
        )
    if known.size > size:
        raise EvidenceError(
            f"the log has {size} entries, and had {known.size} at {path}: {known.size - size} were cut off",
            hint="Restore the log from a copy, and find out who could write to it",
        )
    steps = consistency_path(known.size, stored.leaves)
    if not verify_consistency(known.size, size, known.root, root_of(stored.leaves), steps):
        raise EvidenceError(
            f"the first {known.size} entries are not those of {path}: one of them was changed, added or removed",
            hint="Restore the log from a copy, and find out who could write to it",
        )
