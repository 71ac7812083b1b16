"""Private keys in PEM: in a file that nobody else may read, or as text from elsewhere."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from beleg.adapters.formats.private_files import read_private
from beleg.core.attestation import SignatureMade
from beleg.core.errors import DataError, Problem

if TYPE_CHECKING:
    from securesystemslib.signer import CryptoSigner


@dataclass(frozen=True, slots=True)
class FileSigner:
    """A private key from a PEM file."""

    key_id: str
    public_key: str
    _signer: CryptoSigner

    def sign(self, payload: bytes, payload_type: str) -> SignatureMade:
        """Signs the DSSE pre-authentication encoding of payload and type."""
        from securesystemslib.dsse import Envelope

        made = self.sign_bytes(Envelope(payload, payload_type, {}).pae())
        return SignatureMade(keyid=self.key_id, sig=base64.b64encode(made).decode("ascii"))

    def sign_bytes(self, data: bytes) -> bytes:
        """Signs the bytes themselves, as signed notes are."""
        return bytes.fromhex(self._signer.sign(data).signature)


def read_signer(path: Path, password: bytes | None = None) -> FileSigner:
    """A private key from a PEM file: Ed25519, or ECDSA on P-256.

    Args:
        path: the file.
        password: what the key is encrypted with; ``None`` for a key that is not.

    Raises:
        UsageError: if the file cannot be read, or others than its owner may read it.
        DataError: if it holds no such key, or not under this password. Nothing of what it holds is named.
    """
    return signer_of(read_private(path), str(path), password)


def is_encrypted(path: Path) -> bool:
    """Whether the key in a PEM file takes a password.

    Raises:
        UsageError: as `read_signer`.
    """
    return b"ENCRYPTED" in read_private(path)


def signer_of(pem: bytes, place: str, password: bytes | None = None) -> FileSigner:
    """A private key from PEM.

    Args:
        pem: the key.
        place: where it came from, for messages.
        password: what it is encrypted with; ``None`` where it is not.

    Raises:
        DataError: if it is no such key, or not under this password. Nothing of what it holds is named.
    """
    # Imported here: the package sets up logging when it is imported.
    from securesystemslib.signer import CryptoSigner

    try:
        key = load_pem_private_key(pem, password=password)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        # The fault is not chained: its text may quote what was read.
        raise _unusable(place) from None
    is_p256 = isinstance(key, EllipticCurvePrivateKey) and isinstance(key.curve, SECP256R1)
    if not isinstance(key, Ed25519PrivateKey) and not (is_p256 and isinstance(key, EllipticCurvePrivateKey)):
        raise _unusable(place)
    public = key.public_key()
    der = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return FileSigner(
        key_id=hashlib.sha256(der).hexdigest(),
        public_key=public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode("ascii"),
        _signer=CryptoSigner(key),
    )


def _unusable(place: str) -> DataError:
    return DataError(
        Problem(
            file=place,
            message="this is no private key in PEM of Ed25519 or P-256, or not under this password",
            remedy="Make one with: beleg keys new",
        )
    )
