"""An envelope is believed step by step, the signature first."""

from __future__ import annotations

import json

from beleg.adapters.signing.verification import verified_keys
from beleg.core.admission import EnvelopeFinding, StatementKind
from beleg.core.attestation import AdmissionReason, TrustFile
from beleg.release.authentic import Authentic, Terms, authenticate
from support.vector_tools import NOW, parts

TRUST = TrustFile.model_validate_json(json.dumps(parts.trust()))
TERMS = Terms(trust=TRUST, verify=verified_keys, subject=parts.CANDIDATE, environment="production", at=NOW)


def looked_at(envelope: object, terms: Terms = TERMS) -> Authentic | EnvelopeFinding:
    return authenticate("a.dsse.json", parts.text(envelope).encode(), terms)


def test_an_authentic_decision_comes_out_as_what_it_says() -> None:
    found = looked_at(parts.decided())
    assert isinstance(found, Authentic)
    assert (found.kind, found.predicate.environment) == (StatementKind.DECISION, "production")


def test_nothing_is_read_before_the_signature_counts() -> None:
    def nobody(*_: object) -> frozenset[str]:
        return frozenset()

    terms = Terms(trust=TRUST, verify=nobody, subject=parts.CANDIDATE, environment="production", at=NOW)
    found = looked_at(parts.signed(b"this is no JSON", parts.GATE), terms)
    assert isinstance(found, EnvelopeFinding)
    assert found.refused is AdmissionReason.BAD_SIGNATURE


def test_the_check_is_asked_about_the_very_bytes_that_are_read() -> None:
    asked: list[bytes] = []

    def check(payload: bytes, payload_type: str, signatures: object, keys: object) -> frozenset[str]:
        asked.append(payload)
        return frozenset({parts.GATE.id})

    terms = Terms(trust=TRUST, verify=check, subject=parts.CANDIDATE, environment="production", at=NOW)
    assert isinstance(looked_at(parts.decided(), terms), Authentic)
    assert asked == [parts.payload_of(parts.decision())]
