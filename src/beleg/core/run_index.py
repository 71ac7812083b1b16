"""Finding cases of a run by what is known of them: what is asked, what comes back, and what an index must do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Protocol

from pydantic import Field

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


class CaseQuery(StoredModel):
    """Which cases are wanted, in which order, and which part of them."""

    segment: str | None = None
    """A label such as ``language=de``."""
    status: str | None = None
    lost_at: str | None = None
    reason: ScoreStatus | None = None
    """Only cases in which ``sort`` has no score for this reason."""
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
    metrics: tuple[str, ...]
    segments: tuple[str, ...]
    statuses: tuple[str, ...]
    lost_at: tuple[str, ...]


class CaseToIndex(StoredModel):
    """A case with everything that it can be found by."""

    case_id: str
    question: str
    status: str
    lost_at: str | None
    segments: tuple[str, ...]
    traces: tuple[TracePlace, ...]


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

    def replace(self, run_id: str, digest: str, cases: Iterable[CaseToIndex], scores: Iterable[ScoresToIndex]) -> None:
        """Puts a run in the place of what was indexed of it before: all of it or nothing."""
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

    def neighbours(self, run_id: str, case_id: str) -> tuple[str | None, str | None]:
        """The cases before and behind one, in the order of the suite."""
        ...

    def traces(self, run_id: str, case_id: str) -> tuple[TracePlace, ...]:
        """Where its traces stand."""
        ...

    def close(self) -> None:
        """Releases the connection."""
        ...
