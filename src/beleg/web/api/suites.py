"""Suites for programs: what each covers, what is due, what is wrong, and what changed between two."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from beleg.app.workbench.addresses import from_segment
from beleg.app.workbench.suites import MAX_DIMENSIONS, SuiteEntry, suite_view, suites_differ
from beleg.core.access import Access
from beleg.core.suite import SuiteHeader
from beleg.web.access import requires
from beleg.web.api.base import MAX_NAME_CHARS, Address, Asked, Told, UnreadableTold
from beleg.web.api.operations import API, operation, tell
from beleg.web.api.shared import unreadable
from beleg.web.state import workbench

router = APIRouter(prefix=API, tags=["Suites"])


class SuiteShort(Told):
    """A suite that stands in the project."""

    place: str
    """Its place in the project, by which it is known."""
    address: Address
    """The same as one segment of a path."""
    header: SuiteHeader
    """Name, kind, version and the like."""
    digest: str
    """Its content address."""
    cases: int
    """How many cases it holds."""
    is_released: bool
    """Whether it is a frozen release, and not worked on."""


class SuitesTold(Told):
    """All suites of the project."""

    suites: tuple[SuiteShort, ...]
    """By name and version."""
    unreadable: tuple[UnreadableTold, ...]
    """Files that should be suites and cannot be read."""


class CellTold(Told):
    """One combination of labels with its cases."""

    labels: tuple[str, ...]
    """One label for each dimension."""
    n: int
    """How many cases there are."""
    clusters: int
    """How many independent groups they form."""
    half_width: float | None
    """Half the width of an interval if every case counts by itself; ``None`` in an empty cell."""
    half_width_clustered: float | None
    """The same if cases of one group always share their outcome."""


class SampleSizeTold(Told):
    """How many cases an interval takes."""

    half_width: float
    """Half its width."""
    cases: int
    """How many cases."""


class CoverageTold(Told):
    """The coverage matrix."""

    dimensions: tuple[str, ...]
    """By which it is made."""
    cases: int
    """How many cases the suite holds."""
    rate: float
    """The rate for which widths are told."""
    confidence: float
    """The confidence of the intervals."""
    minimum_n: int
    """How many cases a cell needs to carry a decision."""
    needed_for_minimum: dict[str, int]
    """How many cases each cell lacks for that."""
    cells: tuple[CellTold, ...]
    """All cells, the empty ones included."""
    planning: tuple[SampleSizeTold, ...]
    """How many cases the usual widths take."""
    unlabelled: dict[str, int]
    """How many cases have no label in a dimension."""


class SuiteFindingTold(Told):
    """Something in the suite that is wrong or weak."""

    severity: str
    """How bad it is."""
    message: str
    """What it is."""
    remedy: str
    """What to do."""
    case_id: str | None
    """The case; ``None`` where it is about the suite."""
    field: str | None
    """The field."""


class DueTold(Told):
    """A case whose review is over or comes soon."""

    case_id: str
    """The case."""
    owner: str | None
    """Who answers for it; ``None`` where nobody does."""
    review_by: date | None
    """The day by which it is looked at again."""
    is_over: bool
    """Whether that day is past."""


class SuiteTold(Told):
    """One suite for whoever keeps it right."""

    suite: SuiteShort
    """What it is."""
    dimensions: tuple[str, ...]
    """The dimensions that its cases have labels in."""
    by: tuple[str, ...]
    """Those of the matrix."""
    coverage: CoverageTold | None
    """``None`` where the cases have no labels at all."""
    findings: tuple[SuiteFindingTold, ...]
    """The first things that are wrong or weak."""
    errors: int
    """How many of all findings are errors."""
    due: tuple[DueTold, ...]
    """The first cases that are due, the longest due first."""
    due_in_all: int
    """How many are due."""
    without_owner: int
    """How many cases nobody answers for."""


class FieldChangeTold(Told):
    """A field that changed."""

    field: str
    """The field."""
    old: str | None
    """Before; ``None`` where it was absent."""
    new: str | None
    """After; ``None`` where it is absent."""


class CaseChangeTold(Told):
    """A case that changed."""

    case_id: str
    """The case."""
    fields: tuple[FieldChangeTold, ...]
    """Field by field."""


class SuiteChangesTold(Told):
    """What changed between two suites."""

    old_digest: str
    """The content address of the old one."""
    new_digest: str
    """The content address of the new one."""
    header: tuple[FieldChangeTold, ...]
    """What changed beside the cases."""
    added: tuple[str, ...]
    """Cases that are new."""
    removed: tuple[str, ...]
    """Cases that are gone."""
    changed: tuple[CaseChangeTold, ...]
    """Cases that are others now."""
    unchanged: int
    """How many are the same."""


class SuiteAsked(Asked):
    """How a suite is looked at."""

    by: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARS)], ...], Field(max_length=MAX_DIMENSIONS)
    ] = ()
    """The dimensions of the coverage matrix; the first one that the cases have where none is named."""
    minimum: Annotated[int, Field(ge=1, le=1_000_000)] = 30
    """How many cases a cell needs to carry a decision."""


@router.get("/suites")
@requires(Access.READ)
@operation("list_suites", SuitesTold)
def suites(request: Request, asked: Annotated[Asked, Query()]) -> Response:
    """Every suite of the project, working copies and releases."""
    bench = workbench(request)
    found, broken = bench.suites.suites()
    return tell(request, asked, {"suites": [_short(each) for each in found], "unreadable": unreadable(bench, broken)})


@router.get("/suites/{suite}")
@requires(Access.READ)
@operation("get_suite", SuiteTold, asks=SuiteAsked)
def suite(request: Request, suite: str, asked: Annotated[SuiteAsked, Query()]) -> Response:
    """One suite: its coverage matrix, what is wrong or weak in it, and which cases are due for review."""
    entry = workbench(request).suites.suite(from_segment(suite))
    by = tuple(dict.fromkeys(asked.by))
    view = suite_view(entry, by, minimum_n=asked.minimum, today=datetime.now(UTC).date())
    names = [name for name in SuiteTold.model_fields if name != "suite"]
    return tell(request, asked, {name: getattr(view, name) for name in names} | {"suite": _short(entry)})


@router.get("/suites/{old}/changes/{new}")
@requires(Access.READ)
@operation("compare_suites", SuiteChangesTold)
def suite_changes(request: Request, old: str, new: str, asked: Annotated[Asked, Query()]) -> Response:
    """What changed from one suite to another, case by case and field by field."""
    shelf = workbench(request).suites
    return tell(request, asked, suites_differ(shelf.suite(from_segment(old)), shelf.suite(from_segment(new))))


def _short(entry: SuiteEntry) -> dict[str, Any]:
    return {
        "place": entry.key,
        "address": entry.key,
        "header": entry.suite.header,
        "digest": entry.suite.digest,
        "cases": len(entry.suite.cases),
        "is_released": entry.is_released,
    }
