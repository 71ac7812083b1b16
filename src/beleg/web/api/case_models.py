"""One case of a run as programs get it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import JsonValue

from beleg.app.workbench.case_judged import JudgedView
from beleg.app.workbench.case_page import AttemptView, CaseResult, CaseView
from beleg.core.case import Case, ExpectedPassage
from beleg.core.judging import Attempt
from beleg.core.score import ScoreStatus
from beleg.core.trace import Citation, FilterPredicate, Passage, TraceError, TraceStatus, Usage
from beleg.web.api.base import Address, ScoreTold, Told, scores_of
from beleg.web.api.run_models import StandingTold


class StageRowTold(Told):
    """A passage at its rank; its words stand in ``passages``."""

    rank: int
    """Its rank, counted from 1."""
    passage_id: str
    """The passage."""
    document_id: str
    """The document that it is a part of."""
    score: float | None
    """The score that the stage gave; ``None`` where it gave none."""
    rank_before: int | None
    """Its rank at the stage before; ``None`` where it was not there."""


class StageTold(Told):
    """What one stage returned, and what it dropped."""

    stage: str
    """``retrieved``, ``reranked`` or ``delivered``."""
    rows: tuple[StageRowTold, ...]
    """The first passages."""
    more: int
    """How many there are beyond these."""
    before: str | None
    """The stage that it is compared with: the last one before it that was recorded."""
    dropped: tuple[StageRowTold, ...]
    """What stood at the stage before, with its rank there, and is gone."""
    dropped_more: int
    """How many there are beyond these."""


class FoundAtTold(Told):
    """Where a piece of evidence was at one stage."""

    stage: str
    """The stage."""
    state: Literal["rank", "absent", "text_unknown", "not_recorded"]
    """Whether it was there, as far as anybody can tell."""
    rank: int | None
    """At which rank; ``None`` where it was not there."""


class EvidenceTold(Told):
    """A piece of expected evidence and where it was."""

    number: int
    """Its place among the expected evidence, counted from 1."""
    expected: ExpectedPassage
    """What was expected."""
    found: tuple[FoundAtTold, ...]
    """Stage by stage."""


class StageRank(Told):
    """Where a passage is listed."""

    stage: str
    """The stage."""
    rank: int
    """Its rank there."""


class PassageTold(Told):
    """A passage that any stage lists, once."""

    passage: Passage
    """With its words and metadata."""
    ranks: tuple[StageRank, ...]
    """Wherever it is listed."""
    holds: tuple[int, ...]
    """Which of the expected evidence it holds, by number."""
    is_cited: bool
    """Whether the answer cites it."""
    is_forbidden: bool
    """Whether its document may not appear."""


class CitationTold(Told):
    """A citation of the answer."""

    citation: Citation
    """As it was rendered."""
    is_found: bool
    """Whether what it names was among the passages of the prompt."""


class ReplyTold(Told):
    """One attempt to have an answer of a judge."""

    task: str
    """What it was asked."""
    attempt: Attempt
    """Word for word what came back, what it cost and how long it took."""


class JudgedTold(Told):
    """What one measure found out about the attempt."""

    measure: str
    """The measure."""
    measure_version: str
    """Its version."""
    judge: str | None
    """The model that judged; ``None`` where none was needed."""
    reason: ScoreStatus | None
    """Why there is no evidence; ``None`` where there is."""
    detail: str | None
    """More about the reason."""
    evidence: dict[str, JsonValue] | None
    """What was found out, in the measure's own shape."""
    was_asked: bool
    """Whether the finding rests on calls; they may be recorded or not."""
    replies: tuple[ReplyTold, ...]
    """Every recorded reply."""


class AttemptTold(Told):
    """One attempt on the case."""

    repeat: int
    """Which repetition of the case, counted from 0."""
    status: TraceStatus
    """How it ended."""
    error: TraceError | None
    """Why there is no usable answer."""
    attempts: int
    """How often the candidate was asked, retries counted."""
    total_ms: float | None
    """Milliseconds in all; ``None`` where nobody measured them."""
    first_token_ms: float | None
    """Milliseconds until the first token."""
    stage_ms: dict[str, float]
    """Milliseconds by stage, under names of the candidate's own."""
    usage: Usage
    """Tokens and cost; what is unknown is ``null``, never 0."""
    model_answered: str | None
    """The model that answered."""
    query_rewrites: tuple[str, ...]
    """The question as it was rewritten for retrieval."""
    filters: tuple[FilterPredicate, ...] | None
    """The predicates that were applied; ``None`` where nobody recorded them."""
    trail: dict[str, str]
    """For each stage what became of the required evidence; empty where that cannot be followed."""
    lost_at: str | None
    """The stage at which it was lost first."""
    prompt: str | None
    """What the generator was sent; ``None`` where nobody recorded it."""
    answer: str | None
    """The answer; ``None`` where there is none."""
    citations: tuple[CitationTold, ...]
    """The citations of the answer."""
    stages: tuple[StageTold, ...]
    """Every stage that was recorded."""
    evidence: tuple[EvidenceTold, ...]
    """The expected evidence, and where it was."""
    passages: tuple[PassageTold, ...]
    """All passages that the stages list."""
    judged: tuple[JudgedTold, ...]
    """What judges found out."""


