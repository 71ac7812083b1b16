"""Overrides as files: signed by a named owner, countersigned by a second one, read for reports (P6)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from beleg.adapters.formats.atomic import create_bytes, write_bytes
from beleg.adapters.signing.envelopes import countersigned, sign_payload
from beleg.app.decision_files import STATEMENT_FILE, read_statement
from beleg.app.log.appending import enter_documents
from beleg.app.policy_files import load_policy
from beleg.app.signers import open_signers
from beleg.core.attestation import (
    OVERRIDE_TYPE,
    PAYLOAD_TYPE,
    Envelope,
    ReleaseDecision,
    ReleaseOverride,
    Statement,
)
from beleg.core.errors import ConfigError, DataError, Error, Problem, UsageError
from beleg.core.override_note import OverrideNote
from beleg.core.release_terms import ReleaseTerms
from beleg.release.canonical import read_as
from beleg.release.overrides import OverrideRequest, override_statement
from beleg.release.statements import payload_of
from beleg.run.folder import make_folder

__all__ = ["OverrideRequest", "WrittenOverride", "countersign", "make_override", "overrides_of"]

OVERRIDES_FOLDER = "overrides"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenOverride:
    """An override, where it stands, and how many owners have signed it."""

    override: ReleaseOverride
    path: Path
    signatures: int
    needs_second: bool


def make_override(
    run: Path, policy: Path, request: OverrideRequest, key: str, *, log: Path | None = None
) -> WrittenOverride:
    """Signs an override of the signed decision of a run and writes it beside the decision.

    Args:
        run: the folder of the run.
        policy: the policy of the decision; it says what may be overridden, by whom and for how long.
        request: what the owner answers for.
        key: where the owner's key is.
        log: the decision log into which the override is entered before it is written anywhere else.

    Raises:
        UsageError: if nothing was signed there, or the key cannot be used.
        ConfigError: if this is not the policy that decided.
        DataError: naming everything for which the override would not count.
    """
    folder = run / "decision"
    _, signed, digest = read_statement(folder / STATEMENT_FILE)
    terms = _terms(policy, read_as(ReleaseDecision, signed.predicate))
    at = datetime.now(UTC)
    statement = override_statement(signed, digest, request, terms, at)
    payload = payload_of(statement)
    (signer,) = open_signers([key])
    envelope = sign_payload(payload, PAYLOAD_TYPE, [signer])
    path = folder / OVERRIDES_FOLDER / f"{at:%Y%m%dT%H%M%S}-{signer.key_id[:8]}.dsse.json"
    _log(log, path, envelope)
    make_folder(folder / OVERRIDES_FOLDER)
    create_bytes(path, _text(envelope))
    return WrittenOverride(
        override=read_as(ReleaseOverride, statement.predicate),
        path=path,
        signatures=1,
        needs_second=terms.two_persons,
    )


def countersign(path: Path, key: str, *, log: Path | None = None) -> WrittenOverride:
    """Adds the signature of a second owner to an override. What it says stays byte for byte the same.

    Args:
        path: the override.
        key: where the second owner's key is.
        log: the decision log into which it is entered before it is written anywhere else.

    Raises:
        UsageError: if there is no such file, or the key cannot be used.
        DataError: if it is no override, or this key has signed it already.
    """
    envelope, statement, _ = read_statement(path)
    override = _override_of(statement, path)
    (signer,) = open_signers([key])
    added = countersigned(envelope, signer)
    _log(log, path, added)
    write_bytes(path, _text(added))
    return WrittenOverride(override=override, path=path, signatures=len(added.signatures), needs_second=False)


def _terms(policy: Path, decision: ReleaseDecision) -> ReleaseTerms:
    loaded = load_policy(policy)
    if loaded.digest != decision.policy.digest.digest:
        raise ConfigError(
            Problem(
                file=str(policy),
                message="this is not the policy by which the decision was made",
                value=loaded.digest,
                remedy=f"Name the policy with the digest {decision.policy.digest.digest}",
            )
        )
    return loaded.release_terms


def _override_of(statement: Statement, path: Path) -> ReleaseOverride:
    if statement.predicate_type != OVERRIDE_TYPE:
        raise DataError(
            Problem(file=str(path), message="this is no override", remedy="Name a file that 'beleg override' wrote")
        )
    return read_as(ReleaseOverride, statement.predicate)


def _log(log: Path | None, path: Path, envelope: Envelope) -> None:
    if log is not None:
        enter_documents(log, {path.name: _text(envelope)})


def _text(envelope: Envelope) -> bytes:
    return json.dumps(envelope.to_json_dict(), indent=1).encode() + b"\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedOverride:
    """An override with the keys that signed it. Whose keys they are, and whether they count, is not known here."""

    note: OverrideNote
    key_ids: tuple[str, ...]


def overrides_of(folder: Path) -> tuple[OverrideNote, ...]:
    """The overrides of the decision that is signed in a folder, the one that ends last first."""
    found = sorted(signed_overrides(folder), key=lambda each: each.note.expires_at, reverse=True)
    return tuple(each.note for each in found)


def signed_overrides(folder: Path) -> tuple[SignedOverride, ...]:
    """The same with the keys that signed each, in the order of their files.

    A file that cannot be read is no override and shows nothing: it lets nothing through either.
    """
    try:
        _, _, digest = read_statement(folder / STATEMENT_FILE)
    except (UsageError, DataError):
        return ()
    found = (_note(path, digest) for path in sorted((folder / OVERRIDES_FOLDER).glob("*.dsse.json")))
    return tuple(each for each in found if each is not None)


def _note(path: Path, digest: str) -> SignedOverride | None:
    try:
        envelope, statement, _ = read_statement(path)
        override = _override_of(statement, path)
    except (Error, ValueError, OSError):
        return None
    if override.overrides != digest:
        return None
    key_ids = tuple(dict.fromkeys(signature.keyid for signature in envelope.signatures))
    note = OverrideNote(
        **{name: getattr(override, name) for name in OverrideNote.model_fields if name != "signatures"},
        signatures=len(key_ids),
    )
    return SignedOverride(note=note, key_ids=key_ids)
