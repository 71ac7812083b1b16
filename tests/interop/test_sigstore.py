"""Sigstore's own verifier takes what is signed, and refuses what was changed."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest

from support.vector_tools import parts

Sigstore = Callable[[list[dict[str, Any]]], list[str | None]]


def asked(envelope: Any, key: Any) -> dict[str, Any]:
    return {"envelope": envelope, "keyid": key.id, "pem": key.pem}


@pytest.mark.parametrize("key", [parts.GATE, parts.GATE_P256])
def test_a_decision_verifies_as_a_bundle(sigstore: Sigstore, key: Any) -> None:
    assert sigstore([asked(parts.decided("PASS", key), key)]) == [None]


@pytest.mark.parametrize("key", [parts.GATE, parts.GATE_P256])
def test_an_override_and_a_trust_file_verify_too(sigstore: Sigstore, key: Any) -> None:
    trust = parts.signed(b'{"version":"1"}', key, payload_type=parts.TRUST)
    assert sigstore([asked(parts.over(key), key), asked(trust, key)]) == [None, None]


@pytest.mark.parametrize("key", [parts.GATE, parts.GATE_P256])
def test_what_was_changed_is_refused(sigstore: Sigstore, key: Any) -> None:
    good = parts.decided("BLOCK", key)
    payload = base64.b64decode(good["payload"]).replace(b'"BLOCK"', b'"PASS"')
    changed = {**good, "payload": base64.b64encode(payload).decode()}
    other = parts.signed(parts.BLOCKED, parts.ROGUE)
    retyped = {**good, "payloadType": "application/json"}
    faults = sigstore([asked(changed, key), asked(other, key), asked(retyped, key)])
    assert all(fault is not None and "SIGNATURE_ERROR" in fault for fault in faults), faults
