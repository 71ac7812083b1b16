"""Making runs findable: each is scored once in the background, and again only when its files changed."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from beleg.app.scoring import ScoredRun, default_metrics, score_run
from beleg.app.workbench.workspace import RunEntry
from beleg.core.case import Case
from beleg.core.digest import digest_of
from beleg.core.errors import Error
from beleg.core.run_index import CaseToIndex, RunIndex, ScoresToIndex, TracePlace
from beleg.core.score import STATUS_ORDER, ScoreColumn, ScoreStatus
from beleg.core.trace import Trace, TraceStatus
from beleg.run.folder import RunFolder

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
    scored = score_run(path, default_metrics(path))
    index.replace(scored.evaluation.header.run_id, digest, _cases(scored), _scores(scored))


def _cases(scored: ScoredRun) -> Iterator[CaseToIndex]:
    lost: dict[str, str] = {}
    for count in scored.evaluation.waterfall:
        for case_id in count.lost_cases:
            lost.setdefault(case_id, count.stage)
    places: dict[str, list[TracePlace]] = {}
    for (case_id, repeat), place in scored.folder.trace_places().places.items():
        places.setdefault(case_id, []).append(
            TracePlace(repeat=repeat, line=place.number, start=place.start, length=place.length)
        )
    for case in scored.evaluation.cases:
        yield CaseToIndex(
            case_id=case.case_id,
            question=case.question[:QUESTION_CHARS],
            status=_status(scored.traces.get(case.case_id, [])),
            lost_at=lost.get(case.case_id),
            segments=_labels(case),
            traces=tuple(sorted(places.get(case.case_id, ()), key=lambda place: place.repeat)),
        )


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
