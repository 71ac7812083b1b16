"""Runs and their lists of cases as programs get them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from beleg.core.decision import Bounds, Counts
from beleg.core.run import RunLink, RunSettings
from beleg.core.run_index import MAX_SEARCH_CHARS, RunFacets, RunSummary, StageLatency
from beleg.core.score import ScoreStatus
from beleg.web.api.base import MAX_NAME_CHARS, Address, Asked, Limit, Page, Said, ScoreTold, Told, UnreadableTold
from beleg.web.api.release_models import WaterfallTold

Text = Annotated[str, Field(max_length=MAX_NAME_CHARS)]


class StandingTold(Told):
    """How far the index is with a run. What needs the index is ``null`` until it is ready."""

    is_ready: bool
    """Whether everything can be had."""
    fault: str | None
    """Why the run cannot be indexed; ``None`` where it is under way or ready."""


class RunRowTold(Told):
    """One run in the list."""

    run_id: str
    """The name of the run."""
    address: Address
    """The same as one segment of a path."""
    candidate: str
    """The name of the candidate."""
    suite: str
    """Name and version of the suite."""
    begun: datetime
    """When the run began."""
    cases: int
    """How many cases it asks."""
    repeats: int
    """How often it asks each."""
    standing: StandingTold
    """How far the index is with it."""
    summary: RunSummary | None
    """Its figures; ``None`` until it is indexed."""


class RunsTold(Told):
    """All runs of the project."""

    runs: tuple[RunRowTold, ...]
    """The newest first."""
    unreadable: tuple[UnreadableTold, ...]
    """Files that should be runs or decisions and cannot be read."""
    is_waiting: bool
    """Whether any run is still being indexed."""


class FigureTold(Told):
    """A metric over all cases of the run."""

    metric: str
    """The metric with its parameters."""
    title: Said
    """What it is called."""
    aggregate: str
    """How single scores became one figure."""
    bounds: Bounds | None
    """The figure with its interval; ``None`` where no row has a score."""
    counts: Counts
    """How many rows it rests on, and what is missing and why."""
    text: Said
    """All of that in words."""


class RunResultTold(Told):
    """What the run came to."""

    expected: int
    """How many attempts a complete run holds."""
    finished: int
    """How many there are."""
    failed: int
    """How many of them ended badly."""
    figures: tuple[FigureTold, ...]
    """Metric by metric."""
    latencies: tuple[StageLatency, ...]
    """How long each stage took, in milliseconds."""
    waterfall: WaterfallTold | None
    """Where required evidence is lost; ``None`` where it cannot be followed."""
    facets: RunFacets
    """By what its cases can be told apart; the filters of its list take these words."""


class RunTold(Told):
    """One run."""

    run_id: str
    """The name of the run."""
    address: Address
    """The same as one segment of a path."""
    candidate: str
    """The name of the candidate."""
    begun: datetime
    """When it began."""
    suite_name: str
    """The suite that was asked."""
    suite_version: int
    """Its version."""
    suite_digest: str
    """Its content address."""
    manifest_digest: str
    """The content address of what the candidate is made of."""
    facts: dict[str, str]
    """What the candidate is made of, as far as its manifest says."""
    unresolved: tuple[str, ...]
    """Fields of the manifest that are neither given nor declared as not used."""
    cases: int
    """How many cases it asks."""
    subset: str
    """How these were chosen from the suite."""
    settings: RunSettings
    """How it was carried out."""
    made_from: RunLink | None
    """The run that it replays or judges anew; ``None`` for any other run."""
    beleg_version: str
    """The version of Beleg that began it."""
    standing: StandingTold
    """How far the index is with it."""
    result: RunResultTold | None
    """``None`` until it is indexed."""


class CaseFilters(Asked):
    """Which cases are wanted, in which order, and which part of them: the same words as in the address of the page."""

    segment: Text = ""
    """Only cases with this label, such as ``language=de``."""
    status: Text = ""
    """Only cases whose attempts ended so."""
    lost: Text = ""
    """Only cases whose required evidence is lost first at this stage."""
    reason: Literal[tuple(each.value for each in ScoreStatus if each is not ScoreStatus.SCORED)] | None = None  # type: ignore[valid-type]
    """Only cases in which a score is missing for this reason."""
    of: Text = ""
    """The metric whose score is missing; any where it is left out."""
    q: Annotated[str, Field(max_length=MAX_SEARCH_CHARS)] = ""
    """What case id or question hold, whatever the case of letters."""
    sort: Text = ""
    """The metric to sort by; the order of the suite where it is left out. Cases without a score come last."""
    order: Literal["up", "down"] = "up"
    """The lowest first, or the highest."""
    show: Annotated[tuple[Text, ...], Field(max_length=12)] = ()
    """The metrics to show; the main ones where none is named."""
    page: Page = 1
    """Which page, counted from 1."""
    limit: Limit = 50
    """How many cases a page holds."""


class CaseRowTold(Told):
    """One case in the list."""

    case_id: str
    """The case."""
    address: Address
    """The same as one segment of a path."""
    question: str
    """The question, cut where it is long."""
    status: str
    """How its attempts ended: the first that is not ``ok``, else ``ok``; ``no_trace`` where there is none."""
    lost_at: str | None
    """The stage at which required evidence was lost first; ``None`` where none was."""
    scores: tuple[ScoreTold, ...]
    """One for each metric that is shown."""


class CasesTold(Told):
    """One page of the cases of a run."""

    standing: StandingTold
    """How far the index is with the run; there are no cases until it is ready."""
    cases: tuple[CaseRowTold, ...]
    """Those of this page."""
    metrics: tuple[str, ...]
    """The metrics that are shown."""
    total: int
    """How many cases fit."""
    page: int
    """This page, counted from 1."""
    pages: int
    """How many there are."""
    next: str | None
    """The path of the next page; ``None`` on the last one."""
