"""Whether an Ed25519 key made a signature over the bytes themselves, as signed notes are."""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def verifies(public_key: bytes, data: bytes, signature: bytes) -> bool:
    r"""Whether the signature is one of this key over the data.

    Args:
        public_key: 32 bytes of RFC 8032.
        data: what was signed.
        signature: any bytes of a stranger.

    Example:
        >>> verifies(b"\0" * 32, b"", b"\0" * 63)
        False
    """
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True
