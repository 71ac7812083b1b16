"""What is signed: in-toto statements about a release, and the file that says whose signature counts (P5, P6).

Names follow in-toto's own spelling (camelCase) on the wire. Decimals and counters are strings, because RFC 8785 writes
numbers as doubles and consumers in other languages would round them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, Literal, Protocol

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, Strict, StringConstraints
from pydantic.alias_generators import to_camel

from beleg.core.case import Identifier, LongText, ShortText
from beleg.core.decision import CheckState, Verdict
from beleg.core.model import StoredModel

STATEMENT_TYPE: Literal["https://in-toto.io/Statement/v1"] = "https://in-toto.io/Statement/v1"
PAYLOAD_TYPE = "application/vnd.in-toto+json"
DECISION_TYPE = "https://github.com/beleg/beleg/release-decision/v1"
OVERRIDE_TYPE = "https://github.com/beleg/beleg/release-override/v1"
VSA_TYPE = "https://slsa.dev/verification_summary/v1"
TRUST_PAYLOAD_TYPE = "application/vnd.beleg.trust+json"
"""The payload type of a trust file, so that no other signed document passes for one."""

Sha256Hex = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Decimal = Annotated[str, StringConstraints(pattern=r"^-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,17})?$")]
"""A finite number as text, such as ``0.9125``."""
Counter = Annotated[str, StringConstraints(pattern=r"^(0|[1-9][0-9]{0,17})$")]
"""A whole number as text."""

_INSTANT_FORM = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z")


def _in_one_form(value: object) -> object:
    """Refuses the other ways of writing a time, which consumers in other languages would read differently."""
    if isinstance(value, datetime) or (isinstance(value, str) and _INSTANT_FORM.fullmatch(value)):
        return value
    raise ValueError("a time is written in UTC, as in 2026-11-30T08:00:00Z")


def _in_utc(value: datetime) -> datetime:
    if value.utcoffset() != timedelta(0):
        raise ValueError("a time is given in UTC")
    return value


# A validator that looks first hands text on as Python has it, of which a strict time takes none.
Instant = Annotated[datetime, Strict(strict=False), BeforeValidator(_in_one_form), AfterValidator(_in_utc)]
"""A point in time in UTC, written as ``2026-11-30T08:00:00Z`` with at most six digits after the second."""


class AttestedModel(StoredModel):
    """A value inside a signed document: camelCase on the wire, snake_case in Python."""

    model_config = ConfigDict(
        alias_generator=to_camel, validate_by_name=True, validate_by_alias=True, serialize_by_alias=True
    )


class DigestSet(AttestedModel):
    """A content address as in-toto writes it."""

    sha256: Sha256Hex

    @classmethod
    def of(cls, digest: str) -> DigestSet:
        """From ``sha256:<hex>``."""
        return cls(sha256=digest.removeprefix("sha256:"))

    @property
    def digest(self) -> str:
        """As ``sha256:<hex>``."""
        return f"sha256:{self.sha256}"


class Subject(AttestedModel):
    """What a statement is about: named for people, identified by its digest alone."""

    name: ShortText
    digest: DigestSet


class Descriptor(AttestedModel):
    """Something else that a statement rests on."""

    uri: ShortText | None = None
    digest: DigestSet


class Verifier(AttestedModel):
    """What decided."""

    id: ShortText
    version: Identifier


class AttestedCheck(AttestedModel):
    """One check of a decision in few words; the whole of it stands in the pack."""

    id: Identifier
    state: CheckState
    metric: Identifier | None = None
    segment: Identifier | None = None
    estimate: Decimal | None = None
    lower: Decimal | None = None
    upper: Decimal | None = None
    scored: Counter | None = None
    expected: Counter | None = None
    failed: Counter | None = None
    """Rows without a score for a reason that is a failure."""


class ReleaseDecision(AttestedModel):
    """The predicate ``release-decision/v1``."""

    decision: Verdict
    environment: Identifier
    """Where the candidate may go, such as ``production``."""
    policy: Descriptor
    suite: Descriptor
    baseline: Descriptor | None = None
    """The manifest of what it was compared with."""
    evidence_pack: Descriptor | None = None
    """The audit pack; ``None`` where none was written, which a trust file may refuse."""
    decision_record: Descriptor
    """The stored decision that this statement is made of."""
    issued_at: Instant
    not_before: Instant
    expires_at: Instant
    sequence: Counter
    """Rises by one or more with every decision on an environment."""
    headline: ShortText
    checks: tuple[AttestedCheck, ...]
    failed_checks: tuple[Identifier, ...] = ()
    """Every check that did not end in PASS."""
    waivable_checks: tuple[Identifier, ...] = ()
    """Those of them that the policy lets a named owner override."""
    verifier: Verifier


class ReleaseOverride(AttestedModel):
    """The predicate ``release-override/v1``: a named owner lets a candidate pass in spite of named checks."""

    overrides: Sha256Hex
    """SHA-256 of the payload of the decision that is overridden."""
    environment: Identifier
    checks: Annotated[tuple[Identifier, ...], Field(min_length=1)]
    owner: ShortText
    reason: LongText
    ticket: ShortText
    compensating_control: LongText
    issued_at: Instant
    expires_at: Instant


class Statement(StoredModel):
    """An in-toto Statement v1."""

    type_: Literal["https://in-toto.io/Statement/v1"] = Field(default=STATEMENT_TYPE, alias="_type")
    subject: Annotated[tuple[Subject, ...], Field(min_length=1)]
    predicate_type: ShortText = Field(alias="predicateType")
    predicate: dict[str, Any]

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True, serialize_by_alias=True)


class TrustedKey(AttestedModel):
    """A key with everything that it may sign."""

    public_key: Annotated[str, Field(max_length=10_000)]
    """SubjectPublicKeyInfo in PEM."""
    name: ShortText
    """The person or service that holds the private half."""
    predicate_types: Annotated[tuple[ShortText, ...], Field(min_length=1)]
    environments: Annotated[tuple[Identifier, ...], Field(min_length=1)]
    valid_from: Instant
    valid_until: Instant


class TrustFile(AttestedModel):
    """Whose signatures count, for what, where and until when; signed by a root that stays offline."""

    version: Counter
    """Rises with every change; a controller refuses a lower one than it saw last."""
    issued_at: Instant
    expires_at: Instant
    keys: dict[Identifier, TrustedKey]
    """By key id."""
    decision_threshold: Annotated[int, Field(ge=1, le=16)] = 1
    """How many different keys must have signed a decision."""
    override_threshold: Annotated[int, Field(ge=1, le=16)] = 1
    """How many different owners must have signed an override; 2 is the two-person rule. Two keys of one name are one
    owner."""
    revoked_statements: tuple[Sha256Hex, ...] = ()
    """SHA-256 of payloads that count for nothing any more."""
    minimum_sequence: dict[Identifier, Counter] = Field(default_factory=dict)
    """By environment: decisions below it count for nothing."""
    max_decision_age_hours: Annotated[int, Field(ge=1, le=8_760)] = 72
    max_override_hours: Annotated[int, Field(ge=1, le=8_760)] = 72
    require_evidence_pack: bool = False


class SignatureMade(StoredModel):
    """One signature of an envelope."""

    keyid: str
    sig: str
    """In base64."""


class Envelope(StoredModel):
    """A DSSE envelope: bytes, their type, and signatures over both."""

    payload: str
    """In base64."""
    payload_type: str = Field(alias="payloadType")
    signatures: Annotated[tuple[SignatureMade, ...], Field(min_length=1, max_length=64)]

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True, serialize_by_alias=True)


class PayloadSigner(Protocol):
    """A private key that signs, wherever it is kept."""

    @property
    def key_id(self) -> str:
        """The SHA-256 of the public key's SubjectPublicKeyInfo in DER, in hex."""
        ...

    @property
    def public_key(self) -> str:
        """SubjectPublicKeyInfo in PEM."""
        ...

    def sign(self, payload: bytes, payload_type: str) -> SignatureMade:
        """Signs the DSSE pre-authentication encoding of payload and type."""
        ...


