"""Reviews for programs: queues, claims, agreement, and what is to be settled."""

from __future__ import annotations

import secrets
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from beleg.app.workbench.addresses import from_segment
from beleg.app.workbench.review_agreement import CONFIDENCE, agreement_views, disagreements_of
from beleg.app.workbench.review_claim import reviewed_claim
from beleg.app.workbench.review_queues import QueueRequest, ReviewQueue, place_of
from beleg.app.workbench.review_room import RunReview
from beleg.app.workbench.review_runs import people_of, queue_page, runs_to_review, states_of
from beleg.core.access import Access
from beleg.web.access import principal_of, requires
from beleg.web.api.base import Asked
from beleg.web.api.claim_models import ClaimTold, DisagreementsAsked, DisagreementsTold
from beleg.web.api.operations import API, operation, tell
from beleg.web.api.review_models import (
    SEEDS,
    AgreementsTold,
    ClaimsAsked,
    ClaimsTold,
    QueueAsked,
    ReviewsTold,
    ReviewTold,
)
from beleg.web.api.review_told import claim_told, disagreements_told, question_told
from beleg.web.state import workbench

router = APIRouter(prefix=API, tags=["Review"])


@router.get("/review")
@requires(Access.READ)
@operation("list_reviews", ReviewsTold)
def reviews(request: Request, asked: Annotated[Asked, Query()]) -> Response:
    """Every run with the state of its review."""
    bench = workbench(request)
    listed = runs_to_review(bench.reviews, bench.holdings().runs, bench.workspace.root)
    rows = [{name: getattr(each, name) for name in each.__slots__} | {"address": each.run_id} for each in listed]
    return tell(request, asked, {"runs": rows})


@router.get("/review/{run}")
@requires(Access.READ)
@operation("get_review", ReviewTold)
def review(request: Request, run: str, asked: Annotated[Asked, Query()]) -> Response:
    """How far the review of one run is, and who has what."""
    found = opened(request, run)
    events = [event for each in found.streams.values() for event in each]
    told = {
        "run_id": found.desk.run_id,
        "candidate": found.run.header.manifest.name,
        "claims": len(found.reviews),
        "states": states_of(found.reviews, len(found.reviews)),
        "people": people_of(found.reviews, events),
        "gone": found.gone,
    }
    return tell(request, asked, told)


@router.get("/review/{run}/claims")
@requires(Access.READ)
@operation("list_claims", ClaimsTold, asks=ClaimsAsked)
def claims(request: Request, run: str, asked: Annotated[ClaimsAsked, Query()]) -> Response:
    """A queue of claims. What was decided is not among it, so that it leaves a reviewer blind."""
    wanted = queue_of(request, asked)
    listed = queue_page(opened(request, run), wanted, asked.page, size=asked.limit)
    seed = wanted.seed if wanted.queue is ReviewQueue.RANDOM else None
    given = {
        "queue": asked.queue.value,
        "seed": seed,
        "page": listed.page + 1,
        "limit": asked.limit,
        "lang": asked.lang,
    }
    query = urlencode({name: value for name, value in given.items() if value is not None})
    told = {
        "claims": listed.rows,
        **{name: getattr(listed, name) for name in ("total", "left", "page", "pages", "first_open")},
        "seed": seed,
        "next": f"{API}/review/{run}/claims?{query}" if listed.page < listed.pages else None,
    }
    return tell(request, asked, told)


@router.get("/review/{run}/claims/{claim}")
@requires(Access.READ)
@operation("get_claim", ClaimTold, asks=QueueAsked)
def claim(request: Request, run: str, claim: str, asked: Annotated[QueueAsked, Query()]) -> Response:
    """One claim. A reviewer is not shown what machines propose, nor what others decided, before they decided.

    Whoever may not review has no blindness to lose, and sees everything. Asking for more is `show_more`, which is
    recorded: no later verdict of theirs on the claim is blind.
    """
    return claim_answer(request, opened(request, run), from_segment(claim), asked)


@router.get("/review/{run}/agreement")
@requires(Access.READ)
@operation("get_agreement", AgreementsTold)
def agreement(request: Request, run: str, asked: Annotated[Asked, Query()]) -> Response:
    """How far reviewers agree, on attribution and on support apart."""
    views = agreement_views(opened(request, run))
    return tell(request, asked, {"confidence": CONFIDENCE, "questions": [question_told(each) for each in views]})


@router.get("/review/{run}/disagreements")
@requires(Access.READ)
@operation("list_disagreements", DisagreementsTold, asks=DisagreementsAsked)
def disagreements(request: Request, run: str, asked: Annotated[DisagreementsAsked, Query()]) -> Response:
    """What reviewers disagree on, or dispute; whoever is still to judge a claim blind is not shown how."""
    principal = principal_of(request)
    listed = disagreements_of(
        opened(request, run), principal.name, asked.page, size=asked.limit, is_reviewer=principal.may(Access.REVIEW)
    )
    return tell(request, asked, disagreements_told(listed))


def opened(request: Request, run: str) -> RunReview:
    """The review of the run that an address names."""
    bench = workbench(request)
    return bench.reviews.open(bench.workspace.run(from_segment(run)))


def queue_of(request: Request, asked: QueueAsked) -> QueueRequest:
    """The queue of whoever asks; one that is shuffled gets a seed where none is named."""
    seed = asked.seed
    if seed is None:
        seed = secrets.randbelow(SEEDS) if asked.queue is ReviewQueue.RANDOM else 0
    return QueueRequest(queue=asked.queue, person=principal_of(request).name, seed=seed)


def claim_answer(request: Request, found: RunReview, claim_id: str, asked: QueueAsked) -> Response:
    """A claim as whoever asks may see it now."""
    principal = principal_of(request)
    view = reviewed_claim(found, claim_id, principal.name, is_reviewer=principal.may(Access.REVIEW))
    return tell(request, asked, claim_told(view, place_of(claim_id, found, queue_of(request, asked))))
