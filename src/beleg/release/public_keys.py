"""Public keys by their one written form, so that one key cannot pass for two."""

from __future__ import annotations

import base64
import hashlib
import re

from beleg.core.errors import DataError, Problem

_PEM = re.compile(r"-----BEGIN PUBLIC KEY-----\n((?:[A-Za-z0-9+/=]{1,64}\n)+)-----END PUBLIC KEY-----\n?")

ED25519_PREFIX = bytes.fromhex("302a300506032b6570032100")
"""What stands before the 32 bytes of an Ed25519 key (RFC 8410)."""

P256_PREFIX = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")
"""What stands before the two coordinates of an uncompressed point on P-256 (RFC 5480)."""

_FORMS = ((ED25519_PREFIX, 32), (P256_PREFIX, 64))


def key_id_of(pem: str) -> str:
    r"""The id of a public key: the SHA-256 of its SubjectPublicKeyInfo in DER, in hex.

    Ed25519 and P-256 are taken, each in its one usual encoding: a compressed point would be the same key under another
    id, and two ids of one key could stand for two people.

    Raises:
        DataError: if it is no PEM of such a key.

    Example:
        >>> body = "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
        >>> key_id_of(f"-----BEGIN PUBLIC KEY-----\n{body}\n-----END PUBLIC KEY-----\n")[:16]
        '06e3fd8fda29bb60'
    """
    match = _PEM.fullmatch(pem)
    if match is None:
        raise _refused("it is no PEM of one public key")
    try:
        text = match[1].replace("\n", "")
        der = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise _refused("its base64 is damaged") from error
    if base64.b64encode(der).decode("ascii") != text:
        raise _refused("its base64 is damaged")
    if not any(der.startswith(prefix) and len(der) == len(prefix) + rest for prefix, rest in _FORMS):
        raise _refused("it is neither Ed25519 nor P-256 with an uncompressed point")
    return hashlib.sha256(der).hexdigest()


def ed25519_bytes(pem: str) -> bytes:
    r"""The 32 bytes of an Ed25519 key, as signed notes name it.

    Raises:
        DataError: if it is no PEM of an Ed25519 key.

    Example:
        >>> body = "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
        >>> len(ed25519_bytes(f"-----BEGIN PUBLIC KEY-----\n{body}\n-----END PUBLIC KEY-----\n"))
        32
    """
    key_id_of(pem)
    match = _PEM.fullmatch(pem)
    der = base64.b64decode(match[1].replace("\n", "")) if match else b""
    if not der.startswith(ED25519_PREFIX):
        raise DataError(
            Problem(
                message="a checkpoint of a log is signed with Ed25519, and this key is on P-256",
                remedy="Make one with: beleg keys new",
            )
        )
    return der.removeprefix(ED25519_PREFIX)


def _refused(why: str) -> DataError:
    return DataError(
        Problem(
            message=f"a public key cannot be used: {why}",
            remedy="Write it with: openssl pkey -in KEY.pem -pubout",
        )
    )
