"""Deciding on a candidate, and the figures by segment that a report shows beside the decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from beleg.adapters.formats.faults import Place
from beleg.adapters.formats.models import load_document, validated
from beleg.app.places import placed
from beleg.app.scoring import ScoredRun, default_metrics, score_run
from beleg.core.decision import Decision
from beleg.core.errors import ConfigError, DataError
from beleg.core.policy import Policy
from beleg.gating.decide import decide, metrics_of
from beleg.gating.plan import plan_checks
from beleg.run.folder import RunFolder, make_folder, write_model

PolicySource = Policy | Path | Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateOutcome:
    """A decision with the scored runs that it rests on."""

    decision: Decision
    policy: Policy
    candidate: ScoredRun
    baseline: ScoredRun | None

    def warnings(self) -> tuple[str, ...]:
        """What a person should know before believing the decision."""
        return (*self.candidate.warnings(), *(self.baseline.warnings() if self.baseline else ()))


def load_policy(source: PolicySource) -> Policy:
    """A policy from a file, or from plain data.

    Raises:
        UsageError: if there is no such file.
        ConfigError: naming file, line, field, value and remedy for everything that is wrong.
    """
    if isinstance(source, Policy):
        return source
    if isinstance(source, Path):
        return load_document(Policy, source)
    try:
        return validated(Policy, dict(source), Place("policy"))
    except DataError as error:
        raise ConfigError(error.problems, hint=error.hint) from error


def gate_runs(candidate: Path, baseline: Path | None, policy_source: PolicySource) -> GateOutcome:
    """Scores both runs from their traces and decides by the policy.

    Args:
        candidate: the folder of the candidate's run.
        baseline: the folder of the run of what is released now.
        policy_source: the policy, its file, or plain data.

    Raises:
        ConfigError: if the policy cannot be carried out on the suite.
        EvidenceError: if a run is damaged or empty.
    """
    policy = load_policy(policy_source)
    wanted = [*metrics_of(policy), *default_metrics(candidate, *([baseline] if baseline is not None else []))]
    _require_possible(policy, policy_source, candidate)
    new = score_run(candidate, wanted)
    asked = frozenset(new.evaluation.header.case_ids)
    old = score_run(baseline, wanted, only=asked) if baseline is not None else None
    decision = decide(
        policy,
        new.evaluation,
        old.evaluation if old else None,
        decided_at=datetime.now(UTC),
        beleg_version=version("beleg"),
    )
    return GateOutcome(decision=decision, policy=policy, candidate=new, baseline=old)


def _require_possible(policy: Policy, source: PolicySource, candidate: Path) -> None:
    """Finds everything that is wrong with a policy before any scoring is done."""
    folder = RunFolder(candidate)
    header = folder.header()
    by_id = folder.suite().case_by_id()
    try:
        plan_checks(policy, [by_id[name] for name in header.case_ids])
    except ConfigError as error:
        if not isinstance(source, Path):
            raise
        raise ConfigError(placed(error.problems, source), hint=error.hint) from error


def store_decision(outcome: GateOutcome, path: Path) -> Path:
    """Writes the decision as JSON."""
    make_folder(path.parent)
    write_model(path, outcome.decision)
    return path
