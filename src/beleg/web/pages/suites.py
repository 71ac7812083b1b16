"""Suites: versions and their differences, the coverage matrix, owners and reviews that are due."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from beleg.app.workbench.suites import suite_view, suites_differ
from beleg.core.access import Access
from beleg.web.access import requires
from beleg.web.rendering import render
from beleg.web.state import workbench

router = APIRouter()

MAX_KEY_CHARS = 1_000
DEFAULT_MINIMUM = 30

Key = Annotated[str, Query(max_length=MAX_KEY_CHARS)]


@router.get("/suites")
@requires(Access.READ)
def suites(request: Request) -> Response:
    """Every suite of the project."""
    found, unreadable = workbench(request).suites.suites()
    return render(request, "suites.html", suites=found, unreadable=unreadable)


@router.get("/suites/one")
@requires(Access.READ)
def suite(
    request: Request,
    place: Key,
    by: Annotated[list[str], Query(max_length=10)] = [],  # noqa: B006 - a query that is not given
    minimum: Annotated[int, Query(ge=1, le=1_000_000)] = DEFAULT_MINIMUM,
) -> Response:
    """One suite: what it covers, what is due, what is wrong."""
    shelf = workbench(request).suites
    chosen = list(dict.fromkeys(name for name in by if name))
    view = suite_view(shelf.suite(place), chosen, minimum_n=minimum, today=datetime.now(UTC).date())
    others = [entry for entry in shelf.suites()[0] if entry.key != place]
    return render(request, "suite.html", view=view, others=others, minimum=minimum)


@router.get("/suites/changes")
@requires(Access.READ)
def suite_changes(request: Request, old: Key, new: Key) -> Response:
    """What changed between two suites."""
    shelf = workbench(request).suites
    before, after = shelf.suite(old), shelf.suite(new)
    return render(request, "suite_changes.html", old=before, new=after, changes=suites_differ(before, after))
