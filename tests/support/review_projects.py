"""A project with a run whose sheet is reviewed in the browser."""

from __future__ import annotations

from pathlib import Path

from beleg.adapters.stores.review_sqlite import open_sqlite_ledger
from beleg.app.workbench.review_room import LEDGER_FILE
from beleg.core.case import Case
from beleg.core.evidence import EvidenceCase
from beleg.core.review import ReviewEvent
from beleg.core.suite import Suite
from beleg.run.folder import RunFolder
from support.builders import header
from support.review_runs import RUN_ID, write_sheet

__all__ = ["LOW", "RUN_ID", "events_of", "rebuild", "review_project"]

LOW = "C-017-2"
"""A claim that a machine proposes to be partially supported."""


def review_project(folder: Path, *cases: EvidenceCase) -> Path:
    """A folder with one run, its header taken from another one, and a sheet of these cases or of Q-017."""
    project = folder / "project"
    run = project / "runs" / "seventeen"
    given = (Case(case_id="one", user_input="?"),)
    suite = Suite.of(given, name="s")
    head = header(given, "seventeen", suite_digest=suite.digest)
    RunFolder(run).create(head.model_copy(update={"run_id": RUN_ID}), suite)
    write_sheet(run, *cases)
    return project


def rebuild(project: Path, *cases: EvidenceCase) -> None:
    """The sheet of the run, built again."""
    write_sheet(project / "runs" / "seventeen", *cases)


def events_of(project: Path) -> tuple[ReviewEvent, ...]:
    """Everything in the ledger of the workbench, as any command reads it."""
    path = project / LEDGER_FILE
    if not path.exists():
        return ()
    with open_sqlite_ledger(path, is_read_only=True) as ledger:
        return ledger.events()
