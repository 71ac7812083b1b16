"""Judging the answers of a run: what is still to be judged, by whom, at what price; kept finding by finding."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from beleg.app.judge_measures import require_offered
from beleg.app.judge_opening import (
    Opening,
    OpenPanel,
    load_judge_file,
    open_panel,
    planning_panel,
    spec_for_replay,
)
from beleg.app.judge_plan import JudgingPlan, plan_of
from beleg.app.judging_result import JudgingProgress, JudgingResult, OnJudging
from beleg.app.policy_files import load_policy
from beleg.app.running import similar_cases
from beleg.app.scoring import ScoredRun, score_run
from beleg.core.errors import ConfigError, UsageError
from beleg.core.findings import Finding
from beleg.core.judge_settings import JudgeBudget, JudgeSettings
from beleg.core.judging import JudgeSpec
from beleg.core.score import Score, ScoreStatus
from beleg.gating.decide import metrics_of
from beleg.judges.measures.measure import JudgedMeasure, Need
from beleg.judges.measures.registry import MEASURES
from beleg.judges.panel import Panel
from beleg.judges.rows import RowJob, judge_rows, open_jobs
from beleg.metrics.batch import Batch, FindingKey
from beleg.metrics.catalogue import parse_metric
from beleg.run.findings import FindingsWriter, read_findings
from beleg.run.folder import RunFolder

DEFAULT_METRIC = "faithfulness"
SPARE_ROWS = 8
"""How many rows more are under way than requests, so that no request waits for a row to be prepared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCommand:
    """What is to be judged, as the command line asks for it."""

    run: Path
    judge: Path | JudgeSettings
    metrics: tuple[str, ...] = ()
    policy: Path | None = None
    cases: tuple[str, ...] = ()
    replay: bool = False
    cache: Path | None = None
    max_usd: float | None = None
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    """A run with what is wanted of it."""

    scored: ScoredRun
    settings: JudgeSettings
    measures: tuple[JudgedMeasure, ...]
    batch: Batch

    @property
    def folder(self) -> RunFolder:
        return self.scored.folder

    @property
    def needs(self) -> frozenset[Need]:
        """Whom the wanted measures need."""
        return frozenset().union(*(measure.needs for measure in self.measures))

    def judge_as_recorded(self, findings: Mapping[FindingKey, Finding]) -> JudgeSpec:
        """The judge as it is named in the findings, or in the calls where there is none."""
        known = (found.judge for found in findings.values() if found.judge is not None)
        shared = None if self.settings.cache is None else Path(self.settings.cache)
        files = [path for path in (self.folder.calls_file, shared) if path is not None]
        return spec_for_replay(self.settings, known, files)

    @property
    def expected(self) -> int:
        """How many findings there would be if nothing had been judged."""
        return len(self.measures) * sum(not isinstance(row, Score) for row in self.batch.rows)


def plan_run(command: JudgeCommand) -> JudgingPlan:
    """What judging would take; nobody is asked.

    Raises:
        UsageError: if there is no such run, case or metric.
        ConfigError: if the judge file is wrong.
    """
    prepared = _prepared(command)
    known = prepared.batch.findings
    judge = prepared.judge_as_recorded(known)
    panel = planning_panel(prepared.settings, judge, needs=prepared.needs)
    _require_offered(prepared, panel, command.judge)
    jobs = open_jobs(prepared.batch, prepared.measures, panel, known)
    return plan_of(jobs, expected=prepared.expected, settings=prepared.settings)


def judge_run(command: JudgeCommand, on_progress: OnJudging | None = None) -> JudgingResult:
    """Judges whatever has no finding that still holds, and keeps each finding the moment it is there.

    Args:
        command: the run, the judge and what is wanted.
        on_progress: called after each finding.

    Raises:
        UsageError: if there is no such run, case or metric, or another process is writing to the run.
        ConfigError: if the judge file is wrong, or does not name what a metric needs.
        CandidateError: if the judge cannot be used at all.
        EvidenceError: if the run folder is damaged, or the disk takes no more.
    """
    prepared = _prepared(command)
    with prepared.folder.locked():
        return asyncio.run(_judged(command, prepared, on_progress))


async def _judged(command: JudgeCommand, prepared: _Prepared, on_progress: OnJudging | None) -> JudgingResult:
    started = time.monotonic()
    content = read_findings(prepared.folder.findings_file)
    known = prepared.judge_as_recorded(content.latest)
    planned = planning_panel(prepared.settings, known, needs=prepared.needs)
    _require_offered(prepared, planned, command.judge)
    if next(open_jobs(prepared.batch, prepared.measures, planned, content.latest), None) is None:
        # Everything was judged by this judge: not even a probe is sent.
        return _nothing_to_do(command, prepared, known, started)
    replay = known if command.replay else None
    opening = Opening(settings=prepared.settings, calls=prepared.folder.calls_file, replay=replay, needs=prepared.needs)
    async with open_panel(opening) as opened:
        jobs = list(open_jobs(prepared.batch, prepared.measures, opened.panel, content.latest))
        progress = JudgingProgress(total=len(jobs))
        with FindingsWriter(prepared.folder.findings_file, keep_bytes=content.whole_bytes) as writer:
            take = _taker(_Keeper(writer, content.latest), progress, opened, on_progress)
            most = prepared.settings.limits.in_flight + SPARE_ROWS
            rows = _rows_at_a_time(jobs, prepared.settings)
            await judge_rows(opened.panel, jobs, take, at_a_time=rows, in_waves=rows < min(most, len(jobs)))
        _refresh(progress, opened)
        return JudgingResult(
            run=command.run,
            judge=opened.engine.spec,
            progress=progress,
            held=prepared.expected - len(jobs),
            stopped=opened.stopped,
            seconds=time.monotonic() - started,
            warnings=prepared.scored.warnings(),
        )


