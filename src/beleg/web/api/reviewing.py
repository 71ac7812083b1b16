"""Review: queues, claims, verdicts, disputes, settlements, assignments and agreement."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Path, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from beleg.app.workbench.addresses import from_segment
from beleg.app.workbench.review_acting import Acted, Outcome, act, assign
from beleg.app.workbench.review_agreement import CONFIDENCE, agreement_views
from beleg.app.workbench.review_claim import reviewed_claim
from beleg.app.workbench.review_forms import ReviewForm
from beleg.app.workbench.review_queues import QueueRequest, ReviewQueue, place_of
from beleg.app.workbench.review_room import RunReview
from beleg.app.workbench.review_runs import people_of, queue_page, runs_to_review, states_of
from beleg.core.access import Access
from beleg.web.access import principal_of, requires
from beleg.web.api.parts import MAX_NAME_CHARS, RunName, api_router
from beleg.web.api.review_shapes import (
    AgreementAnswer,
    Assigned,
    ClaimAnswer,
    ClaimInQueue,
    Done,
    ReviewRun,
    ReviewRuns,
)
from beleg.web.api.shapes import ApiProblem
from beleg.web.faults import PROBLEM
from beleg.web.state import workbench

router = api_router("review")

MAX_CLAIMS = 1_000
MAX_ID_CHARS = 600
MAX_PAGE = 1_000_000
SEEDS = 1_000_000

ClaimName = Annotated[str, Path(max_length=MAX_NAME_CHARS, description="The claim, written as the run is.")]

CONFLICT: dict[int | str, dict[str, Any]] = {
    409: {
        "model": ApiProblem,
        "description": "Somebody acted on the claim in between, or it does not follow from its state: look again.",
    }
}
_TITLES = {
    Outcome.WRONG: "a field lacks something",
    Outcome.MOVED_ON: "somebody acted on the claim in between",
    Outcome.OTHER_ROW: "the claim is another row by now",
    Outcome.REFUSED: "it does not follow from the state of the claim",
}


class QueueAsked(BaseModel):
    """Which claims, in which order."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    queue: ReviewQueue = ReviewQueue.UNREVIEWED
    """The choice of claims."""
    seed: Annotated[int, Field(ge=0, lt=SEEDS)] = 0
    """By which the random queue is shuffled."""
    page: Annotated[int, Field(ge=1, le=MAX_PAGE)] = 1

    def by(self, person: str) -> QueueRequest:
        """The queue of a person."""
        return QueueRequest(queue=self.queue, person=person, seed=self.seed)


class AssignmentAsked(BaseModel):
    """Who is to look at what."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    assignee: Annotated[str, Field(min_length=1, max_length=MAX_ID_CHARS)]
    claims: Annotated[list[Annotated[str, Field(min_length=1, max_length=MAX_ID_CHARS)]], Field(max_length=MAX_CLAIMS)]


@router.get("/review", operation_id="list_reviews")
@requires(Access.READ)
def runs(request: Request) -> ReviewRuns:
    """Every run with the state of its review."""
    bench = workbench(request)
    return ReviewRuns(runs=runs_to_review(bench.reviews, bench.holdings().runs, bench.workspace.root))


@router.get("/review/{run}", operation_id="list_claims")
@requires(Access.READ)
def run(request: Request, run: RunName, asked: Annotated[QueueAsked, Query()]) -> ReviewRun:
    """A queue of a run, who has what, and how far they are."""
    found = _run(request, run)
    listed = queue_page(found, asked.by(_person(request)[0]), asked.page)
    events = [event for each in found.streams.values() for event in each]
    return ReviewRun(
        run_id=found.desk.run_id,
        states=states_of(found.reviews, len(found.reviews)),
        people=people_of(found.reviews, events),
        total=listed.total,
        left=listed.left,
        page=listed.page,
        pages=listed.pages,
        first_open=listed.first_open,
        claims=listed.rows,
    )


@router.get("/review/{run}/agreement", operation_id="get_agreement")
@requires(Access.READ)
def agreement(request: Request, run: RunName) -> AgreementAnswer:
    """How far reviewers agree."""
    return AgreementAnswer(questions=agreement_views(_run(request, run)), confidence=CONFIDENCE)


@router.get("/review/{run}/claims/{claim}", operation_id="get_claim")
@requires(Access.READ)
def claim(request: Request, run: RunName, claim: ClaimName, asked: Annotated[QueueAsked, Query()]) -> ClaimInQueue:
    """One claim, with everything that you may see of it now."""
    found, claim_id = _run(request, run), from_segment(claim)
    return ClaimInQueue(
        claim=_claim(request, found, claim_id), place=place_of(claim_id, found, asked.by(_person(request)[0]))
    )


@router.post("/review/{run}/claims/{claim}", operation_id="act_on_claim", responses=CONFLICT, response_model=Done)
@requires(Access.REVIEW)
def act_on_claim(request: Request, run: RunName, claim: ClaimName, deed: ReviewForm) -> Response | Done:
    """Gives, replaces, disputes or takes back a verdict, settles, notes, or asks to be shown more.

    A deed that is sent again under its idempotency key is recorded once.
    """
    bench, claim_id = workbench(request), from_segment(claim)
    entry = bench.workspace.run(from_segment(run))
    done = act(bench.reviews.desk(entry), claim_id, deed, _person(request)[0])
    if done.outcome is not Outcome.DONE:
        return _refused(done)
    found = bench.reviews.open(entry)
    return Done(outcome=done.outcome, recorded=done.new, claim=_claim(request, found, claim_id))


@router.post("/review/{run}/assignments", operation_id="assign_claims", responses=CONFLICT, response_model=Assigned)
@requires(Access.REVIEW)
def assign_claims(request: Request, run: RunName, asked: AssignmentAsked) -> Response | Assigned:
    """Gives claims to somebody; what is theirs already stays as it is."""
    bench = workbench(request)
    desk = bench.reviews.desk(bench.workspace.run(from_segment(run)))
    done = assign(desk, asked.claims, asked.assignee, by=_person(request)[0])
    return Assigned(recorded=done.new) if done.outcome is Outcome.DONE else _refused(done)


def _refused(done: Acted) -> Response:
    is_wrong = done.outcome is Outcome.WRONG
    status = HTTPStatus.UNPROCESSABLE_ENTITY if is_wrong else HTTPStatus.CONFLICT
    problem = ApiProblem(
        status=status.value,
        title=status.phrase,
        detail=done.told or _TITLES[done.outcome],
        fields={name: word.replace("_", " ") for name, word in done.fields.items()} or None,
    )
    return JSONResponse(problem.model_dump(exclude_none=True), status_code=status, media_type=PROBLEM)


def _claim(request: Request, found: RunReview, claim_id: str) -> ClaimAnswer:
    person, is_reviewer = _person(request)
    return ClaimAnswer.of(reviewed_claim(found, claim_id, person, is_reviewer=is_reviewer))


def _run(request: Request, run: str) -> RunReview:
    bench = workbench(request)
    return bench.reviews.open(bench.workspace.run(from_segment(run)))


def _person(request: Request) -> tuple[str, bool]:
    principal = principal_of(request)
    return principal.name, principal.may(Access.REVIEW)
