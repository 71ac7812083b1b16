"""Making keys: the private half for its owner alone, the public half for everybody."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)

from beleg.adapters.formats.atomic import create_bytes
from beleg.adapters.signing.root_key import FileSigner, read_signer

KeyKind = Literal["ed25519", "p256"]

PRIVATE_MODE = 0o600


def make_key(private: Path, public: Path, *, kind: KeyKind = "ed25519", password: bytes | None = None) -> FileSigner:
    """Makes a key pair. Nothing is overwritten: a key that is gone cannot be had again.

    Args:
        private: where the private half goes, readable by its owner alone.
        public: where the public half goes.
        kind: Ed25519, or P-256 for tools that know no other.
        password: encrypts the private half.

    Raises:
        UsageError: if one of the files is there already, or cannot be written.
    """
    key = Ed25519PrivateKey.generate() if kind == "ed25519" else generate_private_key(SECP256R1())
    encryption: KeySerializationEncryption = NoEncryption() if password is None else BestAvailableEncryption(password)
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)
    create_bytes(private, pem, mode=PRIVATE_MODE)
    signer = read_signer(private, password)
    create_bytes(public, signer.public_key.encode())
    return signer