class ScoreRowTold(Told):
    """A score of the case, and more about it."""

    score: ScoreTold
    """Over all repeats."""
    note: str | None
    """More about it, such as the error behind a missing one."""
    by_repeat: tuple[ScoreTold, ...]
    """The score of every repeat; empty where the case was asked once."""


class HistoryRowTold(Told):
    """The case in one run of the project."""

    run_id: str
    """The run."""
    candidate: str
    """Its candidate."""
    begun: datetime
    """When it began."""
    is_this: bool
    """Whether it is the run that was asked for."""
    status: str
    """How the attempts ended there."""
    lost_at: str | None
    """Where required evidence was lost first there."""
    scores: tuple[ScoreTold, ...]
    """The main metrics there."""


class CaseResultTold(Told):
    """Everything of the case."""

    case: Case
    """What was asked and is expected."""
    status: str
    """How its attempts ended."""
    lost_at: str | None
    """The stage at which required evidence was lost first."""
    labels: tuple[str, ...]
    """Its segments, such as ``language=de``."""
    attempts: tuple[AttemptTold, ...]
    """The attempts with everything that they did."""
    attempts_more: int
    """How many further attempts there are."""
    scores: tuple[ScoreRowTold, ...]
    """Every score."""
    before: str | None
    """The case before it in the suite."""
    behind: str | None
    """The case behind it."""
    history: tuple[HistoryRowTold, ...]
    """The case in every run that is indexed, the newest first."""
    not_indexed: int
    """How many runs may hold it and are not indexed yet."""


class CaseTold(Told):
    """One case of a run."""

    run_id: str
    """The run."""
    candidate: str
    """Its candidate."""
    case_id: str
    """The case."""
    address: Address
    """The same as one segment of a path."""
    standing: StandingTold
    """How far the index is with the run."""
    result: CaseResultTold | None
    """``None`` until the run is indexed."""


def case_told(view: CaseView) -> dict[str, Any]:
    """A case as its page shows it, without what is only for the eye."""
    return {
        "run_id": view.run_id,
        "candidate": view.candidate,
        "case_id": view.case_id,
        "address": view.case_id,
        "standing": view.standing,
        "result": None if view.result is None else _result(view.result),
    }


def _result(found: CaseResult) -> dict[str, Any]:
    shown = ("case", "labels", "attempts_more", "scores", "before", "behind", "not_indexed")
    return {
        **{name: getattr(found, name) for name in shown},
        "status": found.indexed.status,
        "lost_at": found.indexed.lost_at,
        "attempts": [_attempt(each) for each in found.attempts],
        "history": [
            {
                **{name: getattr(row, name) for name in ("run_id", "candidate", "begun", "is_this")},
                "status": row.case.status,
                "lost_at": row.case.lost_at,
                "scores": scores_of(found.history_metrics, row.scores),
            }
            for row in found.history
        ],
    }


def _attempt(view: AttemptView) -> dict[str, Any]:
    trace, output = view.trace, view.trace.output
    recorded = (
        "first_token_ms",
        "stage_ms",
        "usage",
        "model_answered",
        "query_rewrites",
        "filters",
        "prompt",
        "answer",
    )
    empty: dict[str, Any] = {"stage_ms": {}, "usage": Usage(), "query_rewrites": ()}
    cited = (() if output is None else output.citations) or ()
    return {
        **{name: getattr(trace, name) for name in ("repeat", "status", "error", "attempts", "total_ms")},
        **{name: empty.get(name) if output is None else getattr(output, name) for name in recorded},
        "trail": dict(view.trail),
        "lost_at": view.lost_at,
        "citations": [
            {"citation": each, "is_found": bool(anchor)}
            for each, (*_, anchor) in zip(cited, view.citations, strict=True)
        ],
        "stages": [
            {
                **{name: getattr(stage, name) for name in ("stage", "more", "before", "dropped_more")},
                "rows": [_row(row) for row in stage.rows],
                "dropped": [_row(row) for row in stage.dropped],
            }
            for stage in view.stages
        ],
        "evidence": view.evidence,
        "passages": [
            {
                **{name: getattr(each, name) for name in ("passage", "holds", "is_cited", "is_forbidden")},
                "ranks": [{"stage": stage, "rank": rank} for stage, rank in each.ranks],
            }
            for each in view.passages
        ],
        "judged": [_judged(each) for each in view.judged],
    }


def _row(row: Any) -> dict[str, Any]:
    passage = row.view.passage
    return {
        "rank": row.rank,
        "passage_id": passage.passage_id,
        "document_id": passage.document_id,
        "score": row.score,
        "rank_before": row.rank_before,
    }


def _judged(view: JudgedView) -> dict[str, Any]:
    finding = view.finding
    return {
        **{name: getattr(finding, name) for name in ("measure", "measure_version", "detail", "evidence")},
        **{name: getattr(view, name) for name in ("judge", "reason", "was_asked", "replies")},
    }
