"""Sealing to a public key: HPKE of RFC 9180 with X25519, HKDF-SHA256 and ChaCha20-Poly1305."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from cryptography.exceptions import InvalidTag, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from beleg.adapters.formats.atomic import create_bytes
from beleg.adapters.formats.private_files import read_private
from beleg.adapters.signing.new_keys import PRIVATE_MODE
from beleg.core.errors import DataError, EvidenceError, Problem, UsageError

ENVIRONMENT = "env:"
_SUITE = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)


def make_seal_key(private: Path, public: Path) -> str:
    """Makes a key pair and returns its id; nothing is overwritten.

    Raises:
        UsageError: if one of the files is there already, or cannot be written.
    """
    key = X25519PrivateKey.generate()
    create_bytes(private, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), mode=PRIVATE_MODE)
    create_bytes(public, key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return seal_key_id(key.public_key())


def seal_key_id(key: X25519PublicKey) -> str:
    """The SHA-256 of the public key in DER, in hex."""
    return hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()


def read_seal_public_key(pem: str, place: str) -> X25519PublicKey:
    """A public key from PEM.

    Raises:
        DataError: if it is none of X25519.
    """
    try:
        key = load_pem_public_key(pem.encode())
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, X25519PublicKey):
        raise _no_key(place)
    return key


def open_seal_key(reference: str, environment: Mapping[str, str]) -> X25519PrivateKey:
    """A private key from a file that nobody else may read, or from a variable: ``env:NAME``.

    Raises:
        UsageError: if there is no such file or variable, or others may read the file.
        DataError: if it is no such key. Nothing of what was read is named.
    """
    if reference.startswith(ENVIRONMENT):
        name = reference.removeprefix(ENVIRONMENT)
        pem = environment.get(name, "").encode()
        if not pem:
            raise UsageError(f"the variable {name} holds no key", hint=f"Set {name} to the PEM of the private key")
    else:
        pem = read_private(Path(reference))
    try:
        key = load_pem_private_key(pem, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, X25519PrivateKey):
        # The fault is not chained: its text may quote what was read.
        raise _no_key(reference)
    return key


def seal(plaintext: bytes, key: X25519PublicKey, bound: bytes) -> bytes:
    """Encrypts to a public key, bound to what stands in the clear beside it."""
    return _SUITE.encrypt(plaintext, key, info=bound)


def unseal(ciphertext: bytes, key: X25519PrivateKey, bound: bytes) -> bytes:
    """Decrypts what was sealed to a key.

    Raises:
        EvidenceError: if it was changed, is bound to something else, or is sealed to another key.
    """
    try:
        return _SUITE.decrypt(ciphertext, key, info=bound)
    except (InvalidTag, ValueError):
        raise EvidenceError(
            "the seal does not open: it was changed, or is sealed to another key",
            hint="Name the private half of the key that it was sealed to; if that is the one, fetch the file again",
        ) from None


def _no_key(place: str) -> DataError:
    return DataError(
        Problem(file=place, message="this is no key that seals (X25519, in PEM)", remedy="Make one: beleg suite keys")
    )
