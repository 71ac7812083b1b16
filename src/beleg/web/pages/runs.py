"""Runs: all of them, one with its cases, and one case."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from beleg.app.workbench.addresses import from_segment
from beleg.app.workbench.case_list import MAX_SHOWN, REASONS, Listing
from beleg.app.workbench.case_page import case_page
from beleg.app.workbench.run_list import run_list
from beleg.app.workbench.run_page import run_page
from beleg.core.access import Access
from beleg.web.access import requires
from beleg.web.rendering import render
from beleg.web.state import workbench

router = APIRouter()


@router.get("/runs")
@requires(Access.READ)
def runs(request: Request) -> Response:
    """Every run of the project."""
    return render(request, "runs.html", view=run_list(workbench(request)))


@router.get("/runs/{run}")
@requires(Access.READ)
def run(request: Request, run: str) -> Response:
    """One run with its figures and one page of its cases."""
    view = run_page(workbench(request), from_segment(run), _listing(request))
    parts = {"listed": "run_listed.html"} if view.result else {}
    return render(request, "run.html", parts=parts, view=view, reasons=REASONS, max_shown=MAX_SHOWN)


@router.get("/runs/{run}/cases/{case}")
@requires(Access.READ)
def case(request: Request, run: str, case: str) -> Response:
    """One case of a run."""
    view = case_page(workbench(request), from_segment(run), from_segment(case), _listing(request))
    return render(request, "case.html", view=view)


def _listing(request: Request) -> Listing:
    return Listing.read(request.query_params.multi_items())
