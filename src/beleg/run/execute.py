"""Asking a candidate every question of a plan: bounded, with a deadline per case, journalled (R5, R6, R8)."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from beleg.core.case import Case
from beleg.core.errors import CandidateError, DataError, EvidenceError, InvalidOutput
from beleg.core.protocols import Candidate, Recording
from beleg.core.ranking import require_unique
from beleg.core.run import RunSettings
from beleg.core.trace import RANKED_STAGES, Output, Query, Trace, TraceError, TraceStatus
from beleg.run.journal import TraceSink

FIRST_BACKOFF_S = 0.2
LONGEST_BACKOFF_S = 10.0
SYNC_EVERY_S = 0.5
MAX_MESSAGE_CHARS = 1_000
MAX_KIND_CHARS = 100

_NOT_IN_A_KIND = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Task:
    """One question to ask."""

    case: Case
    repeat: int


@dataclass(slots=True)
class Progress:
    """How far a run has come, for a person who waits."""

    total: int
    done: int = 0
    failed: int = 0
    failures: dict[str, int] = field(default_factory=dict)
    """The failed attempts by kind of fault."""
    first_failure: Trace | None = None
    cost_usd: float = 0.0
    cost_known: int = 0
    """How many traces told their cost; the sum says nothing about the others."""
    started_at: float = field(default_factory=time.monotonic)

    def count(self, trace: Trace) -> None:
        """Takes one finished trace into account."""
        self.done += 1
        if trace.status is not TraceStatus.OK:
            self.failed += 1
            kind = trace.error.kind if trace.error else trace.status.value
            self.failures[kind] = self.failures.get(kind, 0) + 1
            self.first_failure = self.first_failure or trace
        cost = trace.output.usage.cost_usd if trace.output else None
        if cost is not None:
            self.cost_usd += cost
            self.cost_known += 1


def plan(cases: Sequence[Case], repeats: int, done: frozenset[tuple[str, int]]) -> list[Task]:
    """What is still to ask: every case and repeat that has no finished trace, repeats last.

    Example:
        >>> plan([], 3, frozenset())
        []
    """
    return [Task(case, repeat) for repeat in range(repeats) for case in cases if (case.case_id, repeat) not in done]


async def execute(
    candidate: Candidate,
    tasks: Sequence[Task],
    settings: RunSettings,
    journal: TraceSink,
    on_progress: Callable[[Progress], None] | None = None,
) -> Progress:
    """Runs all tasks with at most ``settings.concurrency`` in flight and journals each trace as it finishes.

    Args:
        candidate: the system that is asked.
        tasks: what to ask.
        settings: concurrency, deadline and retries.
        journal: takes each trace as it finishes.
        on_progress: called after each finished task. Once it has raised it is not called again; what it raised is
            raised here when all tasks are done and journalled.

    Raises:
        EvidenceError: if a trace cannot be written, or not every task was done; what was written before is kept.
    """
    progress = Progress(total=len(tasks))
    report = _Report(on_progress)
    waiting = iter(tasks)

    def finished(trace: Trace) -> None:
        journal.append(trace)
        progress.count(trace)
        report.tell(progress)

    try:
        async with asyncio.TaskGroup() as group:
            syncing = group.create_task(_sync_regularly(journal))
            workers = [
                group.create_task(_work(candidate, waiting, settings, finished))
                for _ in range(min(settings.concurrency, len(tasks)))
            ]
            if workers:
                await asyncio.wait(workers)
            syncing.cancel()
    except ExceptionGroup as faults:
        # Workers share one journal: when it fails, each of them fails for the same reason.
        raise faults.exceptions[0] from None
    journal.sync()
    if progress.done != progress.total:
        raise EvidenceError(
            f"only {progress.done} of {progress.total} cases were asked: the candidate cancelled the run from within",
            hint="Mend the candidate, then finish the run with --resume; the cases written before are kept",
        )
    if report.fault is not None:
        raise report.fault
    return progress


class _Report:
    """Tells a caller how far the run is, without letting a fault of the caller's lose an answer that was paid for."""

    def __init__(self, on_progress: Callable[[Progress], None] | None) -> None:
        self._on_progress = on_progress
        self.fault: Exception | None = None

    def tell(self, progress: Progress) -> None:
        if self._on_progress is None:
            return
        try:
            self._on_progress(progress)
        except Exception as fault:  # foreign code: raised again when every answer is journalled
            self.fault, self._on_progress = fault, None


