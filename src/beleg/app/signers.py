"""Opening the keys that sign."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from beleg.adapters.signing.key_references import open_signer
from beleg.core.attestation import PayloadSigner
from beleg.core.decision_log import NoteSigner
from beleg.core.errors import UsageError


def open_signers(references: Sequence[str]) -> tuple[PayloadSigner, ...]:
    """The keys behind references; the password of an encrypted file is asked for at a terminal.

    Raises:
        UsageError: if a key cannot be used.
        DataError: if what is there is no key.
    """
    return tuple(open_signer(reference, environment=os.environ, ask_password=_ask_password) for reference in references)


def open_note_signer(reference: str) -> NoteSigner:
    """The key behind a reference, to sign checkpoints of a log; its password is asked for as for `open_signers`.

    Raises:
        UsageError: if the key cannot be used.
        DataError: if what is there is no key.
    """
    return open_signer(reference, environment=os.environ, ask_password=_ask_password)


def _ask_password(name: str) -> str | None:
    """A password from ``BELEG_KEY_PASSWORD``, or from the person at the terminal."""
    given = os.environ.get("BELEG_KEY_PASSWORD")
    if given:
        return given
    if not sys.stdin.isatty():
        raise UsageError(
            f"{name} is encrypted, and nobody can be asked for its password",
            hint="Set BELEG_KEY_PASSWORD, or run this at a terminal",
        )
    import getpass

    return getpass.getpass(f"Password of {name}: ")
