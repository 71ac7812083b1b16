"""The state of a claim's review: the fold of its stream, and what may be appended to it next (E7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum

from beleg.core.errors import DataError, EvidenceError, Problem
from beleg.core.review import ClaimReview, ReviewAction, ReviewEvent, ReviewEventKind

Refusal = tuple[str, str]
"""What speaks against an action, and what to do instead."""


class ReviewProgress(StrEnum):
    """How far the review of a claim is; never an average, never a rate."""

    UNREVIEWED = "unreviewed"
    REVIEWED = "reviewed"
    """One verdict or more, and they say the same."""
    DISAGREED = "disagreed"
    """Reviewers gave different verdicts, and nobody settled it."""
    DISPUTED = "disputed"
    """Somebody spoke against a verdict, and nobody settled it."""
    ADJUDICATED = "adjudicated"


def folded(stream: str, events: Iterable[ReviewEvent], *, evidence_digest: str | None = None) -> ClaimReview:
    """The review of a claim, from all events of its stream.

    Args:
        stream: the claim row, as ``run_id/claim_id``.
        events: its events in order.
        evidence_digest: the claim row of today; verdicts on any other count as outdated, though no event says so yet.

    Raises:
        EvidenceError: if an event does not follow from those before it.
    """
    review = ClaimReview(stream=stream, version=0)
    for event in events:
        refusal = _refusal(review, event.action)
        if event.version != review.version + 1 or event.action.stream != stream:
            refusal = ("it does not stand at its place", "")
        if refusal is not None:
            raise EvidenceError(
                f"event {event.sequence} of the review ledger does not follow from what stands before it: {refusal[0]}",
                hint="Find out who appended it, and check the ledger with: beleg review verify",
            )
        review = after(review, event)
    if evidence_digest is not None and review.evidence_digest not in (None, evidence_digest):
        review = _rebuilt(review, evidence_digest)
    return review


def require_allowed(review: ClaimReview, action: ReviewAction) -> None:
    """Refuses an action that does not follow from the state of its claim.

    Args:
        review: the claim as the actor saw it.
        action: what is to be appended.

    Raises:
        DataError: saying why, and what to do instead.
    """
    refusal = _refusal(review, action)
    if refusal is not None:
        message, remedy = refusal
        raise DataError(Problem(message=f"{action.stream}: {message}", remedy=remedy or None))


def progress_of(review: ClaimReview) -> ReviewProgress:
    """How far the review of a claim is."""
    settled_at = 0 if review.adjudication is None else review.adjudication.version
    if any(dispute.version > settled_at for dispute in review.disputes):
        return ReviewProgress.DISPUTED
    if review.adjudication is not None:
        return ReviewProgress.ADJUDICATED
    if not review.verdicts:
        return ReviewProgress.UNREVIEWED
    return ReviewProgress.DISAGREED if disagreements(review) else ReviewProgress.REVIEWED


def disagreements(review: ClaimReview) -> tuple[str, ...]:
    """On what the verdicts in force differ: ``attribution``, ``support``, both or nothing."""
    attribution = {event.action.attribution.verdict for event in review.verdicts if event.action.attribution}
    support = {event.action.support.verdict for event in review.verdicts if event.action.support}
    return tuple(name for name, said in (("attribution", attribution), ("support", support)) if len(said) > 1)


def verdict_of(review: ClaimReview, reviewer: str) -> ReviewEvent | None:
    """The verdict of a reviewer that is in force."""
    return next((event for event in review.verdicts if event.action.actor == reviewer), None)


def needs(review: ClaimReview, reviewer: str) -> bool:
    """Whether a reviewer is still to look at a claim: it is theirs or nobody's, and they said nothing on it yet."""
    is_theirs = reviewer in review.assignees or not review.assignees
    return is_theirs and verdict_of(review, reviewer) is None and review.adjudication is None


def _refusal(review: ClaimReview, action: ReviewAction) -> Refusal | None:
    if action.kind is ReviewEventKind.SHEET_REBUILT:
        same = action.evidence_digest == review.evidence_digest
        return ("the claim row is the one that was reviewed", "Leave it out") if same else None
    if review.evidence_digest not in (None, action.evidence_digest):
        return "the claim row is another one than that of the events before", "Record first that the sheet was rebuilt"
    by_people = _not_by_its_actor(action)
    if by_people is not None:
        return by_people
    check = _CHECKS.get(action.kind)
    return None if check is None else check(review, action)


def _not_by_its_actor(action: ReviewAction) -> Refusal | None:
    for decision in (action.attribution, action.support):
        if decision is None:
            continue
        if (decision.decider.kind, decision.decider.name) != ("human", action.actor):
            return (
                "the ledger holds what people decided, each in their own name",
                "Name the person as actor and decider",
            )
        if decision.condition is None:
            return "a verdict of a person says what the person had seen", "Set the condition"
    return None


def _record(review: ClaimReview, action: ReviewAction) -> Refusal | None:
    own = verdict_of(review, action.actor)
    if own is not None:
        return (
            f"{action.actor} gave a verdict on it already, as version {own.version}",
            f"Replace it with a reason: beleg review supersede --version {own.version}",
        )
    was_shown = {event.action.shown for event in review.shown if event.action.actor == action.actor}
    for decision in (action.attribution, action.support):
        if decision is not None and decision.condition == "blind" and was_shown:
            return f"{action.actor} was shown more than the evidence, so that the verdict is not blind", "Say so"
    return None


