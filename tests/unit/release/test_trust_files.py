"""A trust file is believed because of its root, and only in date."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from beleg.adapters.signing.verification import verified_keys
from beleg.core.admission import ControllerState
from beleg.core.attestation import AdmissionReason, TrustFile
from beleg.core.errors import DataError
from beleg.release.trust_files import MAX_KEYS, BelievedTrust, read_trust, require_consistent, signed_trust
from support.vector_tools import NOW, parts
from support.vector_tools import signed_trust as made

ROOTS = (parts.ROOT.pem,)


def test_what_the_root_signed_is_read() -> None:
    trust = read_trust(made(), ROOTS, verified_keys, NOW, ControllerState())
    assert isinstance(trust, BelievedTrust)
    assert trust.file.version == "7"
    assert trust.file.keys[parts.GATE.id].name == "the gate"


def test_it_counts_up_to_its_last_instant() -> None:
    data = made(parts.trust(expiresAt="2026-11-30T12:00:00.000001Z"))
    assert isinstance(read_trust(data, ROOTS, verified_keys, NOW, ControllerState()), BelievedTrust)
    later = NOW + timedelta(microseconds=1)
    assert read_trust(data, ROOTS, verified_keys, later, ControllerState()) is AdmissionReason.TRUST_EXPIRED


def test_without_a_root_nothing_is_believed() -> None:
    assert signed_trust(made(), (), verified_keys) is AdmissionReason.TRUST_UNSIGNED


def test_a_root_that_is_no_key_is_an_error() -> None:
    with pytest.raises(DataError, match="public key"):
        signed_trust(made(), ("root",), verified_keys)


def test_a_signature_alone_says_nothing_about_the_date() -> None:
    data = made(parts.trust(expiresAt="2026-11-02T00:00:00Z"))
    assert isinstance(signed_trust(data, ROOTS, verified_keys), BelievedTrust)


def test_all_that_is_wrong_is_named_at_once() -> None:
    keys = parts.trust()["keys"]
    gate, ada = keys[parts.GATE.id], keys[parts.ADA.id]
    wrong = {parts.GATE.id: ada, parts.ADA.id: {**gate, "predicateTypes": [parts.DECISION, parts.OVERRIDE]}}
    with pytest.raises(DataError) as caught:
        require_consistent(TrustFile.model_validate_json(json.dumps(parts.trust(keys=wrong))))
    assert "another id" in caught.value.message
    assert "override them" in caught.value.message


def test_keys_are_bounded() -> None:
    file = signed_trust(made(), ROOTS, verified_keys)
    assert isinstance(file, BelievedTrust)
    key = file.file.keys[parts.GATE.id]
    many = file.file.model_copy(update={"keys": {f"{number}": key for number in range(MAX_KEYS + 1)}})
    with pytest.raises(DataError, match="more than 256 keys"):
        require_consistent(many)
