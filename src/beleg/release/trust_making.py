"""Writing trust files: the first one, the next one, and what a new version takes back."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from datetime import datetime

from beleg.core.attestation import (
    DECISION_TYPE,
    OVERRIDE_TYPE,
    TRUST_PAYLOAD_TYPE,
    VSA_TYPE,
    Envelope,
    PayloadSigner,
    TrustedKey,
    TrustFile,
)
from beleg.core.digest import canonical_json
from beleg.core.errors import DataError, Problem
from beleg.release.public_keys import key_id_of
from beleg.release.trust_files import require_consistent

GATE_TYPES = (DECISION_TYPE, VSA_TYPE)
OWNER_TYPES = (OVERRIDE_TYPE,)


def trusted_key(
    name: str, pem: str, types: tuple[str, ...], environments: tuple[str, ...], window: tuple[datetime, datetime]
) -> tuple[str, TrustedKey]:
    """A key with what it may sign, under its id.

    Raises:
        DataError: if it is no key that can be used.
    """
    begins, ends = window
    key = TrustedKey(
        public_key=pem,
        name=name,
        predicate_types=types,
        environments=environments,
        valid_from=begins,
        valid_until=ends,
    )
    return key_id_of(pem), key


def require_usable(file: TrustFile, at: datetime) -> None:
    """Refuses what a root should not sign: a file by which nothing could ever be let in, or that is out of date.

    Raises:
        DataError: naming everything that is wrong.
    """
    require_consistent(file)
    problems = [*_thresholds_too_high(file)]
    if file.expires_at <= max(at, file.issued_at):
        problems.append(
            Problem(
                field="expiresAt",
                message="the trust file is out of date already",
                remedy="Name a later end with --days",
            )
        )
    if problems:
        raise DataError(problems)


def next_version(
    before: TrustFile,
    at: datetime,
    *,
    without_keys: Iterable[str] = (),
    statements: Iterable[str] = (),
    minimum_sequence: Mapping[str, str] | None = None,
) -> TrustFile:
    """The version that follows, with keys left out, statements revoked, or all decisions below a sequence.

    It ends when the one before ends, for a root that signs something urgent should not prolong it unseen.

    Raises:
        DataError: if a key is not there, or a sequence goes back.
    """
    gone = set(without_keys)
    unknown = sorted(gone - before.keys.keys())
    sequences = {**before.minimum_sequence, **(minimum_sequence or {})}
    back = [name for name, least in before.minimum_sequence.items() if int(sequences[name]) < int(least)]
    problems = [
        *(
            Problem(field="keys", message="there is no key of this id", value=repr(key), remedy="See: beleg trust show")
            for key in unknown
        ),
        *(
            Problem(
                field=f"minimumSequence.{name}",
                message="the least sequence goes back",
                value=sequences[name],
                remedy=f"Name at least {before.minimum_sequence[name]}",
            )
            for name in back
        ),
    ]
    if problems:
        raise DataError(problems)
    return before.model_copy(
        update={
            "version": str(int(before.version) + 1),
            "issued_at": at,
            "keys": {key_id: key for key_id, key in before.keys.items() if key_id not in gone},
            "revoked_statements": tuple(dict.fromkeys([*before.revoked_statements, *statements])),
            "minimum_sequence": sequences,
        }
    )


def sign_trust(file: TrustFile, signer: PayloadSigner) -> Envelope:
    """The trust file in an envelope that the root has signed."""
    payload = canonical_json(file.to_json_dict())
    return Envelope(
        payload=base64.b64encode(payload).decode("ascii"),
        payload_type=TRUST_PAYLOAD_TYPE,
        signatures=(signer.sign(payload, TRUST_PAYLOAD_TYPE),),
    )


def _thresholds_too_high(file: TrustFile) -> Iterable[Problem]:
    for field, threshold, kind in (
        ("decisionThreshold", file.decision_threshold, DECISION_TYPE),
        ("overrideThreshold", file.override_threshold, OVERRIDE_TYPE),
    ):
        named = [key.name for key in file.keys.values() if kind in key.predicate_types]
        # Two keys of one owner are one person.
        able = len(named) if kind == DECISION_TYPE else len(set(named))
        # A file without owners is one without overrides, and means it.
        if able < threshold and (able or kind == DECISION_TYPE):
            yield Problem(
                field=field,
                message=f"{threshold} keys must sign, and the file names {able} that may",
                remedy="Name more keys or lower the threshold",
            )
