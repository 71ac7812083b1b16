"""Whose signatures count: a trust file, believed only where an offline root signed it and it is not out of date."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from beleg.core.admission import ControllerState
from beleg.core.attestation import (
    DECISION_TYPE,
    OVERRIDE_TYPE,
    TRUST_PAYLOAD_TYPE,
    AdmissionReason,
    SignatureCheck,
    TrustFile,
)
from beleg.core.errors import DataError, Problem
from beleg.release.canonical import parse_canonical, read_as
from beleg.release.opening import open_envelope
from beleg.release.public_keys import key_id_of

MAX_KEYS = 256
"""Every key is tried with every signature, so that their number is bounded."""


@dataclass(frozen=True, slots=True)
class BelievedTrust:
    """A trust file that a root signed, with the SHA-256 of its payload."""

    file: TrustFile
    payload: str


def read_trust(
    data: bytes, roots: Iterable[str], verify: SignatureCheck, at: datetime, state: ControllerState
) -> BelievedTrust | AdmissionReason:
    """Reads a trust file, or says why it is refused.

    Args:
        data: the signed file.
        roots: the public halves of the roots in PEM, which came by another way than the file; one of them must have
            signed it.
        verify: the check of signatures.
        at: the time of asking.
        state: what the controller has seen before.

    Raises:
        DataError: if a root is no key that can be used.
    """
    signed = signed_trust(data, roots, verify)
    if isinstance(signed, AdmissionReason):
        return signed
    if signed.file.issued_at > at:
        return AdmissionReason.TRUST_NOT_YET_VALID
    if at >= signed.file.expires_at:
        return AdmissionReason.TRUST_EXPIRED
    return AdmissionReason.TRUST_ROLLBACK if _is_rolled_back(signed, state) else signed


def signed_trust(data: bytes, roots: Iterable[str], verify: SignatureCheck) -> BelievedTrust | AdmissionReason:
    """The trust file as its root signed it, whether or not it is in date.

    Raises:
        DataError: if a root is no key that can be used.
    """
    by_id = {key_id_of(pem): pem for pem in roots}
    try:
        envelope = open_envelope(data)
    except DataError:
        return AdmissionReason.TRUST_UNSIGNED
    if not verify(envelope.payload, envelope.payload_type, envelope.signatures, by_id):
        return AdmissionReason.TRUST_UNSIGNED
    if envelope.payload_type != TRUST_PAYLOAD_TYPE:
        return AdmissionReason.TRUST_INVALID
    try:
        file = read_as(TrustFile, parse_canonical(envelope.payload))
        require_consistent(file)
    except DataError:
        return AdmissionReason.TRUST_INVALID
    return BelievedTrust(file=file, payload=hashlib.sha256(envelope.payload).hexdigest())


def require_consistent(file: TrustFile) -> None:
    """Refuses a trust file whose keys are not what their ids say, or that lets a gate excuse itself.

    Raises:
        DataError: naming every entry that is wrong.
    """
    if len(file.keys) > MAX_KEYS:
        raise DataError(
            Problem(
                field="keys", message=f"there are more than {MAX_KEYS} keys", remedy="Leave out those that are retired"
            )
        )
    problems = [problem for key_id in file.keys for problem in _faults_of(key_id, file)]
    if problems:
        raise DataError(problems)


def _faults_of(key_id: str, file: TrustFile) -> Iterable[Problem]:
    key = file.keys[key_id]
    place = f"keys.{key_id[:16]}"
    try:
        if key_id_of(key.public_key) != key_id:
            yield Problem(
                field=place,
                message="the key has another id than the one it stands under",
                remedy="Use the SHA-256 of its SubjectPublicKeyInfo",
            )
    except DataError as error:
        yield Problem(field=place, message=error.message, remedy="Put the public key there in PEM")
    if DECISION_TYPE in key.predicate_types and OVERRIDE_TYPE in key.predicate_types:
        yield Problem(
            field=f"{place}.predicateTypes",
            message="the key may sign decisions and override them",
            remedy="Give the owner a key of their own, so that no gate excuses itself",
        )


def _is_rolled_back(trust: BelievedTrust, state: ControllerState) -> bool:
    """Whether it is older than what was seen, or another file under the same version."""
    if state.trust_version is None:
        return False
    version, seen = int(trust.file.version), int(state.trust_version)
    return version < seen or (version == seen and trust.payload != state.trust_payload)
