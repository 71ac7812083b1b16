"""What reviewers did, as events that are appended and never changed (E7).

The state of a claim is the fold of its stream: one stream per claim row, versions counted from 1 without a gap.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Protocol, Self

from pydantic import Field, model_validator

from beleg.core.case import Identifier, LongText
from beleg.core.errors import UsageError
from beleg.core.evidence import AttributionDecision, Rationale, SupportDecision
from beleg.core.model import StoredModel


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


class ReviewAction(StoredModel):
    """What a client asks to append; the ledger adds sequence, version, time and hash."""

    kind: ReviewEventKind
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
    support: SupportDecision | None = None
    assignee: Identifier | None = None
    supersedes: Annotated[int, Field(ge=1)] | None = None
    """The version of the event that is replaced, disputed, settled or withdrawn."""
    note: LongText | None = None
    reason: Rationale | None = None
    """Why it was superseded, disputed, settled or withdrawn."""
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
        return self


class ReviewEvent(StoredModel):
    """An action as the ledger recorded it, chained to the event before it."""

    sequence: Annotated[int, Field(ge=1)]
    """Its place in the whole ledger, counted from 1 without a gap."""
    version: Annotated[int, Field(ge=1)]
    """Its place in its stream."""
    recorded_at: datetime
    action: ReviewAction
    previous_hash: str
    """The hash of the event before it; of the first one, the hash of nothing (64 zeros)."""
    hash: str
    """SHA-256 over the previous hash and the canonical form of everything above."""


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


class ReviewLedger(Protocol):
    """An append-only store of review events; SQLite and PostgreSQL behave alike."""

    def append(self, action: ReviewAction, *, at: datetime) -> ReviewEvent:
        """Appends an action, or returns the event that its idempotency key already made.

        Raises:
            StreamMovedOn: if the stream is not at ``expected_version``.
            DataError: if the key was used for another action.
        """
        ...

    def append_all(self, actions: tuple[ReviewAction, ...], *, at: datetime) -> tuple[ReviewEvent, ...]:
        """Appends many in one transaction: all or none."""
        ...

    def stream(self, stream: str) -> tuple[ReviewEvent, ...]:
        """All events of a claim row, in order."""
        ...

    def events(self, *, after: int = 0, limit: int | None = None) -> tuple[ReviewEvent, ...]:
        """Events of the whole ledger in order, after a sequence number."""
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
    assignees: tuple[Identifier, ...] = ()
    """Who is to look at it."""
    verdicts: tuple[ReviewEvent, ...] = ()
    """The verdict in force of each reviewer, in the order in which they first decided."""
    superseded: tuple[ReviewEvent, ...] = ()
    """Verdicts that were replaced or withdrawn; they stay readable."""
    disputes: tuple[ReviewEvent, ...] = ()
    adjudication: ReviewEvent | None = None
    """The verdict that settled a disagreement; the originals stay in ``verdicts``."""
    notes: tuple[ReviewEvent, ...] = ()
