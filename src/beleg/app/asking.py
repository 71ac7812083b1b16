"""Asking a person at the terminal for a new password: unseen, and twice."""

from __future__ import annotations

import sys

from beleg.core.errors import UsageError


def asked_twice(of_what: str, *, otherwise: str) -> str:
    """A password that is typed twice and shown nowhere.

    Args:
        of_what: as the question calls it, such as ``the new key``.
        otherwise: what to do where nobody can be asked.

    Raises:
        UsageError: if no terminal is there, or the two differ or are empty.
    """
    if not sys.stdin.isatty():
        raise UsageError("nobody can be asked for a password", hint=otherwise)
    import getpass

    first, again = getpass.getpass(f"Password of {of_what}: "), getpass.getpass("The same again: ")
    if not first or first != again:
        raise UsageError("the two passwords differ or are empty", hint="Try again")
    return first
