"""Keys and decisions to sign in tests; nothing here is secret."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from beleg.core.attestation import SignatureMade
from beleg.core.decision import CheckKind, CheckResult, CheckState, Decision, RunReference, Sentence, Verdict
from beleg.core.policy import Policy

WHEN = datetime(2026, 11, 30, 12, tzinfo=UTC)
HEX = "ab" * 32


def pae(payload: bytes, payload_type: str) -> bytes:
    """DSSE's pre-authentication encoding, written here from the specification."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


@dataclass(frozen=True)
class PlainSigner:
    """A key that signs with ``cryptography`` alone."""

    key: Ed25519PrivateKey | EllipticCurvePrivateKey

    @property
    def public_key(self) -> str:
        public = self.key.public_key()
        return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()

    @property
    def key_id(self) -> str:
        der = self.key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        return hashlib.sha256(der).hexdigest()

    def sign(self, payload: bytes, payload_type: str) -> SignatureMade:
        data = pae(payload, payload_type)
        made = self.key.sign(data) if isinstance(self.key, Ed25519PrivateKey) else self.key.sign(data, ECDSA(SHA256()))
        return SignatureMade(keyid=self.key_id, sig=base64.b64encode(made).decode())


def ed25519_signer() -> PlainSigner:
    return PlainSigner(Ed25519PrivateKey.generate())


def p256_signer() -> PlainSigner:
    return PlainSigner(generate_private_key(SECP256R1()))


def check(name: str, state: CheckState = CheckState.PASS, **fields: Any) -> CheckResult:
    given: dict[str, Any] = {
        "check_id": f"{name}/band", "kind": CheckKind.BAND, "metric": name, "reason": Sentence(en=name, de=name),
    }  # fmt: skip
    return CheckResult(**{**given, "state": state, **fields})


def policy(**release: Any) -> Policy:
    """A policy with terms of release."""
    return Policy.model_validate(
        {
            "policy": "p",
            "checks": ({"metric": "hit@5", "pass_at": 0.9, "block_at": 0.8},),
            "release": release or None,
        }
    )


def decision(*checks: CheckResult, by: Policy | None = None, **fields: Any) -> Decision:
    """A decision by that policy."""
    states = {each.state for each in checks}
    verdict = (
        Verdict.BLOCK if CheckState.FAIL in states else Verdict.PASS if states <= {CheckState.PASS} else Verdict.REVIEW
    )
    given: dict[str, Any] = {
        "verdict": verdict, "headline": Sentence(en="told", de="gesagt"), "policy_name": "p", "policy_version": 1,
        "policy_digest": (by or policy()).digest, "suite_name": "s", "suite_version": 2,
        "suite_digest": f"sha256:{HEX}",
        "candidate": RunReference(run_id="r1", name="hybrid", manifest_digest=f"sha256:{'12' * 32}"),
        "checks": checks or (check("hit@5"),), "confidence": 0.95, "seed": 0, "resamples": 1000, "holm": False,
        "beleg_version": "0.1.0", "decided_at": WHEN,
    }  # fmt: skip
    return Decision(**{**given, **fields})
