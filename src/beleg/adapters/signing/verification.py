"""Whose keys made a signature: Ed25519 and P-256 over DSSE's pre-authentication encoding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import UnverifiedSignatureError, VerificationError
from securesystemslib.signer import Signature, SSlibKey  # type: ignore[attr-defined]  # re-exported without __all__


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
    encoded = Envelope(payload, payload_type, {}).pae()
    return frozenset(
        key.keyid for key in _usable(keys) if any(_has_signed(key, signature, encoded) for signature in signatures)
    )


def _usable(keys: Mapping[str, str]) -> Iterator[SSlibKey]:
    for key_id, pem in keys.items():
        try:
            key = SSlibKey.from_crypto(load_pem_public_key(pem.encode()), keyid=key_id)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            continue
        if key.scheme in ("ed25519", "ecdsa-sha2-nistp256"):
            yield key


def _has_signed(key: SSlibKey, signature: bytes, encoded: bytes) -> bool:
    try:
        key.verify_signature(Signature(key.keyid, signature.hex()), encoded)
    except (UnverifiedSignatureError, VerificationError):
        return False
    return True
