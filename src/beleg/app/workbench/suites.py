"""Suites: what stands in the project, what each covers, what is due, and what changed between two of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

from beleg.app.suites import RELEASE_FILE, load_suite
from beleg.app.workbench.walking import outward_links, project_folders, require_within
from beleg.app.workbench.workspace import Unreadable
from beleg.core.case import Case
from beleg.core.errors import Error, UsageError, shown
from beleg.core.suite import Suite
from beleg.suites.cover import Coverage, coverage
from beleg.suites.diff import SuiteDiff, diff
from beleg.suites.dimensions import known_dimensions
from beleg.suites.validate import Finding, Severity, validate

SUITE_FILES = ("suite.yaml", "suite.yml")
DUE_WITHIN = timedelta(days=30)
MAX_SHOWN = 200
MAX_DIMENSIONS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteEntry:
    """A suite that stands in the project."""

    key: str
    """By which it is asked for: its place within the project."""
    path: Path
    suite: Suite
    is_released: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A case whose review is due, or that nobody answers for."""

    case_id: str
    owner: str | None
    review_by: date | None
    is_over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteView:
    """One suite for a person who keeps it right."""

    entry: SuiteEntry
    dimensions: tuple[str, ...]
    by: tuple[str, ...]
    coverage: Coverage | None
    """``None`` where no dimension was asked for, or the suite has none."""
    findings: tuple[Finding, ...]
    errors: int
    due: tuple[Due, ...]
    due_in_all: int
    without_owner: int


@dataclass(slots=True)
class SuiteShelf:
    """The suites of a project folder, each read again only when one of its files changed."""

    root: Path
    _known: dict[Path, tuple[tuple[tuple[str, int, int], ...], SuiteEntry]] = field(default_factory=dict)

    def suites(self) -> tuple[tuple[SuiteEntry, ...], tuple[Unreadable, ...]]:
        """All suites by name and version, and the files that cannot be read as one."""
        found: list[SuiteEntry] = []
        unreadable: list[Unreadable] = []
        outward = outward_links(self.root)
        for path in _places(self.root):
            try:
                if path.is_dir():
                    require_within(path, outward)
                found.append(self._entry(path))
            except (Error, OSError) as error:
                unreadable.append(Unreadable(path=path, why=str(error)))
        found.sort(key=lambda each: (each.suite.header.name, each.is_released, each.suite.header.version))
        return tuple(found), tuple(unreadable)

    def suite(self, key: str) -> SuiteEntry:
        """A suite by its place.

        Raises:
            UsageError: if none stands there.
        """
        found = next((entry for entry in self.suites()[0] if entry.key == key), None)
        if found is None:
            raise UsageError(f"there is no suite {shown(key)}")
        return found

    def _entry(self, path: Path) -> SuiteEntry:
        folder = path if path.is_dir() else path.parent
        stamps = tuple(sorted(_stamps(folder)))
        known = self._known.get(path)
        if known is None or known[0] != stamps:
            entry = SuiteEntry(
                key=path.relative_to(self.root).as_posix(),
                path=path,
                suite=load_suite(path),
                is_released=path.is_dir(),
            )
            known = stamps, entry
            self._known[path] = known
        return known[1]


def suite_view(entry: SuiteEntry, by: Sequence[str], *, minimum_n: int, today: date) -> SuiteView:
    """Everything about one suite.

    Args:
        entry: the suite.
        by: the dimensions of the coverage matrix; the first one that the cases have where none is named.
        minimum_n: how many cases a cell needs to carry a decision.
        today: by which reviews are due.

    Raises:
        UsageError: if no case has a label in a dimension, or too many are named.
    """
    if len(by) > MAX_DIMENSIONS:
        raise UsageError(f"a matrix has at most {MAX_DIMENSIONS} dimensions", hint="Name fewer")
    cases = entry.suite.cases
    dimensions = known_dimensions(cases)
    chosen = tuple(by) or dimensions[:1]
    findings = validate(entry.suite, today=today)
    due = _due(cases, today)
    return SuiteView(
        entry=entry,
        dimensions=dimensions,
        by=chosen,
        coverage=coverage(entry.suite, chosen, minimum_n=minimum_n) if chosen else None,
        findings=findings[:MAX_SHOWN],
        errors=sum(finding.severity is Severity.ERROR for finding in findings),
        due=due[:MAX_SHOWN],
        due_in_all=len(due),
        without_owner=sum(case.owner is None for case in cases),
    )


def suites_differ(old: SuiteEntry, new: SuiteEntry) -> SuiteDiff:
    """What changed between two suites, field by field."""
    return diff(old.suite, new.suite)


def _due(cases: Sequence[Case], today: date) -> tuple[Due, ...]:
    """The cases whose review is over or comes soon, the longest due first."""
    found = [
        Due(case_id=case.case_id, owner=case.owner, review_by=case.review_by, is_over=case.review_by < today)
        for case in cases
        if case.review_by is not None and case.review_by <= today + DUE_WITHIN
    ]
    return tuple(sorted(found, key=lambda each: (each.review_by or today, each.case_id)))


def _places(root: Path) -> Iterator[Path]:
    for place, files in project_folders(root):
        if RELEASE_FILE in files:
            yield place
        else:
            yield from (place / name for name in SUITE_FILES if name in files)


def _stamps(folder: Path) -> Iterator[tuple[str, int, int]]:
    for path in folder.iterdir():
        if path.is_file():
            state = path.stat()
            yield path.name, state.st_mtime_ns, state.st_size
