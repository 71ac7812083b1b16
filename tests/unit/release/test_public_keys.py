"""One key, one id."""

from __future__ import annotations

import base64
import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed448, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key

from beleg.core.errors import DataError
from beleg.release.public_keys import ed25519_bytes, key_id_of
from support.vector_tools import parts

SPKI = PublicFormat.SubjectPublicKeyInfo


@pytest.mark.parametrize("key", [parts.GATE, parts.GATE_P256])
def test_the_id_is_the_digest_of_the_key_as_an_outside_library_writes_it(key: object) -> None:
    der = load_pem_public_key(key.pem.encode()).public_bytes(Encoding.DER, SPKI)
    assert key_id_of(key.pem) == hashlib.sha256(der).hexdigest()


@pytest.mark.parametrize(
    "public",
    [
        ec.generate_private_key(ec.SECP384R1()).public_key(),
        rsa.generate_private_key(65537, 2048).public_key(),
        ed448.Ed448PrivateKey.generate().public_key(),
    ],
)
def test_other_kinds_of_keys_are_refused(public: object) -> None:
    with pytest.raises(DataError, match="neither Ed25519 nor P-256"):
        key_id_of(public.public_bytes(Encoding.PEM, SPKI).decode())


def test_a_compressed_point_is_refused() -> None:
    public = load_pem_public_key(parts.GATE_P256.pem.encode())
    body = public.public_bytes(Encoding.X962, PublicFormat.CompressedPoint)
    assert len(body) == 33
    prefix = bytes.fromhex("3039301306072a8648ce3d020106082a8648ce3d030107032200")
    pem = f"-----BEGIN PUBLIC KEY-----\n{base64.b64encode(prefix + body).decode()[:64]}\n"
    pem += f"{base64.b64encode(prefix + body).decode()[64:]}\n-----END PUBLIC KEY-----\n"
    same = load_pem_public_key(pem.encode())
    assert same.public_numbers() == public.public_numbers(), "it is the same key under another form"
    with pytest.raises(DataError, match="uncompressed"):
        key_id_of(pem)


@pytest.mark.parametrize(
    "pem",
    [
        "", "key", parts.GATE.pem + parts.ADA.pem, parts.GATE.pem.replace("\n", "\r\n"), " " + parts.GATE.pem,
        parts.GATE.pem.replace("PUBLIC", "PRIVATE"), parts.GATE.pem.replace("=\n", "\n"), parts.GATE.pem + "\n",
    ],
)  # fmt: skip
def test_another_writing_is_refused(pem: str) -> None:
    with pytest.raises(DataError, match="public key"):
        key_id_of(pem)


def test_the_bytes_of_a_key_are_those_that_an_outside_library_gives() -> None:
    assert ed25519_bytes(parts.GATE.pem) == load_pem_public_key(parts.GATE.pem.encode()).public_bytes_raw()
    with pytest.raises(DataError, match="Ed25519"):
        ed25519_bytes(parts.GATE_P256.pem)
