"""What a form of the review pages does: one event in the ledger, or a word why there is none (E7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from beleg.app.review_lines import VerdictLine
from beleg.app.reviewing import Recorded, ReviewDesk
from beleg.app.workbench.review_forms import (
    FormRefused,
    ReviewDeed,
    ReviewForm,
    assignee_of,
    line_of_form,
    note_of,
    reason_of,
)
from beleg.core.errors import DataError
from beleg.core.evidence import Condition
from beleg.core.review import ReviewEvent, ReviewEventKind, StreamMovedOn

_KINDS = {
    ReviewDeed.SUPERSEDE: ReviewEventKind.VERDICT_SUPERSEDED,
    ReviewDeed.ADJUDICATE: ReviewEventKind.ADJUDICATED,
    ReviewDeed.WITHDRAW: ReviewEventKind.WITHDRAWN,
    ReviewDeed.DISPUTE: ReviewEventKind.DISPUTED,
    ReviewDeed.NOTE: ReviewEventKind.NOTE_ADDED,
}
_SHOWN = {ReviewDeed.SHOW_MACHINE: Condition.SAW_MACHINE, ReviewDeed.SHOW_PEOPLE: Condition.SAW_HUMAN}


class Outcome(StrEnum):
    """What became of a form."""

    DONE = "done"
    """It is in the ledger, now or since before."""
    WRONG = "wrong"
    """A field lacks something."""
    MOVED_ON = "moved_on"
    """Somebody acted on the claim in between."""
    OTHER_ROW = "other_row"
    """The claim is another row by now."""
    REFUSED = "refused"
    """It does not follow from the state of the claim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """What became of a form, and what to tell."""

    outcome: Outcome
    fields: Mapping[str, str] = field(default_factory=dict)
    """What each field lacks, by the key of the word for it."""
    told: str | None = None
    """What the ledger says, where it refuses."""
    new: int = 0
    """How many events were recorded now."""
    event: ReviewEvent | None = None
    """What is in the ledger, now or since before; ``None`` where nothing needed to be recorded."""


def act(desk: ReviewDesk, claim_id: str, form: ReviewForm, person: str) -> Acted:
    """Does what a form asks for.

    Args:
        desk: the claims of the run.
        claim_id: the claim.
        form: what was sent.
        person: who sent it.

    Raises:
        UsageError: if the sheet does not hold the claim.
        EvidenceError: if the ledger cannot be written.
    """
    desk.subject(claim_id)
    try:
        done = _done(desk, claim_id, form, person)
    except FormRefused as refused:
        return Acted(outcome=Outcome.WRONG, fields=refused.fields)
    except StreamMovedOn:
        return Acted(outcome=Outcome.MOVED_ON)
    except DataError as refused:
        if any(problem.field == "evidence_digest" for problem in refused.problems):
            return Acted(outcome=Outcome.OTHER_ROW)
        return Acted(outcome=Outcome.REFUSED, told=refused.diagnostics())
    # A change of the claim row is recorded before what was decided about it.
    return Acted(outcome=Outcome.DONE, new=done.new, event=done.events[-1] if done.events else None)


def assign(desk: ReviewDesk, claim_ids: Sequence[str], to: str, *, by: str) -> Acted:
    """Gives claims to somebody; what is theirs already stays as it is.

    Raises:
        UsageError: if the sheet does not hold a claim.
        EvidenceError: if the ledger cannot be written.
    """
    if not claim_ids:
        return Acted(outcome=Outcome.WRONG, fields={"claim": "needs_claims"})
    try:
        return Acted(outcome=Outcome.DONE, new=desk.assign(claim_ids, assignee_of(to), by=by).new)
    except FormRefused as refused:
        return Acted(outcome=Outcome.WRONG, fields=refused.fields)
    except StreamMovedOn:
        return Acted(outcome=Outcome.MOVED_ON)


def _done(desk: ReviewDesk, claim_id: str, form: ReviewForm, person: str) -> Recorded:
    if form.do in _SHOWN:
        return desk.show(claim_id, to=person, what=_SHOWN[form.do])
    if form.do is ReviewDeed.VERDICT:
        return desk.record([line_of_form(claim_id, form)], by=person)
    kind = _KINDS[form.do]
    if form.do is ReviewDeed.NOTE:
        return desk.speak(kind, claim_id, by=person, text=note_of(form), seen=form.seen)
    if form.do in (ReviewDeed.WITHDRAW, ReviewDeed.DISPUTE):
        return desk.speak(kind, claim_id, by=person, about=_about(form), text=reason_of(form), seen=form.seen)
    line, problems = _line(claim_id, form)
    try:
        reason = reason_of(form)
    except FormRefused as refused:
        problems |= refused.fields
    if problems or line is None:
        raise FormRefused(problems)
    return desk.decide(kind, line, by=person, about=_about(form), reason=reason)


def _line(claim_id: str, form: ReviewForm) -> tuple[VerdictLine | None, dict[str, str]]:
    try:
        return line_of_form(claim_id, form), {}
    except FormRefused as refused:
        return None, dict(refused.fields)


def _about(form: ReviewForm) -> int:
    if form.about is None:
        raise FormRefused({"reason": "unusable"})
    return form.about
