"""Unsupported claims where they do most harm: a person's confirmation blocks, a machine's suspicion asks for a person.

One claim has no confidence interval, and a machine is wrong now and then. So its verdict alone never blocks, and a
suspicion that nobody looked at never passes either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from beleg.core.case import Case
from beleg.core.decision import CheckKind, CheckResult, CheckState, Counts, Sentence
from beleg.core.evaluation import Evaluation
from beleg.core.evidence import SupportVerdict
from beleg.core.findings import ClaimFinding, Support
from beleg.core.governance import ReviewedClaim
from beleg.core.policy import Aggregate, Policy, Thresholds
from beleg.core.policy_rules import CriticalClaims
from beleg.core.score import STATUS_ORDER, ScoreStatus
from beleg.gating.facts import Facts
from beleg.gating.plan import Labels, PlannedCheck, label_of
from beleg.gating.sentences import both, needed, pick
from beleg.metrics.catalogue import parse_metric
from beleg.text.numbers import number

JUDGED_BY = "faithfulness"
"""The metric whose judge names the suspicions."""
CHECK_ID = "critical_claims"
MAX_CASES = 10

UNSUPPORTED = frozenset({Support.CONTRADICTED, Support.NOT_IN_CONTEXT})


@dataclass(frozen=True, slots=True)
class _Case:
    """What is known of the claims of one critical case."""

    case_id: str
    confirmed: int
    """Claims that people called not supported."""
    suspected: int
    """Claims that a machine called so, that a rule flagged, or that people left open."""
    seen: bool
    """Whether every claim was looked at by somebody."""
    by_people: bool
    """Whether people looked at every claim."""


def critical_claims_plan(policy: Policy, cases: Sequence[Case]) -> PlannedCheck | None:
    """The check on critical claims as one that rests on a judge; ``None`` where the policy has no such rule."""
    rule = policy.critical_claims
    if rule is None:
        return None
    return PlannedCheck(
        check_id=CHECK_ID,
        kind=CheckKind.CRITICAL_CLAIMS,
        metric=parse_metric(JUDGED_BY),
        aggregate=Aggregate.MEAN,
        thresholds=Thresholds(),
        members=Labels.of(cases).members(rule.where),
        segment=label_of(rule.where, ()),
        protected=False,
        minimum_n=rule.minimum_n or policy.minimum_n,
        owner=rule.owner or policy.owner,
    )


def critical_claims_check(rule: CriticalClaims, check: PlannedCheck, run: Evaluation, facts: Facts) -> CheckResult:
    """FAIL for a confirmed unsupported claim, INCONCLUSIVE for a suspicion, NOT_EVALUATED where nobody looked.

    Args:
        rule: what the policy says.
        check: the planned check.
        run: the candidate's run with the claims that machines found.
        facts: with what people decided.
    """
    places = check.members.tolist()
    column = run.by_case(JUDGED_BY)
    statuses = [STATUS_ORDER[column.status[place]] for place in places]
    known = [
        (_case(run.cases[place].case_id, status, run, facts, rule), status)
        for place, status in zip(places, statuses, strict=True)
    ]
    # What was found in an answer counts even where the judge's question did not arise.
    asked = [
        case for case, status in known if status is not ScoreStatus.NOT_APPLICABLE or case.confirmed or case.suspected
    ]
    state, shown = _state(asked, check.minimum_n)
    told = _told(check, asked, state)
    more = check.minimum_n if state is CheckState.INCONCLUSIVE and not any(case.suspected for case in asked) else None
    return CheckResult(
        check_id=CHECK_ID,
        kind=CheckKind.CRITICAL_CLAIMS,
        state=state,
        reason=needed(told, more, "cases"),
        metric=JUDGED_BY,
        segment=check.segment,
        protected=True,
        events=sum(case.confirmed for case in asked) if asked else None,
        counts=Counts(
            expected=len(places),
            scored=sum(case.seen for case in asked),
            reasons=_reasons(len(places) - len(asked), len(asked) - sum(case.seen for case in asked)),
        ),
        needed=more,
        needed_unit=None if more is None else "cases",
        worst_cases=tuple(case.case_id for case in shown)[:MAX_CASES],
        owner=check.owner,
        remedy=_remedy(state, shown, more, len(asked)),
    )


def rests_on_people(check: PlannedCheck, run: Evaluation, facts: Facts) -> bool:
    """Whether people looked at every claim of every critical case, so that no judge has to be believed."""
    ids = [run.cases[place].case_id for place in check.members.tolist()]
    reviews = facts.reviews or {}
    return bool(ids) and all(case_id in reviews and all(map(_is_decided, reviews[case_id])) for case_id in ids)


def _case(case_id: str, status: ScoreStatus, run: Evaluation, facts: Facts, rule: CriticalClaims) -> _Case:
    reviewed = (facts.reviews or {}).get(case_id, ())
    machine = run.claims.get(case_id, ())
    confirmed = sum(claim.verdict is SupportVerdict.NOT_SUPPORTED for claim in reviewed)
    by_people = bool(reviewed) and all(map(_is_decided, reviewed))
    suspects = [claim for claim in machine if _is_suspect(claim)]
    if rule.flagged == "block":
        confirmed += sum(bool(claim.flags) and not _is_cleared(claim, reviewed) for claim in machine)
    left = 0 if by_people else sum(not _is_cleared(claim, reviewed) for claim in suspects)
    unsettled = sum(claim.is_disputed or claim.is_stale or _is_open(claim) for claim in reviewed)
    # Of a case that a judge answered for, ``claims`` may lack findings that are stale; then nobody looked.
    judged = status is ScoreStatus.NO_CLAIMS or (status is ScoreStatus.SCORED and bool(machine))
    return _Case(case_id, confirmed, left + unsettled, judged or by_people, by_people)


def _is_suspect(claim: ClaimFinding) -> bool:
    return claim.support in UNSUPPORTED or bool(claim.flags)


def _is_open(claim: ReviewedClaim) -> bool:
    return claim.verdict is SupportVerdict.NOT_ASSESSABLE


def _is_decided(claim: ReviewedClaim) -> bool:
    return claim.verdict is not None and not claim.is_stale and not claim.is_disputed


def _is_cleared(claim: ClaimFinding, reviewed: Sequence[ReviewedClaim]) -> bool:
    """Whether people looked at the claim with these very words, on this very evidence."""
    return any(_is_decided(other) and claim.claim in other.wording for other in reviewed)


def _state(asked: Sequence[_Case], minimum_n: int) -> tuple[CheckState, list[_Case]]:
    confirmed = [case for case in asked if case.confirmed]
    if confirmed:
        return CheckState.FAIL, confirmed
    unseen = [case for case in asked if not case.seen]
    if unseen or not asked:
        return CheckState.NOT_EVALUATED, unseen
    suspected = [case for case in asked if case.suspected]
    if suspected or len(asked) < minimum_n:
        return CheckState.INCONCLUSIVE, suspected
    return CheckState.PASS, []


def _reasons(outside: int, unseen: int) -> dict[ScoreStatus, int]:
    found = {ScoreStatus.NOT_APPLICABLE: outside, ScoreStatus.MISSING: unseen}
    return {status: count for status, count in found.items() if count}


def _told(check: PlannedCheck, asked: Sequence[_Case], state: CheckState) -> Sentence:
    counts = {
        "confirmed": sum(case.confirmed for case in asked),
        "in": sum(bool(case.confirmed) for case in asked),
        "suspected": sum(case.suspected for case in asked),
        "at": sum(bool(case.suspected) for case in asked),
        "unseen": sum(not case.seen for case in asked),
        "all": len(asked),
    }

    def make(language: str) -> str:
        n = {name: number(count, language, decimals=0) for name, count in counts.items()}
        head = pick(language, f"Critical claims, {check.segment}: ", f"Kritische Behauptungen, {check.segment}: ")
        if state is CheckState.FAIL:
            return head + pick(
                language,
                f"{n['confirmed']} confirmed as not supported, in {n['in']} of {n['all']} cases; not one is allowed",
                f"{n['confirmed']} als nicht gestützt bestätigt, in {n['in']} von {n['all']} Fällen; erlaubt ist keine",
            )
        if not counts["all"]:
            return head + pick(language, "no case is critical", "kein Fall ist kritisch")
        if state is CheckState.NOT_EVALUATED:
            return head + pick(
                language,
                f"nobody looked at {n['unseen']} of {n['all']} cases",
                f"{n['unseen']} von {n['all']} Fällen hat niemand angesehen",
            )
        if counts["suspected"]:
            return head + pick(
                language,
                f"{n['suspected']} suspected in {n['at']} of {n['all']} cases, and no person has settled them",
                f"{n['suspected']} unter Verdacht in {n['at']} von {n['all']} Fällen, und kein Mensch hat sie geklärt",
            )
        return head + pick(language, f"none in {n['all']} cases", f"keine in {n['all']} Fällen")

    return both(make)


def _remedy(state: CheckState, shown: Sequence[_Case], more: int | None, asked: int) -> Sentence | None:
    if state is CheckState.PASS:
        return None
    n = len(shown)
    if state is CheckState.FAIL:
        return Sentence(
            en=f"only answers without these claims change it; {n} {'case' if n == 1 else 'cases'} to mend",
            de=f"nur Antworten ohne diese Behauptungen ändern das; {n} {'Fall ist' if n == 1 else 'Fälle sind'} "
            "zu beheben",
        )
    if more is not None:
        return Sentence(en=f"{more - asked} more critical cases", de=f"{more - asked} weitere kritische Fälle")
    if not n:
        return Sentence(
            en="give cases the labels that make them critical",
            de="den Fällen die Labels geben, die sie kritisch machen",
        )
    if state is CheckState.NOT_EVALUATED:
        return Sentence(
            en=f"have {n} {'case' if n == 1 else 'cases'} judged (beleg judge run) or reviewed by people (--reviews)",
            de=f"{n} {'Fall' if n == 1 else 'Fälle'} beurteilen lassen (beleg judge run) oder von Menschen prüfen "
            "lassen (--reviews)",
        )
    return Sentence(
        en=f"have the suspected claims of {n} {'case' if n == 1 else 'cases'} reviewed, and give the verdicts with "
        "--reviews",
        de=f"die verdächtigen Behauptungen von {n} {'Fall' if n == 1 else 'Fällen'} prüfen lassen und die Urteile mit "
        "--reviews angeben",
    )