def _supersede(review: ClaimReview, action: ReviewAction) -> Refusal | None:
    own = verdict_of(review, action.actor)
    if own is None or own.version != action.supersedes:
        return f"version {action.supersedes} is no verdict of {action.actor} in force", _LOOK
    return None


def _dispute(review: ClaimReview, action: ReviewAction) -> Refusal | None:
    standing = _standing(review)
    about = standing.get(action.supersedes or 0)
    if about is None:
        return f"version {action.supersedes} is no verdict in force", _LOOK
    if about.action.actor == action.actor:
        return "the verdict is one's own", "Replace it with a reason: beleg review supersede"
    return None


def _adjudicate(review: ClaimReview, action: ReviewAction) -> Refusal | None:
    disputes = {event.version: event for event in review.disputes}
    if action.supersedes not in _standing(review) | disputes:
        return f"version {action.supersedes} is no verdict or dispute in force", _LOOK
    if not (disagreements(review) or review.disputes or review.adjudication):
        return "there is no disagreement to settle", "Record a verdict instead: beleg review record"
    if verdict_of(review, action.actor) is not None:
        return (
            f"{action.actor} is one of the reviewers, and does not settle a disagreement with others",
            "Have a third person settle it, or replace the own verdict: beleg review supersede",
        )
    return None


def _withdraw(review: ClaimReview, action: ReviewAction) -> Refusal | None:
    own = {
        event.version: event
        for event in (*_standing(review).values(), *review.disputes)
        if event.action.actor == action.actor
    }
    if action.supersedes not in own:
        return f"version {action.supersedes} is nothing of {action.actor} that is in force", _LOOK
    return None


def _assign(review: ClaimReview, action: ReviewAction) -> Refusal | None:
    if action.assignee in review.assignees:
        return f"it is assigned to {action.assignee} already", "Leave it out"
    return None


_LOOK = "Look at its history: beleg review history"

_CHECKS: Mapping[ReviewEventKind, Callable[[ClaimReview, ReviewAction], Refusal | None]] = {
    ReviewEventKind.ASSIGNED: _assign,
    ReviewEventKind.VERDICT_RECORDED: _record,
    ReviewEventKind.VERDICT_SUPERSEDED: _supersede,
    ReviewEventKind.DISPUTED: _dispute,
    ReviewEventKind.ADJUDICATED: _adjudicate,
    ReviewEventKind.WITHDRAWN: _withdraw,
}


def _standing(review: ClaimReview) -> dict[int, ReviewEvent]:
    """The verdicts in force and the adjudication, by version."""
    settled = () if review.adjudication is None else (review.adjudication,)
    return {event.version: event for event in (*review.verdicts, *settled)}


def after(review: ClaimReview, event: ReviewEvent) -> ClaimReview:
    """The review of a claim after one more event, which was checked before."""
    action = event.action
    changes: dict[str, object] = {"version": event.version, "evidence_digest": action.evidence_digest}
    if action.kind is ReviewEventKind.SHEET_REBUILT:
        return _rebuilt(review, action.evidence_digest).model_copy(update={"version": event.version})
    return review.model_copy(update=changes | _changes(review, event))


def _changes(review: ClaimReview, event: ReviewEvent) -> dict[str, object]:
    action = event.action
    match action.kind:
        case ReviewEventKind.ASSIGNED:
            return {"assignees": (*review.assignees, action.assignee)}
        case ReviewEventKind.VERDICT_RECORDED:
            return {"verdicts": (*review.verdicts, event)}
        case ReviewEventKind.VERDICT_SUPERSEDED:
            replaced = tuple(event if each.version == action.supersedes else each for each in review.verdicts)
            return _without(review, action.supersedes) | {"verdicts": replaced}
        case ReviewEventKind.DISPUTED:
            return {"disputes": (*review.disputes, event)}
        case ReviewEventKind.ADJUDICATED:
            before = () if review.adjudication is None else (review.adjudication,)
            return {"superseded": (*review.superseded, *before), "adjudication": event}
        case ReviewEventKind.WITHDRAWN:
            return _without(review, action.supersedes)
        case ReviewEventKind.NOTE_ADDED:
            return {"notes": (*review.notes, event)}
        case _:
            return {"shown": (*review.shown, event)}


def _without(review: ClaimReview, version: int | None) -> dict[str, object]:
    """The fields after an event is no longer in force; it stays readable among the superseded ones."""
    settled = review.adjudication
    gone = [
        event
        for event in (*review.verdicts, *review.disputes, *(() if settled is None else (settled,)))
        if event.version == version
    ]
    return {
        "verdicts": tuple(event for event in review.verdicts if event.version != version),
        "disputes": tuple(event for event in review.disputes if event.version != version),
        "adjudication": None if settled is None or settled.version == version else settled,
        "superseded": (*review.superseded, *gone),
    }


def _rebuilt(review: ClaimReview, evidence_digest: str) -> ClaimReview:
    """The review after the claim row became another one: what was said stays, and is about an older row."""
    settled = () if review.adjudication is None else (review.adjudication,)
    said = sorted((*review.verdicts, *review.disputes, *settled), key=lambda event: event.version)
    return review.model_copy(
        update={
            "evidence_digest": evidence_digest,
            "verdicts": (),
            "disputes": (),
            "adjudication": None,
            "outdated": (*review.outdated, *said),
        }
    )
