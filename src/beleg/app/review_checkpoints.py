"""Verifying a review ledger, and signing its head so that a cut or rewritten ledger shows later (E7)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from beleg.adapters.formats.atomic import create_bytes, write_bytes
from beleg.adapters.formats.files import require_file
from beleg.adapters.formats.limits import MAX_DOCUMENT_BYTES
from beleg.adapters.formats.models import build_all
from beleg.adapters.formats.rows import read_rows
from beleg.adapters.signing.envelopes import sign_payload
from beleg.adapters.signing.verification import verified_keys
from beleg.app.key_files import read_public_key
from beleg.app.signers import open_signers
from beleg.core.errors import DataError, EvidenceError, Problem, UsageError
from beleg.core.review import DamagedEvent, LedgerHead, ReviewEvent, ReviewLedger
from beleg.evidence.review_chain import CHECKPOINT_TYPE, ChainFinding, ChainReader, checkpoint_payload, verify_chain
from beleg.release.opening import open_envelope
from beleg.release.public_keys import key_id_of

AT_ONCE = 1_000


def verify_ledger(ledger: ReviewLedger, checkpoints: Sequence[LedgerHead] = ()) -> ChainFinding:
    """Whether a ledger is whole, read in portions from its first event to its last.

    Args:
        ledger: the ledger.
        checkpoints: heads that were kept elsewhere, and whose signature was checked.
    """
    name, reader, read = ledger.head().ledger, ChainReader(checkpoints), 0
    try:
        while events := ledger.events(after=read, limit=AT_ONCE):
            reader.follow(events)
            read = events[-1].sequence
    except DamagedEvent as damaged:
        # The portion that it stands in is followed up to it, so that an earlier fault is named first.
        reader.follow(ledger.events(after=read, limit=max(damaged.sequence - read - 1, 0)))
        reader.unreadable()
    return reader.finding(name)


def verify_export(path: Path, checkpoints: Sequence[LedgerHead] = ()) -> ChainFinding:
    """Whether the events of a file are a whole ledger, as `export_events` wrote it.

    Raises:
        UsageError: if there is no such file.
        DataError: if it holds anything else.
    """
    events = build_all(ReviewEvent, read_rows(path))
    return verify_chain(events, ledger=checkpoints[0].ledger if checkpoints else "", checkpoints=checkpoints)


def export_events(ledger: ReviewLedger, out: Path) -> int:
    """Writes every event as one line of JSON, at once or not at all.

    Returns:
        How many.

    Raises:
        DamagedEvent: if what stands at a place is no event any more.
        UsageError: if the file cannot be written.
    """
    lines: list[bytes] = []
    while events := ledger.events(after=len(lines), limit=AT_ONCE):
        lines += [event.model_dump_json(exclude_none=True).encode() + b"\n" for event in events]
    write_bytes(out, b"".join(lines))
    return len(lines)


def write_checkpoint(ledger: ReviewLedger, out: Path, keys: Sequence[str]) -> LedgerHead:
    """Signs the head of a ledger that is whole, into a new file that is kept elsewhere.

    Args:
        ledger: the ledger.
        out: the file; an existing one is never overwritten.
        keys: PEM files, environment variables or keys of a service.

    Raises:
        EvidenceError: if the ledger is not whole.
        UsageError: if no key is given or a key cannot be used, or the file is there already.
    """
    signers = open_signers(keys)
    if not signers:
        raise UsageError("a checkpoint is signed", hint="Name a key: --key KEY.pem; make one with: beleg keys new")
    finding, head = verify_ledger(ledger), ledger.head()
    if not finding.is_whole:
        raise EvidenceError(
            f"the ledger is broken at event {finding.sequence}, and is not signed",
            hint="Look at it with: beleg review verify",
        )
    # Others may have appended in between; what was verified is what is signed.
    head = head.model_copy(update={"size": finding.size, "hash": finding.hash})
    envelope = sign_payload(checkpoint_payload(head), CHECKPOINT_TYPE, signers)
    create_bytes(out, envelope.model_dump_json().encode() + b"\n")
    return head


def read_checkpoint(path: Path, keys: Sequence[Path]) -> LedgerHead:
    """The head in a checkpoint that one of some keys signed.

    Args:
        path: the file.
        keys: files of public keys, one of which must have signed.

    Raises:
        UsageError: if there is no such file, or no key is named.
        DataError: if it is no checkpoint.
        EvidenceError: if none of the keys signed it.
    """
    if not keys:
        raise UsageError(
            "nobody knows whose signature a checkpoint must carry", hint="Name a public key: --public-key KEY.pub.pem"
        )
    require_file(path, MAX_DOCUMENT_BYTES)
    opened = open_envelope(path.read_bytes())
    if opened.payload_type != CHECKPOINT_TYPE:
        raise _no_checkpoint(path, f"it is signed as {opened.payload_type[:100]!r}")
    trusted = {key_id_of(pem): pem for pem in map(read_public_key, keys)}
    if not verified_keys(opened.payload, opened.payload_type, opened.signatures, trusted):
        raise EvidenceError(
            f"{path}: none of the keys that were named signed this checkpoint",
            hint="Name the public key of whoever signed it, or treat the ledger as unproven",
        )
    try:
        head = LedgerHead.model_validate_json(opened.payload)
    except ValidationError as error:
        raise _no_checkpoint(path, error.errors(include_url=False)[0]["msg"]) from error
    if checkpoint_payload(head) != opened.payload:
        raise _no_checkpoint(path, "it is not in canonical form")
    return head


def _no_checkpoint(path: Path, why: str) -> DataError:
    return DataError(
        Problem(file=str(path), message=f"this is no checkpoint: {why}", remedy="Make one: beleg review checkpoint")
    )
