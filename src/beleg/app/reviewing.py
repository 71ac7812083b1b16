"""Reviewing the claims of a run: who has what, what was decided, and every event in the ledger (E7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from beleg.app.review_ledgers import open_ledger
from beleg.app.review_lines import VerdictLine, decisions_of
from beleg.app.review_subjects import Subject, subjects_of
from beleg.core.digest import digest_of
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.core.evidence import Condition
from beleg.core.review import (
    NO_HASH,
    ClaimReview,
    ReviewAction,
    ReviewEvent,
    ReviewEventKind,
    ReviewLedger,
    StreamMovedOn,
)
from beleg.evidence.review_state import after, folded, needs, require_allowed, verdict_of

Clock = Callable[[], datetime]


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


Wanted = tuple[Subject, ReviewEventKind, str, Mapping[str, Any]]
"""What is to be done to which claim, by whom, and what it says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What became of some actions."""

    events: tuple[ReviewEvent, ...]
    """Their events, whenever they were recorded."""
    new: int
    """How many were recorded now, changes of claim rows aside."""
    known: int = 0
    """How many were recorded before."""
    rebuilt: int = 0
    """How many claims turned out to be other rows than those that were reviewed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What somebody had before them when they acted, so that nothing is done to what they did not look at."""

    version: int
    """Of the stream."""
    evidence_digest: str
    idempotency_key: str
    """The same action sent again under it is recorded once."""


@dataclass(slots=True)
class _Draft:
    """Actions that are to be appended together, each checked against what those before it lead to."""

    at: datetime
    reviews: dict[str, ClaimReview]
    keys: dict[str, ReviewEvent]
    actions: list[ReviewAction] = field(default_factory=list)
    known: list[ReviewEvent] = field(default_factory=list)
    rebuilt: int = 0

    def add(self, subject: Subject, kind: ReviewEventKind, actor: str, content: Mapping[str, Any]) -> None:
        given = dict(content)
        seen = given.pop("expected_version", None)
        key = given.pop("idempotency_key", None) or self._key_of(subject, kind, actor, given)
        if key in self.keys:
            _require_same(self.keys[key].action, subject, kind, actor, given)
            self.known.append(self.keys[key])
            return
        review = self.reviews[subject.stream]
        if seen is not None and seen != review.version:
            raise StreamMovedOn(subject.stream, seen, review.version)
        if review.evidence_digest not in (None, subject.digest):
            self.rebuilt += 1
            kind_of_all, number = ReviewEventKind.SHEET_REBUILT, {"version": review.version}
            rebuilt = self._key_of(subject, kind_of_all, actor, number)
            self._append(self._action(subject, kind_of_all, actor, rebuilt, {}))
        self._append(self._action(subject, kind, actor, key, given))

    def _key_of(self, subject: Subject, kind: ReviewEventKind, actor: str, content: Mapping[str, Any]) -> str:
        """A key made of what is said and not of when, so that the same said twice is recorded once.

        What was withdrawn may be said again.
        """
        withdrawn = sum(event.action.actor == actor for event in self.reviews[subject.stream].superseded)
        return digest_of([subject.stream, kind.value, actor, subject.digest, _said(content), withdrawn])

    def _action(
        self, subject: Subject, kind: ReviewEventKind, actor: str, key: str, given: Mapping[str, Any]
    ) -> ReviewAction:
        return ReviewAction(
            kind=kind,
            stream=subject.stream,
            expected_version=self.reviews[subject.stream].version,
            idempotency_key=key,
            actor=actor,
            evidence_digest=subject.digest,
            **given,
        )

    def _append(self, action: ReviewAction) -> None:
        review = self.reviews[action.stream]
        require_allowed(review, action)
        event = ReviewEvent.chained(
            action, sequence=1, version=review.version + 1, recorded_at=self.at, previous_hash=NO_HASH
        )
        self.reviews[action.stream] = after(review, event)
        self.actions.append(action)


class ReviewDesk:
    """The claims of one run beside the ledger of their reviews.

    Args:
        run_id: the run.
        subjects: its claims, in the order of the sheet.
        ledger: where the events are.
        clock: tells the time.
    """

    def __init__(self, run_id: str, subjects: Iterable[Subject], ledger: ReviewLedger, clock: Clock = now) -> None:
        self.run_id, self.ledger = run_id, ledger
        self.subjects = {subject.row.claim_id: subject for subject in subjects}
        self._clock = clock

    @classmethod
    def open(cls, run: Path, address: str, *, is_read_only: bool = False, clock: Clock = now) -> Self:
        """Opens the sheet of a run and the ledger.

        Raises:
            UsageError: if no sheet was built, or the address of the ledger cannot be used.
            EvidenceError: if the sheet or the ledger is damaged.
        """
        run_id, subjects = subjects_of(run)
        return cls(run_id, subjects, open_ledger(address, is_read_only=is_read_only), clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.ledger.close()

    def subject(self, claim_id: str) -> Subject:
        """A claim of the sheet.

        Raises:
            UsageError: if the sheet does not hold it.
        """
        if claim_id not in self.subjects:
            raise UsageError(
                f"the sheet of {self.run_id} has no claim {shown(claim_id)}", hint="List them with: beleg review list"
            )
        return self.subjects[claim_id]

    def streams(self) -> dict[str, tuple[ReviewEvent, ...]]:
        """The events of every claim of the run that has some, those of claims that are gone included."""
        return self.ledger.streams(f"{self.run_id}/")

    def reviews(self) -> dict[str, ClaimReview]:
        """The review of every claim of the sheet, by claim, in the order of the sheet."""
        streams = self.streams()
        return {
            claim_id: folded(subject.stream, streams.get(subject.stream, ()), evidence_digest=subject.digest)
            for claim_id, subject in self.subjects.items()
        }

    def gone(self) -> tuple[str, ...]:
        """Streams of the run whose claim the sheet does not hold any more."""
        held = {subject.stream for subject in self.subjects.values()}
        return tuple(stream for stream in self.streams() if stream not in held)

    def review(self, claim_id: str) -> ClaimReview:
        """The review of one claim."""
        subject = self.subject(claim_id)
        return folded(subject.stream, self.ledger.stream(subject.stream), evidence_digest=subject.digest)

    def next_for(self, reviewer: str) -> str | None:
        """The first claim that a reviewer is still to look at: their own first, then those of nobody."""
        open_claims = [(claim_id, review) for claim_id, review in self.reviews().items() if needs(review, reviewer)]
        own = [claim_id for claim_id, review in open_claims if reviewer in review.assignees]
        return next(iter([*own, *(claim_id for claim_id, _ in open_claims)]), None)

    def assign(self, claim_ids: Sequence[str], assignee: str, *, by: str) -> Recorded:
        """Gives claims to a reviewer; those that are theirs already are left as they are."""
        reviews = self.reviews()
        wanted = [self.subject(name) for name in claim_ids if assignee not in self._known(reviews, name).assignees]
        done = self._append([(one, ReviewEventKind.ASSIGNED, by, {"assignee": assignee}) for one in wanted])
        return replace(done, known=len(claim_ids) - done.new)

    def record(self, lines: Sequence[VerdictLine], *, by: str) -> Recorded:
        """Records verdicts in one transaction: all or none.

        Args:
            lines: what was decided.
            by: who decided where a line does not say.

        Raises:
            UsageError: if the sheet does not hold a claim.
            DataError: if a verdict does not follow from the state of its claim, or is about an older row of it.
            StreamMovedOn: if somebody else acted on a claim in between.
        """
        shown_to = self._shown({self.subject(line.claim_id).stream for line in lines})
        wanted = []
        for line in lines:
            subject, reviewer = self.subject(line.claim_id), line.reviewer or by
            _require_seen(line.evidence_digest, subject)
            condition = shown_to.get((subject.stream, reviewer), line.condition or Condition.BLIND)
            if line.condition is Condition.SAW_HUMAN:
                condition = line.condition
            wanted.append(
                (subject, ReviewEventKind.VERDICT_RECORDED, reviewer, self._verdict(line, reviewer, condition))
            )
        return self._append(wanted)

    def decide(self, kind: ReviewEventKind, line: VerdictLine, *, by: str, about: int, reason: str) -> Recorded:
        """Replaces an own verdict, or settles a disagreement; whoever does it has seen what was decided before.

        Raises:
            DataError: if it does not follow from the state of the claim, or is about an older row of it.
            StreamMovedOn: if somebody else acted on the claim in between.
        """
        subject = self.subject(line.claim_id)
        _require_seen(line.evidence_digest, subject)
        content = self._verdict(line, by, Condition.SAW_HUMAN) | {"supersedes": about, "reason": reason}
        return self._append([(subject, kind, by, content)])

    def speak(
        self,
        kind: ReviewEventKind,
        claim_id: str,
        *,
        by: str,
        about: int | None = None,
        text: str,
        seen: Seen | None = None,
    ) -> Recorded:
        """Disputes or withdraws what was decided, or adds a note.

        Args:
            kind: which of them.
            claim_id: the claim.
            by: who does it.
            about: the version that it is about; ``None`` for a note.
            text: the reason, or the note.
            seen: what they looked at; ``None`` for the claim as it is now.

        Raises:
            DataError: if it does not follow from the state of the claim, or is about an older row of it.
            StreamMovedOn: if somebody else acted on the claim in between.
        """
        subject = self.subject(claim_id)
        is_note = kind is ReviewEventKind.NOTE_ADDED
        content: dict[str, Any] = {"note": text} if is_note else {"supersedes": about, "reason": text}
        if seen is not None:
            _require_seen(seen.evidence_digest, subject)
            content |= {"expected_version": seen.version, "idempotency_key": seen.idempotency_key}
        return self._append([(subject, kind, by, content)])

    def show(self, claim_id: str, *, to: str, what: Condition) -> Recorded:
        """Records that a reviewer is shown more than the evidence, unless they decided or were shown it before."""
        review = self.review(claim_id)
        was_shown = any(event.action.actor == to and event.action.shown is what for event in review.shown)
        if verdict_of(review, to) is not None or was_shown:
            return Recorded(events=(), new=0)
        return self._append([(self.subject(claim_id), ReviewEventKind.SHOWN, to, {"shown": what})])

    def _known(self, reviews: Mapping[str, ClaimReview], claim_id: str) -> ClaimReview:
        self.subject(claim_id)
        return reviews[claim_id]

    def _shown(self, streams: set[str]) -> dict[tuple[str, str], Condition]:
        """What each reviewer was shown of each claim; what others decided weighs more than what machines propose."""
        found: dict[tuple[str, str], Condition] = {}
        for stream, events in self._of(streams).items():
            for event in events:
                key, what = (stream, event.action.actor), event.action.shown
                if what is not None and found.get(key) is not Condition.SAW_HUMAN:
                    found[key] = what
        return found

    def _verdict(self, line: VerdictLine, reviewer: str, condition: Condition) -> dict[str, Any]:
        attribution, support = decisions_of(line, reviewer, condition, self._clock())
        return {
            "attribution": attribution,
            "support": support,
            "note": line.note,
            "spent_ms": line.spent_ms,
            "idempotency_key": line.idempotency_key,
            "expected_version": line.expected_version,
        }

    def _append(self, wanted: Sequence[Wanted]) -> Recorded:
        try:
            return self._appended(wanted)
        except (DataError, StreamMovedOn):
            # Sent twice at the same moment, the second one finds the first only now.
            keys = {content.get("idempotency_key") for *_, content in wanted}
            streams = self._of({subject.stream for subject, *_ in wanted}).values()
            if not keys <= {event.action.idempotency_key for events in streams for event in events}:
                raise
            return self._appended(wanted)

    def _appended(self, wanted: Sequence[Wanted]) -> Recorded:
        streams = self._of({subject.stream for subject, *_ in wanted})
        keys = {event.action.idempotency_key: event for events in streams.values() for event in events}
        reviews = {stream: folded(stream, events) for stream, events in streams.items()}
        draft = _Draft(at=self._clock(), reviews=reviews, keys=keys)
        for subject, kind, actor, content in wanted:
            draft.add(subject, kind, actor, content)
        events = self.ledger.append_all(tuple(draft.actions), at=draft.at)
        return Recorded(
            events=(*draft.known, *events),
            new=len(events) - draft.rebuilt,
            known=len(draft.known),
            rebuilt=draft.rebuilt,
        )

    def _of(self, wanted: set[str]) -> dict[str, tuple[ReviewEvent, ...]]:
        if len(wanted) == 1:
            return {stream: self.ledger.stream(stream) for stream in wanted}
        found = self.streams()
        return {stream: found.get(stream, ()) for stream in wanted}


def _require_seen(digest: str | None, subject: Subject) -> None:
    if digest not in (None, subject.digest):
        raise DataError(
            Problem(
                field="evidence_digest",
                message=f"{subject.row.claim_id} is another row by now than the one that was looked at",
                value=shown(digest),
                remedy="Look at the claim again with: beleg review open, then decide",
            )
        )


def _require_same(
    known: ReviewAction, subject: Subject, kind: ReviewEventKind, actor: str, content: Mapping[str, Any]
) -> None:
    # How long somebody took is not what they say: sent again by a second press of a button, it is a moment more.
    before, again = (
        {**each, "spent_ms": None} for each in ({name: getattr(known, name) for name in _CONTENT}, content)
    )
    if (known.stream, known.kind, known.actor, _said(before)) != (subject.stream, kind, actor, _said(again)):
        raise DataError(
            Problem(
                field="idempotency_key",
                message=f"the key was used for something else on {known.stream}",
                value=shown(known.idempotency_key),
                remedy="Give every verdict a key of its own, or leave the key out",
            )
        )


_CONTENT = ("attribution", "support", "assignee", "supersedes", "note", "reason", "shown", "spent_ms")


def _said(content: Mapping[str, Any]) -> dict[str, Any]:
    """What is said, without when and under which condition."""
    return {name: _without_time(value) for name, value in content.items() if value is not None}


def _without_time(value: Any) -> Any:
    if hasattr(value, "to_json_dict"):
        return {name: part for name, part in value.to_json_dict().items() if name not in ("decided_at", "condition")}
    return value
