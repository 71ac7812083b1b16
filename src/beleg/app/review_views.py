"""What the commands around reviews show, as lines for people and as data for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beleg.app.review_subjects import Subject
from beleg.app.review_words import (
    agreement_answer,
    agreement_head,
    agreement_notes,
    agreement_rows,
    chosen,
    claim_lines,
    history_lines,
    proposal_lines,
    queue_answer,
    queue_head,
    queue_rows,
    workload,
)
from beleg.app.reviewing import ReviewDesk
from beleg.core.errors import UsageError, shown
from beleg.core.evidence import Condition
from beleg.core.review import ClaimReview
from beleg.evidence.agreement import QUESTIONS, agreement_on
from beleg.evidence.review_state import ReviewProgress, needs, progress_of, verdict_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewRequest:
    """Which claim a reviewer looks at, and how much of it."""

    reviewer: str
    claim: str | None = None
    """The next one that is theirs where it is left out."""
    show_machine: bool = False
    show_people: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimView:
    """One claim as it is shown."""

    claim_id: str | None
    """``None`` where nothing is left to look at."""
    lines: tuple[str, ...]
    data: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """An answer with its table."""

    answer: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    data: dict[str, Any]
    notes: tuple[str, ...] = ()
    workload: tuple[str, ...] = ()


def open_claim(run: Path, ledger: str, request: ViewRequest, language: str) -> ClaimView:
    """Shows a claim to a reviewer: blind until their verdict is recorded, or they ask to see more.

    Raises:
        UsageError: if the sheet does not hold the claim.
        EvidenceError: if sheet or ledger are damaged.
    """
    with ReviewDesk.open(run, ledger) as desk:
        name = request.claim or desk.next_for(request.reviewer)
        if name is None:
            done = chosen(
                language, f"{request.reviewer} has nothing left to look at", f"{request.reviewer} hat nichts mehr offen"
            )
            return ClaimView(claim_id=None, lines=(done,), data={"claim_id": None})
        subject = desk.subject(name)
        for is_asked, what in (
            (request.show_machine, Condition.SAW_MACHINE),
            (request.show_people, Condition.SAW_HUMAN),
        ):
            if is_asked:
                desk.show(name, to=request.reviewer, what=what)
        review, events = desk.review(name), desk.ledger.stream(subject.stream)
        has_decided = verdict_of(review, request.reviewer) is not None
        lines, data = claim_lines(subject, language), _evidence_data(subject)
        if request.show_machine or has_decided:
            lines += proposal_lines(subject, language)
            data["machine"] = _proposal_data(subject)
        if request.show_people or has_decided:
            lines += history_lines(events, language)
            data["events"] = [event.to_json_dict() for event in events]
        return ClaimView(claim_id=name, lines=tuple(lines), data=data)


def list_claims(run: Path, ledger: str, *, reviewer: str | None, state: str | None, language: str) -> TableView:
    """The queue of a run.

    Raises:
        UsageError: if there is no such state.
    """
    if state is not None and state not in [each.value for each in ReviewProgress]:
        raise UsageError(f"there is no state {shown(state)}", hint=f"There are: {', '.join(ReviewProgress)}")
    with ReviewDesk.open(run, ledger) as desk:
        reviews, gone = desk.reviews(), desk.gone()
        listed = {
            name: review
            for name, review in reviews.items()
            if (state is None or progress_of(review).value == state) and (reviewer is None or needs(review, reviewer))
        }
        return TableView(
            answer=queue_answer(reviews, len(gone), language),
            head=queue_head(language),
            rows=queue_rows(desk, listed, language),
            workload=tuple(workload(reviews, language)),
            data={
                "run_id": desk.run_id,
                "claims": [_queue_data(name, review) for name, review in listed.items()],
                "gone": list(gone),
                "next": None if reviewer is None else desk.next_for(reviewer),
            },
        )


def claim_history(run: Path, ledger: str, claim: str, language: str) -> ClaimView:
    """Everything that happened to a claim."""
    with ReviewDesk.open(run, ledger, is_read_only=True) as desk:
        subject = desk.subject(claim)
        review, events = desk.review(claim), desk.ledger.stream(subject.stream)
    nothing = chosen(language, "nothing happened yet", "noch ist nichts geschehen")
    older = {event.version for event in review.outdated}
    mark = chosen(language, " · about an older row", " · über eine ältere Zeile")
    lines = [
        f"{line}{mark if event.version in older else ''}"
        for line, event in zip(history_lines(events, language), events, strict=True)
    ]
    data = {"review": review.to_json_dict(), "events": [event.to_json_dict() for event in events]}
    return ClaimView(claim_id=claim, lines=(f"{claim}: {subject.row.text}", *(lines or [nothing])), data=data)


def agreement_of_run(run: Path, ledger: str, confidence: float, language: str) -> TableView:
    """How far the reviewers of a run agree."""
    with ReviewDesk.open(run, ledger, is_read_only=True) as desk:
        streams = desk.streams()
        cases = {subject.stream: subject.case.case_id for subject in desk.subjects.values()}
    found = [agreement_on(question, streams, cases=cases, confidence=confidence) for question in QUESTIONS]
    return TableView(
        answer=agreement_answer(found, language),
        head=agreement_head(language),
        rows=agreement_rows(found, language),
        notes=tuple(agreement_notes(found, language)),
        data={"agreement": [each.model_dump(mode="json") for each in found]},
    )


def _evidence_data(subject: Subject) -> dict[str, Any]:
    case, row = subject.case, subject.row
    return {
        "claim_id": row.claim_id,
        "stream": subject.stream,
        "evidence_digest": subject.digest,
        "text": row.text,
        "question": case.question,
        "answer": case.answer,
        "spans": [span.to_json_dict() for span in row.spans],
        "citations": [citation.to_json_dict() for citation in row.citations],
        "about": list(row.passages),
        "passages": [passage.to_json_dict() for passage in case.passages],
        "missing": list(case.missing),
    }


def _proposal_data(subject: Subject) -> dict[str, Any]:
    row = subject.row
    return {
        "attribution": row.attribution.to_json_dict(),
        "support": None if row.support is None else row.support.to_json_dict(),
        "observations": [observation.to_json_dict() for observation in row.observations],
    }


def _queue_data(name: str, review: ClaimReview) -> dict[str, Any]:
    return {
        "claim_id": name,
        "state": progress_of(review).value,
        "assignees": list(review.assignees),
        "verdicts": len(review.verdicts),
        "outdated": len(review.outdated),
        "version": review.version,
    }
