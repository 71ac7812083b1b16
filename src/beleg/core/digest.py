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


# In these the canonical form and Python's own may differ: long integers, some fractions, keys that are no text, and
# keys sorted by UTF-16. A fraction differs where it is whole (1.0 is written 1) and where it has an exponent.
_OTHER = r"(-?[0-9]+(?:\.0|(?:\.[0-9]+)?e[+-][0-9]+)|-?[0-9]{16,})(?=[,\]}])"
_ANYWHERE = re.compile(rf"([\[:,]){_OTHER}")
# Each begins with one character and not with a choice, which makes the search several times as fast.
_AS_MEMBER, _AS_FIRST, _AS_NEXT = (re.compile(rf"({mark}){_OTHER}") for mark in ('":', r"\[", ","))
_KEY_ENDS_IN_DIGIT = re.compile(r'":(?<=[0-9.]":)')
_KEY_LIKE_NUMBER = re.compile(r'"-?[0-9][0-9.eE+-]*":')
_KEYS_LIKE_WORDS = ('"true":', '"false":', '"null":')
_OTHER_CHARACTER = re.compile(r"[^\x00-\ud7ff]")
# JSON has no control character within a text, so these can stand for what would end one wrongly.
_BACKSLASH, _QUOTE, _TEXT = "\x01", "\x02", "\x03"


def _plainly(value: Any) -> bytes | None:
    """The canonical form by Python's fast encoder, where both are the same; ``None`` where they may not be."""
    try:
        text = _ENCODER.encode(value)
    except (TypeError, ValueError, RecursionError):
        return None
    if text[:1] in "-0123456789" or _may_have_other_keys(text):
        return None
    try:
        return _with_canonical_numbers(text).encode()
    except rfc8785.CanonicalizationError:
        return None


def _may_have_other_keys(text: str) -> bool:
    return (
        (_KEY_ENDS_IN_DIGIT.search(text) is not None and _KEY_LIKE_NUMBER.search(text) is not None)
        or any(key in text for key in _KEYS_LIKE_WORDS)
        or (not text.isascii() and _OTHER_CHARACTER.search(text) is not None)
    )


def _with_canonical_numbers(text: str) -> str:
    """The numbers outside the texts written anew."""
    if not (_AS_NEXT.search(text) or _AS_FIRST.search(text)):
        within: list[re.Match[str]] = []
        made = _AS_MEMBER.sub(lambda found: _canonical_member(found, within), text)
        if not within:
            return made
    # Split and joined whole, since a step per text would be slow.
    pieces = text.replace(r"\\", _BACKSLASH).replace(r"\"", _QUOTE).split('"')
    pieces[::2] = _ANYWHERE.sub(_canonical_number, _TEXT.join(pieces[::2])).split(_TEXT)
    return '"'.join(pieces).replace(_QUOTE, r"\"").replace(_BACKSLASH, r"\\")


def _canonical_member(found: re.Match[str], within: list[re.Match[str]]) -> str:
    """The member of an object; what may be part of a text instead is noted in ``within``."""
    # No text opens behind a letter, so a quote behind one closes a key.
    before = found.string[found.start() - 1]
    if before.isalnum() or before == "_":
        return _canonical_number(found)
    within.append(found)
    return found.group()


def _canonical_number(found: re.Match[str]) -> str:
    mark, written = found.groups()
    if written.endswith(".0"):
        return mark + ("0" if written == "-0.0" else written[:-2])
    return mark + rfc8785.dumps(json.loads(written)).decode()


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
