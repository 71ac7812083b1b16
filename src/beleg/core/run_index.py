"""Finding cases of a run by what is known of them: what is asked, what comes back, and what an index must do."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Annotated, Protocol

from pydantic import Field

from beleg.core.case import Case
from beleg.core.decision import Bounds, Counts, StageCount
from beleg.core.model import StoredModel
from beleg.core.score import ScoreStatus

MAX_PAGE = 500
MAX_SEARCH_CHARS = 200


class IndexedScore(StoredModel):
    """One metric of one case: a value, or the reason why there is none."""

    metric: str
    value: float | None = None
    reason: ScoreStatus | None = None


class IndexedCase(StoredModel):
    """A case as a list shows it."""

    number: Annotated[int, Field(ge=0)]
    """Its place in the run."""
    case_id: str
    question: str
    """The question, cut where it is long."""
    status: str
    """How its attempts ended: the first that is not ``ok``, else ``ok``; ``no_trace`` where there is none."""
    lost_at: str | None = None
    """The stage at which required evidence was lost first; ``None`` where none was."""
    scores: tuple[IndexedScore, ...] = ()


class TracePlace(StoredModel):
    """Where the trace of one attempt stands in the journal, in bytes."""

    repeat: int
    line: int
    start: int
    length: int


class FindingPlace(StoredModel):
    """Where a judge's finding on one attempt stands among the findings, in bytes."""

    repeat: int
    measure: str
    line: int
    start: int
    length: int


class StageTrail(StoredModel):
    """How the required evidence of one attempt fared, stage by stage."""

    repeat: int
    states: dict[str, str]
    """For each stage ``present``, ``lost``, ``not_recorded`` or ``not_evaluated``."""
    lost_at: str | None = None


class CaseDetail(StoredModel):
    """What the page of a case needs and no list does."""

    case: Case
    trails: tuple[StageTrail, ...] = ()
    """None where the case requires no evidence, or no attempt ended well."""
    findings: tuple[FindingPlace, ...] = ()
    notes: dict[str, str] = Field(default_factory=dict)
    """More about the score of a metric, such as the error behind a missing one."""
    by_repeat: tuple[tuple[IndexedScore, ...], ...] = ()
    """The scores of every repeat; empty where each case was asked once."""


class SummaryFigure(StoredModel):
    """One metric over all cases of a run."""

    metric: str
    """The metric with its parameters."""
    aggregate: str
    """How the scores of single cases became one figure."""
    bounds: Bounds | None = None
    """The figure with its interval; ``None`` where no row has a score."""
    counts: Counts
    """How many rows it rests on, and what is missing and why."""


class StageLatency(StoredModel):
    """How long a stage took, in milliseconds."""

    stage: str
    """The stage, under a name of the candidate's own."""
    p50: float
    """The median."""
    p95: float
    """The 95th percentile."""
    p99: float
    """The 99th percentile."""


class RunSummary(StoredModel):
    """The figures of a whole run, as they were when it was indexed."""

    expected: int
    """How many attempts a complete run holds."""
    finished: int
    """How many attempts there are."""
    failed: int
    """How many of them ended badly."""
    figures: tuple[SummaryFigure, ...] = ()
    """Metric by metric, over all cases."""
    latencies: tuple[StageLatency, ...] = ()
    """How long each stage took."""
    waterfall: tuple[StageCount, ...] = ()
    """How far the required evidence came, stage by stage."""
    waterfall_cases: int = 0
    """How many rows have required evidence that can be followed."""


class CaseQuery(StoredModel):
    """Which cases are wanted, in which order, and which part of them."""

    segment: str | None = None
    """A label such as ``language=de``."""
    status: str | None = None
    lost_at: str | None = None
    reason: ScoreStatus | None = None
    """Only cases in which a score is missing for this reason."""
    reason_metric: str | None = None
    """Of which metric; ``None`` for any."""
    text: Annotated[str, Field(max_length=MAX_SEARCH_CHARS)] = ""
    """What case id or question hold, whatever the case of letters."""
    sort: str | None = None
    """The metric to sort by; ``None`` for the order of the suite. Cases without a score come last."""
    descending: bool = False
    metrics: tuple[str, ...] = ()
    """The metrics to show."""
    offset: Annotated[int, Field(ge=0)] = 0
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE)] = 50


class CasePage(StoredModel):
    """The part that was asked for."""

    total: Annotated[int, Field(ge=0)]
    """How many cases fit."""
    cases: tuple[IndexedCase, ...]


class RunFacets(StoredModel):
    """By what the cases of a run can be told apart."""

    cases: int
    """How many cases there are."""
    metrics: tuple[str, ...]
    """Every metric that the run was scored by."""
    segments: tuple[str, ...]
    """Every label, such as ``language=de``."""
    statuses: tuple[str, ...]
    """How attempts ended."""
    lost_at: tuple[str, ...]
    """The stages at which required evidence was lost first."""


class CaseToIndex(StoredModel):
    """A case with everything that it can be found by."""

    case_id: str
    question: str
    status: str
    lost_at: str | None
    segments: tuple[str, ...]
    traces: tuple[TracePlace, ...]
    detail: CaseDetail


class CaseInRun(StoredModel):
    """A case as another run has it."""

    run_id: str
    case: IndexedCase


class ScoresToIndex(StoredModel):
    """A metric over all cases of a run, in their order."""

    metric: str
    values: tuple[float | None, ...]
    reasons: tuple[ScoreStatus | None, ...]


class RunIndex(Protocol):
    """Cases of many runs, to be found quickly. All of it can be made again from the runs."""

    def digest(self, run_id: str) -> str | None:
        """What the run was when it was indexed; ``None`` where it was not."""
        ...

    def replace(
        self,
        run_id: str,
        digest: str,
        summary: RunSummary,
        cases: Iterable[CaseToIndex],
        scores: Iterable[ScoresToIndex],
    ) -> None:
        """Puts a run in the place of what was indexed of it before: all of it or nothing."""
        ...

    def summary(self, run_id: str) -> RunSummary:
        """The figures of the run."""
        ...

    def facets(self, run_id: str) -> RunFacets:
        """By what its cases can be told apart."""
        ...

    def find(self, run_id: str, query: CaseQuery) -> CasePage:
        """The cases that fit."""
        ...

    def case(self, run_id: str, case_id: str) -> IndexedCase | None:
        """One case with every score."""
        ...

    def detail(self, run_id: str, case_id: str) -> CaseDetail:
        """What the page of one case needs."""
        ...

    def neighbours(self, run_id: str, case_id: str, query: CaseQuery) -> tuple[str | None, str | None]:
        """The cases before and behind one among those that fit, in the order that is asked for."""
        ...

    def history(self, case_id: str, metrics: Collection[str]) -> tuple[CaseInRun, ...]:
        """The case in every run that was indexed, with some of its scores."""
        ...

    def traces(self, run_id: str, case_id: str) -> tuple[TracePlace, ...]:
        """Where its traces stand."""
        ...

    def close(self) -> None:
        """Releases the connection."""
        ...
