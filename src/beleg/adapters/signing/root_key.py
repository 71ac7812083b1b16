"""The private half of an offline root, in a file that nobody else may read."""

from __future__ import annotations

import base64
import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key
from securesystemslib.dsse import Envelope
from securesystemslib.signer import CryptoSigner  # type: ignore[attr-defined]  # re-exported without __all__

from beleg.core.attestation import SignatureMade
from beleg.core.errors import DataError, Problem, UsageError

MAX_KEY_BYTES = 16_384


@dataclass(frozen=True, slots=True)
class FileSigner:
    """A private key from a PEM file."""

    key_id: str
    public_key: str
    _signer: CryptoSigner

    def sign(self, payload: bytes, payload_type: str) -> SignatureMade:
        """Signs the DSSE pre-authentication encoding of payload and type."""
        made = self._signer.sign(Envelope(payload, payload_type, {}).pae())
        return SignatureMade(keyid=self.key_id, sig=base64.b64encode(bytes.fromhex(made.signature)).decode("ascii"))


def read_signer(path: Path) -> FileSigner:
    """A private key from a PEM file without a password: Ed25519, or ECDSA on P-256.

    Raises:
        UsageError: if the file cannot be read, or others than its owner may read it.
        DataError: if it holds no such key. Nothing of what it holds is named.
    """
    data = _read_private(path)
    try:
        key = load_pem_private_key(data, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise _unusable(path) from error
    is_p256 = isinstance(key, EllipticCurvePrivateKey) and isinstance(key.curve, SECP256R1)
    if not isinstance(key, Ed25519PrivateKey) and not (is_p256 and isinstance(key, EllipticCurvePrivateKey)):
        raise _unusable(path)
    public = key.public_key()
    der = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return FileSigner(
        key_id=hashlib.sha256(der).hexdigest(),
        public_key=public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode("ascii"),
        _signer=CryptoSigner(key),
    )


def _read_private(path: Path) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", hint="Check the path and the rights on it") from error
    try:
        # Of the file that is open, so that nobody can put another in its place in between.
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UsageError(f"{path} is no regular file", hint="Name the PEM file of the key")
        if status.st_mode & 0o077:
            raise UsageError(
                f"{path} may be read by others (mode {stat.S_IMODE(status.st_mode):04o})",
                hint=f"Take their rights away with: chmod 600 {path}; and replace the key if others had access",
            )
        return os.read(descriptor, MAX_KEY_BYTES)
    finally:
        os.close(descriptor)


def _unusable(path: Path) -> DataError:
    return DataError(
        Problem(
            file=str(path),
            message="this is no private key in PEM of Ed25519 or P-256 without a password",
            remedy="Make one with: openssl genpkey -algorithm ed25519 -out root.pem",
        )
    )
