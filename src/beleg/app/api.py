"""The Python face: the same services as the command line, with a callable as the candidate."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from beleg.app.gating import GateOutcome, gate_runs
from beleg.app.judging import JudgeCommand, judge_run
from beleg.app.judging_result import JudgingResult, OnJudging
from beleg.app.reporting import WrittenReports, write_reports
from beleg.app.running import OnProgress, RunOutcome, RunRequest, arun_candidate, default_folder
from beleg.app.scoring import ScoredRun, score_run
from beleg.app.suites import load_suite
from beleg.core.decision import Decision
from beleg.core.errors import UsageError
from beleg.core.judge_settings import JudgeSettings
from beleg.core.manifest import Manifest
from beleg.core.policy import Policy
from beleg.core.protocols import Candidate
from beleg.core.run import RunSettings
from beleg.core.score import Score
from beleg.core.suite import Suite

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedRun:
    """A run that was made and can be scored, compared and decided on."""

    folder: Path
    run_id: str

    def scored(self, metrics: tuple[str, ...] | None = None) -> ScoredRun:
        """Scores the run."""
        return score_run(self.folder, metrics)

    def judge(
        self,
        judge: JudgeSettings | str | Path,
        *metrics: str,
        replay: bool = False,
        on_progress: OnJudging | None = None,
    ) -> JudgingResult:
        """Has a judge look at the answers; what was judged before costs nothing.

        Args:
            judge: the judge, or its file.
            metrics: what is to be scored from it; ``faithfulness`` if none is named.
            replay: uses recorded verdicts only, and asks nobody.
            on_progress: called after each finding.

        Raises:
            ConfigError: if the judge file is wrong, or does not name what a metric needs.
            CandidateError: if the judge cannot be used at all.
        """
        source = judge if isinstance(judge, JudgeSettings) else Path(judge)
        command = JudgeCommand(run=self.folder, judge=source, metrics=metrics, replay=replay)
        return _in_a_thread_of_its_own(lambda: judge_run(command, on_progress))

    def mean(self, metric: str) -> float | None:
        """The mean of a metric over the cases that have a score; ``None`` when none has."""
        values = self.scored((metric,)).evaluation.by_case(metric).values
        return float(values.mean()) if len(values) else None

    def score(self, case_id: str, metric: str) -> Score:
        """The score of one case, or the reason why there is none."""
        evaluation = self.scored((metric,)).evaluation
        place = next((i for i, case in enumerate(evaluation.cases) if case.case_id == case_id), None)
        if place is None:
            raise UsageError(f"the run has no case {case_id!r}")
        return evaluation.by_case(metric).score_at(place)


@dataclass(frozen=True, slots=True, kw_only=True)
class GatedRun:
    """A decision, and the reports that can be written of it."""

    outcome: GateOutcome

    @property
    def decision(self) -> Decision:
        """The decision with every check."""
        return self.outcome.decision

    @property
    def verdict(self) -> str:
        """PASS, REVIEW or BLOCK."""
        return self.decision.verdict.value

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        return self.decision.headline.en

    def write(self, folder: str | Path | None = None, *, language: str = "en") -> WrittenReports:
        """Writes decision.json, report.html and report.md."""
        return write_reports(self.outcome, Path(folder) if folder is not None else None, language=language)


def evaluate(  # noqa: PLR0913 - the options of a run, all keyword-only
    candidate: Candidate | Callable[..., Any],
    suite: Suite | str | Path,
    *,
    name: str | None = None,
    out: str | Path | None = None,
    manifest: Manifest | None = None,
    settings: RunSettings | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> EvaluatedRun:
    """Runs a candidate over a suite and journals every answer.

    Args:
        candidate: a callable that takes a query (sync or async; see the guide for what it may return), or an object
            with the `Candidate` protocol.
        suite: a suite, or where to load one from.
        name: what the candidate is called in reports; by default the name of the callable.
        out: the folder of the run; by default ``runs/NAME-TIME``.
        manifest: what the candidate is made of; without one the run is marked as not reproducible.
        settings: concurrency, deadline, retries, repeats.
        resume: finishes a run that was interrupted in ``out``.
        on_progress: called after each finished case.

    Returns:
        The run, ready to be scored and gated.

    Raises:
        UsageError: if the folder holds a run already, or nothing can be called.
        DataError: if the suite cannot be read.
    """
    loaded = suite if isinstance(suite, Suite) else load_suite(suite)
    run_settings = settings or RunSettings()
    opened = _as_candidate(candidate, name, manifest, run_settings.concurrency)

    async def open_candidate() -> Candidate:
        return opened

    folder = Path(out) if out is not None else default_folder(opened.manifest.name)
    request = RunRequest(open_candidate=open_candidate, suite=loaded, settings=run_settings, resume=resume)
    outcome = _run_to_end(lambda: arun_candidate(request, folder, on_progress))
    return EvaluatedRun(folder=folder, run_id=outcome.header.run_id)


def _run_to_end(begin: Callable[[], Coroutine[Any, Any, RunOutcome]]) -> RunOutcome:
    return _in_a_thread_of_its_own(lambda: asyncio.run(begin()))


def _in_a_thread_of_its_own(do: Callable[[], Result]) -> Result:
    """Works in a thread of its own where this one has an event loop already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return do()
    with ThreadPoolExecutor(max_workers=1) as own_thread:
        return own_thread.submit(do).result()


def gate(  # noqa: PLR0913 - everything that a decision may rest on
    candidate: EvaluatedRun | str | Path,
    baseline: EvaluatedRun | str | Path | None,
    policy: Policy | str | Path | Mapping[str, Any],
    *,
    calibrations: Sequence[str | Path] = (),
    labels: str | Path | None = None,
    reviews: str | Path | None = None,
    registered: str | Path | None = None,
) -> GatedRun:
    """Decides by a policy whether a candidate may ship.

    Args:
        candidate: the candidate's run, or its folder.
        baseline: the run of what is released now, or its folder.
        policy: the policy, its file, or the same as plain data.
        calibrations: records of judges, or folders of them, beside those that the policy names.
        labels: a file of scores that people gave to a random sample of the cases that the candidate's run holds.
        reviews: a file of review events, in which people decided about single claims.
        registered: the file in which the policy was registered before the run.

    Returns:
        The decision; ``verdict`` is PASS, REVIEW or BLOCK.

    Raises:
        ConfigError: if the policy cannot be carried out on this suite.
        EvidenceError: if a run is damaged or empty.
    """
    old = None if baseline is None else _folder(baseline)
    source = Path(policy) if isinstance(policy, str) else policy
    outcome = gate_runs(
        _folder(candidate),
        old,
        source,
        calibrations=[Path(path) for path in calibrations],
        labels=None if labels is None else Path(labels),
        reviews=None if reviews is None else Path(reviews),
        registered=None if registered is None else Path(registered),
    )
    return GatedRun(outcome=outcome)


def _folder(run: EvaluatedRun | str | Path) -> Path:
    return run.folder if isinstance(run, EvaluatedRun) else Path(run)


def _as_candidate(
    candidate: Candidate | Callable[..., Any], name: str | None, manifest: Manifest | None, concurrency: int
) -> Candidate:
    if isinstance(candidate, Candidate):
        return candidate
    if not callable(candidate):
        raise UsageError(f"{candidate!r} is neither callable nor a candidate")
    from beleg.adapters.candidates.callable_candidate import CallableCandidate

    called = name or str(getattr(candidate, "__name__", type(candidate).__name__))
    described = manifest or Manifest(name=called.strip("<>") or "candidate")
    return CallableCandidate(candidate, manifest=described, concurrency=concurrency)
