"""From two scored runs and a policy to a decision (rules 2 and 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from beleg.core.calibration import CalibrationRecord, JudgedMetric
from beleg.core.decision import (
    CheckKind,
    CheckResult,
    CheckState,
    Decision,
    Dimension,
    MetricComparability,
    RunReference,
    Sentence,
    reduce_states,
    verdict_of,
)
from beleg.core.errors import ConfigError, EvidenceError, Problem
from beleg.core.evaluation import Evaluation
from beleg.core.policy import Policy
from beleg.core.sequential import SequentialRecord
from beleg.gating.bindings import closed, hold_together
from beleg.gating.checks import NO_BASELINE, carry_out
from beleg.gating.comparability import comparability_check, compare_runs, is_same_run, same_run_check
from beleg.gating.completeness import completeness_check
from beleg.gating.critical_claims import JUDGED_BY, critical_claims_check, critical_claims_plan, rests_on_people
from beleg.gating.evaluators import FAILED_ATTEMPT, evaluator_checks
from beleg.gating.explain import explained, headline
from beleg.gating.facts import NO_FACTS, Facts
from beleg.gating.family import hold_to_family
from beleg.gating.governance import first_seen, governance_checks
from beleg.gating.metric_comparability import comparability_of, metrics_checks, withheld_from
from beleg.gating.plan import PlannedCheck, plan_checks
from beleg.gating.remedies import Losses, with_remedy
from beleg.gating.sequential import CarryOut, Settlement, decide_by_looks, is_judged_by_calls
from beleg.gating.trust import Believed, Records, believe, held_to_trust, with_noise
from beleg.metrics.catalogue import parse_metric

NOT_COMPARABLE = Sentence(
    en="the baseline cannot be compared with the candidate", de="die Baseline ist mit dem Kandidaten nicht vergleichbar"
)


def metrics_of(policy: Policy) -> list[str]:
    """The metrics that a policy needs, as printed names."""
    named = [check.metric for check in policy.checks]
    named += [JUDGED_BY] if policy.critical_claims is not None else []
    named += [FAILED_ATTEMPT] if policy.evaluator_failures is not None else []
    return list(dict.fromkeys(named))


def metrics_needed(policy: Policy) -> list[str]:
    """What is scored for a decision: the metrics of the policy, and what its looks are taken by."""
    by_looks = [FAILED_ATTEMPT] if policy.sequential is not None else []
    return list(dict.fromkeys([*metrics_of(policy), *by_looks]))


def decide(  # noqa: PLR0913 - everything that a decision may rest on
    policy: Policy,
    candidate: Evaluation,
    baseline: Evaluation | None,
    *,
    decided_at: datetime,
    beleg_version: str,
    calibrations: Sequence[CalibrationRecord] = (),
    facts: Facts = NO_FACTS,
) -> Decision:
    """Carries out every check of a policy and reduces the states to one verdict.

    Args:
        policy: what must hold.
        candidate: the scored run of the candidate.
        baseline: the scored run of what is released now, on the same suite.
        decided_at: the time of the decision.
        beleg_version: the version that decides.
        calibrations: what is known of the judges behind judged metrics.
        facts: what people reviewed, what went wrong before, and when the policy was registered.

    Raises:
        ConfigError: if the policy cannot be carried out on this suite.
        EvidenceError: if the candidate's run holds no case.
    """
    if not candidate.cases:
        raise EvidenceError("the candidate's run holds no case", hint="An empty suite can prove nothing; add cases")
    found = _carry_out(_Given(policy, candidate, baseline, Records(tuple(calibrations), decided_at), facts))
    checks = found.checks
    verdict = verdict_of(reduce_states([check.state for check in checks]))
    return Decision(
        verdict=verdict,
        headline=headline(verdict, checks, candidate),
        policy_name=policy.policy,
        policy_version=policy.version,
        policy_digest=policy.digest,
        suite_name=candidate.header.suite_name,
        suite_version=candidate.header.suite_version,
        suite_digest=candidate.header.suite_digest,
        candidate=run_reference(candidate),
        baseline=run_reference(baseline) if baseline else None,
        checks=checks,
        comparison=found.comparison,
        comparability=found.comparability or None,
        confidence=policy.confidence,
        seed=policy.seed,
        resamples=policy.resamples,
        holm=any(check.p_inferior_adjusted is not None for check in checks),
        beleg_version=beleg_version,
        metric_versions={name: candidate.metric_versions.get(name, "unknown") for name in metrics_of(policy)},
        judges=found.judges or None,
        sequential=found.sequential,
        policy_first_seen=first_seen(policy, facts.registrations or ()),
        reviews_digest=facts.reviews_digest,
        facts_digest=facts.digest,
        decided_at=decided_at,
    )


def _compared(
    policy: Policy, candidate: Evaluation, baseline: Evaluation | None
) -> tuple[tuple[Dimension, ...], tuple[MetricComparability, ...]]:
    """What is the same in both runs, and what follows from that for each metric; nothing without a baseline."""
    if baseline is None:
        return (), ()
    dimensions = compare_runs(candidate, baseline, policy_digest=policy.digest)
    return dimensions, comparability_of(metrics_of(policy), (candidate, baseline), dimensions, policy)


def _by_looks(
    policy: Policy,
    planned: Sequence[PlannedCheck],
    runs: tuple[Evaluation, Evaluation | None],
    believed: Mapping[str, Believed],
    carry: CarryOut,
    claims: PlannedCheck | None,
) -> Settlement | None:
    """The looks of a sequential policy; ``None`` where it judges all cases at once, or needs no judge at all."""
    if policy.sequential is None or not any(is_judged_by_calls(check) for check in planned):
        return None
    return decide_by_looks(policy, planned, runs, believed, carry, claims)


@dataclass(frozen=True, slots=True)
class _Given:
    """What a decision rests on."""

    policy: Policy
    candidate: Evaluation
    baseline: Evaluation | None
    records: Records
    facts: Facts


@dataclass(frozen=True, slots=True)
class _Found:
    """What became of every check, and what was learnt on the way."""

    checks: tuple[CheckResult, ...]
    comparison: tuple[Dimension, ...]
    judges: tuple[JudgedMetric, ...]
    sequential: SequentialRecord | None
    comparability: tuple[MetricComparability, ...]


def _carry_out(given: _Given) -> _Found:
    policy, candidate, baseline, facts = given.policy, given.candidate, given.baseline, given.facts
    planned = plan_checks(policy, candidate.cases)
    claims = critical_claims_plan(policy, candidate.cases)
    by_judge = claims is not None and not rests_on_people(claims, candidate, facts)
    resting = [*planned, claims] if claims is not None and by_judge else planned
    _require_scores(policy, candidate)
    dimensions, statuses = _compared(policy, candidate, baseline)
    meta = _meta_checks(policy, candidate, baseline, _comparability(candidate, baseline, dimensions))
    comparable = baseline is not None and all(check.state is not CheckState.ERROR for check in meta)
    aligned = aligned_to(candidate, baseline) if baseline is not None and comparable else None
    believed = believe(policy, resting, (candidate, aligned), given.records)
    why_not = NO_BASELINE if baseline is None else NOT_COMPARABLE
    noisy = [with_noise(check, believed) for check in planned]

    def carry(checks: Sequence[tuple[PlannedCheck, Policy]]) -> list[CheckResult]:
        carried = _results(policy, checks, (candidate, aligned), why_not, withheld_from(statuses))
        return [held_to_trust(result, believed) for result in carried]

    looked = _by_looks(policy, noisy, (candidate, aligned), believed, carry, claims if by_judge else None)
    results = carry([(check, policy) for check in noisy]) if looked is None else list(looked.results)
    results = [explained(result, candidate) for result in hold_together(planned, results)]
    judged = [check for found in believed.values() for check in found.checks()]
    rules = [
        held_to_trust(found, believed) if by_judge and found.state is CheckState.PASS else found
        for found in _rule_checks(policy, claims, candidate, facts)
    ]
    around = [
        *([] if looked is None else [looked.check]),
        *(metrics_checks(statuses, planned) if comparable else []),
        *evaluator_checks(policy, planned, candidate),
        *governance_checks(policy, candidate, facts, decided_at=given.records.decided_at),
    ]
    losses = Losses.of(candidate)
    checks = [with_remedy(check, losses) for check in (*results, *rules, *judged, *around, *meta)]
    return _Found(
        checks=tuple(closed(check, policy) for check in checks),
        comparison=dimensions,
        judges=tuple(found.told for found in believed.values()),
        sequential=None if looked is None else looked.record,
        comparability=statuses,
    )


def _rule_checks(policy: Policy, claims: PlannedCheck | None, candidate: Evaluation, facts: Facts) -> list[CheckResult]:
    """The check on critical claims, where the policy has one."""
    if claims is None or policy.critical_claims is None:
        return []
    return [critical_claims_check(policy.critical_claims, claims, candidate, facts)]


def _results(
    policy: Policy,
    checks: Sequence[tuple[PlannedCheck, Policy]],
    runs: tuple[Evaluation, Evaluation | None],
    why_not: Sentence,
    withheld: Mapping[str, Sentence],
) -> list[CheckResult]:
    """The results of checks; a metric in ``withheld`` is not compared with the baseline, for the reason given."""
    carried_out: list[CheckResult] = []
    for check, by in checks:
        apart = withheld.get(str(check.metric)) if runs[1] is not None else None
        old = runs[1] if apart is None else None
        carried_out += carry_out(check, by, runs[0], old, without_baseline=apart or why_not)
    return _once(hold_to_family(carried_out, policy))


def run_reference(evaluation: Evaluation) -> RunReference:
    """A run as a decision names it."""
    header = evaluation.header
    return RunReference(
        run_id=header.run_id,
        name=header.manifest.name,
        manifest_digest=header.manifest_digest,
        traces_digest=evaluation.traces_digest,
        inventory_digest=evaluation.inventory_digest,
        findings_digest=evaluation.findings_digest,
        unresolved=header.manifest.unresolved(),
        waterfall=evaluation.waterfall,
        waterfall_cases=evaluation.waterfall_cases,
    )


def _once(results: Sequence[CheckResult]) -> list[CheckResult]:
    """Drops repeats of one coverage check that several checks of a metric brought along."""
    return list({result.check_id: result for result in results}.values())


def _require_scores(policy: Policy, candidate: Evaluation) -> None:
    for name in map(str, map(parse_metric, metrics_of(policy))):
        if name not in candidate.scores:
            raise ConfigError(
                Problem(
                    message="the run was not scored with this metric",
                    field="metric",
                    value=name,
                    remedy="Score the run with every metric of the policy",
                )
            )


def aligned_to(candidate: Evaluation, baseline: Evaluation) -> Evaluation:
    """The baseline restricted to the candidate's cases, in the candidate's order."""
    wanted = [case.case_id for case in candidate.cases]
    if wanted == [case.case_id for case in baseline.cases]:
        return baseline
    position = {case.case_id: place for place, case in enumerate(baseline.cases)}
    picked = np.array([position[name] for name in wanted], dtype=np.intp)
    # Every case has as many rows as any other; repeat after repeat, as a scored run has them.
    repeats = len(baseline.row_case) // len(baseline.cases)
    by_case = np.argsort(baseline.row_case, kind="stable").reshape(len(baseline.cases), repeats)
    rows = by_case[picked].T.ravel()
    return replace(
        baseline,
        cases=tuple(baseline.cases[place] for place in picked),
        row_case=np.tile(np.arange(len(picked), dtype=np.intp), repeats),
        scores={name: column.take(rows) for name, column in baseline.scores.items()},
        human={},
    )


def _comparability(
    candidate: Evaluation, baseline: Evaluation | None, dimensions: tuple[Dimension, ...]
) -> CheckResult | None:
    if baseline is None:
        return None
    return same_run_check() if is_same_run(candidate, baseline) else comparability_check(dimensions)


def _meta_checks(
    policy: Policy, candidate: Evaluation, baseline: Evaluation | None, comparability: CheckResult | None
) -> list[CheckResult]:
    checks = []
    if comparability is not None:
        checks.append(comparability)
    elif policy.require_baseline:
        checks.append(
            CheckResult(
                check_id="baseline",
                kind=CheckKind.COMPARABILITY,
                state=CheckState.NOT_EVALUATED,
                reason=Sentence(
                    en="No baseline was given, and the policy requires one",
                    de="Es wurde keine Baseline angegeben, die Policy verlangt aber eine",
                ),
            )
        )
    part = completeness_check(policy, candidate)
    if part is not None:
        checks.append(part)
    checks.append(_reproducibility(policy, candidate, baseline))
    return checks


def _reproducibility(policy: Policy, candidate: Evaluation, baseline: Evaluation | None) -> CheckResult:
    open_fields = {
        evaluation.header.manifest.name: evaluation.header.manifest.unresolved()
        for evaluation in (candidate, baseline)
        if evaluation is not None and evaluation.header.manifest.unresolved()
    }
    if not open_fields:
        reason = Sentence(en="Every manifest field is resolved", de="Alle Felder der Manifeste sind aufgelöst")
        return CheckResult(
            check_id="reproducibility", kind=CheckKind.REPRODUCIBILITY, state=CheckState.PASS, reason=reason
        )
    listed = "; ".join(f"{name}: {', '.join(fields)}" for name, fields in open_fields.items())
    required = policy.require_reproducible
    reason = Sentence(
        en=f"Not reproducible: unresolved manifest fields ({listed})"
        + ("" if required else "; the policy does not require it"),
        de=f"Nicht reproduzierbar: offene Felder im Manifest ({listed})"
        + ("" if required else "; die Policy verlangt es nicht"),
    )
    state = CheckState.NOT_EVALUATED if required else CheckState.PASS
    return CheckResult(check_id="reproducibility", kind=CheckKind.REPRODUCIBILITY, state=state, reason=reason)
