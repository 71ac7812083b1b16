"""Making runs findable: each is scored once in the background, and again only when its files changed."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from beleg.app.workbench.workspace import RunEntry
from beleg.core.case import Case
from beleg.core.digest import digest_of
from beleg.core.errors import Error
from beleg.core.run_index import (
    CaseDetail,
    CaseToIndex,
    FindingPlace,
    IndexedScore,
    RunIndex,
    RunSummary,
    ScoresToIndex,
    StageLatency,
    StageTrail,
    SummaryFigure,
    TracePlace,
)
from beleg.core.score import STATUS_ORDER, ScoreColumn, ScoreStatus
from beleg.core.trace import Trace, TraceStatus
from beleg.run.findings import FINDINGS
from beleg.run.folder import RunFolder
from beleg.run.line_index import LineIndex

if TYPE_CHECKING:
    from beleg.app.scoring import ScoredRun

QUESTION_CHARS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How far the index is with a run."""

    is_ready: bool
    fault: str | None = None
    """Why it cannot be indexed; ``None`` where it is under way or ready."""


@dataclass(slots=True)
class Indexer:
    """Indexes runs one after another in a thread of its own, and tells how far each is."""

    index: RunIndex
    _waiting: queue.Queue[RunEntry | None] = field(default_factory=queue.Queue)
    _asked: dict[str, str] = field(default_factory=dict)
    _faults: dict[str, tuple[str, str]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _thread: threading.Thread | None = None

    def standing(self, run: RunEntry) -> Standing:
        """How far the index is with a run; one that is unknown or changed is put at the end of the queue."""
        digest = run_digest(run.path)
        if self.index.digest(run.run_id) == digest:
            return Standing(is_ready=True)
        with self._lock:
            fault = self._faults.get(run.run_id)
            if fault is not None and fault[0] == digest:
                return Standing(is_ready=False, fault=fault[1])
            if self._asked.get(run.run_id) != digest:
                self._asked[run.run_id] = digest
                self._waiting.put(run)
                self._start()
        return Standing(is_ready=False)

    def finish(self) -> None:
        """Waits until everything that was asked for is done, and ends the thread."""
        with self._lock:
            thread = self._thread
            self._waiting.put(None)
        if thread is not None:
            thread.join()

    def _start(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._work, name="run index", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while (run := self._waiting.get()) is not None:
            digest = run_digest(run.path)
            try:
                index_run(run.path, self.index)
            except (Error, OSError) as error:
                with self._lock:
                    self._faults[run.run_id] = digest, str(error)


def run_digest(path: Path) -> str:
    """What tells that a run must be indexed again: name, size and time of every file that scores rest on."""
    folder = RunFolder(path)
    files = (folder.header_file, folder.suite_file, folder.inventory_file, folder.journal_file, folder.findings_file)
    return digest_of([[file.name, *_stamp(file)] for file in files])


def _stamp(path: Path) -> tuple[str, int]:
    if not path.exists():
        return "", -1
    state = path.stat()
    return str(state.st_mtime_ns), state.st_size


def index_run(path: Path, index: RunIndex) -> None:
    """Scores a run by every metric that a gate would take, and makes its cases findable.

    Raises:
        EvidenceError: if the run is damaged.
    """
    digest = run_digest(path)
    # Scoring knows every measure; the pages of runs that are indexed already do without.
    from beleg.app.scoring import default_metrics, score_run

    scored = score_run(path, default_metrics(path))
    index.replace(scored.evaluation.header.run_id, digest, _summary(scored), _cases(scored), _scores(scored))


def _summary(scored: ScoredRun) -> RunSummary:
    from beleg.app.figures import run_figures

    figures, evaluation = run_figures(scored), scored.evaluation
    return RunSummary(
        expected=len(evaluation.row_case),
        finished=figures.finished,
        failed=figures.failed,
        figures=tuple(
            SummaryFigure(metric=each.metric, aggregate=each.aggregate, bounds=each.bounds, counts=each.counts)
            for each in figures.figures
        ),
        latencies=tuple(
            StageLatency(stage=name, p50=p50, p95=p95, p99=p99) for name, (p50, p95, p99) in figures.stages.items()
        ),
        waterfall=tuple(count.model_copy(update={"lost_cases": ()}) for count in evaluation.waterfall),
        waterfall_cases=evaluation.waterfall_cases,
    )


def _cases(scored: ScoredRun) -> Iterator[CaseToIndex]:
    lost: dict[str, str] = {}
    for count in scored.evaluation.waterfall:
        for case_id in count.lost_cases:
            lost.setdefault(case_id, count.stage)
    traces, details = _trace_places(scored), _details(scored)
    for case, detail in zip(scored.evaluation.cases, details, strict=True):
        yield CaseToIndex(
            case_id=case.case_id,
            question=case.question[:QUESTION_CHARS],
            status=_status(scored.traces.get(case.case_id, [])),
            lost_at=lost.get(case.case_id),
            segments=_labels(case),
            traces=tuple(sorted(traces.get(case.case_id, ()), key=lambda place: place.repeat)),
            detail=detail,
        )


def _trace_places(scored: ScoredRun) -> dict[str, list[TracePlace]]:
    found: dict[str, list[TracePlace]] = {}
    for (case_id, repeat), place in scored.folder.trace_places().places.items():
        found.setdefault(case_id, []).append(
            TracePlace(repeat=repeat, line=place.number, start=place.start, length=place.length)
        )
    return found


def _finding_places(scored: ScoredRun) -> dict[str, list[FindingPlace]]:
    found: dict[str, list[FindingPlace]] = {}
    listed = LineIndex.of(
        scored.folder.findings_file, FINDINGS, lambda each: (each.case_id, each.repeat, each.measure)
    ).places
    for (case_id, repeat, measure), place in listed.items():
        found.setdefault(case_id, []).append(
            FindingPlace(repeat=repeat, measure=measure, line=place.number, start=place.start, length=place.length)
        )
    return found


def _details(scored: ScoredRun) -> Iterator[CaseDetail]:
    evaluation, findings = scored.evaluation, _finding_places(scored)
    repeats, n_cases = evaluation.header.settings.repeats, len(evaluation.cases)
    from beleg.metrics.retrieval.waterfall import waterfalls

    followed = waterfalls(scored.batch)
    by_row = _scores_by_row(scored) if repeats > 1 else []
    for place, case in enumerate(evaluation.cases):
        rows = [place + repeat * n_cases for repeat in range(repeats)]
        trails = (followed[row] for row in rows)
        yield CaseDetail(
            case=case,
            trails=tuple(
                StageTrail(
                    repeat=each.repeat,
                    states={stage.value: state.value for stage, state in each.states.items()},
                    lost_at=None if each.lost_at is None else each.lost_at.value,
                )
                for each in trails
                if each is not None
            ),
            findings=tuple(sorted(findings.get(case.case_id, ()), key=lambda at: (at.repeat, at.measure))),
            notes=_notes(scored, rows),
            by_repeat=tuple(by_row[row] for row in rows) if by_row else (),
        )


def _notes(scored: ScoredRun, rows: list[int]) -> dict[str, str]:
    found = {}
    for name, column in scored.evaluation.scores.items():
        told = next((column.details[row] for row in rows if row in column.details), None)
        if told is not None:
            found[name] = told
    return found


def _scores_by_row(scored: ScoredRun) -> list[tuple[IndexedScore, ...]]:
    columns = [(name, _values(column), _reasons(column)) for name, column in scored.evaluation.scores.items()]
    return [
        tuple(IndexedScore(metric=name, value=values[row], reason=reasons[row]) for name, values, reasons in columns)
        for row in range(len(scored.evaluation.row_case))
    ]


def _labels(case: Case) -> tuple[str, ...]:
    return tuple(f"{name}={label}" for name, label in sorted(case.segment_labels().items()))


def _status(traces: list[Trace]) -> str:
    if not traces:
        return "no_trace"
    return next((trace.status for trace in traces if trace.status is not TraceStatus.OK), TraceStatus.OK).value


def _scores(scored: ScoredRun) -> Iterator[ScoresToIndex]:
    for name in scored.evaluation.scores:
        column = scored.evaluation.by_case(name)
        yield ScoresToIndex(metric=name, values=_values(column), reasons=_reasons(column))


def _values(column: ScoreColumn) -> tuple[float | None, ...]:
    filled = column.filled(0.0).tolist()
    return tuple(value if scored else None for value, scored in zip(filled, column.scored.tolist(), strict=True))


def _reasons(column: ScoreColumn) -> tuple[ScoreStatus | None, ...]:
    return tuple(
        None if scored else STATUS_ORDER[code]
        for code, scored in zip(column.status.tolist(), column.scored.tolist(), strict=True)
    )
