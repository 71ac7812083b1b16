"""Content digests: one byte form (RFC 8785) and one hash (SHA-256) for everything that is compared."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import rfc8785

from beleg.core.errors import DataError, Problem


def canonical_json(value: Any) -> bytes:
    """The RFC 8785 byte form of JSON data.

    Raises:
        DataError: if the value holds NaN, infinity, an integer beyond 2^53 or a lone surrogate.
    """
    plain = _plainly(value)
    if plain is not None:
        return plain
    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeError) as error:
        raise DataError(
            Problem(message=f"cannot be written in canonical form: {error}", remedy="Use finite numbers and valid text")
        ) from error


# In these the canonical form and Python's own may differ: fractions, exponents, long integers, keys that are no text,
# and keys that are sorted by UTF-16. A text that only looks like one of them goes the long way too, to the same bytes.
_OTHER_NUMBER = re.compile(r"[\[:,]-?(?:[0-9]+[.eE]|[0-9]{16})")
_OTHER_KEY = re.compile(r'"(?:-?[0-9][0-9.eE+-]*|true|false|null)":')
_OTHER_CHARACTER = re.compile(r"[^\x00-\ud7ff]")


def _plainly(value: Any) -> bytes | None:
    """The canonical form by Python's fast encoder, where both are the same; ``None`` where they may not be."""
    try:
        text = _ENCODER.encode(value)
    except (TypeError, ValueError, RecursionError):
        return None
    is_number = text[:1] in "-0123456789"
    if is_number or _OTHER_NUMBER.search(text) or _OTHER_KEY.search(text):
        return None
    return None if not text.isascii() and _OTHER_CHARACTER.search(text) else text.encode()


_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


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
