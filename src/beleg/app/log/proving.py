"""Proofs that a document stands in a decision log, verified without the log (P5)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from beleg.adapters.formats.atomic import create_bytes
from beleg.adapters.signing.note_keys import verifies
from beleg.adapters.stores.decision_log import StoredLog
from beleg.app.key_files import read_public_key
from beleg.app.log.appending import stored_log
from beleg.app.log.checkpointing import checkpoints_beside, note_in, require_beginning
from beleg.core.decision_log import LogEntry
from beleg.core.errors import DataError, EvidenceError, Problem, UsageError
from beleg.release.canonical import parse_canonical, read_as
from beleg.release.checkpoints import Checkpoint, parse_checkpoint
from beleg.release.log_proofs import LogProof, parse_proof, verified_proof
from beleg.release.merkle import inclusion_path
from beleg.release.notes import parse_note
from beleg.release.public_keys import ed25519_bytes

SUFFIX = ".tlog-proof"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvedEntry:
    """An entry that is proved to stand in a log."""

    index: int
    entry: LogEntry
    checkpoint: Checkpoint
    path: Path
    """The proof."""
    is_this_file: bool = False
    """Whether a file at hand was shown to be the document of the entry."""


def prove(log: Path, document: Path | int, *, checkpoint: Path | None = None, out: Path | None = None) -> ProvedEntry:
    """Writes a proof that a document stands in a log, under a signed checkpoint.

    Args:
        log: the file of the log.
        document: the document, or the place of its entry from 0.
        checkpoint: under which; the newest one beside the log where it is left out.
        out: where the proof goes; beside the document, or beside the log, where it is left out.

    Raises:
        UsageError: if a file cannot be read, no checkpoint is there, or another file stands where the proof goes.
        DataError: if the document is not in the log, or the checkpoint is none.
        EvidenceError: if the log is damaged, contradicts the checkpoint, or has the entry from a later time.
    """
    stored = stored_log(log)
    index = document if isinstance(document, int) else _place_of(document, stored, log)
    if not 0 <= index < len(stored.lines):
        raise UsageError(f"the log has {len(stored.lines)} entries, and none has the number {index}", hint=_show(log))
    note_path = checkpoint or _newest(log)
    note = note_in(note_path)
    known = parse_checkpoint(parse_note(note))
    require_beginning(known, stored, note_path)
    if index >= known.size:
        raise EvidenceError(
            f"entry {index} came after {note_path}, which covers {known.size} entries",
            hint=f"Sign the log anew: beleg log checkpoint {log} --key KEY",
        )
    entry = stored.lines[index].entry
    proof = LogProof(index, inclusion_path(index, stored.leaves[: known.size]), note, entry.leaf)
    path = out or _beside(document, log, index)
    create_bytes(path, proof.render())
    return ProvedEntry(index=index, entry=entry, checkpoint=known, path=path)


def check_proof(proof: Path, key: Path, *, document: Path | None = None, origin: str | None = None) -> ProvedEntry:
    """Verifies a proof with nothing but the key of the log.

    Args:
        proof: the file of the proof.
        key: the public half of the log's key.
        document: the file that is to be the document of the entry.
        origin: the log that it must be.

    Raises:
        UsageError: if a file cannot be read.
        DataError: if it is no proof, does not hold, or is about another document or log.
    """
    found = parse_proof(note_in(proof))
    if found.leaf is None:
        raise DataError(
            Problem(
                file=str(proof), message="the proof does not carry its entry", remedy="Write it with: beleg log prove"
            )
        )
    checkpoint = verified_proof(found, found.leaf, ed25519_bytes(read_public_key(key)), verifies)
    if origin is not None and checkpoint.origin != origin:
        raise DataError(
            Problem(file=str(proof), message="it is about another log", value=checkpoint.origin, remedy="Name its log")
        )
    entry = read_as(LogEntry, parse_canonical(found.leaf))
    if document is not None and _digest(document) != entry.sha256:
        raise DataError(
            Problem(
                file=str(document),
                message=f"this is not the document of the entry, which is {entry.name} with the SHA-256 {entry.sha256}",
                remedy="Name that document, or the proof of this one",
            )
        )
    return ProvedEntry(
        index=found.index, entry=entry, checkpoint=checkpoint, path=proof, is_this_file=document is not None
    )


def _place_of(document: Path, stored: StoredLog, log: Path) -> int:
    digest = _digest(document)
    for place, line in enumerate(stored.lines):
        if line.entry.sha256 == digest:
            return place
    raise DataError(
        Problem(
            file=str(document),
            message=f"it is not in {log}",
            value=digest,
            remedy=f"Enter it: beleg log append {log} {document}",
        )
    )


def _digest(document: Path) -> str:
    try:
        with document.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UsageError(f"cannot read {document}: {error.strerror}", hint="Check the path and its rights") from error


def _newest(log: Path) -> Path:
    beside = checkpoints_beside(log)
    if not beside:
        raise UsageError(
            f"there is no checkpoint beside {log}, and a proof stands under one",
            hint=f"Sign one: beleg log checkpoint {log} --key KEY",
        )
    return beside[-1]


def _beside(document: Path | int, log: Path, index: int) -> Path:
    if isinstance(document, int):
        return log.with_name(f"{log.name}.{index}{SUFFIX}")
    return document.with_name(f"{document.name}{SUFFIX}")


def _show(log: Path) -> str:
    return f"See them: beleg log show {log}"
