"""What a decision log holds: one line for each document that was issued, received or taken back (P5)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Protocol

from pydantic import AwareDatetime, Field

from beleg.core.attestation import Sha256Hex
from beleg.core.case import ShortText
from beleg.core.digest import canonical_json
from beleg.core.model import StoredModel


class LogKind(StrEnum):
    """What kind of document an entry is about."""

    DECISION = "decision"
    OVERRIDE = "override"
    SUMMARY = "summary"
    """A SLSA verification summary."""
    TRUST = "trust"
    REVIEW_HEAD = "review_head"
    """How far a review ledger had come, as text or signed."""
    PACK = "pack"
    """An audit pack; its bytes are not kept in the log."""


class LogEntry(StoredModel):
    """One entry: what the root of the log covers. It names the document by its digest and holds none of its words."""

    kind: LogKind
    name: ShortText
    """The name of the file, without its folders."""
    sha256: Sha256Hex
    """Of the document's bytes."""
    size: Annotated[int, Field(ge=0)]
    """In bytes."""
    at: AwareDatetime
    """When it was entered, by the clock of the machine that did so."""

    @property
    def leaf(self) -> bytes:
        """The bytes that are hashed into the tree: the canonical form of the entry."""
        return canonical_json(self.to_json_dict())


class LogLine(StoredModel):
    """An entry as it stands in the file, with the document beside it.

    The document is no part of what is hashed; its digest is. Where it must be erased, the log goes on to verify.
    """

    entry: LogEntry
    leaf: Sha256Hex
    """The hash of the entry in the tree, against accidents."""
    content: str | None = None
    """The document in base64."""


class LogHead(StoredModel):
    """The first line of the file."""

    beleg_log: Annotated[int, Field(ge=1, le=1)] = 1
    """Version of the format."""
    origin: ShortText
    """The name of the log, which no other log has."""


class NoteSigner(Protocol):
    """A private key that signs checkpoints, wherever it is kept."""

    @property
    def public_key(self) -> str:
        """SubjectPublicKeyInfo in PEM."""
        ...

    def sign_bytes(self, data: bytes) -> bytes:
        """Signs the bytes themselves."""
        ...
