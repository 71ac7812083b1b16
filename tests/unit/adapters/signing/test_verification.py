"""Signatures are held against every key, and what is broken verifies nothing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from beleg.adapters.signing.verification import verified_keys
from support.vector_tools import parts

PAYLOAD, TYPE = b'{"a":"1"}', "application/vnd.in-toto+json"
KEYS = {key.id: key.pem for key in (parts.GATE, parts.GATE_P256, parts.ADA)}


def made(*keys: object) -> list[bytes]:
    return [key.sign(PAYLOAD, TYPE) for key in keys]


def test_each_key_that_signed_is_named_once() -> None:
    assert verified_keys(PAYLOAD, TYPE, made(parts.GATE, parts.GATE, parts.GATE_P256), KEYS) == {
        parts.GATE.id,
        parts.GATE_P256.id,
    }


@pytest.mark.parametrize("key", [parts.GATE, parts.GATE_P256])
def test_payload_type_and_key_are_all_bound(key: object) -> None:
    signatures = made(key)
    assert verified_keys(PAYLOAD + b" ", TYPE, signatures, KEYS) == frozenset()
    assert verified_keys(PAYLOAD, TYPE + "x", signatures, KEYS) == frozenset()
    assert verified_keys(PAYLOAD, TYPE, signatures, {parts.ADA.id: parts.ADA.pem}) == frozenset()


@pytest.mark.parametrize("signature", [b"", b"\x00" * 64, b"\xff" * 64, b"0" * 10_000, made(parts.GATE)[0][:-1]])
def test_what_is_no_signature_verifies_nothing_and_raises_nothing(signature: bytes) -> None:
    assert verified_keys(PAYLOAD, TYPE, [signature], KEYS) == frozenset()


@pytest.mark.parametrize("pem", ["", "é", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"])
def test_what_is_no_key_verifies_nothing_and_raises_nothing(pem: str) -> None:
    assert verified_keys(PAYLOAD, TYPE, made(parts.GATE), {"odd": pem}) == frozenset()


def test_parts_of_type_and_payload_cannot_change_places() -> None:
    # Without the lengths of the pre-authentication encoding, "t" + "x " and "t x" + "" would be one text.
    signature = parts.GATE.sign(b"x y", "t")
    assert verified_keys(b"y", "t 3 x", [signature], KEYS) == frozenset()


def test_the_encoding_is_the_one_of_the_dsse_specification() -> None:
    """The protocol's own example: PAE("http://example.com/HelloWorld", "hello world")."""
    encoded = b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    signature = parts.GATE._private.sign(encoded)
    assert verified_keys(b"hello world", "http://example.com/HelloWorld", [signature], KEYS) == {parts.GATE.id}


def test_openssl_agrees(tmp_path: Path) -> None:
    encoded = b"DSSEv1 %d %b %d %b" % (len(TYPE), TYPE.encode(), len(PAYLOAD), PAYLOAD)
    (tmp_path / "m").write_bytes(encoded)
    (tmp_path / "s").write_bytes(made(parts.GATE)[0])
    (tmp_path / "k").write_text(parts.GATE.pem)
    words = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", "k", "-rawin", "-in", "m", "-sigfile", "s"]
    assert subprocess.run(words, cwd=tmp_path, capture_output=True, check=False).returncode == 0
