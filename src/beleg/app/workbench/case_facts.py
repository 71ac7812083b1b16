"""One case of a run as it is stored: the case, every attempt, its scores, what judges found, and other runs."""

from __future__ import annotations

from dataclasses import dataclass

from beleg.app.workbench.case_judged import findings_of
from beleg.app.workbench.services import Workbench
from beleg.app.workbench.workspace import RunEntry
from beleg.core.case import Case
from beleg.core.errors import EvidenceError, UsageError, shown
from beleg.core.findings import Finding
from beleg.core.run_index import CaseDetail, IndexedCase, TracePlace
from beleg.core.trace import Trace
from beleg.run.folder import RunFolder
from beleg.run.journal import TRACES
from beleg.run.line_index import LinePlace, record_at

MAX_ATTEMPTS = 20
"""How many repeats are read with everything that they did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFacts:
    """Everything of a case in one run."""

    case: Case
    indexed: IndexedCase
    detail: CaseDetail
    traces: tuple[Trace, ...]
    attempts_more: int
    """Attempts that are left out."""
    findings: tuple[Finding, ...]


def case_facts(workbench: Workbench, run: RunEntry, case_id: str) -> CaseFacts:
    """A case of a run that is indexed; every line of a journal is held against its checksum.

    Raises:
        UsageError: if the run has no such case.
        EvidenceError: if a record of the case was changed since the run was indexed.
    """
    indexed = workbench.index.case(run.run_id, case_id)
    if indexed is None:
        raise UsageError(f"the run {shown(run.run_id)} has no case {shown(case_id)}")
    detail, places = workbench.index.detail(run.run_id, case_id), workbench.index.traces(run.run_id, case_id)
    folder = RunFolder(run.path)
    return CaseFacts(
        case=detail.case,
        indexed=indexed,
        detail=detail,
        traces=tuple(_trace(folder, case_id, place) for place in places[:MAX_ATTEMPTS]),
        attempts_more=max(len(places) - MAX_ATTEMPTS, 0),
        findings=findings_of(folder, detail.findings),
    )


def _trace(folder: RunFolder, case_id: str, place: TracePlace) -> Trace:
    trace = record_at(folder.journal_file, TRACES, LinePlace(place.line, place.start, place.length))
    if (trace.case_id, trace.repeat) != (case_id, place.repeat):
        raise EvidenceError(
            f"{folder.journal_file}:{place.line} holds another trace than when the run was indexed",
            hint="Restore the file; or delete .beleg/workbench, and the run is indexed again",
        )
    return trace
