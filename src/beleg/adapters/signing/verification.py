"""Whose keys made a signature: Ed25519 and P-256 over DSSE's pre-authentication encoding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import load_pem_public_key

if TYPE_CHECKING:
    from securesystemslib.signer import SSlibKey

SCHEMES = ("ed25519", "ecdsa-sha2-nistp256")


def verified_keys(
    payload: bytes, payload_type: str, signatures: Sequence[bytes], keys: Mapping[str, str]
) -> frozenset[str]:
    r"""The ids of those keys that made at least one of the signatures.

    Every signature is tried with every key: which key a signature names is a hint that anybody may have written.

    Args:
        payload: the bytes that were signed.
        payload_type: what they are.
        signatures: as raw bytes; P-256 in DER.
        keys: SubjectPublicKeyInfo in PEM by key id; what is no key of the two kinds verifies nothing.

    Example:
        >>> pem = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n"
        >>> verified_keys(b"{}", "t", [b"\0" * 64], {"rfc8032": pem + "-----END PUBLIC KEY-----\n"})
        frozenset()
    """
    # Imported here: the package sets up logging when it is imported.
    from securesystemslib.dsse import Envelope

    encoded = Envelope(payload, payload_type, {}).pae()
    return frozenset(key_id for key_id, pem in keys.items() if _has_signed(_key(key_id, pem), signatures, encoded))


def _key(key_id: str, pem: str) -> SSlibKey | None:
    from securesystemslib.signer import SSlibKey

    try:
        key = SSlibKey.from_crypto(load_pem_public_key(pem.encode()), keyid=key_id)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None
    return key if key.scheme in SCHEMES else None


def _has_signed(key: SSlibKey | None, signatures: Sequence[bytes], encoded: bytes) -> bool:
    return key is not None and any(_verifies(key, signature, encoded) for signature in signatures)


def _verifies(key: SSlibKey, signature: bytes, encoded: bytes) -> bool:
    from securesystemslib.exceptions import UnverifiedSignatureError, VerificationError
    from securesystemslib.signer import Signature

    try:
        key.verify_signature(Signature(key.keyid, signature.hex()), encoded)
    except (UnverifiedSignatureError, VerificationError):
        return False
    return True
