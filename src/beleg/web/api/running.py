"""Runs and their cases."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import HTTPException, Path, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from beleg.app.workbench.addresses import from_segment
from beleg.app.workbench.case_facts import case_facts, history_of
from beleg.app.workbench.run_list import run_list
from beleg.app.workbench.sheet_files import SHEET_KINDS, pieces, sheet_file
from beleg.core.access import Access
from beleg.core.errors import UsageError
from beleg.core.run_index import MAX_PAGE, MAX_SEARCH_CHARS, CaseQuery
from beleg.core.score import ScoreStatus
from beleg.core.workbench_state import AuditAction
from beleg.web.access import requires
from beleg.web.api.parts import CaseName, RunName, api_router
from beleg.web.api.shapes import CaseAnswer, Cases, RunAnswer, Runs, UnreadableFile
from beleg.web.auditing import note
from beleg.web.state import workbench

router = api_router("runs")

MAX_METRICS = 50
MAX_OFFSET = 10_000_000
Name = Annotated[str, Field(max_length=600)]


class CasesAsked(BaseModel):
    """Which cases are wanted, in which order, and which part of them."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    segment: Name | None = None
    """A label such as ``language=de``."""
    status: Name | None = None
    """How the case ended: ``ok``, ``timeout``, ``error``, ``invalid`` or ``no_trace``."""
    lost_at: Name | None = None
    """The stage at which required evidence was lost first."""
    reason: ScoreStatus | None = None
    """Only cases in which a score is missing for this reason."""
    reason_metric: Name | None = None
    """Of which metric."""
    text: Annotated[str, Field(max_length=MAX_SEARCH_CHARS)] = ""
    """What case id or question hold."""
    sort: Name | None = None
    """The metric to sort by; cases without a score come last."""
    descending: bool = False
    """The highest first."""
    metric: Annotated[list[Name], Field(max_length=MAX_METRICS)] = []
    """A metric whose scores are wanted; may be repeated. None stands for none."""
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET)] = 0
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE)] = 50

    def query(self) -> CaseQuery:
        """What the index is asked."""
        given = self.model_dump(exclude={"metric"})
        return CaseQuery(**given, metrics=tuple(dict.fromkeys(self.metric)))


@router.get("/runs", operation_id="list_runs")
@requires(Access.READ)
def runs(request: Request) -> Runs:
    """Every run, the newest first; whichever is not indexed yet is put in the queue."""
    bench = workbench(request)
    found = run_list(bench)
    return Runs(runs=found.rows, unreadable=UnreadableFile.all_of(found.unreadable, bench))


@router.get("/runs/{run}", operation_id="get_run")
@requires(Access.READ)
def run(request: Request, run: RunName) -> RunAnswer:
    """One run: what was asked of what, its figures, and where its evidence is lost."""
    bench = workbench(request)
    return RunAnswer.of(bench, *bench.indexed_run(from_segment(run)))


@router.get(
    "/runs/{run}/sheet.{kind}",
    operation_id="get_sheet",
    response_class=StreamingResponse,
    responses={200: {"description": "The whole sheet.", "content": {kind: {} for kind in SHEET_KINDS.values()}}},
)
@requires(Access.READ)
def sheet(request: Request, run: RunName, kind: Annotated[str, Path(description="csv or json.")]) -> StreamingResponse:
    """The evidence sheet of a run, without what people decided; the read is noted in the audit log."""
    if kind not in SHEET_KINDS:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    bench = workbench(request)
    entry = bench.workspace.run(from_segment(run))
    file = sheet_file(entry, bench.workspace.root, kind, "en")
    note(request, AuditAction.PACK_READ, f"{entry.run_id}/sheet.{kind}")
    headers = {"content-disposition": f'attachment; filename="sheet.{kind}"'}
    return StreamingResponse(pieces(file), media_type=SHEET_KINDS[kind], headers=headers)


@router.get("/runs/{run}/cases", operation_id="list_cases")
@requires(Access.READ)
def cases(request: Request, run: RunName, asked: Annotated[CasesAsked, Query()]) -> Cases:
    """The cases of a run that fit, part by part."""
    bench = workbench(request)
    entry, standing = bench.indexed_run(from_segment(run))
    _require_ready(entry.run_id, is_ready=standing.is_ready, fault=standing.fault)
    found = bench.index.find(entry.run_id, asked.query())
    end = asked.offset + len(found.cases)
    return Cases(
        total=found.total,
        offset=asked.offset,
        next_offset=end if found.cases and end < found.total else None,
        cases=found.cases,
    )


@router.get("/runs/{run}/cases/{case}", operation_id="get_case")
@requires(Access.READ)
def case(request: Request, run: RunName, case: CaseName, asked: Annotated[CasesAsked, Query()]) -> CaseAnswer:
    """One case; the cases before and behind are those of the list that the query describes."""
    bench = workbench(request)
    entry, standing = bench.indexed_run(from_segment(run))
    _require_ready(entry.run_id, is_ready=standing.is_ready, fault=standing.fault)
    case_id = from_segment(case)
    facts = case_facts(bench, entry, case_id)
    query = asked.query()
    previous, following = bench.index.neighbours(entry.run_id, case_id, query)
    return CaseAnswer(
        run_id=entry.run_id,
        case=facts.case,
        status=facts.indexed.status,
        lost_at=facts.indexed.lost_at,
        scores=facts.indexed.scores,
        notes=facts.detail.notes,
        by_repeat=facts.detail.by_repeat,
        trails=facts.detail.trails,
        traces=facts.traces,
        attempts_more=facts.attempts_more,
        findings=facts.findings,
        previous=previous,
        following=following,
        history=history_of(bench, case_id, query.metrics),
    )


def _require_ready(run_id: str, *, is_ready: bool, fault: str | None) -> None:
    if fault is not None:
        raise UsageError(f"{run_id} cannot be indexed: {fault}")
    if not is_ready:
        raise UsageError(f"{run_id} is being indexed", hint="Ask again in a moment")
