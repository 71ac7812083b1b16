"""Suites, comparisons, judges, the audit log, and who is asking."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Query, Request

from beleg.app.workbench.judges import calibration_records
from beleg.app.workbench.suites import suite_view, suites_differ
from beleg.core.access import Access
from beleg.core.workbench_state import AuditAction
from beleg.web.access import principal_of, requires
from beleg.web.api.parts import api_router
from beleg.web.api.shapes import (
    AuditLog,
    ComparisonAnswer,
    Judges,
    Me,
    StoredCalibration,
    SuiteAnswer,
    SuiteRow,
    Suites,
    UnreadableFile,
)
from beleg.web.auditing import note
from beleg.web.sessions import Sessions
from beleg.web.state import workbench

router = api_router("project")

LARGEST = 2**62
Key = Annotated[str, Query(max_length=1_000, description="The place of a suite, as /suites lists it.")]
Run = Annotated[str, Query(max_length=600, description="The name of a run.")]


@router.get("/me", operation_id="get_me")
@requires(Access.READ)
def me(request: Request) -> Me:
    """Who is asking, and what they may do."""
    principal = principal_of(request)
    return Me(name=principal.name, tenant=principal.tenant, roles=tuple(sorted(principal.roles)))


@router.get("/suites", operation_id="list_suites")
@requires(Access.READ)
def suites(request: Request) -> Suites:
    """Every suite of the project."""
    bench = workbench(request)
    found, unreadable = bench.suites.suites()
    return Suites(
        suites=tuple(SuiteRow.of(entry) for entry in found), unreadable=UnreadableFile.all_of(unreadable, bench)
    )


@router.get("/suites/one", operation_id="get_suite")
@requires(Access.READ)
def suite(
    request: Request,
    place: Key,
    by: Annotated[list[str], Query(max_length=3, description="Dimensions of the coverage matrix.")] = [],  # noqa: B006
    minimum: Annotated[int, Query(ge=1, le=1_000_000, description="Cases that a cell needs.")] = 30,
) -> SuiteAnswer:
    """One suite: what it covers, what is due, what is wrong."""
    chosen = list(dict.fromkeys(name for name in by if name))
    today = datetime.now(UTC).date()
    view = suite_view(workbench(request).suites.suite(place), chosen, minimum_n=minimum, today=today)
    coverage = None if view.coverage is None else asdict(view.coverage)
    return SuiteAnswer.of(view, coverage, tuple(asdict(finding) for finding in view.findings))


@router.get("/suites/changes", operation_id="compare_suites")
@requires(Access.READ)
def suite_changes(request: Request, old: Key, new: Key) -> dict[str, Any]:
    """What changed between two suites, field by field."""
    shelf = workbench(request).suites
    return asdict(suites_differ(shelf.suite(old), shelf.suite(new)))


@router.get("/compare", operation_id="compare_runs")
@requires(Access.READ)
def compare(request: Request, new: Run, old: Run) -> ComparisonAnswer:
    """Two runs beside each other, dimension by dimension and claim by claim."""
    bench = workbench(request)
    found, is_stored = bench.comparisons.comparison(bench.workspace.run(new), bench.workspace.run(old))
    return ComparisonAnswer(comparison=found, is_stored=is_stored)


@router.get("/judges", operation_id="list_judges")
@requires(Access.READ)
def judges(request: Request) -> Judges:
    """How far each judge is to be believed."""
    bench = workbench(request)
    found, unreadable = calibration_records(bench.workspace.root)
    return Judges(
        calibrations=tuple(StoredCalibration(path=path.as_posix(), record=record) for path, record in found),
        unreadable=UnreadableFile.all_of(unreadable, bench),
    )


@router.get("/audit", operation_id="list_audit_log")
@requires(Access.AUDIT)
def audit(
    request: Request,
    before: Annotated[int | None, Query(ge=1, le=LARGEST)] = None,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 100,
) -> AuditLog:
    """The newest lines of the audit log, or those before a number; whoever looks is noted too."""
    sessions: Sessions = request.app.state.sessions
    lines = sessions.state.audit_log(principal_of(request).tenant, before=before, limit=limit)
    note(request, AuditAction.AUDIT_LOG_READ, "" if before is None else f"before {before}")
    is_more = len(lines) == limit and lines[-1].number > 1
    return AuditLog(lines=lines, before=lines[-1].number if is_more else None)
