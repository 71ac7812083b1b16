"""All runs of a project, and how far each has come."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from beleg.app.workbench.indexing import Standing
from beleg.app.workbench.services import Workbench
from beleg.app.workbench.workspace import Unreadable
from beleg.core.run_index import RunSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """One run in the list."""

    run_id: str
    candidate: str
    suite: str
    begun: datetime
    cases: int
    repeats: int
    standing: Standing
    summary: RunSummary | None
    """``None`` until it is indexed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunListView:
    """The list of runs."""

    rows: tuple[RunRow, ...]
    """The newest first."""
    unreadable: tuple[Unreadable, ...]

    @property
    def is_waiting(self) -> bool:
        """Whether any run is still being indexed."""
        return any(not row.standing.is_ready and row.standing.fault is None for row in self.rows)


def run_list(workbench: Workbench) -> RunListView:
    """All runs; whichever is not indexed yet is put in the queue."""
    holdings = workbench.holdings()
    rows = []
    for run in holdings.runs:
        standing, header = workbench.indexer.standing(run), run.header
        rows.append(
            RunRow(
                run_id=run.run_id,
                candidate=header.manifest.name,
                suite=f"{header.suite_name} {header.suite_version}",
                begun=header.created_at,
                cases=len(header.case_ids),
                repeats=header.settings.repeats,
                standing=standing,
                summary=workbench.index.summary(run.run_id) if standing.is_ready else None,
            )
        )
    return RunListView(rows=tuple(rows), unreadable=holdings.unreadable)
