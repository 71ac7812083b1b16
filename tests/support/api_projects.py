"""A project that has everything the API can be asked for, and the names of all of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from beleg.app.workbench.addresses import as_segment
from beleg.app.workbench.workspace import Workspace
from support import packs, run_pages
from support.review_projects import RUN_ID, review_project

SUITE = """\
name: small
cases: [cases.jsonl]
"""
LINES = '{"case_id": "one", "user_input": "What?", "language": "de", "review_by": "2020-01-01"}\n'


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiProject:
    """A folder, and what stands in paths to it."""

    folder: Path
    addresses: dict[str, tuple[str, ...]]
    """Real names for each parameter of a path, as they stand there."""


def api_project(folder: Path, payload: str = "plain") -> ApiProject:
    """Two judged runs, a decision on two others, a suite, and a run under review."""
    run_pages.project(folder / "pages", payload)
    packs.decided(folder / "decided")
    review_project(folder / "reviewed")
    (folder / "suite").mkdir()
    (folder / "suite" / "suite.yaml").write_text(SUITE, encoding="utf-8")
    (folder / "suite" / "cases.jsonl").write_text(LINES, encoding="utf-8")
    run_pages.indexed(folder)
    runs = (run_pages.RUN, run_pages.OLDER, RUN_ID)
    names = {
        "key": tuple(each.key for each in Workspace(folder).holdings().decisions),
        "name": ("decision.json", "report.md"),
        "run": runs,
        "case": ("c02", run_pages.ODD_ID, payload),
        "suite": ("suite/suite.yaml",),
        "old": (run_pages.OLDER, "suite/suite.yaml"),
        "new": ("suite/suite.yaml",),
        "claim": ("C-017-1", "C-017-2"),
        "kind": ("csv", "json"),
    }
    return ApiProject(folder=folder, addresses={name: tuple(map(as_segment, found)) for name, found in names.items()})
