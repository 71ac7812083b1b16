"""Unjudged evidence of a suite: what stands near the top of its runs and nobody judged, and labelling it blind."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from beleg.app.suite_labels import labels_file
from beleg.app.workbench.suites import SuiteEntry
from beleg.app.workbench.unjudged import MAX_ROWS, LabelForm, Unjudged, item_of, label_item
from beleg.core.access import Access
from beleg.core.errors import DataError, Problem
from beleg.core.relevance_labels import RelevanceVerdict
from beleg.web.access import principal_of, requires
from beleg.web.rendering import render
from beleg.web.state import workbench

router = APIRouter()

MAX_KEY_CHARS = 1_000
MAX_DEPTH = 100
PAGE_ROWS = 50

Key = Annotated[str, Query(max_length=MAX_KEY_CHARS)]
ItemKey = Annotated[str, Query(max_length=64)]
Depth = Annotated[int, Query(ge=1, le=MAX_DEPTH)]


@router.get("/suites/unjudged")
@requires(Access.READ)
def unjudged(
    request: Request, place: Key, depth: Depth = 10, page: Annotated[int, Query(ge=1, le=1_000_000)] = 1
) -> Response:
    """What nobody judged, in the most ranked lists first."""
    entry, found = _found(request, place, depth)
    pages = max(1, -(-len(found.items) // PAGE_ROWS))
    shown = min(page, pages)
    root = workbench(request).workspace.root
    return render(
        request,
        "unjudged.html",
        entry=entry,
        found=found,
        rows=found.items[(shown - 1) * PAGE_ROWS : shown * PAGE_ROWS],
        page=shown,
        pages=pages,
        most_rows=MAX_ROWS,
        labels=labels_file(root, entry.suite.header.name).relative_to(root).as_posix(),
        may_label=principal_of(request).may(Access.REVIEW),
        address_of=lambda **more: _address("/suites/unjudged", place, depth, **more),
        label_of=lambda item: _address("/suites/label", place, depth, item=item),
    )


@router.get("/suites/label")
@requires(Access.REVIEW)
def label(request: Request, place: Key, item: ItemKey, depth: Depth = 10) -> Response:
    """One passage for one question, without the systems that returned it."""
    return _form(request, (place, item, depth))


@router.post("/suites/label")
@requires(Access.REVIEW)
def labelled(
    request: Request,
    place: Key,
    item: ItemKey,
    depth: Depth = 10,
    verdict: Annotated[str, Form(max_length=20)] = "",
    quote: Annotated[str, Form(max_length=20_000)] = "",
) -> Response:
    """Writes the label down and goes on to the next passage, or says at each field what is wrong."""
    entry, found = _found(request, place, depth)
    given, root = LabelForm(verdict=verdict, quote=quote), workbench(request).workspace.root
    chosen, by = item_of(found, item), principal_of(request).name
    try:
        label_item(root, entry, chosen, given, by=by, at=datetime.now(UTC))
    except DataError as error:
        return _form(request, (place, item, depth), given=given, problems=error.problems)
    at = found.items.index(chosen)
    following = [each.key for each in (*found.items[at + 1 :], *found.items[:at])]
    path = "/suites/label" if following else "/suites/unjudged"
    more = {"item": following[0]} if following else {}
    return RedirectResponse(_address(path, place, depth, **more), status_code=HTTPStatus.SEE_OTHER)


def _form(
    request: Request,
    asked: tuple[str, str, int],
    *,
    given: LabelForm | None = None,
    problems: tuple[Problem, ...] = (),
) -> Response:
    place, item, depth = asked
    entry, found = _found(request, place, depth)
    return render(
        request,
        "label.html",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if problems else HTTPStatus.OK,
        entry=entry,
        item=item_of(found, item),
        left=len(found.items),
        given=given or LabelForm(),
        wrong={problem.field: problem.message.replace(" ", "_") for problem in problems},
        verdicts=tuple(RelevanceVerdict),
        here=_address("/suites/label", place, depth, item=item),
        back=_address("/suites/unjudged", place, depth),
    )


def _found(request: Request, place: str, depth: int) -> tuple[SuiteEntry, Unjudged]:
    bench = workbench(request)
    entry = bench.suites.suite(place)
    return entry, bench.unjudged.of(entry, bench.holdings().runs, depth=depth)


def _address(path: str, place: str, depth: int, **more: str | int) -> str:
    return f"{path}?{urlencode({'place': place, 'depth': depth, **more})}"
