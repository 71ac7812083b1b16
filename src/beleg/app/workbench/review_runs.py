"""How far the review of each run is: by state, by assignee, and how long a claim takes (E7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import median

from beleg.app.review_words import PROGRESS
from beleg.app.workbench.review_queues import QueueRequest, queued
from beleg.app.workbench.review_room import ReviewRoom, RunReview
from beleg.app.workbench.workspace import RunEntry
from beleg.core.decision import Sentence
from beleg.core.errors import Error
from beleg.core.review import ClaimReview, ReviewEvent, ReviewEventKind
from beleg.evidence.review_state import ReviewProgress, folded, needs, progress_of

MS_PER_S = 1_000
PAGE_CLAIMS = 50
PROGRESS_SHAPES = {
    ReviewProgress.UNREVIEWED: "○",
    ReviewProgress.REVIEWED: "●",
    ReviewProgress.DISAGREED: "◐",
    ReviewProgress.DISPUTED: "▲",
    ReviewProgress.ADJUDICATED: "◆",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonProgress:
    """One person's part in a review."""

    name: str
    assigned: int
    left: int
    """Claims assigned to them that they are still to decide."""
    decided: int
    """Claims on which a verdict of theirs is in force."""
    seconds: float | None
    """The median time of their verdicts; ``None`` where none was timed."""
    timed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StateCount:
    """How many claims are in one state."""

    state: ReviewProgress
    word: Sentence
    shape: str
    claims: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunToReview:
    """One run in the list."""

    run_id: str
    candidate: str
    created_at: datetime
    path: str
    """Its folder, seen from that of the project."""
    claims: int | None
    """How many its sheet holds; ``None`` where none was built, or it cannot be read."""
    states: tuple[StateCount, ...]
    people: tuple[PersonProgress, ...]
    fault: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRow:
    """A claim in a queue. What was decided is not among it, so that the queue leaves a reviewer blind."""

    claim_id: str
    case_id: str
    text: str
    state: ReviewProgress
    word: Sentence
    shape: str
    assignees: tuple[str, ...]
    verdicts: int
    is_open: bool
    """Whether the reader is still to decide it."""
    is_outdated: bool
    """Whether verdicts on it are about an older row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuePage:
    """A part of a queue."""

    rows: tuple[QueueRow, ...]
    total: int
    left: int
    page: int
    pages: int
    first_open: str | None


def runs_to_review(room: ReviewRoom, runs: Iterable[RunEntry], root: Path) -> tuple[RunToReview, ...]:
    """Every run with the state of its review, the newest first."""
    return tuple(_run(room, run, root) for run in runs)


def _run(room: ReviewRoom, run: RunEntry, root: Path) -> RunToReview:
    claims: int | None = None
    fault: str | None = None
    reviews: dict[str, ClaimReview] = {}
    events: tuple[ReviewEvent, ...] = ()
    try:
        header = room.header(run)
        if header is not None:
            claims = header.claim_count
            streams = room.streams(run.run_id)
            reviews = {stream: folded(stream, each) for stream, each in streams.items()}
            events = tuple(event for each in streams.values() for event in each)
    except Error as error:
        fault = str(error)
    return RunToReview(
        run_id=run.run_id,
        candidate=run.header.manifest.name,
        created_at=run.header.created_at,
        path=run.path.relative_to(root).as_posix(),
        claims=claims,
        states=() if claims is None else states_of(reviews, claims),
        people=people_of(reviews, events),
        fault=fault,
    )


def states_of(reviews: Mapping[str, ClaimReview], total: int) -> tuple[StateCount, ...]:
    """How many claims are in each state that occurs.

    Args:
        reviews: those that are known.
        total: how many claims there are; the rest is unreviewed.
    """
    counts = Counter(progress_of(review) for review in reviews.values())
    counts[ReviewProgress.UNREVIEWED] += max(0, total - len(reviews))
    return tuple(
        StateCount(state=state, word=PROGRESS[state], shape=PROGRESS_SHAPES[state], claims=counts[state])
        for state in ReviewProgress
        if counts[state]
    )


def people_of(reviews: Mapping[str, ClaimReview], events: Iterable[ReviewEvent]) -> tuple[PersonProgress, ...]:
    """What each person has, did, and how long it took them, by name."""
    spent: dict[str, list[int]] = {}
    for event in events:
        action = event.action
        if action.kind is ReviewEventKind.VERDICT_RECORDED and action.spent_ms is not None:
            spent.setdefault(action.actor, []).append(action.spent_ms)
    decided = Counter(event.action.actor for review in reviews.values() for event in review.verdicts)
    assigned = Counter(name for review in reviews.values() for name in review.assignees)
    left = Counter(name for review in reviews.values() for name in review.assignees if needs(review, name))
    return tuple(
        PersonProgress(
            name=name,
            assigned=assigned[name],
            left=left[name],
            decided=decided[name],
            seconds=median(spent[name]) / MS_PER_S if name in spent else None,
            timed=len(spent.get(name, ())),
        )
        for name in sorted({*decided, *assigned, *spent})
    )


def queue_page(found: RunReview, wanted: QueueRequest, page: int, *, size: int = PAGE_CLAIMS) -> QueuePage:
    """One page of a queue."""
    claims = queued(found, wanted)
    still_open = [claim_id for claim_id in claims if needs(found.reviews[claim_id], wanted.person)]
    pages = max(1, -(-len(claims) // size))
    page = min(page, pages)
    return QueuePage(
        rows=tuple(_row(found, claim_id, wanted.person) for claim_id in claims[(page - 1) * size : page * size]),
        total=len(claims),
        left=len(still_open),
        page=page,
        pages=pages,
        first_open=still_open[0] if still_open else None,
    )


def _row(found: RunReview, claim_id: str, person: str) -> QueueRow:
    subject, review = found.desk.subjects[claim_id], found.reviews[claim_id]
    state = progress_of(review)
    return QueueRow(
        claim_id=claim_id,
        case_id=subject.case.case_id,
        text=subject.row.text,
        state=state,
        word=PROGRESS[state],
        shape=PROGRESS_SHAPES[state],
        assignees=review.assignees,
        verdicts=len(review.verdicts),
        is_open=needs(review, person),
        is_outdated=bool(review.outdated),
    )
