"""The first page: what may ship, and what blocks now."""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi import APIRouter, Request
from fastapi.responses import Response

from beleg.app.workbench.releases import environments
from beleg.core.access import Access
from beleg.web.access import requires
from beleg.web.rendering import render
from beleg.web.state import workbench

router = APIRouter()


@router.get("/")
@requires(Access.READ)
def releases(request: Request) -> Response:
    """Every decision on a time line per environment."""
    holdings = workbench(request).holdings()
    return render(
        request,
        "releases.html",
        environments=environments(holdings, datetime.now(UTC)),
        unreadable=holdings.unreadable,
        runs=len(holdings.runs),
    )
