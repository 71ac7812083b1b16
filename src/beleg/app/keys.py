"""Keys of people and gates: made once, shown by their public half."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beleg.adapters.signing.new_keys import KeyKind, make_key
from beleg.app.asking import asked_twice
from beleg.app.signers import open_signers
from beleg.core.errors import UsageError, shown
from beleg.run.folder import make_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A key pair that was made."""

    key_id: str
    private: Path
    public: Path

    def told(self, language: str) -> str:
        """What was made, in one line."""
        if language == "de":
            return f"Schlüssel {self.key_id[:16]} angelegt; die private Hälfte liest nur ihr Eigentümer"
        return f"Made the key {self.key_id[:16]}; only its owner can read the private half"

    def to_json_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        return {"key_id": self.key_id, "private": str(self.private), "public": str(self.public)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownKey:
    """The public side of a key."""

    key_id: str
    public_key: str


def new_key(name: Path, *, kind: KeyKind = "ed25519", encrypt: bool = False) -> NewKey:
    """Makes ``NAME.pem`` and ``NAME.pub.pem``.

    Raises:
        UsageError: if the name is none, one of them is there, nobody can be asked for a password, or the two passwords
            differ.
    """
    if name.name in ("", ".."):
        raise UsageError(f"{shown(str(name))} is no name for a key", hint="Name it as in: beleg keys new keys/gate")
    private, public = name.with_name(f"{name.name}.pem"), name.with_name(f"{name.name}.pub.pem")
    if public.exists() or private.exists():
        raise UsageError(f"{private} or {public} is there already", hint="Name another key; nothing is overwritten")
    make_folder(private.parent)
    signer = make_key(private, public, kind=kind, password=_new_password() if encrypt else None)
    return NewKey(key_id=signer.key_id, private=private, public=public)


def _new_password() -> bytes:
    given = os.environ.get("BELEG_KEY_PASSWORD")
    if given:
        return given.encode()
    return asked_twice("the new key", otherwise="Set BELEG_KEY_PASSWORD, or run this at a terminal").encode()


def show_key(reference: str) -> ShownKey:
    """The public side of a key, by its reference.

    Raises:
        UsageError: if there is no such key.
        DataError: if what is there is no key.
    """
    (signer,) = open_signers([reference])
    return ShownKey(key_id=signer.key_id, public_key=signer.public_key)