class SignatureCheck(Protocol):
    """Tells which keys have signed. It is given whatever a stranger wrote, and never raises for what that holds."""

    def __call__(
        self, payload: bytes, payload_type: str, signatures: Sequence[bytes], keys: Mapping[str, str]
    ) -> frozenset[str]:
        """The ids of those keys that made at least one of the signatures over payload and type.

        Args:
            payload: the bytes that were signed.
            payload_type: what they are; it is signed too.
            signatures: as raw bytes.
            keys: SubjectPublicKeyInfo in PEM by key id.
        """
        ...


class AdmissionReason(StrEnum):
    """Why a controller let a candidate in or not: one word each, the same in every implementation."""

    PASS = "pass"  # noqa: S105 - a reason, not a password
    OVERRIDDEN = "overridden"
    REVIEW = "review"
    BLOCK = "block"
    NOTHING_FOUND = "nothing_found"
    TRUST_UNSIGNED = "trust_unsigned"
    """No root has signed it."""
    TRUST_INVALID = "trust_invalid"
    """Signed by a root, but not a trust file that can be followed."""
    TRUST_NOT_YET_VALID = "trust_not_yet_valid"
    TRUST_EXPIRED = "trust_expired"
    TRUST_ROLLBACK = "trust_rollback"
    """Older than one that was seen before, or another one under its version."""
    BAD_ENVELOPE = "bad_envelope"
    BAD_SIGNATURE = "bad_signature"
    WRONG_PAYLOAD_TYPE = "wrong_payload_type"
    NOT_STRICT = "not_strict"
    """Repeated keys, NaN, bytes that are not their own canonical form, unknown fields or values."""
    INCONSISTENT = "inconsistent"
    """The statement contradicts itself, such as a PASS that names a failed check."""
    WRONG_PREDICATE = "wrong_predicate"
    """A statement of another kind: neither a decision nor an override."""
    UNTRUSTED_KEY = "untrusted_key"
    KEY_NOT_ALLOWED = "key_not_allowed"
    """The key may not sign this kind of statement, or not for this environment."""
    KEY_NOT_YET_VALID = "key_not_yet_valid"
    """The statement says it was made before its key counted: it was sealed after the fact."""
    KEY_RETIRED = "key_retired"
    BELOW_THRESHOLD = "below_threshold"
    """Fewer different keys have signed than the trust file asks for."""
    WRONG_SUBJECT = "wrong_subject"
    WRONG_ENVIRONMENT = "wrong_environment"
    NOT_YET_VALID = "not_yet_valid"
    EXPIRED = "expired"
    TOO_OLD = "too_old"
    REVOKED = "revoked"
    STALE_SEQUENCE = "stale_sequence"
    SEQUENCE_TIE = "sequence_tie"
    NO_PACK = "no_pack"
    OVERRIDE_NOT_BY_OWNER = "override_not_by_owner"
    """None of the keys that signed is the one that the trust file gives to the owner whom the override names."""
    OVERRIDE_NOT_YET_VALID = "override_not_yet_valid"
    OVERRIDE_EXPIRED = "override_expired"
    OVERRIDE_TOO_LONG = "override_too_long"
    OVERRIDE_OF_OTHER = "override_of_other"
    OVERRIDE_INCOMPLETE = "override_incomplete"
    """A check that failed is not covered."""
    NOT_WAIVABLE = "not_waivable"
