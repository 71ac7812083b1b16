"""Deciding on a candidate, and the figures by segment that a report shows beside the decision."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from beleg.adapters.formats.models import load_document
from beleg.app.scoring import DEFAULT_METRICS, ScoredRun, score_run
from beleg.core.decision import Decision
from beleg.core.policy import Policy
from beleg.gate.decide import decide, metrics_of
from beleg.gate.plan import plan_checks
from beleg.run.folder import write_model


@dataclass(frozen=True, slots=True, kw_only=True)
class GateOutcome:
    """A decision with the scored runs that it rests on."""

    decision: Decision
    policy: Policy
    candidate: ScoredRun
    baseline: ScoredRun | None


def load_policy(source: Path | Policy) -> Policy:
    """A policy from a file.

    Raises:
        UsageError: if there is no such file.
        ConfigError: naming file, line, field, value and remedy for everything that is wrong.
    """
    return source if isinstance(source, Policy) else load_document(Policy, source)


def gate_runs(candidate: Path, baseline: Path | None, policy_source: Path | Policy) -> GateOutcome:
    """Scores both runs from their traces and decides by the policy.

    Args:
        candidate: the folder of the candidate's run.
        baseline: the folder of the run of what is released now.
        policy_source: the policy or its file.

    Raises:
        ConfigError: if the policy cannot be carried out on the suite.
        EvidenceError: if a run is damaged or empty.
    """
    policy = load_policy(policy_source)
    wanted = [*metrics_of(policy), *DEFAULT_METRICS]
    _refuse_unknown_metrics(policy, candidate)
    new = score_run(candidate, wanted)
    old = score_run(baseline, wanted) if baseline is not None else None
    decision = decide(
        policy,
        new.evaluation,
        old.evaluation if old else None,
        decided_at=datetime.now(UTC),
        beleg_version=version("beleg"),
    )
    return GateOutcome(decision=decision, policy=policy, candidate=new, baseline=old)


def _refuse_unknown_metrics(policy: Policy, candidate: Path) -> None:
    """Finds everything that is wrong with a policy before any scoring is done."""
    from beleg.run.folder import RunFolder

    folder = RunFolder(candidate)
    header = folder.header()
    by_id = folder.suite().case_by_id()
    plan_checks(policy, [by_id[name] for name in header.case_ids])


def store_decision(outcome: GateOutcome, path: Path) -> Path:
    """Writes the decision as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_model(path, outcome.decision)
    return path
