"""Which claims of a run a reviewer goes through, and in which order (E7)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from beleg.app.review_subjects import Subject
from beleg.app.workbench.review_room import RunReview
from beleg.core.evidence import SupportVerdict
from beleg.core.feedback import Rating
from beleg.core.review import ClaimReview
from beleg.evidence.review_state import ReviewProgress, needs, progress_of, verdict_of


class ReviewQueue(StrEnum):
    """A choice of claims."""

    UNREVIEWED = "unreviewed"
    """What the reviewer is still to look at: theirs, or nobody's."""
    MINE = "mine"
    """What was assigned to the reviewer, done or not."""
    LOW_CONFIDENCE = "low"
    """Where a machine proposes ``not_assessable`` or ``partially_supported``, or a check flagged its proposal."""
    RANDOM = "random"
    """Every claim that the reviewer is or was blind to, shuffled by a seed: one seed is one order for everybody."""
    THUMBS_DOWN = "down"
    """Claims of answers that a user marked down, those with the most thumbs down first."""
    DISPUTED = "disputed"
    """Where reviewers differ, or somebody disputed a verdict, and nobody settled it."""
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRequest:
    """A queue as an address names it."""

    queue: ReviewQueue
    person: str
    seed: int = 0
    """By which `ReviewQueue.RANDOM` is shuffled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuePlace:
    """Where a claim stands in a queue, and where one goes from there."""

    number: int | None
    """Its place, counted from 1; ``None`` where it is not in the queue, or not any more."""
    total: int
    left: int
    """How many claims of the queue the reviewer is still to decide."""
    previous: str | None
    following: str | None
    next_open: str | None
    """The next claim that the reviewer is still to decide, from the beginning again behind the last one."""


def queued(found: RunReview, wanted: QueueRequest) -> list[str]:
    """The claims of a queue in its order."""
    return [claim_id for claim_id in _ordered(found, wanted) if _is_in(claim_id, found, wanted)]


def place_of(claim_id: str, found: RunReview, wanted: QueueRequest) -> QueuePlace:
    """Where a claim stands in a queue; a claim that left it is still between its former neighbours."""
    ordered, members = _ordered(found, wanted), queued(found, wanted)
    rank = {name: place for place, name in enumerate(ordered)}
    here = rank.get(claim_id, -1)
    before = [name for name in members if rank[name] < here]
    behind = [name for name in members if rank[name] > here]
    is_open = [name for name in (*behind, *before) if needs(found.reviews[name], wanted.person)]
    own = [claim_id] if claim_id in found.reviews and needs(found.reviews[claim_id], wanted.person) else []
    return QueuePlace(
        number=len(before) + 1 if claim_id in members else None,
        total=len(members),
        left=len(is_open) + len([name for name in own if name in members]),
        previous=before[-1] if before else None,
        following=behind[0] if behind else None,
        next_open=is_open[0] if is_open else None,
    )


def next_open(claim_id: str, found: RunReview, wanted: QueueRequest) -> str | None:
    """The `QueuePlace.next_open` of a claim, without looking at more of the queue than that takes."""
    ordered = _ordered(found, wanted)
    at = ordered.index(claim_id) + 1 if claim_id in found.reviews else 0
    for name in (*ordered[at:], *ordered[: max(0, at - 1)]):
        if needs(found.reviews[name], wanted.person) and _is_in(name, found, wanted):
            return name
    return None


def _is_in(claim_id: str, found: RunReview, wanted: QueueRequest) -> bool:
    if wanted.queue is ReviewQueue.THUMBS_DOWN:
        return thumbs_down(claim_id, found) > 0
    return _HOLDS[wanted.queue](found.desk.subjects[claim_id], found.reviews[claim_id], wanted.person)


def thumbs_down(claim_id: str, found: RunReview) -> int:
    """How many users marked the answer down that a claim stands in."""
    return sum(each.rating is Rating.DOWN for each in found.feedback_on(claim_id))


def _ordered(found: RunReview, wanted: QueueRequest) -> Sequence[str]:
    if wanted.queue is ReviewQueue.RANDOM:
        return sorted(found.reviews, key=lambda claim_id: _shuffled(wanted.seed, claim_id))
    if wanted.queue is ReviewQueue.THUMBS_DOWN:
        return sorted(found.reviews, key=lambda claim_id: -thumbs_down(claim_id, found))
    return list(found.reviews)


def _shuffled(seed: int, claim_id: str) -> bytes:
    return hashlib.sha256(f"{seed} {claim_id}".encode("utf-8", "surrogatepass")).digest()


def _is_low(subject: Subject, _: ClaimReview, __: str) -> bool:
    proposal = subject.row.support
    unsure = (SupportVerdict.NOT_ASSESSABLE, SupportVerdict.PARTIALLY_SUPPORTED)
    return proposal is not None and (proposal.verdict in unsure or bool(proposal.flags))


def _is_blind(_: Subject, review: ClaimReview, person: str) -> bool:
    was_shown = any(event.action.actor == person for event in review.shown)
    return not was_shown or verdict_of(review, person) is not None


_HOLDS: dict[ReviewQueue, Callable[[Subject, ClaimReview, str], bool]] = {
    ReviewQueue.UNREVIEWED: lambda _, review, person: needs(review, person),
    ReviewQueue.MINE: lambda _, review, person: person in review.assignees,
    ReviewQueue.LOW_CONFIDENCE: _is_low,
    ReviewQueue.RANDOM: _is_blind,
    ReviewQueue.DISPUTED: lambda _, review, __: (
        progress_of(review) in (ReviewProgress.DISPUTED, ReviewProgress.DISAGREED)
    ),
    ReviewQueue.ALL: lambda *_: True,
}
