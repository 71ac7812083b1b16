"""What reviewers did, as events that are appended and never changed (E7).

The state of a claim is the fold of its stream: one stream per claim row, versions counted from 1 without a gap.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Protocol, Self

from pydantic import Field, model_validator

from beleg.core.case import Identifier, LongText
from beleg.core.digest import canonical_json
from beleg.core.errors import EvidenceError, UsageError
from beleg.core.evidence import AttributionDecision, Condition, Rationale, SupportDecision
from beleg.core.model import StoredModel

NO_HASH = "0" * 64
"""Stands for the event before the first one."""


class ReviewEventKind(StrEnum):
    """What happened."""

    ASSIGNED = "assigned"
    VERDICT_RECORDED = "verdict_recorded"
    VERDICT_SUPERSEDED = "verdict_superseded"
    """A reviewer replaces an earlier verdict of their own, which stays."""
    DISPUTED = "disputed"
    ADJUDICATED = "adjudicated"
    """A person settles a disagreement; the originals stay, and count for agreement."""
    WITHDRAWN = "withdrawn"
    NOTE_ADDED = "note_added"
    SHEET_REBUILT = "sheet_rebuilt"
    """The claim row is another one now; verdicts of before stay, and are about an older row."""
    SHOWN = "shown"
    """The actor was shown what machines propose or what others decided; no later verdict of theirs is blind."""


class ReviewAction(StoredModel):
    """What a client asks to append; the ledger adds sequence, version, time and hash."""

    kind: ReviewEventKind
    """What happened."""
    stream: Identifier
    """The claim row, as ``run_id/claim_id``."""
    expected_version: Annotated[int, Field(ge=0)]
    """The version of the stream that the reviewer looked at; a stream that moved on refuses the action."""
    idempotency_key: Identifier
    """The same action sent twice is recorded once."""
    actor: Identifier
    """Who acts."""
    evidence_digest: str
    """The content address of the claim row that was looked at."""
    attribution: AttributionDecision | None = None
    """The verdict on attribution; only events that decide have one."""
    support: SupportDecision | None = None
    """The verdict on support; only events that decide have one."""
    assignee: Identifier | None = None
    """To whom the claim is assigned."""
    supersedes: Annotated[int, Field(ge=1)] | None = None
    """The version of the event that is replaced, disputed, settled or withdrawn."""
    note: LongText | None = None
    """What is noted."""
    reason: Rationale | None = None
    """Why it was superseded, disputed, settled or withdrawn."""
    shown: Condition | None = None
    """What the actor was shown: what machines propose, or what others decided."""
    spent_ms: Annotated[int, Field(ge=0)] | None = None
    """How long the reviewer looked at the claim."""

    @model_validator(mode="after")
    def _has_what_its_kind_needs(self) -> Self:
        kind, has_verdict = self.kind, self.attribution is not None or self.support is not None
        verdict_kinds = (
            ReviewEventKind.VERDICT_RECORDED, ReviewEventKind.VERDICT_SUPERSEDED, ReviewEventKind.ADJUDICATED,
        )  # fmt: skip
        if has_verdict != (kind in verdict_kinds):
            raise ValueError("a verdict stands in the events that record, supersede or adjudicate, and in no other")
        pointing = (
            ReviewEventKind.VERDICT_SUPERSEDED, ReviewEventKind.DISPUTED, ReviewEventKind.ADJUDICATED,
            ReviewEventKind.WITHDRAWN,
        )  # fmt: skip
        if kind in pointing and (self.supersedes is None or self.reason is None):
            raise ValueError(f"'{kind.value}' names the event that it is about, and says why")
        if (kind is ReviewEventKind.ASSIGNED) != (self.assignee is not None):
            raise ValueError("'assigned' names an assignee, and no other event does")
        if kind is ReviewEventKind.NOTE_ADDED and self.note is None:
            raise ValueError("'note_added' has a note")
        if (kind is ReviewEventKind.SHOWN) != (self.shown in (Condition.SAW_MACHINE, Condition.SAW_HUMAN)):
            raise ValueError("'shown' says what was shown, and no other event does")
        return self


class ReviewEvent(StoredModel):
    """An action as the ledger recorded it, chained to the event before it."""

    sequence: Annotated[int, Field(ge=1)]
    """Its place in the whole ledger, counted from 1 without a gap."""
    version: Annotated[int, Field(ge=1)]
    """Its place in its stream."""
    recorded_at: datetime
    """When the ledger took it, in UTC."""
    action: ReviewAction
    """What was asked for."""
    previous_hash: str
    """The hash of the event before it; of the first one, the hash of nothing (64 zeros)."""
    hash: str
    """SHA-256 over the previous hash and the canonical form of everything before it."""

    @classmethod
    def chained(
        cls, action: ReviewAction, *, sequence: int, version: int, recorded_at: datetime, previous_hash: str
    ) -> Self:
        """An event behind the one with ``previous_hash``.

        Args:
            action: what was asked for.
            sequence: its place in the ledger.
            version: its place in its stream.
            recorded_at: when, with its time zone; kept in UTC.
            previous_hash: the hash of the event before it, `NO_HASH` for the first.

        Raises:
            UsageError: if the time names no time zone.
        """
        if recorded_at.tzinfo is None:
            raise UsageError("the time of an event names its time zone")
        content = {
            "sequence": sequence,
            "version": version,
            "recorded_at": recorded_at.astimezone(UTC),
            "action": action,
            "previous_hash": previous_hash,
        }
        unsealed = cls.model_validate({**content, "hash": NO_HASH})
        return unsealed.model_copy(update={"hash": unsealed.content_hash()})

    def content(self) -> bytes:
        """What is hashed behind the previous hash: sequence, version, time and action in canonical form."""
        return canonical_json(self.model_dump(mode="json", exclude_none=True, exclude={"previous_hash", "hash"}))

    def content_hash(self) -> str:
        """What `hash` must be.

        Formula: SHA-256 of the previous hash, as 64 characters, followed by `content`.
        """
        return hash_behind(self.previous_hash, self.content())


def hash_behind(previous_hash: str, content: bytes) -> str:
    """The hash of an event by what stands before it and what it holds.

    Example:
        >>> hash_behind(NO_HASH, b"{}")[:8]
        '5508d2b7'
    """
    return hashlib.sha256(previous_hash.encode() + content).hexdigest()


class LedgerHead(StoredModel):
    """How long a ledger is and what its last hash is; signed and kept elsewhere, it shows a cut tail."""

    ledger: Identifier
    size: Annotated[int, Field(ge=0)]
    hash: str
    at: datetime


class StreamMovedOn(UsageError):
    """Somebody else acted on the claim in between; the last to write never wins."""

    def __init__(self, stream: str, expected: int, actual: int) -> None:
        super().__init__(
            f"{stream} was changed in between: it is at version {actual}, and you looked at version {expected}",
            hint="Look at the claim again, then decide",
        )
        self.stream, self.expected, self.actual = stream, expected, actual


class DamagedEvent(EvidenceError):
    """What stands at a place of the ledger is no event any more."""

    def __init__(self, sequence: int, what: str) -> None:
        super().__init__(
            f"event {sequence} of the review ledger is damaged: {what}",
            hint="Find the first broken event with: beleg review verify",
        )
        self.sequence, self.what = sequence, what


class ReviewLedger(Protocol):
    """An append-only store of review events; SQLite and PostgreSQL behave alike."""

    def append(self, action: ReviewAction, *, at: datetime) -> ReviewEvent:
        """Appends an action, or returns the event that its idempotency key already made.

        Raises:
            StreamMovedOn: if the stream is not at ``expected_version``.
            DataError: if the key was used for another action.
            EvidenceError: if the store cannot be written.
        """
        ...

    def append_all(self, actions: tuple[ReviewAction, ...], *, at: datetime) -> tuple[ReviewEvent, ...]:
        """Appends many in one transaction: all or none."""
        ...

    def stream(self, stream: str) -> tuple[ReviewEvent, ...]:
        """All events of a claim row, in order."""
        ...

    def events(self, *, after: int = 0, limit: int | None = None) -> tuple[ReviewEvent, ...]:
        """Events of the whole ledger in order, after a sequence number.

        Raises:
            DamagedEvent: if what stands at a place is no event any more.
        """
        ...

    def streams(self, prefix: str) -> dict[str, tuple[ReviewEvent, ...]]:
        """The streams whose name begins so, each in order; a run's claims share ``run_id/``."""
        ...

    def head(self) -> LedgerHead:
        """Its length and last hash."""
        ...

    def close(self) -> None:
        """Releases the connection."""
        ...


class ClaimReview(StoredModel):
    """What people decided about one claim row, folded from its stream; every event stays in the ledger."""

    stream: Identifier
    """The claim row, as ``run_id/claim_id``."""
    version: Annotated[int, Field(ge=0)]
    """How many events the stream holds."""
    evidence_digest: str | None = None
    """The claim row that the verdicts are about."""
    assignees: tuple[Identifier, ...] = ()
    """Who is to look at it."""
    verdicts: tuple[ReviewEvent, ...] = ()
    """The verdict in force of each reviewer, in the order in which they first decided."""
    superseded: tuple[ReviewEvent, ...] = ()
    """Verdicts, disputes and adjudications that were replaced or withdrawn; they stay readable."""
    outdated: tuple[ReviewEvent, ...] = ()
    """Verdicts, disputes and adjudications about an older claim row."""
    disputes: tuple[ReviewEvent, ...] = ()
    adjudication: ReviewEvent | None = None
    """The verdict that settled a disagreement; the originals stay in ``verdicts``."""
    notes: tuple[ReviewEvent, ...] = ()
    shown: tuple[ReviewEvent, ...] = ()
    """Who was shown what machines propose or others decided, and when."""
