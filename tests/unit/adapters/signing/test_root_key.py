"""Private keys come from files that nobody else may read."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat

from beleg.adapters.signing.root_key import read_signer
from beleg.adapters.signing.verification import verified_keys
from beleg.core.errors import DataError, UsageError
from beleg.release.public_keys import key_id_of

FORM = (Encoding.PEM, PrivateFormat.PKCS8)


def written(path: Path, key: object, mode: int = 0o600, encryption: object = None) -> Path:
    path.write_bytes(key.private_bytes(*FORM, encryption or NoEncryption()))
    path.chmod(mode)
    return path


@pytest.mark.parametrize("key", [ed25519.Ed25519PrivateKey.generate(), ec.generate_private_key(ec.SECP256R1())])
def test_what_it_signs_verifies(tmp_path: Path, key: object) -> None:
    signer = read_signer(written(tmp_path / "k.pem", key))
    made = signer.sign(b"{}", "t")
    assert signer.key_id == key_id_of(signer.public_key) == made.keyid
    signatures = [base64.b64decode(made.sig)]
    assert verified_keys(b"{}", "t", signatures, {signer.key_id: signer.public_key}) == {signer.key_id}


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o601])
def test_a_key_that_others_may_reach_is_refused(tmp_path: Path, mode: int) -> None:
    path = written(tmp_path / "k.pem", ed25519.Ed25519PrivateKey.generate(), mode)
    with pytest.raises(UsageError, match="may be read by others"):
        read_signer(path)


@pytest.mark.parametrize(
    ("key", "encryption"),
    [
        (rsa.generate_private_key(65537, 2048), None),
        (ec.generate_private_key(ec.SECP384R1()), None),
        (ed25519.Ed25519PrivateKey.generate(), BestAvailableEncryption(b"secret")),
    ],
)
def test_other_keys_are_refused(tmp_path: Path, key: object, encryption: object) -> None:
    with pytest.raises(DataError, match="no private key"):
        read_signer(written(tmp_path / "k.pem", key, encryption=encryption))


def test_nothing_of_what_a_file_holds_is_named(tmp_path: Path) -> None:
    path = tmp_path / "k.pem"
    path.write_text("-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n")
    path.chmod(0o600)
    with pytest.raises(DataError) as caught:
        read_signer(path)
    assert "c2VjcmV0" not in caught.value.diagnostics()


def test_a_file_that_is_not_there_or_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "gone.pem", tmp_path):
        with pytest.raises(UsageError):
            read_signer(path)


def test_bytes_are_signed_as_they_are(tmp_path: Path) -> None:
    key = ed25519.Ed25519PrivateKey.generate()
    signer = read_signer(written(tmp_path / "k.pem", key))
    assert signer.sign_bytes(b"a note\n") == key.sign(b"a note\n")
