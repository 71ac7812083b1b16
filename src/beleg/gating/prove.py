"""Whether a policy can block at all: each of its checks is shown a collapse, missing evidence, and a perfect run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from beleg.core.case import Case
from beleg.core.decision import CheckKind, CheckResult, CheckState
from beleg.core.evaluation import Evaluation
from beleg.core.evidence import SupportVerdict
from beleg.core.governance import Incident, IncidentKind, PolicyRegistration, ReviewedClaim
from beleg.core.policy import Policy
from beleg.core.score import ScoreStatus
from beleg.gating.bindings import closed
from beleg.gating.checks import carry_out
from beleg.gating.critical_claims import JUDGED_BY, critical_claims_check, critical_claims_plan
from beleg.gating.evaluators import FAILED_ATTEMPT, evaluator_checks
from beleg.gating.facts import NO_FACTS, Facts
from beleg.gating.governance import error_budget_check, registration_check, review_dates_check
from beleg.gating.plan import PlannedCheck, plan_checks
from beleg.gating.record import record_check
from beleg.gating.synthetic import (
    bad_level,
    beside,
    filled,
    perfect,
    synthetic_cases,
    synthetic_run,
    with_level,
    without_scores,
)

_NOW = datetime(2000, 1, 2, tzinfo=UTC)
_FAR_OFF = date(9999, 12, 31)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """How one check ends on what it must not let through."""

    check_id: str
    kind: CheckKind
    collapse: CheckState
    """Where what it guards has collapsed, and all else is perfect."""
    unseen: CheckState
    """Where there is no evidence at all."""
    healthy: CheckState
    """Where everything is perfect."""

    @property
    def blocks(self) -> bool:
        """Whether a collapse is a BLOCK."""
        return self.collapse is CheckState.FAIL

    @property
    def is_guarding(self) -> bool:
        """Whether neither a collapse nor missing evidence passes, and a perfect run does.

        A check of the policy or of its surroundings says nothing about the candidate; it asks for a person instead.
        """
        about_candidate = self.kind in (
            CheckKind.BAND, CheckKind.NO_REGRESSION, CheckKind.ZERO_TOLERANCE, CheckKind.CRITICAL_CLAIMS,
        )  # fmt: skip
        held = self.blocks if about_candidate else self.collapse is not CheckState.PASS
        return held and self.unseen is not CheckState.PASS and self.healthy is CheckState.PASS


def prove(policy: Policy, cases: Sequence[Case] | None = None) -> tuple[Proof, ...]:
    """Shows every check of a policy a collapse, missing evidence and a perfect run.

    Judges are taken as believed here, since a judge that is not leaves every check open.

    Args:
        policy: the policy.
        cases: the cases of a suite; left out: made-up ones, of which every part holds enough.

    Raises:
        ConfigError: if the policy cannot be carried out.
    """
    chosen = tuple(cases) if cases is not None else synthetic_cases(policy)
    planned = plan_checks(policy, chosen)
    return tuple(_proof(check, policy, chosen) for check in planned) + tuple(_rules(policy, planned, chosen))


def _proof(check: PlannedCheck, policy: Policy, cases: Sequence[Case]) -> Proof:
    name, n = str(check.metric), len(cases)
    best = perfect(check, n)
    hit = check.members[:1] if check.kind is CheckKind.ZERO_TOLERANCE else check.members
    level = 1.0 if check.kind is CheckKind.ZERO_TOLERANCE else bad_level(check)
    columns = (with_level(best, hit, level), without_scores(n, ScoreStatus.MISSING), best)
    baseline = synthetic_run(cases, {name: beside(best)}, "baseline")
    states = [_state(check, policy, synthetic_run(cases, {name: column}, "candidate"), baseline) for column in columns]
    return Proof(check_id=check.check_id, kind=check.kind, collapse=states[0], unseen=states[1], healthy=states[2])


def _state(check: PlannedCheck, policy: Policy, candidate: Evaluation, baseline: Evaluation) -> CheckState:
    results = carry_out(check, policy, candidate, baseline)
    found = next(result for result in results if result.check_id == check.check_id)
    return closed(found, policy).state


def _rules(policy: Policy, planned: Sequence[PlannedCheck], cases: Sequence[Case]) -> Iterator[Proof]:
    yield from _claims(policy, cases)
    yield from _evaluators(policy, planned, cases)
    run = synthetic_run(cases, {}, "candidate")
    yield from _one(policy, _budget(policy))
    yield from _one(policy, [review_dates_check(policy, day) for day in (_FAR_OFF, _FAR_OFF, _day_before(policy))])
    yield from _one(policy, _registrations(policy, run.header.created_at))
    if policy.required_record:
        every = {place: tuple(case.case_id for case in cases) for place in policy.required_record}
        bare = replace(run, unrecorded=every)
        yield from _one(policy, [record_check(policy, each) for each in (bare, bare, run)])


def _one(policy: Policy, results: Sequence[CheckResult | None]) -> Iterator[Proof]:
    found = [closed(result, policy) for result in results if result is not None]
    if len(found) == len(results):
        first, second, third = found
        yield Proof(check_id=first.check_id, kind=first.kind, collapse=first.state, unseen=second.state,
                    healthy=third.state)  # fmt: skip


def _claims(policy: Policy, cases: Sequence[Case]) -> Iterator[Proof]:
    rule, check = policy.critical_claims, critical_claims_plan(policy, cases)
    if rule is None or check is None:
        return
    ids = [cases[place].case_id for place in check.members.tolist()]
    run = synthetic_run(cases, {JUDGED_BY: without_scores(len(cases), ScoreStatus.MISSING)}, "candidate")
    right: dict[str, tuple[ReviewedClaim, ...]] = {
        case_id: (_reviewed(case_id, SupportVerdict.SUPPORTED),) for case_id in ids
    }
    wrong = {**right, **{case_id: (_reviewed(case_id, SupportVerdict.NOT_SUPPORTED),) for case_id in ids[:1]}}
    given = (Facts(reviews=wrong), NO_FACTS, Facts(reviews=right))
    yield from _one(policy, [critical_claims_check(rule, check, run, facts) for facts in given])


def _reviewed(case_id: str, verdict: SupportVerdict) -> ReviewedClaim:
    return ReviewedClaim(case_id=case_id, claim_id=f"{case_id}-1", wording=("yes",), verdict=verdict)


def _evaluators(policy: Policy, planned: Sequence[PlannedCheck], cases: Sequence[Case]) -> Iterator[Proof]:
    n = len(cases)
    columns = (without_scores(n, ScoreStatus.JUDGE_ERROR), without_scores(n, ScoreStatus.MISSING), filled(n, 1.0))
    names = dict.fromkeys(str(check.metric) for check in planned)
    runs = [
        synthetic_run(cases, {**dict.fromkeys(names, column), FAILED_ATTEMPT: filled(n, 0.0)}, "candidate")
        for column in columns
    ]
    for results in zip(*(evaluator_checks(policy, planned, run) for run in runs), strict=True):
        yield from _one(policy, results)


def _budget(policy: Policy) -> list[CheckResult | None]:
    budget = policy.error_budget
    if budget is None:
        return [None]
    broken = Incident(at=_NOW, kind=IncidentKind.INCIDENT, note="synthetic", weight=budget.allowed + 1.0)
    given = (Facts(incidents=(broken,)), NO_FACTS, Facts(incidents=()))
    return [error_budget_check(policy, facts, _NOW) for facts in given]


def _registrations(policy: Policy, began: datetime) -> list[CheckResult | None]:
    if not policy.require_registration:
        return [None]
    entries = [
        PolicyRegistration(policy=policy.policy, version=policy.version, digest=policy.digest, at=at)
        for at in (began + timedelta(days=1), began - timedelta(days=1))
    ]
    given = (Facts(registrations=(entries[0],)), NO_FACTS, Facts(registrations=(entries[1],)))
    return [registration_check(policy, began, facts) for facts in given]


def _day_before(policy: Policy) -> date:
    """A day on which no review date has passed."""
    dates = [each.review_by for each in (policy, *policy.checks) if each.review_by is not None]
    return min(dates, default=date(1, 1, 2)) - timedelta(days=1)
