"""Deciding on a candidate, and the figures by segment that a report shows beside the decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from beleg.app.calibration_records import load_records
from beleg.app.calibration_subjects import with_standings
from beleg.app.human_labels import with_labels
from beleg.app.places import placed
from beleg.app.policy_files import PolicySource, load_policy
from beleg.app.release_facts import read_facts
from beleg.app.scoring import ScoredRun, default_metrics, score_run
from beleg.core.calibration import CalibrationRecord
from beleg.core.decision import Decision
from beleg.core.errors import ConfigError
from beleg.core.evaluation import Evaluation
from beleg.core.policy import Policy
from beleg.gating.decide import decide, metrics_needed, metrics_of
from beleg.gating.facts import NO_FACTS, Facts
from beleg.gating.plan import plan_checks
from beleg.gating.record import unrecorded_cases
from beleg.gating.trust import is_judged
from beleg.metrics.catalogue import parse_metric
from beleg.metrics.generation.claims import claims_by_case
from beleg.run.folder import RunFolder, make_folder, write_model


@dataclass(frozen=True, slots=True, kw_only=True)
class GateOutcome:
    """A decision with the scored runs that it rests on."""

    decision: Decision
    policy: Policy
    candidate: ScoredRun
    baseline: ScoredRun | None
    facts: Facts = NO_FACTS
    """What it rests on beside the runs."""
    calibrations: tuple[CalibrationRecord, ...] = ()
    """What was known of the judges."""
    reviews: Path | None = None
    """The file of review events that was given, for what people decided about single claims."""

    def warnings(self) -> tuple[str, ...]:
        """What a person should know before believing the decision."""
        return (*self.candidate.warnings(), *(self.baseline.warnings() if self.baseline else ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class GateInputs:
    """Everything that a decision rests on."""

    candidate: Path
    """The folder of the candidate's run."""
    baseline: Path | None = None
    """The folder of the run of what is released now."""
    policy: Policy
    calibrations: tuple[CalibrationRecord, ...] = ()
    """What is known of the judges behind judged metrics."""
    labels: Path | None = None
    """Scores that people gave to a random sample of the cases that the candidate's run holds."""
    facts: Facts = NO_FACTS
    """What is known around the decision: reviews, incidents, registered policies, what was decided before."""
    metrics: tuple[str, ...]
    """What is scored: the metrics of the policy, and any others that are to be shown beside the decision."""


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
    wanted = [*metrics_needed(policy), *default_metrics(candidate, *([baseline] if baseline is not None else []))]
    _require_possible(policy, policy_source, candidate)
    file = policy_source if isinstance(policy_source, Path) else None
    beside = Path() if file is None else file.parent
    inputs = GateInputs(
        candidate=candidate,
        baseline=baseline,
        policy=policy,
        calibrations=records_for(policy, file, calibrations),
        labels=labels,
        facts=read_facts(policy, beside, candidate, reviews=reviews, registered=registered),
        metrics=tuple(wanted),
    )
    outcome = decide_on(inputs, decided_at=decided_at or datetime.now(UTC), beleg_version=version("beleg"))
    return replace(outcome, reviews=reviews)


def decide_on(inputs: GateInputs, *, decided_at: datetime, beleg_version: str) -> GateOutcome:
    """Scores both runs from their traces and decides.

    Raises:
        ConfigError: if the policy cannot be carried out on the suite.
        EvidenceError: if a run is damaged or empty.
        DataError: if the labels cannot be used.
    """
    new = _candidate(inputs)
    old = _baseline(inputs, new.evaluation)
    decision = _decision(inputs, (new.evaluation, old.evaluation if old else None), decided_at, beleg_version)
    return GateOutcome(
        decision=decision,
        policy=inputs.policy,
        candidate=new,
        baseline=old,
        facts=inputs.facts,
        calibrations=inputs.calibrations,
    )


def as_of(outcome: GateOutcome, at: datetime) -> Decision:
    """The decision that the same rows, facts and policy give at another time, without scoring them again.

    A calibration grows old, and so does an incident in the error budget: what passed once need not pass today.
    """
    baseline = outcome.baseline.evaluation if outcome.baseline else None
    return decide(
        outcome.policy,
        _what_the_policy_needs(outcome.policy, outcome.candidate.evaluation),
        _what_the_policy_needs(outcome.policy, baseline) if baseline else None,
        decided_at=at,
        beleg_version=outcome.decision.beleg_version,
        calibrations=outcome.calibrations,
        facts=outcome.facts,
    )


def decide_again(inputs: GateInputs, *, decided_at: datetime, beleg_version: str) -> Decision:
    """As `decide_on` and as of the time of a stored decision, without keeping the rows of a run once it is scored.

    Raises:
        ConfigError: if the policy cannot be carried out on the suite.
        EvidenceError: if a run is damaged or empty.
        DataError: if the labels cannot be used.
    """
    new = _candidate(inputs).evaluation
    old = _baseline(inputs, new)
    return _decision(inputs, (new, old.evaluation if old else None), decided_at, beleg_version)


def _candidate(inputs: GateInputs) -> ScoredRun:
    scored = with_standings(score_run(inputs.candidate, inputs.metrics))
    scored = replace(scored, evaluation=with_what_rules_need(inputs.policy, scored))
    if inputs.labels is None:
        return scored
    return replace(scored, evaluation=with_labels(scored.evaluation, inputs.labels))


def _baseline(inputs: GateInputs, candidate: Evaluation) -> ScoredRun | None:
    if inputs.baseline is None:
        return None
    return with_standings(score_run(inputs.baseline, inputs.metrics, only=frozenset(candidate.header.case_ids)))


def _decision(
    inputs: GateInputs, runs: tuple[Evaluation, Evaluation | None], decided_at: datetime, beleg_version: str
) -> Decision:
    candidate, baseline = runs
    return decide(
        inputs.policy,
        _what_the_policy_needs(inputs.policy, candidate),
        _what_the_policy_needs(inputs.policy, baseline) if baseline else None,
        decided_at=decided_at,
        beleg_version=beleg_version,
        calibrations=inputs.calibrations,
        facts=inputs.facts,
    )


def _what_the_policy_needs(policy: Policy, evaluation: Evaluation) -> Evaluation:
    """The scored run without metrics that are only shown: a decision must not depend on what else was looked at."""
    needed = {str(parse_metric(name)) for name in metrics_needed(policy)}
    return replace(
        evaluation,
        scores={name: column for name, column in evaluation.scores.items() if name in needed},
        metric_versions={name: known for name, known in evaluation.metric_versions.items() if name in needed},
        judges={name: standing for name, standing in evaluation.judges.items() if name in needed},
    )


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
