"""Content digests: one byte form (RFC 8785) and one hash (SHA-256) for everything that is compared."""

from __future__ import annotations

import hashlib
from typing import Any

import rfc8785

from beleg.core.errors import DataError, Problem


def canonical_json(value: Any) -> bytes:
    """The RFC 8785 byte form of JSON data.

    Raises:
        DataError: if the value holds NaN, infinity, an integer beyond 2^53 or a lone surrogate.
    """
    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeError) as error:
        raise DataError(
            Problem(message=f"cannot be written in canonical form: {error}", remedy="Use finite numbers and valid text")
        ) from error


def digest_of(value: Any) -> str:
    """The SHA-256 of the canonical form, as ``sha256:<hex>``.

    Example:
        >>> digest_of({"b": 1, "a": 2}) == digest_of({"a": 2, "b": 1})
        True
    """
    return digest_of_bytes(canonical_json(value))


def digest_of_bytes(data: bytes) -> str:
    """The SHA-256 of bytes, as ``sha256:<hex>``."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def digest_of_text(text: str) -> str:
    r"""The SHA-256 of a text's UTF-8 bytes, as ``sha256:<hex>``; nothing is folded.

    A lone surrogate has its own three bytes, so that a broken text has an address as well.

    Example:
        >>> digest_of_text("é") == digest_of_text("e\u0301"), len(digest_of_text("\ud800"))
        (False, 71)
    """
    return digest_of_bytes(text.encode("utf-8", "surrogatepass"))
