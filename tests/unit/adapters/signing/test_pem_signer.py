from __future__ import annotations

import base64
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from beleg.adapters.signing.pem_signer import PemSigner
from beleg.adapters.signing.verification import verified_keys
from beleg.core.errors import UsageError
from beleg.release.public_keys import key_id_of

# RFC 8032, section 7.1, test 1: the private key and its public key.
RFC_8032_PRIVATE = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
RFC_8032_PUBLIC = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")


def write(path: Path, data: bytes, mode: int = 0o600) -> Path:
    path.write_bytes(data)
    path.chmod(mode)
    return path


def rfc_8032(path: Path, mode: int = 0o600) -> Path:
    der = bytes.fromhex("302e020100300506032b657004220420") + RFC_8032_PRIVATE
    body = base64.b64encode(der).decode()
    return write(path, f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n".encode(), mode)


def test_a_key_signs_what_its_public_key_verifies(tmp_path: Path) -> None:
    signer = PemSigner.read(rfc_8032(tmp_path / "key.pem"))
    made = signer.sign(b"{}", "type")
    keys = {signer.key_id: signer.public_key}
    assert verified_keys(b"{}", "type", [base64.b64decode(made.sig)], keys) == {signer.key_id}
    assert verified_keys(b"{}", "other", [base64.b64decode(made.sig)], keys) == frozenset()
    assert RFC_8032_PUBLIC in base64.b64decode("".join(signer.public_key.splitlines()[1:-1]))
    assert key_id_of(signer.public_key) == signer.key_id == made.keyid


def test_openssl_verifies_the_signature(tmp_path: Path) -> None:
    signer = PemSigner.read(rfc_8032(tmp_path / "key.pem"))
    write(tmp_path / "public.pem", signer.public_key.encode())
    write(tmp_path / "signature", base64.b64decode(signer.sign(b"{}", "type").sig))
    # The pre-authentication encoding of DSSE, written out by hand.
    write(tmp_path / "signed", b"DSSEv1 4 type 2 {}")
    done = subprocess.run(
        ["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", "public.pem", "-sigfile", "signature", "-in",
         "signed"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Verified Successfully" in done.stdout


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o622])
def test_a_key_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(UsageError, match="can be read by others"):
        PemSigner.read(rfc_8032(tmp_path / "key.pem", mode))


def test_what_is_no_key_of_the_two_kinds_is_refused(tmp_path: Path) -> None:
    rsa = generate_private_key(65537, 2048).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    for data in (b"", b"no key", rsa):
        with pytest.raises(UsageError, match="holds no private key"):
            PemSigner.read(write(tmp_path / "key.pem", data))
    with pytest.raises(UsageError, match="cannot be read"):
        PemSigner.read(tmp_path / "gone.pem")
