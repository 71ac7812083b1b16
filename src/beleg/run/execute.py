"""Asking a candidate every question of a plan: bounded, with a deadline per case, journalled (R5, R6, R8)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from beleg.core.case import Case
from beleg.core.errors import CandidateError, DataError, InvalidOutput
from beleg.core.protocols import Candidate, Recording
from beleg.core.ranking import require_unique
from beleg.core.run import RunSettings
from beleg.core.trace import RANKED_STAGES, Output, Query, Trace, TraceError, TraceStatus
from beleg.run.journal import JournalWriter

FIRST_BACKOFF_S = 0.2
LONGEST_BACKOFF_S = 10.0
SYNC_EVERY_S = 0.5
MAX_MESSAGE_CHARS = 1_000


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
    journal: JournalWriter,
    on_progress: Callable[[Progress], None] | None = None,
) -> Progress:
    """Runs all tasks with at most ``settings.concurrency`` in flight and journals each trace as it finishes.

    Raises:
        EvidenceError: if a trace cannot be written; what was written before is kept.
    """
    progress = Progress(total=len(tasks))
    waiting = iter(tasks)

    def finished(trace: Trace) -> None:
        journal.append(trace)
        progress.count(trace)
        if on_progress is not None:
            on_progress(progress)

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
    return progress


async def _sync_regularly(journal: JournalWriter) -> None:
    while True:
        await asyncio.sleep(SYNC_EVERY_S)
        await asyncio.to_thread(journal.sync)


async def _work(
    candidate: Candidate, waiting: Iterator[Task], settings: RunSettings, finished: Callable[[Trace], None]
) -> None:
    for task in waiting:
        finished(await ask(candidate, task, settings))


async def ask(candidate: Candidate, task: Task, settings: RunSettings) -> Trace:
    """Asks one question and turns whatever happens into a trace; a recorded trace is taken as it is."""
    case = task.case
    if isinstance(candidate, Recording):
        recorded = candidate.trace(case.case_id, task.repeat)
        if recorded is not None:
            return recorded
    query = Query(
        case_id=case.case_id,
        repeat=task.repeat,
        text=case.question,
        turns=case.turns,
        language=case.language,
        principal=case.principal,
        retrieve_only=settings.retrieve_only,
    )
    started = time.perf_counter()
    attempts = _Attempts()
    status, error, output = TraceStatus.OK, None, None
    try:
        async with asyncio.timeout(settings.timeout_s) as deadline:
            output = await _answer_with_retries(candidate, query, settings.retries, attempts)
    except TimeoutError as fault:
        status = TraceStatus.TIMEOUT
        late = f"no answer within {settings.timeout_s:g} s"
        error = TraceError(kind="timeout", message=late) if deadline.expired() else _described("timeout", fault)
    except InvalidOutput as fault:
        status, error = TraceStatus.INVALID, _described(fault.kind, fault)
    except CandidateError as fault:
        status, error = TraceStatus.ERROR, _described(fault.kind, fault)
    except Exception as fault:  # the item runner: a candidate may raise anything, and it is recorded
        status, error = TraceStatus.ERROR, _described(type(fault).__name__, fault)
    return Trace(
        case_id=case.case_id,
        repeat=task.repeat,
        attempts=max(1, attempts.made),
        status=status,
        error=error,
        output=output,
        total_ms=(time.perf_counter() - started) * 1_000,
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
            if not fault.retryable or attempts.made > retries:
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


def _described(kind: str, fault: Exception) -> TraceError:
    text = str(fault) or type(fault).__name__
    return TraceError(kind=kind, message=text[:MAX_MESSAGE_CHARS])
