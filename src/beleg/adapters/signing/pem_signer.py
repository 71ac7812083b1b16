"""A private key in a PEM file: Ed25519 or P-256, readable by its owner alone."""

from __future__ import annotations

import base64
import hashlib
import stat
from pathlib import Path
from typing import Self

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from beleg.core.attestation import SignatureMade
from beleg.core.errors import UsageError


class PemSigner:
    """Signs with a private key; see `PayloadSigner`.

    Args:
        key: an Ed25519 or P-256 key.
    """

    def __init__(self, key: Ed25519PrivateKey | EllipticCurvePrivateKey) -> None:
        public = key.public_key()
        self._key = key
        self.key_id = hashlib.sha256(public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()
        self.public_key = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()

    @classmethod
    def read(cls, path: Path) -> Self:
        """The key in a file.

        Raises:
            UsageError: if there is no such file, others may read it, or it holds no key of the two kinds.
        """
        try:
            mode, data = path.stat().st_mode, path.read_bytes()
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror}", hint="Name a private key in PEM") from error
        if mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise UsageError(
                f"{path} can be read by others than its owner: mode {stat.S_IMODE(mode):04o}",
                hint=f"Keep it to yourself: chmod 600 {path}",
            )
        try:
            key = load_pem_private_key(data, None)
        except (ValueError, TypeError, UnsupportedAlgorithm) as error:
            raise _no_key(path) from error
        if isinstance(key, Ed25519PrivateKey) or (
            isinstance(key, EllipticCurvePrivateKey) and isinstance(key.curve, SECP256R1)
        ):
            return cls(key)
        raise _no_key(path)

    def sign(self, payload: bytes, payload_type: str) -> SignatureMade:
        """Signs the DSSE pre-authentication encoding of payload and type."""
        # The library installs a log handler when it is loaded, so that it is loaded only where something is signed.
        from securesystemslib.dsse import Envelope
        from securesystemslib.signer import CryptoSigner  # type: ignore[attr-defined]  # re-exported without __all__

        made = CryptoSigner(self._key).sign(Envelope(payload, payload_type, {}).pae())
        return SignatureMade(keyid=self.key_id, sig=base64.b64encode(bytes.fromhex(made.signature)).decode())


def _no_key(path: Path) -> UsageError:
    return UsageError(
        f"{path} holds no private key of Ed25519 or P-256 without a password",
        hint="Make one with: openssl genpkey -algorithm ed25519 -out key.pem",
    )
