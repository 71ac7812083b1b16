"""Checkpoints: how many entries a log had and what their root was, signed (C2SP tlog-checkpoint).

Whoever keeps one away from the log can later tell whether anything of what it covers was changed or cut off.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass

from beleg.core.errors import DataError, Problem
from beleg.release.notes import NoteKey, Sign, SignedNote, Verify, is_signed_by, parse_note, sign_note

_SIZE = re.compile(r"0|[1-9][0-9]{0,17}")
_ORIGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/:-]{0,199}")
_LEAST_LINES = 3
_ROOT_BYTES = 32


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a log at one size.

    Attributes:
        origin: the name of the log, which no other log has.
        size: how many entries it had.
        root: the root of their tree.
    """

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """What is signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode('ascii')}\n"


def require_origin(origin: str) -> str:
    """Refuses a name under which a log of ours could not be told from something else.

    Without a space in it, no checkpoint can begin as what DSSE signs does: one key may serve for both.

    Raises:
        DataError: naming what is allowed.

    Example:
        >>> require_origin("example.com/releases")
        'example.com/releases'
    """
    if not _ORIGIN.fullmatch(origin):
        raise DataError(
            Problem(
                field="origin",
                message="the name of a log has letters, digits and . _ / : - only",
                value=repr(origin[:60]),
                remedy="Name it as in: example.com/releases",
            )
        )
    return origin


def sign_checkpoint(checkpoint: Checkpoint, public_key: bytes, sign: Sign) -> SignedNote:
    """A checkpoint signed by the log's key, whose name is that of the log.

    Args:
        checkpoint: what is signed.
        public_key: 32 bytes of Ed25519.
        sign: the private half.

    Raises:
        DataError: if the log has a name that cannot be signed.
    """
    return sign_note(checkpoint.text, NoteKey(require_origin(checkpoint.origin), public_key), sign)


def parse_checkpoint(note: SignedNote) -> Checkpoint:
    """What a note says as a checkpoint; whether it is signed is not looked at.

    Lines after the third are extensions: they are signed, and say nothing that is known here.

    Raises:
        DataError: if it is none.
    """
    lines = note.text.removesuffix("\n").split("\n")
    if len(lines) < _LEAST_LINES or not all(lines):
        raise _no_checkpoint("three lines without a gap are expected: origin, size, root")
    origin, size, root = lines[:_LEAST_LINES]
    if not _SIZE.fullmatch(size):
        raise _no_checkpoint("its size is no whole number")
    try:
        decoded = base64.b64decode(root, validate=True)
    except ValueError as error:
        raise _no_checkpoint("its root is no base64") from error
    if len(decoded) != _ROOT_BYTES or base64.b64encode(decoded).decode("ascii") != root:
        raise _no_checkpoint(f"its root is not the base64 of {_ROOT_BYTES} bytes")
    return Checkpoint(origin, int(size), decoded)


def verified_checkpoint(data: bytes, public_key: bytes, verify: Verify, *, name: str | None = None) -> Checkpoint:
    """A checkpoint that a key has signed.

    Args:
        data: the note.
        public_key: 32 bytes of Ed25519.
        verify: the check of one signature.
        name: the name under which the key signs; that of the log where it is left out.

    Raises:
        DataError: if it is no checkpoint, or this key has not signed it.
    """
    note = parse_note(data)
    checkpoint = parse_checkpoint(note)
    key = NoteKey(name or checkpoint.origin, public_key)
    if not is_signed_by(note, key, verify):
        raise DataError(
            Problem(
                message="the checkpoint is not signed by this key",
                value=f"{checkpoint.origin}, {checkpoint.size} entries",
                remedy="Name the public half of the log's key; or believe nothing that this checkpoint says",
            )
        )
    return checkpoint


def _no_checkpoint(why: str) -> DataError:
    return DataError(
        Problem(message=f"this is no checkpoint: {why}", remedy="Name a file that 'beleg log checkpoint' wrote")
    )
