"""One case of a run: what was asked and expected, what every attempt did, and how other runs fared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from beleg.app.workbench.case_facts import case_facts
from beleg.app.workbench.case_judged import JudgedView, judged, quotes_of
from beleg.app.workbench.case_list import Listing, shown_metrics
from beleg.app.workbench.case_stages import EvidenceView, PassageView, StageReader, StageView
from beleg.app.workbench.indexing import Standing
from beleg.app.workbench.marking import Part, cited, marked
from beleg.app.workbench.services import Workbench
from beleg.app.workbench.workspace import RunEntry
from beleg.core.case import Case
from beleg.core.findings import Finding
from beleg.core.run_index import CaseDetail, IndexedCase, IndexedScore, StageTrail
from beleg.core.trace import STAGES, Trace
from beleg.run.folder import RunFolder

ANSWER_CHARS = 20_000
PROMPT_CHARS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRow:
    """A score of the case, and more about it."""

    score: IndexedScore
    note: str | None
    by_repeat: tuple[IndexedScore, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptView:
    """One attempt on the case."""

    trace: Trace
    prefix: str
    """Begins the names of everything on the page that belongs to it."""
    trail: tuple[tuple[str, str], ...]
    """For each stage what became of the required evidence; empty where that cannot be followed."""
    lost_at: str | None
    answer: tuple[Part, ...] | None
    citations: tuple[tuple[str, str, str], ...]
    """Marker, what it names, and where that stands on the page; empty where it is not there."""
    stages: tuple[StageView, ...]
    evidence: tuple[EvidenceView, ...]
    passages: tuple[PassageView, ...]
    anchors: dict[str, str]
    """Where each passage stands on the page, by its id."""
    prompt: tuple[Part, ...] | None
    judged: tuple[JudgedView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRow:
    """The case in another run, or in this one."""

    run_id: str
    candidate: str
    begun: datetime
    is_this: bool
    case: IndexedCase
    scores: tuple[IndexedScore | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """Everything of the case; there once the run is indexed."""

    case: Case
    indexed: IndexedCase
    labels: tuple[str, ...]
    question: tuple[Part, ...]
    turns: tuple[tuple[str, tuple[Part, ...]], ...]
    """The conversation before the question."""
    reference: tuple[Part, ...] | None
    attempts: tuple[AttemptView, ...]
    attempts_more: int
    scores: tuple[ScoreRow, ...]
    before: str | None
    behind: str | None
    history: tuple[HistoryRow, ...]
    history_metrics: tuple[str, ...]
    not_indexed: int
    """How many runs of the project may hold the case and are not indexed yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseView:
    """One case of a run."""

    run_id: str
    candidate: str
    case_id: str
    listing: Listing
    standing: Standing
    result: CaseResult | None


def case_page(workbench: Workbench, run_id: str, case_id: str, listing: Listing) -> CaseView:
    """One case of a run.

    Args:
        workbench: the project.
        run_id: the run.
        case_id: the case.
        listing: the list that the reader came from; the cases before and behind are those of it.

    Raises:
        UsageError: if there is no such run or case.
        EvidenceError: if a record of the case was changed since the run was indexed.
    """
    run, standing = workbench.indexed_run(run_id)
    return CaseView(
        run_id=run_id,
        candidate=run.header.manifest.name,
        case_id=case_id,
        listing=listing,
        standing=standing,
        result=_result(workbench, run, case_id, listing) if standing.is_ready else None,
    )


def _result(workbench: Workbench, run: RunEntry, case_id: str, listing: Listing) -> CaseResult:
    index, run_id = workbench.index, run.run_id
    facts = case_facts(workbench, run, case_id)
    case, indexed, detail = facts.case, facts.indexed, facts.detail
    folder = RunFolder(run.path)
    metrics = shown_metrics(index.facets(run_id), listing)
    before, behind = index.neighbours(run_id, case_id, listing.query(()))
    history, missing = _history(workbench, run_id, case_id, metrics)
    return CaseResult(
        case=case,
        indexed=indexed,
        labels=tuple(f"{name}={label}" for name, label in sorted(case.segment_labels().items())),
        question=marked(case.question, limit=ANSWER_CHARS),
        turns=tuple((turn.role.value, marked(turn.content)) for turn in case.turns[:-1]),
        reference=None if case.reference_answer is None else marked(case.reference_answer),
        attempts=tuple(_attempt(folder, detail, trace, facts.findings) for trace in facts.traces),
        attempts_more=facts.attempts_more,
        scores=tuple(_score_rows(indexed, detail)),
        before=before,
        behind=behind,
        history=history,
        history_metrics=metrics,
        not_indexed=missing,
    )


def _attempt(folder: RunFolder, detail: CaseDetail, trace: Trace, findings: Sequence[Finding]) -> AttemptView:
    case, output, prefix = detail.case, trace.output, f"r{trace.repeat + 1}-"
    own = tuple(each for each in findings if each.repeat == trace.repeat)
    trail = next((each for each in detail.trails if each.repeat == trace.repeat), None)
    views = judged(folder, own)
    if output is None:
        return AttemptView(
            trace=trace, prefix=prefix, trail=_states(trail), lost_at=None, answer=None, citations=(), stages=(),
            evidence=(), passages=(), anchors={}, prompt=None, judged=views,
        )  # fmt: skip
    reader = StageReader(case, output, prefix, quotes_of(own))
    stages, evidence, targets = reader.stages(), reader.evidence(), reader.targets()
    quotes = [each.quote for each in case.expected_passages if each.quote is not None]
    return AttemptView(
        trace=trace,
        prefix=prefix,
        trail=_states(trail),
        lost_at=None if trail is None else trail.lost_at,
        answer=None if output.answer is None else cited(output.answer, targets, quotes, limit=ANSWER_CHARS),
        citations=tuple(
            (each.marker, each.passage_id or each.document_id or "", targets.get(each.marker, ""))
            for each in output.citations or ()
        ),
        stages=stages,
        evidence=evidence,
        passages=reader.passages(),
        anchors=reader.anchors(),
        prompt=None if output.prompt is None else marked(output.prompt, quotes, limit=PROMPT_CHARS),
        judged=views,
    )


def _states(trail: StageTrail | None) -> tuple[tuple[str, str], ...]:
    return () if trail is None else tuple((stage.value, trail.states[stage.value]) for stage in STAGES)


def _score_rows(indexed: IndexedCase, detail: CaseDetail) -> list[ScoreRow]:
    by_repeat = [{score.metric: score for score in scores} for scores in detail.by_repeat]
    return [
        ScoreRow(
            score=score,
            note=detail.notes.get(score.metric),
            by_repeat=tuple(scores[score.metric] for scores in by_repeat if score.metric in scores),
        )
        for score in indexed.scores
    ]


def _history(
    workbench: Workbench, run_id: str, case_id: str, metrics: Sequence[str]
) -> tuple[tuple[HistoryRow, ...], int]:
    """The case in every run of the project, the newest first, and how many runs may hold it and are not indexed."""
    known = {each.run_id: each.case for each in workbench.index.history(case_id, metrics)}
    rows, missing = [], 0
    for run in workbench.holdings().runs:
        case = known.get(run.run_id)
        if case is None:
            missing += workbench.index.digest(run.run_id) is None
            continue
        scores = {score.metric: score for score in case.scores}
        rows.append(
            HistoryRow(
                run_id=run.run_id,
                candidate=run.header.manifest.name,
                begun=run.header.created_at,
                is_this=run.run_id == run_id,
                case=case,
                scores=tuple(scores.get(name) for name in metrics),
            )
        )
    return tuple(rows), missing
