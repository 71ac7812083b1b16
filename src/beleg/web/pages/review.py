"""Review: one claim a screen, queues, progress, agreement, and what is to be settled."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Literal
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from beleg.app.workbench.review_acting import Acted, Outcome, act, assign
from beleg.app.workbench.review_agreement import CONFIDENCE, agreement_views, disagreements_of
from beleg.app.workbench.review_claim import ATTRIBUTION_CHOICES, SUPPORT_CHOICES, reviewed_claim
from beleg.app.workbench.review_forms import TYPED, ReviewDeed, ReviewForm
from beleg.app.workbench.review_queues import QueueRequest, ReviewQueue, next_open, place_of
from beleg.app.workbench.review_room import LEDGER_FILE, RunReview
from beleg.app.workbench.review_runs import people_of, queue_page, runs_to_review, states_of
from beleg.core.access import Access
from beleg.web.access import principal_of, requires
from beleg.web.rendering import render
from beleg.web.state import workbench

router = APIRouter()

SEEDS = 1_000_000
KEY_BYTES = 16
MAX_ID_CHARS = 600
MAX_PAGE = 1_000_000


class Asked(BaseModel):
    """What the address of a page asks for."""

    model_config = ConfigDict(frozen=True)

    queue: ReviewQueue = ReviewQueue.UNREVIEWED
    seed: Annotated[int, Field(ge=0, lt=SEEDS)] | None = None
    page: Annotated[int, Field(ge=1, le=MAX_PAGE)] = 1
    did: ReviewDeed | None = None
    """What the form did that led here."""
    saved: Annotated[str, Field(max_length=200)] = ""
    """Its idempotency key, by which the script finds the draft that it may forget."""
    assigned: Annotated[int, Field(ge=0)] | None = None
    """How many claims were assigned."""
    origin: Annotated[Literal["", "adjudicate"], Field(alias="from")] = ""
    """The page to go back to."""

    def by(self, person: str) -> QueueRequest:
        """The queue of a person."""
        return QueueRequest(queue=self.queue, person=person, seed=self.seed or 0)


Address = Annotated[Asked, Query()]

_STATUS = {
    Outcome.WRONG: HTTPStatus.UNPROCESSABLE_ENTITY,
    Outcome.MOVED_ON: HTTPStatus.CONFLICT,
    Outcome.OTHER_ROW: HTTPStatus.CONFLICT,
    Outcome.REFUSED: HTTPStatus.CONFLICT,
}


@router.get("/review")
@requires(Access.READ)
def runs(request: Request) -> Response:
    """Every run with the state of its review."""
    bench = workbench(request)
    listed = runs_to_review(bench.reviews, bench.holdings().runs, bench.workspace.root)
    return render(request, "review_runs.html", runs=listed, ledger=LEDGER_FILE.as_posix())


@router.get("/review/{run_id}/agreement")
@requires(Access.READ)
def agreement(request: Request, run_id: str) -> Response:
    """How far reviewers agree."""
    found = _run(request, run_id)
    return render(
        request,
        "review_agreement.html",
        run=run_id,
        questions=agreement_views(found),
        confidence=CONFIDENCE,
        path_of=_claim_path,
    )


@router.get("/review/{run_id}/adjudicate")
@requires(Access.READ)
def adjudicate(request: Request, run_id: str, asked: Address) -> Response:
    """What reviewers disagree on, side by side."""
    found, (person, is_reviewer) = _run(request, run_id), _person(request)
    listed = disagreements_of(found, person, asked.page, is_reviewer=is_reviewer)
    return render(
        request,
        "review_adjudicate.html",
        run=run_id,
        listed=listed,
        asked=asked,
        may_review=is_reviewer,
        new_key=_new_key,
        path_of=_claim_path,
    )


@router.get("/review/{run_id}/claims/{claim_id:path}")
@requires(Access.READ)
def claim(request: Request, run_id: str, claim_id: str, asked: Address) -> Response:
    """One claim, with everything that its reviewer may see."""
    return _claim_page(request, _run(request, run_id), claim_id, asked)


@router.post("/review/{run_id}/claims/{claim_id:path}")
@requires(Access.REVIEW)
def act_on_claim(
    request: Request, run_id: str, claim_id: str, asked: Address, form: Annotated[ReviewForm, Form()]
) -> Response:
    """Gives, replaces, disputes or takes back a verdict, settles a disagreement, adds a note, or shows more."""
    wanted = asked.by(_person(request)[0])
    bench = workbench(request)
    entry = bench.workspace.run(run_id)
    done = act(bench.reviews.desk(entry), claim_id, form, wanted.person)
    found = bench.reviews.open(entry)
    if done.outcome is not Outcome.DONE:
        return _claim_page(request, found, claim_id, asked, refused=(form, done))
    told = {"did": form.do.value, "saved": form.idempotency_key}
    if asked.origin == "adjudicate":
        return _see(f"{_run_path(run_id)}/adjudicate", told)
    if form.do is not ReviewDeed.VERDICT:
        return _see(_claim_path(run_id, claim_id), _in_queue(wanted) | told)
    following = next_open(claim_id, found, wanted)
    path = _run_path(run_id) if following is None else _claim_path(run_id, following)
    return _see(path, _in_queue(wanted) | told)


@router.get("/review/{run_id}")
@requires(Access.READ)
def run(request: Request, run_id: str, asked: Address) -> Response:
    """The queues of a run, who has what, and how far they are."""
    if asked.queue is ReviewQueue.RANDOM and asked.seed is None:
        return _see(_run_path(run_id), {"queue": asked.queue.value, "seed": str(secrets.randbelow(SEEDS))})
    return _run_page(request, _run(request, run_id), asked)


@router.post("/review/{run_id}")
@requires(Access.REVIEW)
def assign_claims(
    request: Request,
    run_id: str,
    asked: Address,
    assignee: Annotated[str, Form(max_length=MAX_ID_CHARS)] = "",
    claim: Annotated[list[str], Form(max_length=1_000)] = [],  # noqa: B006 - a box that nobody ticked
) -> Response:
    """Gives the ticked claims to somebody."""
    wanted = asked.by(_person(request)[0])
    bench = workbench(request)
    done = assign(bench.reviews.desk(bench.workspace.run(run_id)), claim, assignee, by=wanted.person)
    if done.outcome is not Outcome.DONE:
        ticked = Ticked(assignee=assignee, claims=frozenset(claim))
        return _run_page(request, _run(request, run_id), asked, refused=(ticked, done))
    return _see(_run_path(run_id), _in_queue(wanted) | {"assigned": str(done.new)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticked:
    """What was typed and ticked in the form that assigns."""

    assignee: str = ""
    claims: frozenset[str] = frozenset()


def _run_page(
    request: Request, found: RunReview, asked: Asked, *, refused: tuple[Ticked, Acted] | None = None
) -> Response:
    person, is_reviewer = _person(request)
    wanted = asked.by(person)
    events = [event for each in found.streams.values() for event in each]
    return render(
        request,
        "review_run.html",
        status=HTTPStatus.OK if refused is None else _STATUS[refused[1].outcome],
        run=found.desk.run_id,
        folder=found.run.path.relative_to(workbench(request).workspace.root).as_posix(),
        ledger=LEDGER_FILE.as_posix(),
        candidate=found.run.header.manifest.name,
        asked=asked,
        queues=tuple(ReviewQueue),
        listed=queue_page(found, wanted, asked.page),
        states=states_of(found.reviews, len(found.reviews)),
        people=people_of(found.reviews, events),
        gone=found.gone,
        typed=Ticked() if refused is None else refused[0],
        acted=None if refused is None else refused[1],
        may_review=is_reviewer,
        path_of=_claim_path,
        in_queue=urlencode(_in_queue(wanted)),
    )


def _claim_page(
    request: Request,
    found: RunReview,
    claim_id: str,
    asked: Asked,
    *,
    refused: tuple[ReviewForm, Acted] | None = None,
) -> Response:
    person, is_reviewer = _person(request)
    wanted = asked.by(person)
    form, acted = refused or (None, None)
    return render(
        request,
        "review_claim.html",
        status=HTTPStatus.OK if acted is None else _STATUS[acted.outcome],
        view=reviewed_claim(found, claim_id, person, is_reviewer=is_reviewer),
        place=place_of(claim_id, found, wanted),
        asked=asked,
        form=form,
        typed=_typed(form),
        acted=acted,
        may_review=is_reviewer,
        supports=SUPPORT_CHOICES,
        attributions=ATTRIBUTION_CHOICES,
        new_key=_new_key,
        path_of=_claim_path,
        in_queue=urlencode(_in_queue(wanted)),
    )


def _typed(form: ReviewForm | None) -> Mapping[str, str]:
    return dict.fromkeys(TYPED, "") if form is None else form.typed()


def _run(request: Request, run_id: str) -> RunReview:
    bench = workbench(request)
    return bench.reviews.open(bench.workspace.run(run_id))


def _person(request: Request) -> tuple[str, bool]:
    principal = principal_of(request)
    return principal.name, principal.may(Access.REVIEW)


def _in_queue(wanted: QueueRequest) -> dict[str, str]:
    seed = {"seed": str(wanted.seed)} if wanted.queue is ReviewQueue.RANDOM else {}
    return {"queue": wanted.queue.value} | seed


def _run_path(run_id: str) -> str:
    return f"/review/{quote(run_id, safe='')}"


def _claim_path(run_id: str, claim_id: str) -> str:
    return f"{_run_path(run_id)}/claims/{quote(claim_id, safe='')}"


def _see(path: str, query: Mapping[str, str]) -> Response:
    return RedirectResponse(f"{path}?{urlencode(query)}", status_code=HTTPStatus.SEE_OTHER)


def _new_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)
