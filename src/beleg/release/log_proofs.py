"""Proofs that an entry stands in a log, in one small text that is verified offline (C2SP tlog-proof)."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass

from beleg.core.errors import DataError, Problem
from beleg.release.checkpoints import Checkpoint, verified_checkpoint
from beleg.release.merkle import leaf_hash, verify_inclusion
from beleg.release.notes import MAX_NOTE_BYTES, Verify

HEAD = "c2sp.org/tlog-proof@v1"
MAX_STEPS = 64
"""A path has at most one step for each doubling of the log."""

_INDEX = re.compile(r"index (0|[1-9][0-9]{0,17})")
_EXTRA = "extra "
_HASH_BYTES = 32


@dataclass(frozen=True, slots=True)
class LogProof:
    """The place of an entry, the path to the root, and the signed checkpoint that names the root.

    Attributes:
        index: the place, from 0.
        path: as `inclusion_path` gives it.
        checkpoint: the signed note, byte for byte.
        leaf: the entry itself, carried along unsigned: it counts only once its hash leads to the root.
    """

    index: int
    path: tuple[bytes, ...]
    checkpoint: bytes
    leaf: bytes | None = None

    def render(self) -> bytes:
        """The proof as it is written."""
        lines = [HEAD]
        if self.leaf is not None:
            lines.append(f"{_EXTRA}{base64.b64encode(self.leaf).decode('ascii')}")
        lines.append(f"index {self.index}")
        lines.extend(base64.b64encode(step).decode("ascii") for step in self.path)
        return "\n".join(lines).encode() + b"\n\n" + self.checkpoint


def parse_proof(data: bytes) -> LogProof:
    r"""Takes a proof apart; nothing of it is verified.

    Raises:
        DataError: if it is none.

    Example:
        >>> parse_proof(b"c2sp.org/tlog-proof@v1\nindex 5\n\nnote\n").index
        5
    """
    above, blank, checkpoint = data[:MAX_NOTE_BYTES].partition(b"\n\n")
    try:
        lines = above.decode("ascii").split("\n")
    except UnicodeDecodeError as error:
        raise _no_proof("it is not of the form of C2SP") from error
    if not blank or lines.pop(0) != HEAD:
        raise _no_proof(f"its first line is not {HEAD}")
    leaf = _decoded(lines.pop(0).removeprefix(_EXTRA)) if lines and lines[0].startswith(_EXTRA) else None
    match = _INDEX.fullmatch(lines.pop(0)) if lines else None
    if match is None or len(lines) > MAX_STEPS:
        raise _no_proof("the place of the entry or the path from it is missing")
    path = tuple(_decoded(line) for line in lines)
    if any(len(step) != _HASH_BYTES for step in path):
        raise _no_proof("a step of its path is no SHA-256")
    return LogProof(int(match[1]), path, checkpoint, leaf)


def verified_proof(proof: LogProof, leaf: bytes, public_key: bytes, verify: Verify) -> Checkpoint:
    """The checkpoint under which an entry stands in its log.

    Args:
        proof: as it was read.
        leaf: the entry.
        public_key: the log's key, 32 bytes of Ed25519.
        verify: the check of one signature.

    Raises:
        DataError: if the key has not signed the checkpoint, or the entry does not lead to its root.
    """
    checkpoint = verified_checkpoint(proof.checkpoint, public_key, verify)
    if not verify_inclusion(leaf_hash(leaf), proof.index, checkpoint.size, proof.path, checkpoint.root):
        raise DataError(
            Problem(
                message="the proof does not hold: this entry does not stand there in the log",
                value=f"entry {proof.index} of {checkpoint.size}",
                remedy="Have it proved anew: beleg log prove",
            )
        )
    return checkpoint


def _decoded(text: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise _no_proof("its base64 is damaged") from error
    if base64.b64encode(data).decode("ascii") != text:
        raise _no_proof("its base64 is damaged")
    return data


def _no_proof(why: str) -> DataError:
    return DataError(
        Problem(message=f"this is no proof of a log: {why}", remedy="Name a file that 'beleg log prove' wrote")
    )
