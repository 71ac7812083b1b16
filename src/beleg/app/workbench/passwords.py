"""Passwords of local accounts: hashed slowly with a salt of their own, checked in the same time for any name."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import unicodedata

from beleg.core.errors import DataError, Problem

SHORTEST = 12
LONGEST = 200
SALT_BYTES = 16
HASH_BYTES = 32
COST, BLOCK, PARALLEL = 2**15, 8, 1
MAX_MEMORY_BYTES = 64 * 1024 * 1024
GENERATED_BYTES = 15
_SCHEME = "scrypt"
COMMON = frozenset(
    {
        "123456789012",
        "1234567890123",
        "111111111111",
        "000000000000",
        "password1234",
        "passwordpassword",
        "passwort1234",
        "passwortpasswort",
        "qwertyuiop12",
        "qwertyuiop123",
        "qwertzuiop12",
        "abcdefghijkl",
        "letmeinletmein",
        "iloveyou1234",
        "administrator",
        "changeme1234",
        "correcthorsebatterystaple",
    }
)
"""The first that a guesser tries among those that are long enough."""


def require_usable(password: str, name: str) -> None:
    """Refuses a password that is soon guessed.

    Raises:
        DataError: saying what is wrong with it, and never what it is.
    """
    folded = unicodedata.normalize("NFKC", password).casefold()
    message = None
    if not SHORTEST <= len(password) <= LONGEST:
        message = f"a password has {SHORTEST} to {LONGEST} characters"
    elif len(set(folded)) < SHORTEST // 3 or folded in COMMON or folded.strip("0123456789!?.") in COMMON:
        message = "this password is among the first that somebody would guess"
    elif len(name) > 2 and name.casefold() in folded:
        message = "a password must not hold the name of its account"
    if message is not None:
        raise DataError(
            Problem(message=message, field="password", remedy="Four or five words that do not belong together do")
        )


def generated_password() -> str:
    """A random password of 20 characters, to be told once."""
    return secrets.token_urlsafe(GENERATED_BYTES)


def hashed_password(password: str) -> str:
    """What is kept of a password, with salt and cost.

    Example:
        >>> is_password("four words and more", hashed_password("four words and more"))
        True
    """
    salt = secrets.token_bytes(SALT_BYTES)
    return "$".join((_SCHEME, str(COST), str(BLOCK), str(PARALLEL), _text(salt), _text(_derived(password, salt))))


def is_password(password: str, kept: str) -> bool:
    """Whether a password is the one that was hashed; hashes of another form or cost are none."""
    parts = kept.split("$")
    if parts[:4] != [_SCHEME, str(COST), str(BLOCK), str(PARALLEL)] or len(parts) != 6:
        return False
    salt, wanted = (base64.b64decode(part) for part in parts[4:])
    return hmac.compare_digest(_derived(password[:LONGEST], salt), wanted)


def waste_time(password: str) -> None:
    """Takes as long as checking a password, where there is none to check: the answer's delay tells no names."""
    _derived(password[:LONGEST], bytes(SALT_BYTES))


def _derived(password: str, salt: bytes) -> bytes:
    typed = unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")
    return hashlib.scrypt(typed, salt=salt, n=COST, r=BLOCK, p=PARALLEL, maxmem=MAX_MEMORY_BYTES, dklen=HASH_BYTES)


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")
