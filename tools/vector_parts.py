"""The parts of which vectors for deployment controllers are made: test keys, statements, envelopes, trust files.

The private keys follow from the labels below, so that anybody can make them; they protect nothing.
"""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

import rfc8785
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

STATEMENT = "application/vnd.in-toto+json"
TRUST = "application/vnd.beleg.trust+json"
DECISION = "https://github.com/beleg/beleg/release-decision/v1"
OVERRIDE = "https://github.com/beleg/beleg/release-override/v1"
VSA = "https://slsa.dev/verification_summary/v1"

CANDIDATE = hashlib.sha256(b"the manifest of the candidate").hexdigest()
OTHER = hashlib.sha256(b"the manifest of another candidate").hexdigest()
NOW = "2026-11-30T12:00:00Z"

Data = dict[str, Any]


class Key:
    """A test key that follows from its label: anybody can make it, and nothing is protected by it."""

    def __init__(self, label: str, *, p256: bool = False) -> None:
        seed = hashlib.sha256(f"a test key of beleg, known to everybody: {label}".encode()).digest()
        self._private: Any = (
            ec.derive_private_key(int.from_bytes(seed, "big") >> 1, ec.SECP256R1())
            if p256
            else ed25519.Ed25519PrivateKey.from_private_bytes(seed)
        )
        self._p256 = p256
        public = self._private.public_key()
        self.pem: str = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
        self.id: str = hashlib.sha256(public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()

    def sign(self, payload: bytes, payload_type: str) -> bytes:
        """Signs the pre-authentication encoding of DSSE."""
        encoded = b"DSSEv1 %d %b %d %b" % (len(payload_type), payload_type.encode(), len(payload), payload)
        if self._p256:
            return bytes(self._private.sign(encoded, ec.ECDSA(SHA256(), deterministic_signing=True)))
        return bytes(self._private.sign(encoded))


ROOT, NEW_ROOT, GATE, GATE_2, ADA, BEA, ROGUE = (
    Key(label) for label in ("root", "new root", "gate", "second gate", "owner Ada", "owner Bea", "rogue")
)
GATE_P256 = Key("gate on P-256", p256=True)
OWNER_TYPES, GATE_TYPES = [OVERRIDE], [DECISION, VSA]


def b64(data: bytes) -> str:
    """Base64 with the usual alphabet."""
    return base64.b64encode(data).decode()


def signed(payload: bytes, *keys: Key, payload_type: str = STATEMENT) -> Data:
    """An envelope as plain data, to be spoiled at will."""
    signatures = [{"keyid": key.id, "sig": b64(key.sign(payload, payload_type))} for key in keys]
    return {"payload": b64(payload), "payloadType": payload_type, "signatures": signatures}


def text(envelope: Data) -> str:
    """An envelope as it stands in a file."""
    return json.dumps(envelope, ensure_ascii=False, separators=(",", ":"))


def entry(key: Key, name: str, types: list[str], **changes: Any) -> Data:
    """A key of a trust file."""
    return {
        "publicKey": key.pem,
        "name": name,
        "predicateTypes": types,
        "environments": ["production", "staging"],
        "validFrom": "2026-01-01T00:00:00Z",
        "validUntil": "2027-01-01T00:00:00Z",
        **changes,
    }


def trust(**changes: Any) -> Data:
    """A trust file in date, with changes."""
    return {
        "version": "7",
        "issuedAt": "2026-11-01T00:00:00Z",
        "expiresAt": "2027-02-01T00:00:00Z",
        "keys": {
            GATE.id: entry(GATE, "the gate", GATE_TYPES),
            GATE_P256.id: entry(GATE_P256, "the gate, P-256", GATE_TYPES),
            ADA.id: entry(ADA, "Ada", OWNER_TYPES),
            BEA.id: entry(BEA, "Bea", OWNER_TYPES),
        },
        "decisionThreshold": 1,
        "overrideThreshold": 1,
        "revokedStatements": [],
        "minimumSequence": {},
        "maxDecisionAgeHours": 72,
        "maxOverrideHours": 72,
        "requireEvidencePack": False,
        **changes,
    }


def check(name: str, state: str) -> Data:
    """A check of a decision."""
    return {
        "id": name,
        "state": state,
        "metric": "faithfulness",
        "estimate": "0.91",
        "scored": "198",
        "expected": "200",
    }


def decision(verdict: str = "PASS", **changes: Any) -> Data:
    """A decision in date, with changes."""
    state = {"PASS": "PASS", "REVIEW": "INCONCLUSIVE", "BLOCK": "FAIL"}.get(verdict, "FAIL")
    failed = [] if verdict == "PASS" else ["faithfulness", "latency"]
    return {
        "decision": verdict,
        "environment": "production",
        "policy": {"uri": "policy.yaml", "digest": {"sha256": "1" * 64}},
        "suite": {"digest": {"sha256": "2" * 64}},
        "evidencePack": {"digest": {"sha256": "3" * 64}},
        "decisionRecord": {"digest": {"sha256": "4" * 64}},
        "issuedAt": "2026-11-30T09:00:00Z",
        "notBefore": "2026-11-30T09:00:00Z",
        "expiresAt": "2026-12-02T09:00:00Z",
        "sequence": "42",
        "headline": f"{verdict}: für diesen Kandidaten",
        "checks": [check("faithfulness", state), check("latency", state)],
        "failedChecks": failed,
        "waivableChecks": failed,
        "verifier": {"id": "beleg", "version": "0.1.0"},
        **changes,
    }


def statement(predicate: Data, kind: str = DECISION, **changes: Any) -> Data:
    """A statement about the candidate, with changes."""
    subject = [{"name": "candidate", "digest": {"sha256": CANDIDATE}}]
    return {
        "_type": "https://in-toto.io/Statement/v1", "subject": subject, "predicateType": kind, "predicate": predicate,
        **changes,
    }  # fmt: skip


def payload_of(predicate: Data, kind: str = DECISION, **changes: Any) -> bytes:
    """The one form of a statement."""
    return rfc8785.dumps(statement(predicate, kind, **changes))


def digest(payload: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(payload).hexdigest()


BLOCKED = payload_of(decision("BLOCK"))


def override(**changes: Any) -> Data:
    """An override of `BLOCKED`, with changes."""
    return {
        "overrides": digest(BLOCKED),
        "environment": "production",
        "checks": ["faithfulness", "latency"],
        "owner": "Ada",
        "reason": "The fall in faithfulness is one wrong golden answer, corrected in the next suite.",
        "ticket": "REL-17",
        "compensatingControl": "Answers about refunds are read by a person until then.",
        "issuedAt": "2026-11-30T10:00:00Z",
        "expiresAt": "2026-12-01T10:00:00Z",
        **changes,
    }


def over(*keys: Key, **changes: Any) -> Data:
    """A signed override, by Ada where nobody is named."""
    return signed(payload_of(override(**changes), OVERRIDE), *(keys or (ADA,)))


def decided(verdict: str = "PASS", *keys: Key, **changes: Any) -> Data:
    """A signed decision, by the gate where no key is named."""
    return signed(payload_of(decision(verdict, **changes)), *(keys or (GATE,)))


@dataclass(kw_only=True)
class Vector:
    """What a controller is given, and what it must answer."""

    says: str
    reason: str
    exit_code: int
    envelopes: list[Data | str] = field(default_factory=list)
    trust: Data | str | None = None
    """Plain data is signed by the root."""
    roots: tuple[Key, ...] = (ROOT,)
    at: str = NOW
    state: Data = field(default_factory=dict)


def allow(says: str, *envelopes: Data | str, reason: str = "pass", **more: Any) -> Vector:
    """A vector whose candidate is let in."""
    return Vector(says=says, reason=reason, exit_code=0, envelopes=list(envelopes), **more)


def deny(says: str, reason: str, *envelopes: Data | str, exit_code: int = 30, **more: Any) -> Vector:
    """A vector whose candidate is not let in."""
    return Vector(says=says, reason=reason, exit_code=exit_code, envelopes=list(envelopes), **more)


def seen(sequence: str, payload: str = "9" * 64) -> Data:
    """A decision that was acted on."""
    return {"sequence": sequence, "statement": payload}


def remembers(admitted: Data | None = None, held_back: Data | None = None) -> Data:
    """What a controller remembers of production."""
    memory = {"held_back": held_back or {}, **({"admitted": admitted} if admitted else {})}
    return {"environments": {"production": memory}}


def with_keys(**changes: Any) -> Data:
    """The trust file with other terms for the gate's key."""
    keys = trust()["keys"]
    return trust(keys={**keys, GATE.id: {**keys[GATE.id], **changes}})
