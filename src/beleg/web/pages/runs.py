"""Runs: all of them, one with its cases, and one case."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response, StreamingResponse

from beleg.app.workbench.addresses import from_segment
from beleg.app.workbench.case_list import MAX_SHOWN, REASONS, Listing
from beleg.app.workbench.case_page import case_page
from beleg.app.workbench.run_list import run_list
from beleg.app.workbench.run_page import run_page
from beleg.app.workbench.sheet_files import SHEET_KINDS, has_sheet, pieces, sheet_file
from beleg.core.access import Access
from beleg.core.workbench_state import AuditAction
from beleg.web.access import requires
from beleg.web.auditing import note
from beleg.web.rendering import language_of, render
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
    bench = workbench(request)
    return render(
        request,
        "run.html",
        parts=parts,
        view=view,
        reasons=REASONS,
        max_shown=MAX_SHOWN,
        sheet_kinds=tuple(SHEET_KINDS) if has_sheet(bench.workspace.run(view.run_id)) else (),
    )


@router.get("/runs/{run}/sheet.{kind}")
@requires(Access.READ)
def sheet(request: Request, run: str, kind: str) -> Response:
    """The evidence sheet of a run, to be kept and never shown by the browser."""
    if kind not in SHEET_KINDS:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    bench = workbench(request)
    entry = bench.workspace.run(from_segment(run))
    file = sheet_file(entry, bench.workspace.root, kind, language_of(request))
    note(request, AuditAction.PACK_READ, f"{entry.run_id}/sheet.{kind}")
    headers = {"content-disposition": f'attachment; filename="sheet.{kind}"'}
    return StreamingResponse(pieces(file), media_type=SHEET_KINDS[kind], headers=headers)


@router.get("/runs/{run}/cases/{case}")
@requires(Access.READ)
def case(request: Request, run: str, case: str) -> Response:
    """One case of a run."""
    view = case_page(workbench(request), from_segment(run), from_segment(case), _listing(request))
    return render(request, "case.html", view=view)


def _listing(request: Request) -> Listing:
    return Listing.read(request.query_params.multi_items())
