"""Signed notes: a text with lines of signatures below it, as C2SP and the Go checksum database write them.

Ed25519 (type 1) is made and verified; signatures of other keys and kinds stand beside it and count for nothing here.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass

from beleg.core.errors import DataError, Problem

MAX_NOTE_BYTES = 1_000_000
MAX_SIGNATURES = 64

_ED25519 = b"\x01"
_KEY_ID_BYTES = 4
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
_LINE = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})")
_NAME = re.compile(r"[^\s+]{1,200}")

Sign = Callable[[bytes], bytes]
"""Makes the Ed25519 signature over the bytes themselves."""

Verify = Callable[[bytes, bytes, bytes], bool]
"""Whether a signature is one of the key with these 32 bytes: ``(key, data, signature)``; never raises for them."""


@dataclass(frozen=True, slots=True)
class NoteKey:
    """The public half of an Ed25519 key under the name that stands in notes.

    Attributes:
        name: without spaces and plus signs.
        public_key: the 32 bytes of RFC 8032.
    """

    name: str
    public_key: bytes

    @property
    def key_id(self) -> bytes:
        """Four bytes that tell keys apart, no more: anybody can make another key with the same ones."""
        return hashlib.sha256(self.name.encode() + b"\n" + _ED25519 + self.public_key).digest()[:_KEY_ID_BYTES]

    @property
    def verifier(self) -> str:
        """The key in the one line that other tools take: ``name+id+key``."""
        key = base64.b64encode(_ED25519 + self.public_key).decode("ascii")
        return f"{self.name}+{self.key_id.hex()}+{key}"


@dataclass(frozen=True, slots=True)
class NoteSignature:
    """One line of signature: the name and id of a key, and what it made."""

    name: str
    key_id: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class SignedNote:
    """A text, which ends in a newline, with its signatures. Nothing of it is verified."""

    text: str
    signatures: tuple[NoteSignature, ...]

    def render(self) -> str:
        """The note as it is written."""
        lines = [
            f"— {each.name} {base64.b64encode(each.key_id + each.signature).decode('ascii')}\n"
            for each in self.signatures
        ]
        return f"{self.text}\n{''.join(lines)}"


def sign_note(text: str, key: NoteKey, sign: Sign) -> SignedNote:
    """A text signed by one key.

    Args:
        text: ends in a newline.
        key: the public half, under the name that is to stand there.
        sign: the private half.

    Raises:
        DataError: if the text or the name cannot stand in a note.
    """
    if not text.endswith("\n") or _CONTROL.search(text):
        raise _no_note("the text ends in a newline and has no control characters")
    if not _NAME.fullmatch(key.name):
        raise _no_note("the name of a key has no spaces and no plus sign")
    return SignedNote(text, (NoteSignature(key.name, key.key_id, sign(text.encode())),))


def parse_note(data: bytes) -> SignedNote:
    """Takes a note apart without believing anything that it holds.

    Raises:
        DataError: if it is none.
    """
    try:
        written = data.decode("utf-8") if len(data) <= MAX_NOTE_BYTES else ""
    except UnicodeDecodeError as error:
        raise _no_note("it is not UTF-8") from error
    text, blank, below = written.rpartition("\n\n")
    if not blank or not text or _CONTROL.search(written) or not below.endswith("\n"):
        raise _no_note("a text, an empty line and lines of signatures are expected")
    lines = below.removesuffix("\n").split("\n")
    if len(lines) > MAX_SIGNATURES:
        raise _no_note(f"it has more than {MAX_SIGNATURES} signatures")
    return SignedNote(f"{text}\n", tuple(_signature(line) for line in lines))


def is_signed_by(note: SignedNote, key: NoteKey, verify: Verify) -> bool:
    r"""Whether a key has signed a note. A line under its name and id that does not verify spoils the note.

    Example:
        >>> note = SignedNote("text\n", ())
        >>> is_signed_by(note, NoteKey("log", bytes(32)), lambda key, data, signature: True)
        False
    """
    own = [each for each in note.signatures if (each.name, each.key_id) == (key.name, key.key_id)]
    data = note.text.encode()
    return bool(own) and all(verify(key.public_key, data, each.signature) for each in own)


def _signature(line: str) -> NoteSignature:
    match = _LINE.fullmatch(line)
    if match is None:
        raise _no_note("a line of signature is not of the form '— name base64'")
    try:
        made = base64.b64decode(match[2], validate=True)
    except ValueError as error:
        raise _no_note("the base64 of a signature is damaged") from error
    if len(made) <= _KEY_ID_BYTES or base64.b64encode(made).decode("ascii") != match[2]:
        raise _no_note("the base64 of a signature is damaged")
    return NoteSignature(match[1], made[:_KEY_ID_BYTES], made[_KEY_ID_BYTES:])


def _no_note(why: str) -> DataError:
    return DataError(
        Problem(message=f"this is no signed note: {why}", remedy="Name a file that 'beleg log checkpoint' wrote")
    )
