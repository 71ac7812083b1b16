"""What the API answers about reviews: never more than the page of the same claim would show the same person."""

from __future__ import annotations

from typing import Any

from beleg.app.workbench.review_acting import Outcome
from beleg.app.workbench.review_agreement import QuestionView
from beleg.app.workbench.review_claim import Dispute, HistoryEntry, ReviewedClaim
from beleg.app.workbench.review_queues import QueuePlace
from beleg.app.workbench.review_runs import PersonProgress, QueueRow, RunToReview, StateCount
from beleg.core.decision import Sentence
from beleg.core.evidence import EvidencePassage
from beleg.web.api.shapes import Answer


class ReviewRuns(Answer):
    """Every run with the state of its review."""

    runs: tuple[RunToReview, ...]


class ReviewRun(Answer):
    """A queue of a run, and how far its review is."""

    run_id: str
    states: tuple[StateCount, ...]
    people: tuple[PersonProgress, ...]
    total: int
    """How many claims the queue holds."""
    left: int
    """How many of them you are still to decide."""
    page: int
    pages: int
    first_open: str | None
    """The first claim that you are still to decide."""
    claims: tuple[QueueRow, ...]


class Judgement(Answer):
    """A verdict with its reason."""

    verdict: str
    rationale: str
    missing: tuple[str, ...]
    by: str
    version: str | None
    condition: str | None
    """What its giver had seen: ``blind``, ``saw_machine`` or ``saw_human``."""
    at: str | None


class PersonVerdict(Answer):
    """What a person decided."""

    version: int
    """Of the claim's history: what a replacement, withdrawal or dispute names as ``about``."""
    actor: str
    support: Judgement | None
    attribution: Judgement | None
    note: str | None
    reason: str | None


class ClaimAnswer(Answer):
    """One claim as you may see it now."""

    run_id: str
    claim_id: str
    case_id: str
    question: str
    answer: str | None
    claim: str
    """The wording, copied from the answer."""
    citations: tuple[str, ...]
    passages: tuple[EvidencePassage, ...]
    """Those that are cited or were weighed."""
    other_passages: tuple[EvidencePassage, ...]
    quotes: dict[str, tuple[str, ...]]
    """By passage: what verdicts that you may see quote from it."""
    missing: tuple[str, ...]
    """Parts of the record that are absent."""
    version: int
    """Of the claim's history: what every deed names, so that nobody acts on what they have not seen."""
    evidence_digest: str
    """Of what the claim rests on: likewise."""
    state: Sentence
    shows_machine: bool
    shows_people: bool
    condition: Sentence
    """Under which a verdict of yours would be recorded now."""
    machine: Judgement | None
    """``null`` where there is none, or you may not see it yet."""
    own: PersonVerdict | None
    others: tuple[PersonVerdict, ...]
    """Empty where you may not see them yet."""
    disputes: tuple[Dispute, ...]
    may_settle: bool
    history: tuple[HistoryEntry, ...]
    assignees: tuple[str, ...]
    outdated: int

    @classmethod
    def of(cls, view: ReviewedClaim) -> ClaimAnswer:
        """A claim as its page shows it."""
        machine = view.claim.machine if view.shows_machine else None
        own = None
        if view.own is not None:
            own = _person(view.own.version, view.own.view.actor, view.own.view)
        return cls(
            run_id=view.run_id,
            claim_id=view.claim_id,
            case_id=view.case_id,
            question=view.question,
            answer=None if view.answer is None else "".join(part.text for part in view.answer),
            claim=view.claim.row.text,
            citations=view.claim.markers,
            passages=tuple(each.passage for each in view.passages),
            other_passages=tuple(each.passage for each in view.others),
            quotes={
                each.passage.passage_id: tuple(part.text for part in each.parts if part.is_quoted)
                for each in view.passages
            },
            missing=view.missing,
            version=view.version,
            evidence_digest=view.digest,
            state=view.word,
            shows_machine=view.shows_machine,
            shows_people=view.shows_people,
            condition=view.condition,
            machine=_judgement(machine),
            own=own,
            others=tuple(_person(each.version, each.actor, each.view) for each in view.standing),
            disputes=view.disputes,
            may_settle=view.may_settle,
            history=view.history,
            assignees=view.assignees,
            outdated=view.outdated,
        )


class ClaimInQueue(Answer):
    """One claim, and where it stands in a queue."""

    claim: ClaimAnswer
    place: QueuePlace


class Done(Answer):
    """What became of a deed."""

    outcome: Outcome
    recorded: int
    """How many events were recorded now; 0 where the same deed had been recorded before."""
    claim: ClaimAnswer


class Assigned(Answer):
    """What became of an assignment."""

    recorded: int
    """How many claims were assigned now."""


class AgreementAnswer(Answer):
    """How far reviewers agree, by their first, blind verdicts."""

    questions: tuple[QuestionView, ...]
    confidence: float


def _judgement(found: Any) -> Judgement | None:
    if found is None:
        return None
    return Judgement(
        verdict=found.code,
        rationale=found.rationale,
        missing=found.missing,
        by=found.name,
        version=found.version,
        condition=None if found.condition is None else found.condition.removeprefix("sheet."),
        at=found.at,
    )


def _person(version: int, actor: str, view: Any) -> PersonVerdict:
    return PersonVerdict(
        version=version,
        actor=actor,
        support=_judgement(view.support),
        attribution=_judgement(view.attribution),
        note=view.note,
        reason=view.reason,
    )
