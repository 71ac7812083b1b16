"""Decisions, their files, and overrides."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import HTTPException, Path, Request
from fastapi.responses import FileResponse, Response

from beleg.app.overriding import OverrideRequest, overrides_of
from beleg.app.workbench.decisions import DOWNLOADS, Measured
from beleg.app.workbench.overrides import ask_override, overridable, overridable_decision
from beleg.app.workbench.releases import environments, release_view
from beleg.core.access import Access
from beleg.core.decision import Bounds
from beleg.core.errors import UsageError
from beleg.core.workbench_state import AuditAction
from beleg.web.access import principal_of, requires
from beleg.web.api.parts import DecisionKey, api_router
from beleg.web.api.shapes import (
    DecisionAnswer,
    OverridableAnswer,
    OverrideAsked,
    Overrides,
    PackAnswer,
    Releases,
    SegmentFigure,
    UnreadableFile,
)
from beleg.web.auditing import note
from beleg.web.state import workbench

router = api_router("decisions")


@router.get("/releases", operation_id="list_releases")
@requires(Access.READ)
def releases(request: Request) -> Releases:
    """Every decision on a time line per environment."""
    bench = workbench(request)
    holdings = bench.holdings()
    return Releases(
        environments=environments(holdings, datetime.now(UTC)),
        unreadable=UnreadableFile.all_of(holdings.unreadable, bench),
    )


@router.get("/releases/{key}", operation_id="get_decision")
@requires(Access.READ)
def decision(request: Request, key: DecisionKey) -> DecisionAnswer:
    """One decision: checks, intervals, waterfall, segments, changed cases, overrides."""
    bench = workbench(request)
    facts = bench.decisions.facts(key)
    runs = frozenset(run.run_id for run in bench.holdings().runs)
    measured = facts.measured or Measured()
    changed = measured.changed
    return DecisionAnswer(
        release=release_view(facts.entry, runs, datetime.now(UTC)),
        decision=facts.entry.decision,
        overrides=overrides_of(facts.entry.folder),
        files=facts.downloads,
        is_measuring=facts.measured is None,
        missing=measured.missing,
        segments=tuple(_segment(row) for row in measured.segment_table),
        changed=() if changed is None else tuple(zip(changed.case_ids, changed.differences, strict=True)),
    )


@router.get(
    "/releases/{key}/files/{name}",
    operation_id="get_decision_file",
    response_class=Response,
    responses={200: {"description": "The file as it is stored.", "content": {kind: {} for kind in DOWNLOADS.values()}}},
)
@requires(Access.READ)
def decision_file(
    request: Request, key: DecisionKey, name: Annotated[str, Path(max_length=100, description="As files lists it.")]
) -> Response:
    """A file of the decision; the read is noted in the audit log."""
    path = workbench(request).workspace.decision(key).folder / name
    if name not in DOWNLOADS or not path.is_file():
        raise HTTPException(HTTPStatus.NOT_FOUND)
    note(request, AuditAction.DECISION_FILE_READ, f"{key}/{name}")
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(path.read_bytes(), media_type=DOWNLOADS[name], headers=headers)


@router.post("/releases/{key}/pack", operation_id="make_pack", status_code=HTTPStatus.ACCEPTED)
@requires(Access.AUDIT)
def make_pack(request: Request, key: DecisionKey) -> PackAnswer:
    """Has the audit pack of a decision made in the background, unless it is there already; ask again until it is."""
    bench = workbench(request)
    found = bench.packs.ask(bench.workspace.decision(key))
    return PackAnswer(is_ready=found.path is not None, sha256=found.digest or None)


@router.get(
    "/releases/{key}/pack",
    operation_id="get_pack",
    response_class=FileResponse,
    responses={200: {"description": "The pack, whole or a range of it.", "content": {"application/zip": {}}}},
)
@requires(Access.AUDIT)
def pack(request: Request, key: DecisionKey) -> FileResponse:
    """The audit pack of a decision once it is made; the read is noted in the audit log."""
    bench = workbench(request)
    made = bench.packs.standing(bench.workspace.decision(key))
    if made.fault is not None:
        raise UsageError(f"the audit pack could not be made: {made.fault}")
    if made.path is None:
        raise UsageError("the audit pack is not there", hint="Have it made by POST, then ask again")
    note(request, AuditAction.PACK_READ, f"{key}/{made.digest}")
    return FileResponse(made.path, media_type="application/zip", filename=f"{key}.pack.zip")


@router.get("/overrides", operation_id="list_overrides")
@requires(Access.READ)
def overrides(request: Request) -> Overrides:
    """Every signed decision that is no PASS, with its overrides and requests."""
    bench = workbench(request)
    found = overridable(bench.holdings().decisions, bench.workspace.root)
    return Overrides(decisions=tuple(OverridableAnswer.of(each) for each in found))


@router.post("/overrides/{key}", operation_id="ask_override", status_code=HTTPStatus.CREATED)
@requires(Access.OWN)
def override_asked(request: Request, key: DecisionKey, asked: OverrideAsked) -> OverridableAnswer:
    """Asks an owner for an override. It lets nothing through: only the owner's signature does."""
    bench = workbench(request)
    entry = bench.workspace.decision(key)
    wanted = OverrideRequest(
        checks=overridable_decision(entry, bench.workspace.root).failed,
        owner=asked.owner,
        reason=asked.reason,
        ticket=asked.ticket,
        compensating_control=asked.compensating_control,
        hours=asked.hours,
    )
    ask_override(entry, wanted, by=principal_of(request).name, at=datetime.now(UTC))
    note(request, AuditAction.OVERRIDE_ASKED, key)
    return OverridableAnswer.of(overridable_decision(entry, bench.workspace.root))


def _segment(row: Any) -> SegmentFigure:
    figure, difference = row.figure, row.difference
    return SegmentFigure(
        segment=row.segment,
        metric=row.metric,
        n=row.n,
        **_bounds(figure, "value", "lower", "upper"),
        baseline=row.baseline,
        **_bounds(difference, "difference", "difference_lower", "difference_upper"),
        minimum_n=row.minimum_n,
        is_protected=row.protected,
    )


def _bounds(found: Bounds | None, *names: str) -> dict[str, Any]:
    values = (None,) * 3 if found is None else (found.estimate, found.lower, found.upper)
    return dict(zip(names, values, strict=True))
