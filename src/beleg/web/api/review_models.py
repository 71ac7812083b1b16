"""Reviews as programs get them. What a reviewer is still blind to is no part of any of it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from beleg.app.workbench.review_queues import ReviewQueue
from beleg.web.api.base import Address, Asked, Limit, Page, Said, Told

SEEDS = 1_000_000


class StateTold(Told):
    """How many claims are in one state."""

    state: str
    """The state."""
    word: Said
    """The state in words."""
    claims: int
    """How many claims."""


class PersonTold(Told):
    """One person's part in a review."""

    name: str
    """Who."""
    assigned: int
    """Claims that were assigned to them."""
    left: int
    """Those of them that they are still to decide."""
    decided: int
    """Claims on which a verdict of theirs is in force."""
    seconds: float | None
    """The median time of their verdicts; ``None`` where none was timed."""
    timed: int
    """How many verdicts were timed."""


class ReviewShort(Told):
    """How far the review of one run is."""

    run_id: str
    """The run."""
    address: Address
    """The same as one segment of a path."""
    candidate: str
    """Its candidate."""
    created_at: datetime
    """When it began."""
    path: str
    """Its folder, seen from that of the project."""
    claims: int | None
    """How many its sheet holds; ``None`` where none was built, or it cannot be read."""
    states: tuple[StateTold, ...]
    """How many claims are in each state that occurs."""
    people: tuple[PersonTold, ...]
    """Who has what, and did what."""
    fault: str | None
    """Why it cannot be read; ``None`` where it can."""


class ReviewsTold(Told):
    """Every run with the state of its review."""

    runs: tuple[ReviewShort, ...]
    """The newest first."""


class ReviewTold(Told):
    """The review of one run."""

    run_id: str
    """The run."""
    candidate: str
    """Its candidate."""
    claims: int
    """How many claims its sheet holds."""
    states: tuple[StateTold, ...]
    """How many claims are in each state that occurs."""
    people: tuple[PersonTold, ...]
    """Who has what, and did what."""
    gone: int
    """How many claims were reviewed and are not on the sheet any more."""


class QueueAsked(Asked):
    """A queue of claims."""

    queue: ReviewQueue = ReviewQueue.UNREVIEWED
    """Which claims."""
    seed: Annotated[int, Field(ge=0, lt=SEEDS)] | None = None
    """By which ``random`` is shuffled: one seed is one order for everybody. The answer names it."""


class ClaimsAsked(QueueAsked):
    """A part of a queue of claims."""

    page: Page = 1
    """Which page, counted from 1."""
    limit: Limit = 50
    """How many claims a page holds."""


class ClaimRowTold(Told):
    """A claim in a queue. What was decided is not among it, so that the queue leaves a reviewer blind."""

    claim_id: str
    """The claim."""
    address: Annotated[Address, Field(validation_alias="claim_id")]
    """The same as one segment of a path."""
    case_id: str
    """Its case."""
    text: str
    """Its words."""
    state: str
    """How far its review is."""
    word: Said
    """The same in words."""
    assignees: tuple[str, ...]
    """Who is to look at it."""
    verdicts: int
    """How many verdicts are in force."""
    is_open: bool
    """Whether you are still to decide it."""
    is_outdated: bool
    """Whether verdicts on it are about an older row."""


class ClaimsTold(Told):
    """A part of a queue."""

    claims: tuple[ClaimRowTold, ...]
    """In the order of the queue."""
    total: int
    """How many the queue holds."""
    left: int
    """How many of them you are still to decide."""
    page: int
    """This page, counted from 1."""
    pages: int
    """How many there are."""
    seed: int | None
    """By which ``random`` was shuffled; ``None`` for any other queue."""
    first_open: str | None
    """The first claim that you are still to decide."""
    next: str | None
    """The path of the next page; ``None`` on the last one."""


class AgreementTold(Told):
    """One figure of agreement."""

    name: str
    """``raw``, ``kappa``, ``alpha`` or ``ac1``."""
    value: float | None
    """``None`` where it is not defined; never a stand-in."""
    lower: float | None
    """Lower bound."""
    upper: float | None
    """Upper bound."""
    reason: str | None
    """Why there is no value: ``no_pairs``, ``not_two`` or ``one_verdict``."""


class NotCountedTold(Told):
    """Verdicts that were left out."""

    why: Said
    """Why."""
    verdicts: int
    """How many."""


class QuestionTold(Told):
    """How far reviewers agree on one question."""

    question: Said
    """The question."""
    units: int
    """Claims that two people or more judged blind."""
    cases: int
    """Cases that these come from."""
    single: int
    """Claims that one person judged blind."""
    raters: tuple[str, ...]
    """Who judged."""
    figures: tuple[AgreementTold, ...]
    """Raw agreement, kappa, alpha and AC1."""
    not_counted: tuple[NotCountedTold, ...]
    """Verdicts that were left out, by reason."""
    differing: tuple[str, ...]
    """Claims on which the verdicts that count differ."""


class AgreementsTold(Told):
    """How far the reviewers of a run agree; nothing here is a rate of good claims."""

    confidence: float
    """Two-sided confidence of the intervals."""
    questions: tuple[QuestionTold, ...]
    """Attribution and support, apart."""


class AssignedTold(Told):
    """What was assigned."""

    assigned: int
    """How many claims were not theirs before."""
