"""Releases and decisions for programs."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse, Response

from beleg.app.workbench.decisions import DOWNLOADS, Measured
from beleg.app.workbench.releases import environments, release_view
from beleg.core.access import Access
from beleg.core.workbench_state import AuditAction
from beleg.web.access import requires
from beleg.web.api.base import Asked, Told
from beleg.web.api.operations import API, operation, tell
from beleg.web.api.release_models import DecisionTold, ReleasesTold
from beleg.web.api.shared import unreadable
from beleg.web.auditing import note
from beleg.web.problems import Refused
from beleg.web.state import workbench

router = APIRouter(prefix=API, tags=["Releases"])


class PackTold(Told):
    """How far the audit pack of a decision is."""

    is_ready: bool
    """Whether it can be had."""
    sha256: str | None
    """The digest of the file; ``None`` until it is made."""


@router.get("/releases")
@requires(Access.READ)
@operation("list_releases", ReleasesTold)
def releases(request: Request, asked: Annotated[Asked, Query()]) -> Response:
    """Every decision on a time line per environment, and what holds now."""
    bench = workbench(request)
    holdings = bench.holdings()
    found = {
        "environments": environments(holdings, datetime.now(UTC)),
        "unreadable": unreadable(bench, holdings.unreadable),
        "runs": len(holdings.runs),
    }
    return tell(request, asked, found)


@router.get("/releases/{key}")
@requires(Access.READ)
@operation("get_decision", DecisionTold)
def decision(request: Request, key: str, asked: Annotated[Asked, Query()]) -> Response:
    """One decision: every check with its figures, what decides, the waterfall, segments and changed cases.

    Segments and changed cases take the scores of both runs. While these are made ``is_measuring`` is true: ask again.
    """
    bench = workbench(request)
    facts = bench.decisions.facts(key)
    entry, measured = facts.entry, facts.measured or Measured()
    # It knows what every report may say, which nothing else here needs.
    from beleg.app.workbench.decision_reading import reading_of

    runs = frozenset(run.run_id for run in bench.holdings().runs)
    found = {
        "release": release_view(entry, runs, datetime.now(UTC)),
        "environment": None if entry.signed is None else entry.signed.environment,
        "decision": entry.decision,
        "reading": reading_of(facts),
        "is_measuring": facts.measured is None,
        "missing": measured.missing,
        "segments": measured.segment_table,
        "changes": measured.changed,
        "files": facts.downloads,
    }
    return tell(request, asked, found)


@router.get("/releases/{key}/files/{name}")
@requires(Access.READ)
@operation("get_decision_file", files=tuple(dict.fromkeys(DOWNLOADS.values())))
def decision_file(request: Request, key: str, name: str, _: Annotated[Asked, Query()]) -> Response:
    """A file of the decision as it stands on the disk, such as ``decision.dsse.json``; the audit log notes it."""
    path = workbench(request).workspace.decision(key).folder / name
    if name not in DOWNLOADS or not path.is_file():
        raise Refused(HTTPStatus.NOT_FOUND, "The decision has no such file", hint=f"Known are {', '.join(DOWNLOADS)}")
    note(request, AuditAction.DECISION_FILE_READ, f"{key}/{name}")
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(path.read_bytes(), media_type=DOWNLOADS[name], headers=headers)


@router.post("/releases/{key}/pack")
@requires(Access.AUDIT)
@operation("make_pack", PackTold, status=HTTPStatus.ACCEPTED)
def make_pack(request: Request, key: str, asked: Annotated[Asked, Query()]) -> Response:
    """Has the audit pack of a decision made in the background, unless it is there already; ask again until it is."""
    bench = workbench(request)
    found = bench.packs.ask(bench.workspace.decision(key))
    return tell(request, asked, {"is_ready": found.path is not None, "sha256": found.digest or None})


@router.get("/releases/{key}/pack")
@requires(Access.AUDIT)
@operation("get_pack", files=("application/zip",))
def pack(request: Request, key: str, _: Annotated[Asked, Query()]) -> Response:
    """The audit pack of a decision once it is made; the audit log notes it."""
    bench = workbench(request)
    made = bench.packs.standing(bench.workspace.decision(key))
    if made.fault is not None:
        raise Refused(HTTPStatus.NOT_FOUND, f"The audit pack could not be made: {made.fault}")
    if made.path is None:
        raise Refused(HTTPStatus.NOT_FOUND, "The audit pack is not there", hint="Have it made by POST, then ask again")
    note(request, AuditAction.PACK_READ, f"{key}/{made.digest}")
    return FileResponse(made.path, media_type="application/zip", filename=f"{key}.pack.zip")
