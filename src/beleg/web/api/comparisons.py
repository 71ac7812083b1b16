"""Two runs beside each other for programs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from beleg.app.workbench.addresses import from_segment
from beleg.core.access import Access
from beleg.core.run_comparison import RunComparison
from beleg.web.access import requires
from beleg.web.api.base import Asked, Told
from beleg.web.api.operations import API, operation, tell
from beleg.web.state import workbench

router = APIRouter(prefix=API, tags=["Runs"])


class ComparisonTold(Told):
    """Two runs of the same frozen cases. Nothing in it is averaged, ranked or turned into a rate."""

    comparison: RunComparison | None
    """``None`` where the runs are too large to be compared while somebody waits: ``beleg compare --claims`` does it."""
    is_stored: bool
    """Whether it was read from the folder of the new run, and not made now."""


@router.get("/runs/{run}/compared/{old}")
@requires(Access.READ)
@operation("compare_runs", ComparisonTold)
def compare(request: Request, run: str, old: str, asked: Annotated[Asked, Query()]) -> Response:
    """A run held against an older one, dimension by dimension and claim by claim."""
    bench = workbench(request)
    new, older = bench.workspace.run(from_segment(run)), bench.workspace.run(from_segment(old))
    found, is_stored = bench.comparisons.comparison(new, older)
    return tell(request, asked, {"comparison": found, "is_stored": is_stored})
