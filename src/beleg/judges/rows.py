"""Judging the rows of a run: many at a time, each finding handed over the moment it is there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from beleg.core.errors import CandidateError, ConfigError
from beleg.core.findings import Finding
from beleg.core.inference import Embedder, SupportModel
from beleg.core.judging import JudgeSpec, TaskReference
from beleg.core.score import FAILED_STATUSES, Score, ScoreStatus
from beleg.judges.limits import TURN
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.judges.prompting import load_prompt
from beleg.metrics.batch import Batch, FindingKey, Row
from beleg.metrics.findings import subject_digest
from beleg.metrics.generation.refusal import answer_gap

MAX_EMBEDDER_CHARS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class RowJob:
    """One measure of one row that is still to be judged."""

    row: Row
    measure: JudgedMeasure

    @property
    def key(self) -> FindingKey:
        """By which its finding is found."""
        return (self.row.case.case_id, self.row.trace.repeat, self.measure.name)


def open_jobs(
    batch: Batch, measures: Iterable[JudgedMeasure], panel: Panel, known: Mapping[FindingKey, Finding]
) -> Iterator[RowJob]:
    """What is still to be judged, row by row: whatever has no finding that still holds.

    A finding holds where the same words were judged by the same judge with the same prompts and measure, and the judge
    gave a verdict. Rows that did not end well are left out: their scores have a reason already.
    """
    wanted = tuple(measures)
    for row in batch.rows:
        if isinstance(row, Score):
            continue
        for measure in wanted:
            job = RowJob(row=row, measure=measure)
            found = known.get(job.key)
            if found is None or not still_holds(found, job, panel):
                yield job


def still_holds(found: Finding, job: RowJob, panel: Panel) -> bool:
    """Whether a finding need not be made again."""
    return (
        found.status not in FAILED_STATUSES
        and found.measure_version == job.measure.version
        and found.judge == judge_of(job.measure, panel)
        and found.embedder == _embedder_of(job.measure, panel.embedder)
        and found.verifier_threshold == _threshold_of(job.measure, panel)
        and found.subject_digest == subject_digest(job.row)
        and all(_prompt_digest(task) == task.prompt_digest for task in found.tasks)
    )


def _prompt_digest(task: TaskReference) -> str | None:
    """The digest of a task's prompt as it is now; ``None`` for a task of another version of Beleg."""
    try:
        return load_prompt(task.task, task.language).digest
    except ConfigError:
        return None


async def judge_row(panel: Panel, job: RowJob) -> Finding:
    """Judges one measure of one row; a fault of a model becomes the reason why there is no evidence."""
    docket = Docket()
    gap = answer_gap(job.row.output) if job.measure.needs_answer else None
    if gap is not None:
        outcome = Outcome(without=gap)
    else:
        try:
            outcome = await job.measure.judge(panel, docket, job.row)
        except CandidateError as fault:
            outcome = Outcome(without=Score.without(ScoreStatus.JUDGE_ERROR, fault.message))
    case_id, repeat, measure = job.key
    blank = Finding(
        case_id=case_id,
        repeat=repeat,
        measure=measure,
        measure_version=job.measure.version,
        status=ScoreStatus.MISSING,
        subject_digest=subject_digest(job.row),
        judge=judge_of(job.measure, panel),
        embedder=_embedder_of(job.measure, panel.embedder),
        verifier_threshold=_threshold_of(job.measure, panel),
        tasks=tuple(docket.tasks.values()),
        calls=tuple(docket.keys),
    )
    return outcome.as_finding(blank)


async def judge_rows(
    panel: Panel,
    jobs: Iterable[RowJob],
    take: Callable[[Finding], None],
    *,
    at_a_time: int,
    in_waves: bool = False,
) -> None:
    """Judges many rows with a fixed number under way, so that memory does not grow with the run.

    Args:
        panel: who is asked.
        jobs: drawn one by one, when there is room.
        take: is given every finding as soon as it is there; what it raises ends the judging.
        at_a_time: how many rows are under way.
        in_waves: whether new rows wait until all that were begun have ended, for a budget that pays for no more:
            a row that came in between would spend what another one needs to be finished.
    """
    numbered = enumerate(jobs)
    if in_waves:
        while wave := list(islice(numbered, at_a_time)):
            await _judge_together(panel, iter(wave), take, len(wave))
    else:
        await _judge_together(panel, numbered, take, at_a_time)


async def _judge_together(
    panel: Panel, waiting: Iterator[tuple[int, RowJob]], take: Callable[[Finding], None], at_a_time: int
) -> None:
    async def work() -> None:
        for number, job in waiting:
            # Requests of rows that were begun earlier are sent first, so that what is paid for becomes a verdict.
            TURN.set(number)
            take(await judge_row(panel, job))

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(at_a_time):
                group.create_task(work())
    except ExceptionGroup as faults:
        # Workers share one journal: when it fails, each of them fails for the same reason.
        raise faults.exceptions[0] from None


def judge_of(measure: JudgedMeasure, panel: Panel) -> JudgeSpec | None:
    """The judge that a finding names: the model that gave the verdicts, or ``None`` where none is needed.

    A verifier whose claims come from a judge names that judge too: with another one the claims are others, and what was
    calibrated is no longer what judges.
    """
    if "judge" in measure.needs and panel.judge is not None:
        return panel.judge.spec
    spec = _verifier_spec(panel.verifier) if "verifier" in measure.needs else None
    if spec is None or panel.judge is None or not measure.splits_by_judge:
        return spec
    return spec.model_copy(update={"extra": {**spec.extra, "claims_by": panel.judge.spec.digest}})


def _verifier_spec(verifier: SupportModel | None) -> JudgeSpec | None:
    return None if verifier is None else verifier.spec


def _threshold_of(measure: JudgedMeasure, panel: Panel) -> float | None:
    return panel.verifier_threshold if "verifier" in measure.needs else None


def _embedder_of(measure: JudgedMeasure, embedder: Embedder | None) -> str | None:
    return embedder.identity[:MAX_EMBEDDER_CHARS] if "embedder" in measure.needs and embedder is not None else None