async def _sync_regularly(journal: TraceSink) -> None:
    while True:
        await asyncio.sleep(SYNC_EVERY_S)
        await asyncio.to_thread(journal.sync)


async def _work(
    candidate: Candidate, waiting: Iterator[Task], settings: RunSettings, finished: Callable[[Trace], None]
) -> None:
    for task in waiting:
        finished(await ask(candidate, task, settings))
        if _is_being_cancelled():
            # The candidate swallowed the cancellation of the run: its answer is kept, and no other is asked for.
            raise asyncio.CancelledError


def _is_being_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def ask(candidate: Candidate, task: Task, settings: RunSettings) -> Trace:
    """Asks one question and turns whatever happens into a trace; a recorded trace is taken as it is."""
    case = task.case
    if isinstance(candidate, Recording):
        recorded = candidate.trace(case.case_id, task.repeat)
        if recorded is not None:
            return recorded
    query = _query(task, settings)
    started = time.perf_counter()
    attempts = _Attempts()
    status, error, output = TraceStatus.OK, None, None
    deadline = asyncio.timeout(settings.timeout_s)
    try:
        async with deadline:
            output = await _answer_with_retries(candidate, query, settings.retries, attempts)
    except TimeoutError as fault:
        status, error = TraceStatus.TIMEOUT, _described("timeout", fault)
    except asyncio.CancelledError as fault:
        if _is_being_cancelled():
            raise
        status, error = TraceStatus.ERROR, _described("cancelled", fault)
    except InvalidOutput as fault:
        status, error = TraceStatus.INVALID, _described(fault.kind, fault)
    except CandidateError as fault:
        status, error = TraceStatus.ERROR, _described(fault.kind, fault)
    except Exception as fault:  # the item runner: a candidate may raise anything, and it is recorded
        status, error = TraceStatus.ERROR, _described(type(fault).__name__, fault)
    elapsed_s = time.perf_counter() - started
    if deadline.expired() or elapsed_s > settings.timeout_s:
        # Also where the candidate swallowed the cancellation or blocked the event loop, and then returned or raised.
        status, output = TraceStatus.TIMEOUT, None
        error = TraceError(kind="timeout", message=f"no answer within {settings.timeout_s:g} s")
    return Trace(
        case_id=case.case_id,
        repeat=task.repeat,
        attempts=max(1, attempts.made),
        status=status,
        error=error,
        output=output,
        total_ms=elapsed_s * 1_000,
    )


def _query(task: Task, settings: RunSettings) -> Query:
    case = task.case
    return Query(
        case_id=case.case_id,
        repeat=task.repeat,
        text=case.question,
        turns=case.turns,
        language=case.language,
        principal=case.principal,
        retrieve_only=settings.retrieve_only,
    )


@dataclass(slots=True)
class _Attempts:
    made: int = 0


async def _answer_with_retries(candidate: Candidate, query: Query, retries: int, attempts: _Attempts) -> Output:
    backoff_s = FIRST_BACKOFF_S
    while True:
        attempts.made += 1
        try:
            return _checked(await candidate.answer(query))
        except CandidateError as fault:
            # A candidate that swallowed the cancellation at the deadline is not asked again after it.
            if not fault.retryable or attempts.made > retries or _is_being_cancelled():
                raise
            await asyncio.sleep(fault.retry_after_s if fault.retry_after_s is not None else backoff_s)
            backoff_s = min(backoff_s * 2, LONGEST_BACKOFF_S)


def _checked(output: Output) -> Output:
    """Refuses an output in which a ranked stage holds a passage twice: a repeat would be counted as two finds."""
    for stage in RANKED_STAGES:
        passages = output.passages_at(stage)
        if passages is None:
            continue
        try:
            require_unique([passage.passage_id for passage in passages])
        except DataError as fault:
            raise InvalidOutput(f"stage '{stage.value}': {fault.message}", kind="duplicate_passage") from fault
    return output


def _described(kind: str, fault: BaseException) -> TraceError:
    """What a candidate raised, in a form that can be stored whatever kind and text it gave."""
    text = _storable(str(fault) or type(fault).__name__)
    word = _NOT_IN_A_KIND.sub("", _storable(kind))[:MAX_KIND_CHARS] or "error"
    return TraceError(kind=word, message=text[:MAX_MESSAGE_CHARS])


def _storable(text: str) -> str:
    return text.encode("utf-8", errors="replace").decode("utf-8")