def _rows_at_a_time(jobs: list[RowJob], settings: JudgeSettings) -> int:
    affordable = plan_of(jobs, expected=len(jobs), settings=settings).affordable_rows(settings.budget)
    most = min(settings.limits.in_flight + SPARE_ROWS, max(1, len(jobs)))
    return most if affordable is None else min(most, affordable)


def _nothing_to_do(command: JudgeCommand, prepared: _Prepared, judge: JudgeSpec, started: float) -> JudgingResult:
    return JudgingResult(
        run=command.run,
        judge=judge,
        progress=JudgingProgress(total=0),
        held=prepared.expected,
        stopped=None,
        seconds=time.monotonic() - started,
        warnings=prepared.scored.warnings(),
    )


@dataclass(frozen=True, slots=True)
class _Keeper:
    """Writes findings down; that nobody was asked takes no verdict of an earlier judge away."""

    writer: FindingsWriter
    known: Mapping[FindingKey, Finding]

    def keep(self, found: Finding) -> None:
        before = self.known.get((found.case_id, found.repeat, found.measure))
        if found.status is ScoreStatus.MISSING and before is not None and before.status is not ScoreStatus.MISSING:
            return
        self.writer.append(found)


def _taker(
    keeper: _Keeper, progress: JudgingProgress, opened: OpenPanel, on_progress: OnJudging | None
) -> Callable[[Finding], None]:
    def take(found: Finding) -> None:
        keeper.keep(found)
        progress.count(found)
        if on_progress is not None:
            _refresh(progress, opened)
            on_progress(progress)

    return take


def _refresh(progress: JudgingProgress, opened: OpenPanel) -> None:
    progress.spending = opened.engine.spending
    progress.recorded = opened.engine.tally.recorded


def _prepared(command: JudgeCommand) -> _Prepared:
    settings = settings_of(command)
    measures = measures_for(_wanted(command))
    scored = score_run(command.run, ("failed",))
    return _Prepared(
        scored=scored, settings=settings, measures=measures, batch=_restricted(scored.batch, command.cases, command.run)
    )


def settings_of(command: JudgeCommand) -> JudgeSettings:
    """The judge file with what the command line says on top.

    Raises:
        UsageError: if there is no such file, or money is limited without a price.
        ConfigError: if the file is wrong.
    """
    settings = command.judge if isinstance(command.judge, JudgeSettings) else load_judge_file(command.judge)
    budget = settings.budget.to_json_dict()
    if command.max_usd is not None:
        if settings.price is None:
            raise UsageError(
                "--max-usd needs a price: without one nobody knows when it is reached",
                hint="Add 'price' to the judge file, or limit the tokens with --max-tokens",
            )
        budget["max_usd"] = command.max_usd
    if command.max_tokens is not None:
        budget["max_tokens"] = command.max_tokens
    try:
        limited = JudgeBudget.model_validate(budget)
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_context=False)[0]
        option = f"--{wrong['loc'][0]}".replace("_", "-")
        raise UsageError(f"{option} {wrong['input']}: {wrong['msg']}", hint="Name a limit above 0") from None
    update: dict[str, object] = {"budget": limited}
    if command.cache is not None:
        update["cache"] = str(command.cache)
    return settings.model_copy(update=update)


def _wanted(command: JudgeCommand) -> list[str]:
    if command.policy is None:
        return list(command.metrics) or [DEFAULT_METRIC]
    judged = [name for name in metrics_of(load_policy(command.policy)) if parse_metric(name).spec.rests_on is not None]
    if not judged and not command.metrics:
        raise UsageError(f"no metric of the policy {command.policy} needs a judge", hint="Name one with --metric")
    return [*command.metrics, *judged]


def measures_for(metrics: list[str]) -> tuple[JudgedMeasure, ...]:
    """The measures that metrics rest on, each once.

    Raises:
        UsageError: for an unknown metric, or one that needs no judge.
    """
    found: dict[str, JudgedMeasure] = {}
    for name in metrics:
        try:
            spec = parse_metric(name).spec
        except ConfigError as error:
            raise UsageError(str(error), hint=error.hint) from error
        if spec.rests_on is None:
            raise UsageError(
                f"the metric {name!r} needs no judge", hint="List those that do with: beleg judge measures"
            )
        found[spec.rests_on] = MEASURES[spec.rests_on]
    return tuple(found.values())


def _restricted(batch: Batch, case_ids: tuple[str, ...], run: Path) -> Batch:
    if not case_ids:
        return batch
    known = {case.case_id for case in batch.cases}
    for name in case_ids:
        if name not in known:
            raise UsageError(f"the run {run} has no case {name!r}", hint=similar_cases(name, known))
    kept = [row for row, case in enumerate(batch.cases) if case.case_id in case_ids]
    return Batch.of(
        [batch.cases[row] for row in kept],
        [batch.traces[row] for row in kept],
        inventory=batch.inventory,
        unit=batch.unit,
        findings=batch.findings,
    )


def _require_offered(prepared: _Prepared, panel: Panel, judge: Path | JudgeSettings) -> None:
    require_offered(prepared.measures, panel, file=judge if isinstance(judge, Path) else None)
