"""Deciding on a candidate, and the figures by segment that a report shows beside the decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from beleg.adapters.formats.faults import Place
from beleg.adapters.formats.models import load_document, validated
from beleg.app.calibration_records import load_records
from beleg.app.calibration_subjects import with_standings
from beleg.app.human_labels import with_labels
from beleg.app.places import placed
from beleg.app.release_facts import read_facts
from beleg.app.scoring import ScoredRun, default_metrics, score_run
from beleg.core.calibration import CalibrationRecord
from beleg.core.decision import Decision
from beleg.core.errors import ConfigError, DataError
from beleg.core.evaluation import Evaluation
from beleg.core.policy import Policy
from beleg.gating.decide import decide, metrics_of
from beleg.gating.plan import plan_checks
from beleg.gating.record import unrecorded_cases
from beleg.gating.trust import is_judged
from beleg.metrics.catalogue import parse_metric
from beleg.metrics.generation.claims import claims_by_case
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


def gate_runs(  # noqa: PLR0913 - everything that a decision may rest on
    candidate: Path,
    baseline: Path | None,
    policy_source: PolicySource,
    *,
    calibrations: Sequence[Path] = (),
    labels: Path | None = None,
    reviews: Path | None = None,
    registered: Path | None = None,
    decided_at: datetime | None = None,
) -> GateOutcome:
    """Scores both runs from their traces and decides by the policy.

    Args:
        candidate: the folder of the candidate's run.
        baseline: the folder of the run of what is released now.
        policy_source: the policy, its file, or plain data.
        calibrations: records of judges, or folders of them, beside those that the policy names.
        labels: scores that people gave to a random sample of the cases that the candidate's run holds.
        reviews: what people decided about single claims: review events, exported from a ledger.
        registered: the file in which the policy was registered before the run.
        decided_at: the time of the decision, where one of before is made again; now where it is left out.

    Raises:
        ConfigError: if the policy cannot be carried out on the suite.
        EvidenceError: if a run is damaged or empty, or a calibration record is.
        DataError: if the labels cannot be used.
    """
    policy = load_policy(policy_source)
    wanted = [*metrics_of(policy), *default_metrics(candidate, *([baseline] if baseline is not None else []))]
    _require_possible(policy, policy_source, candidate)
    file = policy_source if isinstance(policy_source, Path) else None
    records = records_for(policy, file, calibrations)
    beside = Path() if file is None else file.parent
    facts = read_facts(policy, beside, candidate, reviews=reviews, registered=registered)
    new = score_run(candidate, wanted)
    asked = frozenset(new.evaluation.header.case_ids)
    old = score_run(baseline, wanted, only=asked) if baseline is not None else None
    new, old = with_standings(new), with_standings(old) if old is not None else None
    if labels is not None:
        new = replace(new, evaluation=with_labels(new.evaluation, labels))
    decision = decide(
        policy,
        with_what_rules_need(policy, new),
        old.evaluation if old else None,
        decided_at=decided_at or datetime.now(UTC),
        beleg_version=version("beleg"),
        calibrations=records,
        facts=facts,
    )
    return GateOutcome(decision=decision, policy=policy, candidate=new, baseline=old)


def with_what_rules_need(policy: Policy, run: ScoredRun) -> Evaluation:
    """The scored run with what only the rules of a policy look at: single claims, and places that were not recorded."""
    found = run.evaluation
    if policy.critical_claims is not None:
        found = replace(found, claims=claims_by_case(run.batch))
    if policy.required_record:
        places = unrecorded_cases(run.batch, policy.required_record, found.header.manifest)
        found = replace(found, unrecorded=places)
    return found


def records_for(policy: Policy, file: Path | None, given: Sequence[Path]) -> tuple[CalibrationRecord, ...]:
    """The calibration records that a decision may rest on: those that the policy names, and those that were given.

    A folder that the policy names without there being one holds no record; a path that was given must exist.
    """
    if not any(is_judged(parse_metric(name).spec) for name in metrics_of(policy)):
        return ()
    beside = Path() if file is None else file.parent
    named = [beside / name for name in policy.trust.calibrations]
    return load_records([*(path for path in named if path.exists()), *given])


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
