"""Judging in batches until the decision is settled: what a sequential policy saves, saved (P7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from beleg.app.gating import GateOutcome, gate_runs
from beleg.app.judging import JudgeCommand, judge_run
from beleg.app.judging_result import JudgingResult, OnJudging
from beleg.app.policy_files import load_policy
from beleg.core.decision import CheckKind
from beleg.core.errors import UsageError
from beleg.core.policy import Policy
from beleg.gating.critical_claims import critical_claims_plan
from beleg.gating.decide import metrics_of
from beleg.gating.looks import plan_looks
from beleg.metrics.catalogue import parse_metric

OnLook = Callable[[int, int, Path], OnJudging | None]
"""Told before each batch: the look, how many cases it holds, and the run that is judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleCommand:
    """What is to be settled, as the command line asks for it."""

    candidate: Path
    baseline: Path | None
    policy: Path
    judge: Path
    calibrations: Sequence[Path] = ()
    labels: Path | None = None
    replay: bool = False
    cache: Path | None = None
    max_usd: float | None = None
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The decision, and what was judged on the way to it."""

    outcome: GateOutcome
    judged: tuple[JudgingResult, ...] = field(default=())

    @property
    def stopped(self) -> JudgingResult | None:
        """The batch at which judging stopped before its end."""
        return next((result for result in self.judged if result.is_unfinished), None)


def settle(command: SettleCommand, on_look: OnLook | None = None) -> Settled:
    """Judges look after look, candidate and baseline alike, until the decision is settled or the judge stops.

    What was judged before counts, and is not paid for again; a killed command goes on where it was.

    Args:
        command: the runs, the policy and the judge.
        on_look: called before each batch.

    Raises:
        UsageError: if the policy fixes no looks, or needs no judge, or there is no such run.
        ConfigError: if policy or judge file is wrong.
        CandidateError: if the judge cannot be used at all.
        EvidenceError: if a run folder is damaged, or the disk takes no more.
    """
    policy = load_policy(command.policy)
    _require_sequential(policy, command.policy)
    judged: list[JudgingResult] = []
    while True:
        outcome = _gate(command)
        record = outcome.decision.sequential
        if record is None or record.outcome != "waiting":
            return Settled(outcome=outcome, judged=tuple(judged))
        number = len(record.looks) + 1
        cases = _cases_of(policy, outcome, number)
        batch = [_judge(command, run, cases, number, on_look) for run in _runs_to_judge(command, outcome)]
        judged += batch
        if any(result.is_unfinished for result in batch) or not any(result.progress.total for result in batch):
            # Whatever the judge does not give a verdict on will not come by asking for the same again.
            return Settled(outcome=_gate(command), judged=tuple(judged))


def _require_sequential(policy: Policy, file: Path) -> None:
    if policy.sequential is None:
        raise UsageError(
            f"{file} fixes no looks, so that all cases are judged at once",
            hint="Add a section 'sequential' to the policy, or judge all cases with: beleg judge run",
        )
    if not any(parse_metric(name).spec.rests_on for name in metrics_of(policy)):
        raise UsageError(f"no metric of the policy {file} needs a judge", hint="Decide at once with: beleg gate")


def _gate(command: SettleCommand) -> GateOutcome:
    return gate_runs(
        command.candidate,
        command.baseline,
        command.policy,
        calibrations=command.calibrations,
        labels=command.labels,
    )


def _cases_of(policy: Policy, outcome: GateOutcome, number: int) -> tuple[str, ...]:
    cases = outcome.candidate.evaluation.cases
    if policy.sequential is None:
        return tuple(case.case_id for case in cases)
    members = plan_looks(policy, policy.sequential, cases).members(number)
    critical = critical_claims_plan(policy, cases)
    if critical is not None:
        # None of these may stay unseen, so that all of them are judged before the first look.
        members = np.union1d(members, critical.members)
    return tuple(cases[place].case_id for place in members.tolist())


def _runs_to_judge(command: SettleCommand, outcome: GateOutcome) -> list[Path]:
    """The candidate's run, and the baseline's where a judged metric is compared with it."""
    compared = any(
        check.kind is CheckKind.NO_REGRESSION and parse_metric(check.metric or "").spec.rests_on
        for check in outcome.decision.checks
    )
    return [command.candidate, *([command.baseline] if compared and command.baseline is not None else [])]


def _judge(
    command: SettleCommand, run: Path, cases: tuple[str, ...], number: int, on_look: OnLook | None
) -> JudgingResult:
    asked = JudgeCommand(
        run=run,
        judge=command.judge,
        policy=command.policy,
        cases=cases,
        replay=command.replay,
        cache=command.cache,
        max_usd=command.max_usd,
        max_tokens=command.max_tokens,
    )
    return judge_run(asked, None if on_look is None else on_look(number, len(cases), run))
