"""Unjudged evidence of a suite for programs: what nobody judged, and labelling it blind."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from beleg.app.workbench.addresses import from_segment
from beleg.app.workbench.suites import SuiteEntry
from beleg.app.workbench.unjudged import MAX_QUOTE_CHARS, LabelForm, Unjudged, item_of, label_item
from beleg.core.access import Access
from beleg.core.errors import DataError
from beleg.core.relevance_labels import RelevanceVerdict
from beleg.web.access import principal_of, requires
from beleg.web.api.base import WHOLE, Asked, Limit, Sent, Told
from beleg.web.api.operations import API, body, operation, tell, wrong_fields
from beleg.web.state import workbench

router = APIRouter(prefix=API, tags=["Suites"])

MAX_DEPTH = 100
MAX_OFFSET = 1_000_000
Depth = Annotated[int, Field(ge=1, le=MAX_DEPTH)]


class UnjudgedAsked(Asked):
    """Which part of what nobody judged is wanted."""

    depth: Depth = 10
    """How far down each ranked list is looked at."""
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET)] = 0
    """How many passages are passed over."""
    limit: Limit = 50
    """How many are told at most."""


class UnjudgedItemTold(Told):
    """A passage that nobody judged for a case. Which system returned it is not told: whoever labels it is blind."""

    key: str
    """By which it is labelled."""
    case_id: str
    """The case."""
    question: str
    """Its question."""
    document_id: str
    """The document of the passage."""
    passage_id: str
    """The passage."""
    text: str | None
    """Its text; ``None`` where no run recorded it."""
    lists: int
    """In how many ranked lists it stands within the depth."""
    best_rank: int
    """The best rank in any of them."""


class UnjudgedTold(Told):
    """What the runs of a suite returned and nobody judged."""

    items: tuple[UnjudgedItemTold, ...]
    """In the most lists first, then the highest ranked; the part that was asked for."""
    total: int
    """How many there are."""
    depth: int
    """How far down each list was looked at."""
    runs: int
    """Runs that were looked through."""
    runs_left_out: int
    """Runs that were not, since they and newer ones hold too many answers."""
    lists: int
    """Ranked lists that were looked at."""
    judged: float | None
    """Mean share of judged passages within the depth; ``None`` without any list."""


class LabelSent(Sent):
    """What somebody says of a passage."""

    key: Annotated[str, Field(min_length=1, max_length=64)]
    """The passage."""
    depth: Annotated[Depth, WHOLE] = 10
    """The depth under which it was listed."""
    verdict: RelevanceVerdict
    """Whether it holds evidence for the question."""
    quote: Annotated[str, Field(max_length=MAX_QUOTE_CHARS)] = ""
    """The words that do, copied from the passage; empty where none are named."""


class LabelTold(Told):
    """What became of a label."""

    left: int
    """How many passages are unjudged now."""


@router.get("/suites/{suite}/unjudged")
@requires(Access.READ)
@operation("list_unjudged", UnjudgedTold, asks=UnjudgedAsked)
def unjudged(request: Request, suite: str, asked: Annotated[UnjudgedAsked, Query()]) -> Response:
    """What stands near the top of the runs of a suite and nobody judged."""
    _, found = _found(request, suite, asked.depth)
    names = ("depth", "runs", "runs_left_out", "lists", "judged")
    told = {name: getattr(found, name) for name in names}
    items = found.items[asked.offset : asked.offset + asked.limit]
    return tell(request, asked, told | {"items": items, "total": len(found.items)})


@router.post("/suites/{suite}/unjudged")
@requires(Access.REVIEW)
@operation("label_passage", LabelTold, takes=LabelSent, status=HTTPStatus.CREATED)
def label(
    request: Request, suite: str, asked: Annotated[Asked, Query()], sent: Annotated[LabelSent, body(LabelSent)]
) -> Response:
    """Writes down what somebody says of a passage; the suite itself is changed by ``beleg suite`` alone."""
    entry, found = _found(request, suite, sent.depth)
    form = LabelForm(verdict=sent.verdict.value, quote=sent.quote)
    root, item = workbench(request).workspace.root, item_of(found, sent.key)
    try:
        label_item(root, entry, item, form, by=principal_of(request).name, at=datetime.now(UTC))
    except DataError as error:
        raise wrong_fields(error) from error
    return tell(request, asked, {"left": len(_found(request, suite, sent.depth)[1].items)})


def _found(request: Request, suite: str, depth: int) -> tuple[SuiteEntry, Unjudged]:
    bench = workbench(request)
    entry = bench.suites.suite(from_segment(suite))
    return entry, bench.unjudged.of(entry, bench.holdings().runs, depth=depth)
