"""One decision: checks, intervals, segments, waterfall, worst cases, what would change it, and its files."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import FileResponse, RedirectResponse, Response

from beleg.app.workbench.decisions import DOWNLOADS
from beleg.app.workbench.override_history import override_history
from beleg.app.workbench.releases import release_view
from beleg.core.access import Access
from beleg.core.workbench_state import AuditAction
from beleg.web.access import principal_of, requires
from beleg.web.auditing import note
from beleg.web.rendering import language_of, render
from beleg.web.state import workbench

router = APIRouter()


@router.get("/releases/{key}")
@requires(Access.READ)
def decision(request: Request, key: str) -> Response:
    """One decision as its report shows it."""
    bench = workbench(request)
    view = bench.decisions.view(key, language_of(request))
    runs = frozenset(run.run_id for run in bench.holdings().runs)
    now = datetime.now(UTC)
    return render(
        request,
        "decision.html",
        view=view,
        release=release_view(view.entry, runs, now),
        history=override_history(view.entry, now),
        key=key,
        pack=bench.packs.standing(view.entry) if principal_of(request).may(Access.AUDIT) else None,
    )


@router.post("/releases/{key}/pack")
@requires(Access.AUDIT)
def make_pack(request: Request, key: str) -> Response:
    """Has the audit pack of the decision made in the background."""
    bench = workbench(request)
    bench.packs.ask(bench.workspace.decision(key))
    return RedirectResponse(f"/releases/{key}#files", status_code=HTTPStatus.SEE_OTHER)


@router.api_route("/releases/{key}/pack", methods=["GET", "HEAD"])
@requires(Access.AUDIT)
def pack(request: Request, key: str) -> Response:
    """The audit pack of the decision, whole or a range of it, once it is made."""
    bench = workbench(request)
    made = bench.packs.standing(bench.workspace.decision(key))
    if made.path is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    note(request, AuditAction.PACK_READ, f"{key}/{made.digest}")
    return FileResponse(made.path, media_type="application/zip", filename=f"{key}.pack.zip")


@router.get("/releases/{key}/files/{name}")
@requires(Access.READ)
def decision_file(request: Request, key: str, name: str) -> Response:
    """A file of the decision, to be kept and never shown by the browser."""
    path = workbench(request).workspace.decision(key).folder / name
    if name not in DOWNLOADS or not path.is_file():
        raise HTTPException(HTTPStatus.NOT_FOUND)
    note(request, AuditAction.DECISION_FILE_READ, f"{key}/{name}")
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(path.read_bytes(), media_type=DOWNLOADS[name], headers=headers)
