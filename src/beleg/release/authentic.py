"""One envelope: who signed it, what it says, and whether it speaks of this candidate in this place."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

from beleg.core.admission import EnvelopeFinding, StatementKind
from beleg.core.attestation import (
    DECISION_TYPE,
    OVERRIDE_TYPE,
    PAYLOAD_TYPE,
    AdmissionReason,
    ReleaseDecision,
    ReleaseOverride,
    SignatureCheck,
    Statement,
    TrustedKey,
    TrustFile,
)
from beleg.core.errors import DataError
from beleg.release.canonical import parse_canonical, read_as
from beleg.release.opening import OpenEnvelope, open_envelope

Predicate = ReleaseDecision | ReleaseOverride

_KINDS = {DECISION_TYPE: StatementKind.DECISION, OVERRIDE_TYPE: StatementKind.OVERRIDE}
_MODELS: dict[StatementKind, type[Predicate]] = {
    StatementKind.DECISION: ReleaseDecision,
    StatementKind.OVERRIDE: ReleaseOverride,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What every envelope is held against."""

    trust: TrustFile
    verify: SignatureCheck
    subject: str
    """The digest of what is about to be deployed, in hex."""
    environment: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Authentic:
    """A statement whose signature counts and that is about this candidate in this environment."""

    name: str
    payload: str
    """The SHA-256 of its bytes, in hex."""
    kind: StatementKind
    predicate: Predicate


@dataclass(frozen=True, slots=True)
class _Signed:
    statement: Statement
    kind: StatementKind
    predicate: Predicate


def authenticate(name: str, data: bytes, terms: Terms) -> Authentic | EnvelopeFinding:
    """Believes an envelope step by step, or says at which step it was refused.

    The signature comes first, and nothing of what an envelope says is read before it counts. Then the payload type, the
    one canonical form of the very bytes that were signed, the kind of the statement, what its keys may sign and when,
    the subject, the environment, the number of keys, and whether it was revoked.
    """
    try:
        envelope = open_envelope(data)
    except DataError:
        return EnvelopeFinding(name=name, refused=AdmissionReason.BAD_ENVELOPE)
    payload = hashlib.sha256(envelope.payload).hexdigest()
    keys = {key_id: key.public_key for key_id, key in terms.trust.keys.items()}
    signers = terms.verify(envelope.payload, envelope.payload_type, envelope.signatures, keys)
    if not signers:
        is_known = any(hint in keys for hint in envelope.hints)
        refused = AdmissionReason.BAD_SIGNATURE if is_known else AdmissionReason.UNTRUSTED_KEY
        return EnvelopeFinding(name=name, statement=payload, refused=refused)
    signed = _read(envelope)
    if isinstance(signed, AdmissionReason):
        return EnvelopeFinding(name=name, statement=payload, refused=signed)
    by_whom = [terms.trust.keys[key_id] for key_id in sorted(signers)]
    fault = _fault_of_signers(by_whom, signed, terms)
    if fault is None and payload in terms.trust.revoked_statements:
        fault = AdmissionReason.REVOKED
    if fault is not None:
        return EnvelopeFinding(name=name, kind=signed.kind, statement=payload, refused=fault)
    return Authentic(name=name, payload=payload, kind=signed.kind, predicate=signed.predicate)


def _read(envelope: OpenEnvelope) -> _Signed | AdmissionReason:
    if envelope.payload_type != PAYLOAD_TYPE:
        return AdmissionReason.WRONG_PAYLOAD_TYPE
    try:
        statement = read_as(Statement, parse_canonical(envelope.payload))
        kind = _KINDS.get(statement.predicate_type)
        if kind is None:
            return AdmissionReason.WRONG_PREDICATE
        return _Signed(statement, kind, read_as(_MODELS[kind], statement.predicate))
    except DataError:
        return AdmissionReason.NOT_STRICT


def _fault_of_signers(signers: list[TrustedKey], signed: _Signed, terms: Terms) -> AdmissionReason | None:
    """Holds the statement against its keys; only keys that pass a step go on to the next."""
    signers = [key for key in signers if signed.statement.predicate_type in key.predicate_types]
    if not signers:
        return AdmissionReason.KEY_NOT_ALLOWED
    issued_at = signed.predicate.issued_at
    current = [key for key in signers if key.valid_from <= issued_at and max(issued_at, terms.at) < key.valid_until]
    if not current:
        is_retired = any(key.valid_until <= max(issued_at, terms.at) for key in signers)
        return AdmissionReason.KEY_RETIRED if is_retired else AdmissionReason.KEY_NOT_YET_VALID
    if terms.subject not in {subject.digest.sha256 for subject in signed.statement.subject}:
        return AdmissionReason.WRONG_SUBJECT
    if signed.predicate.environment != terms.environment:
        return AdmissionReason.WRONG_ENVIRONMENT
    here = [key for key in current if terms.environment in key.environments]
    if not here:
        return AdmissionReason.KEY_NOT_ALLOWED
    return _fault_of_number(here, signed.predicate, terms.trust)


def _fault_of_number(signers: list[TrustedKey], predicate: Predicate, trust: TrustFile) -> AdmissionReason | None:
    """Whether enough have signed: keys of gates, but people for an override, of whom one may hold two keys."""
    if isinstance(predicate, ReleaseDecision):
        return AdmissionReason.BELOW_THRESHOLD if len(signers) < trust.decision_threshold else None
    owners = {key.name for key in signers}
    if predicate.owner not in owners:
        return AdmissionReason.OVERRIDE_NOT_BY_OWNER
    return AdmissionReason.BELOW_THRESHOLD if len(owners) < trust.override_threshold else None
