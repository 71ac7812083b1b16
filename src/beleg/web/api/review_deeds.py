"""Acting on claims for programs: one event in the ledger, or a word why there is none."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from beleg.app.workbench.addresses import from_segment
from beleg.app.workbench.review_acting import Acted, Outcome, act, assign
from beleg.app.workbench.review_forms import ReviewDeed, ReviewForm
from beleg.core.access import Access
from beleg.core.evidence import Condition
from beleg.web.access import principal_of, requires
from beleg.web.api.base import Asked
from beleg.web.api.claim_models import ClaimTold, RecordedTold
from beleg.web.api.operations import API, body, language_of, operation, tell
from beleg.web.api.review import claim_answer, opened
from beleg.web.api.review_bodies import (
    ActionSent,
    AssignmentSent,
    DecisionSent,
    MoreSent,
    NoteSent,
    ObjectionSent,
    VerdictSent,
)
from beleg.web.api.review_models import AssignedTold, QueueAsked
from beleg.web.problems import Refused
from beleg.web.state import workbench
from beleg.web.wording import words

router = APIRouter(prefix=API, tags=["Review"])

CLAIM = "/review/{run}/claims/{claim}"
AskedHere = Annotated[Asked, Query()]
CREATED = HTTPStatus.CREATED


@router.post(f"{CLAIM}/verdicts")
@requires(Access.REVIEW)
@operation("give_verdict", RecordedTold, takes=VerdictSent, status=CREATED)
def give(
    request: Request, run: str, claim: str, asked: AskedHere, given: Annotated[VerdictSent, body(VerdictSent)]
) -> Response:
    """Gives a verdict on a claim, recorded under the condition that `get_claim` told."""
    return _recorded(request, (run, claim), asked, given, ReviewDeed.VERDICT)


@router.post(f"{CLAIM}/replacements")
@requires(Access.REVIEW)
@operation("replace_verdict", RecordedTold, takes=DecisionSent, status=CREATED)
def replace(
    request: Request, run: str, claim: str, asked: AskedHere, given: Annotated[DecisionSent, body(DecisionSent)]
) -> Response:
    """Replaces a verdict of your own; the former one stays readable."""
    return _recorded(request, (run, claim), asked, given, ReviewDeed.SUPERSEDE)


@router.post(f"{CLAIM}/withdrawals")
@requires(Access.REVIEW)
@operation("withdraw", RecordedTold, takes=ObjectionSent, status=CREATED)
def withdraw(
    request: Request, run: str, claim: str, asked: AskedHere, given: Annotated[ObjectionSent, body(ObjectionSent)]
) -> Response:
    """Takes back a verdict or dispute of your own; it stays readable."""
    return _recorded(request, (run, claim), asked, given, ReviewDeed.WITHDRAW)


@router.post(f"{CLAIM}/disputes")
@requires(Access.REVIEW)
@operation("dispute", RecordedTold, takes=ObjectionSent, status=CREATED)
def dispute(
    request: Request, run: str, claim: str, asked: AskedHere, given: Annotated[ObjectionSent, body(ObjectionSent)]
) -> Response:
    """Speaks against a verdict of somebody else."""
    return _recorded(request, (run, claim), asked, given, ReviewDeed.DISPUTE)


@router.post(f"{CLAIM}/adjudications")
@requires(Access.REVIEW)
@operation("adjudicate", RecordedTold, takes=DecisionSent, status=CREATED)
def adjudicate(
    request: Request, run: str, claim: str, asked: AskedHere, given: Annotated[DecisionSent, body(DecisionSent)]
) -> Response:
    """Settles a disagreement of others; their verdicts stay, and count for agreement."""
    return _recorded(request, (run, claim), asked, given, ReviewDeed.ADJUDICATE)


@router.post(f"{CLAIM}/notes")
@requires(Access.REVIEW)
@operation("add_note", RecordedTold, takes=NoteSent, status=CREATED)
def add_note(
    request: Request, run: str, claim: str, asked: AskedHere, given: Annotated[NoteSent, body(NoteSent)]
) -> Response:
    """Adds a note to a claim."""
    return _recorded(request, (run, claim), asked, given, ReviewDeed.NOTE)


@router.post(f"{CLAIM}/disclosures")
@requires(Access.REVIEW)
@operation("show_more", ClaimTold, asks=QueueAsked, takes=MoreSent)
def show_more(
    request: Request,
    run: str,
    claim: str,
    asked: Annotated[QueueAsked, Query()],
    given: Annotated[MoreSent, body(MoreSent)],
) -> Response:
    """Shows what machines propose or what others decided, and records that you were shown it.

    No later verdict of yours on the claim is blind. Asked twice, it is recorded once.
    """
    what = Condition.SAW_MACHINE if given.what == "machine" else Condition.SAW_HUMAN
    bench, claim_id = workbench(request), from_segment(claim)
    entry = bench.workspace.run(from_segment(run))
    bench.reviews.desk(entry).show(claim_id, to=principal_of(request).name, what=what)
    return claim_answer(request, opened(request, run), claim_id, asked)


@router.post("/review/{run}/assignments")
@requires(Access.REVIEW)
@operation("assign_claims", AssignedTold, takes=AssignmentSent)
def assign_claims(
    request: Request, run: str, asked: AskedHere, given: Annotated[AssignmentSent, body(AssignmentSent)]
) -> Response:
    """Gives claims to somebody; sent again, it changes nothing."""
    bench = workbench(request)
    desk = bench.reviews.desk(bench.workspace.run(from_segment(run)))
    done = assign(desk, list(dict.fromkeys(given.claims)), given.assignee, by=principal_of(request).name)
    _require_done(request, asked, done)
    return tell(request, asked, {"assigned": done.new})


def _recorded(request: Request, place: tuple[str, str], asked: Asked, given: ActionSent, deed: ReviewDeed) -> Response:
    bench = workbench(request)
    run_id, claim_id = (from_segment(each) for each in place)
    form: ReviewForm = given.form(deed)
    done = act(bench.reviews.desk(bench.workspace.run(run_id)), claim_id, form, principal_of(request).name)
    _require_done(request, asked, done)
    return tell(request, asked, {"event": done.event})


def _require_done(request: Request, asked: Asked, done: Acted) -> None:
    if done.outcome is Outcome.DONE:
        return
    language = language_of(request, asked)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if done.outcome is Outcome.WRONG else HTTPStatus.CONFLICT
    fields = [(f"body.{name}", words().word(f"review.{key}", language)) for name, key in done.fields.items()]
    detail = words().word(f"api.outcome_{done.outcome.value}", language)
    raise Refused(status, " ".join([detail, *([done.told] if done.told else [])]), fields=fields)
