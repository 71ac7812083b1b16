"""Trust files as files: written, signed by a root, shown, and followed by a next version."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from beleg.adapters.formats.atomic import create_bytes
from beleg.adapters.formats.faults import Place
from beleg.adapters.formats.files import read_document_text
from beleg.adapters.formats.models import validated
from beleg.adapters.formats.strict_json import parse_json
from beleg.adapters.signing.root_key import read_signer
from beleg.adapters.signing.verification import verified_keys
from beleg.app.key_files import read_public_key
from beleg.core.attestation import AdmissionReason, TrustFile
from beleg.core.errors import DataError, EvidenceError, Problem, UsageError, shown
from beleg.release.opening import open_envelope
from beleg.release.public_keys import key_id_of
from beleg.release.trust_files import require_consistent, signed_trust
from beleg.release.trust_making import (
    GATE_TYPES,
    OWNER_TYPES,
    next_version,
    require_usable,
    sign_trust,
    trusted_key,
)

_NAMED = re.compile(r"([^=]+)=(.+)")
_HEX = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustTerms:
    """What a new trust file says beside its keys."""

    environments: tuple[str, ...] = ("production",)
    days: int = 90
    """How long the file counts."""
    key_days: int = 365
    """How long each key counts."""
    decision_threshold: int = 1
    override_threshold: int = 1
    max_decision_age_hours: int = 72
    max_override_hours: int = 72
    require_evidence_pack: bool = False


@dataclass(frozen=True, slots=True)
class ShownTrust:
    """A trust file with what is known about its signature."""

    file: TrustFile
    is_signed: bool
    """Whether it stands in an envelope."""
    signed_by_root: bool | None
    """``None`` where no root was named to hold it against."""


def new_trust(
    gates: Sequence[str],
    owners: Sequence[str],
    terms: TrustTerms,
    *,
    version: int = 1,
    at: datetime | None = None,
) -> TrustFile:
    """A trust file from public keys.

    Args:
        gates: ``NAME=FILE`` of each key that may sign decisions.
        owners: ``NAME=FILE`` of each key that may sign overrides.
        terms: what it says beside its keys.
        version: higher than that of every trust file before.
        at: the time from which on it counts; now where it is left out.

    Raises:
        UsageError: if no gate is named, or a word is no ``NAME=FILE``.
        DataError: if a key or a term cannot be used.
    """
    if not gates:
        raise UsageError("no key is named that may sign decisions", hint="Give one with --gate NAME=PUBLIC_KEY.pem")
    now = (at or datetime.now(UTC)).replace(microsecond=0)
    window = (now, now + timedelta(days=terms.key_days))
    named = [(word, GATE_TYPES) for word in gates] + [(word, OWNER_TYPES) for word in owners]
    keys: dict[str, Any] = {}
    for word, types in named:
        name, path = _split(word)
        key_id, key = trusted_key(name, read_public_key(path), types, terms.environments, window)
        if key_id in keys:
            raise UsageError(
                f"{path} holds a key that was named before", hint="Give the gate and every owner a key of their own"
            )
        keys[key_id] = key.to_json_dict()
    data = {
        "version": str(version),
        "issuedAt": _text(now),
        "expiresAt": _text(now + timedelta(days=terms.days)),
        "keys": keys,
        "decisionThreshold": terms.decision_threshold,
        "overrideThreshold": terms.override_threshold,
        "maxDecisionAgeHours": terms.max_decision_age_hours,
        "maxOverrideHours": terms.max_override_hours,
        "requireEvidencePack": terms.require_evidence_pack,
    }
    file = validated(TrustFile, data, Place("trust file"))
    require_usable(file, now)
    return file


def show_trust(path: Path, roots: Sequence[Path] = ()) -> ShownTrust:
    """A trust file, signed or not yet.

    Raises:
        UsageError: if there is no such file.
        DataError: if it is no trust file.
    """
    text = read_document_text(path)
    value = parse_json(text, file=str(path))
    if not isinstance(value, dict) or "payload" not in value:
        return ShownTrust(file=_plain(value, path), is_signed=False, signed_by_root=None)
    pems = [read_public_key(root) for root in roots]
    signed = signed_trust(text.encode(), pems, verified_keys)
    if not isinstance(signed, AdmissionReason):
        return ShownTrust(file=signed.file, is_signed=True, signed_by_root=True)
    payload = open_envelope(text.encode()).payload.decode("utf-8", errors="replace")
    file = _plain(parse_json(payload, file=str(path)), path)
    return ShownTrust(file=file, is_signed=True, signed_by_root=False if pems else None)


def sign_trust_file(path: Path, key: Path, out: Path, *, at: datetime | None = None) -> TrustFile:
    """Signs a trust file by a root, checks the signature, and writes it; nothing is overwritten.

    Raises:
        UsageError: if a file cannot be read or others may read the key, or ``out`` is there already.
        DataError: if the trust file cannot be used, or the key.
    """
    shown_file = show_trust(path)
    require_usable(shown_file.file, at or datetime.now(UTC))
    signer = read_signer(key)
    data = json.dumps(sign_trust(shown_file.file, signer).to_json_dict(), indent=1).encode() + b"\n"
    if isinstance(signed_trust(data, [signer.public_key], verified_keys), AdmissionReason):
        raise EvidenceError("the signature that was made does not verify", hint="Check the key, and sign again")
    create_bytes(out, data)
    return shown_file.file


def revoke(
    path: Path,
    *,
    statements: Sequence[str] = (),
    keys: Sequence[str] = (),
    minimum_sequence: Sequence[str] = (),
    at: datetime | None = None,
) -> TrustFile:
    """The version after a trust file, which takes statements, keys, or all before a sequence back.

    Args:
        path: the trust file in force, signed or not.
        statements: envelopes, or the SHA-256 of their payloads.
        keys: ids of keys, or how they begin.
        minimum_sequence: ``ENVIRONMENT=NUMBER``.
        at: the time from which on it counts; now where it is left out.

    Raises:
        UsageError: if nothing is to be taken back, or it cannot be understood.
        DataError: if a key is not there, or a sequence goes back.
    """
    if not (statements or keys or minimum_sequence):
        raise UsageError("nothing is taken back", hint="Give --statement, --key or --minimum-sequence")
    before = show_trust(path).file
    return next_version(
        before,
        (at or datetime.now(UTC)).replace(microsecond=0),
        without_keys=[_key_in(before, key) for key in keys],
        statements=[_statement(word) for word in statements],
        minimum_sequence=_sequences(minimum_sequence),
    )


def write_plain(file: TrustFile, out: Path) -> None:
    """Writes a trust file for people to read before a root signs it; nothing is overwritten.

    Raises:
        UsageError: if the file is there already, or cannot be written.
    """
    create_bytes(out, json.dumps(file.to_json_dict(), indent=2, ensure_ascii=False).encode() + b"\n")


def key_id_of_file(path: Path) -> str:
    """The id under which a public key stands in a trust file."""
    return key_id_of(read_public_key(path))


def _plain(value: Any, path: Path) -> TrustFile:
    if not isinstance(value, dict):
        raise DataError(Problem(file=str(path), message="this is no trust file", remedy="Make one: beleg trust new"))
    file = validated(TrustFile, value, Place(str(path)))
    require_consistent(file)
    return file


def _split(word: str) -> tuple[str, Path]:
    match = _NAMED.fullmatch(word)
    if match is None:
        raise UsageError(f"{shown(word)} is no NAME=FILE", hint='Write it as in: --gate "the gate=gate.pub.pem"')
    return match[1], Path(match[2])


def _key_in(file: TrustFile, begin: str) -> str:
    found = [key_id for key_id in file.keys if key_id.startswith(begin)]
    if len(found) != 1:
        many = "no key" if not found else f"{len(found)} keys"
        raise UsageError(f"{many} of the trust file begin with {shown(begin)}", hint="See: beleg trust show")
    return found[0]


def _statement(word: str) -> str:
    if _HEX.fullmatch(word.removeprefix("sha256:")):
        return word.removeprefix("sha256:")
    envelope = open_envelope(read_document_text(Path(word)).encode())
    return hashlib.sha256(envelope.payload).hexdigest()


def _sequences(words: Sequence[str]) -> Mapping[str, str]:
    sequences: dict[str, str] = {}
    for word in words:
        name, _, number = word.rpartition("=")
        if not name or not re.fullmatch(r"0|[1-9][0-9]{0,17}", number):
            raise UsageError(f"{shown(word)} is no ENVIRONMENT=NUMBER", hint="Write it as in: production=43")
        sequences[name] = number
    return sequences


def _text(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")
