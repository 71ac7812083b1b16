"""Everything that is wrong or doubtful in a policy, before a run is held to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

import numpy as np

from beleg.core.case import Case
from beleg.core.decision import CheckKind, CheckResult, CheckState, Sentence
from beleg.core.errors import ConfigError, Problem
from beleg.core.evaluation import Evaluation
from beleg.core.policy import Policy
from beleg.core.score import ScoreColumn
from beleg.gating.checks import carry_out
from beleg.gating.governance import lacking
from beleg.gating.plan import PlannedCheck, plan_checks
from beleg.gating.policy_diff import Direction, name_of, policy_changes
from beleg.gating.sentences import both, pick
from beleg.gating.synthetic import beside, perfect, synthetic_cases, synthetic_run
from beleg.gating.trust import is_judged
from beleg.metrics.catalogue import parse_metric

LEAKS = ("entitlement_leak", "forbidden_passages")
RELEVANCY = "answer_relevancy"
COMPLETENESS = "required_clauses"
LOW_CONFIDENCE = 0.9
LOW_MINIMUM_N = 20
LOW_COVERAGE = 0.9


class Level(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    """The policy cannot be carried out, or can never decide."""
    DOUBT = "doubt"
    """It can, and somebody should look at it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyFinding:
    """One thing that is wrong or doubtful."""

    level: Level
    field: str
    message: Sentence
    problem: Problem | None = None
    """The same as an error of the gate itself, with its place and remedy."""


def lint_policy(
    policy: Policy,
    *,
    today: date,
    cases: Sequence[Case] | None = None,
    run: Evaluation | None = None,
    against: Policy | None = None,
) -> tuple[PolicyFinding, ...]:
    """Everything that is wrong or doubtful, errors first.

    Args:
        policy: the policy.
        today: the day on which review dates are looked at.
        cases: the cases of a suite; left out: nothing is said about what can be proven on it.
        run: a scored run on these cases, which tells for how many of them each metric is due.
        against: an earlier state; every bar that is lower than there is named.
    """
    try:
        planned = plan_checks(policy, synthetic_cases(policy, 1) if cases is None else cases)
    except ConfigError as error:
        return tuple(as_error(problem) for problem in error.problems)
    found = [
        *_accountability(policy, today), *_leaks(policy), *_waivable(policy), *_settings(policy),
        *_judged(policy, planned),
    ]  # fmt: skip
    if cases is not None:
        found += _unprovable(policy, planned, cases, run)
    if against is not None:
        found += _lowered(against, policy)
    return tuple(sorted(found, key=lambda finding: finding.level is not Level.ERROR))


def as_error(problem: Problem) -> PolicyFinding:
    """A fault that the gate would refuse the policy for."""
    told = str(replace(problem, field=None, remedy=None))
    message = f"{told}. {problem.remedy}" if problem.remedy else told
    field = problem.field or "checks"
    return PolicyFinding(level=Level.ERROR, field=field, message=Sentence(en=message, de=message), problem=problem)


def _doubt(field: str, en: str, de: str) -> PolicyFinding:
    return PolicyFinding(level=Level.DOUBT, field=field, message=Sentence(en=en, de=de))


_LACKS = {
    "owner": ("nobody answers for it", "niemand ist dafür verantwortlich"),
    "rationale": ("nobody says why it is where it is", "es fehlt, warum sie dort liegt"),
    "review_by": ("no day is set on which it is looked at again", "es ist kein Prüftermin gesetzt"),
    "overdue": ("the day by which it was to be looked at again has passed", "der Prüftermin ist verstrichen"),
}


def _accountability(policy: Policy, today: date) -> Iterator[PolicyFinding]:
    for place, check in enumerate(policy.checks):
        for name in lacking(policy, check, today):
            field = f"checks[{place}].{'review_by' if name == 'overdue' else name}"
            yield _doubt(field, f"{name_of(check)}: {_LACKS[name][0]}", f"{name_of(check)}: {_LACKS[name][1]}")


def _leaks(policy: Policy) -> Iterator[PolicyFinding]:
    by_name = {parse_metric(check.metric).spec.name: (place, check) for place, check in enumerate(policy.checks)}
    if by_name.keys().isdisjoint(LEAKS):
        yield _doubt(
            "checks",
            "nothing looks for passages that the asker may not see; check entitlement_leak with zero_tolerance",
            "nichts sucht nach Passagen, die der Fragende nicht sehen darf; entitlement_leak mit zero_tolerance prüfen",
        )
    for name in LEAKS:
        place, check = by_name.get(name, (0, None))
        if check is None:
            continue
        if not check.zero_tolerance:
            yield _doubt(
                f"checks[{place}].zero_tolerance",
                f"{name} has a level to reach, so some leaks would be let through; not one may be: zero_tolerance",
                f"{name} hat eine Schwelle, ließe also manche Lecks durch; erlaubt ist keines: zero_tolerance",
            )
        elif check.where or check.having:
            yield _doubt(
                f"checks[{place}].where",
                f"{name} is looked for in a part of the suite only",
                f"{name} wird nur in einem Teil der Suite gesucht",
            )


def _waivable(policy: Policy) -> Iterator[PolicyFinding]:
    """What an owner may override that nobody should, or that is not checked at all."""
    checked = {str(parse_metric(check.metric)) for check in policy.checks}
    for place, name in enumerate(policy.release_terms.waivable):
        metric, field = name.partition("/")[0], f"release.waivable[{place}]"
        if metric.partition("@")[0].partition("(")[0] in LEAKS:
            yield _doubt(
                field,
                f"{name} is a leak; nobody may let one pass",
                f"{name} ist ein Leck; das darf niemand durchlassen",
            )
        elif metric not in checked:
            yield _doubt(
                field,
                f"no check of the policy is called {name}, so naming it here changes nothing",
                f"keine Prüfung der Policy heißt {name}; hier genannt ändert es nichts",
            )


def _settings(policy: Policy) -> Iterator[PolicyFinding]:
    if policy.confidence < LOW_CONFIDENCE:
        yield _doubt(
            "confidence",
            f"bounds of {policy.confidence:g} let a bad candidate through in one of {1 / policy.alpha:.0f} decisions",
            f"Schranken zu {policy.confidence:g} lassen in einer von {1 / policy.alpha:.0f} Entscheidungen einen "
            "schlechten Kandidaten durch",
        )
    if policy.minimum_n < LOW_MINIMUM_N:
        yield _doubt("minimum_n", f"{policy.minimum_n} cases prove next to nothing",
                     f"{policy.minimum_n} Fälle belegen so gut wie nichts")  # fmt: skip
    if policy.minimum_coverage < LOW_COVERAGE:
        yield _doubt(
            "minimum_coverage",
            "many cases may go without a score before anybody is told",
            "viele Fälle dürfen ohne Wert bleiben, bevor es jemand erfährt",
        )
    if all(check.margin is None and check.protected.margin is None for check in policy.checks):
        yield _doubt(
            "checks",
            "no check has a margin, so a candidate may be worse than what is released now",
            "keine Prüfung hat eine margin; ein Kandidat darf also schlechter sein als das, was heute freigegeben ist",
        )
    for place, check in enumerate(policy.checks):
        if parse_metric(check.metric).spec.name == RELEVANCY and not check.together_with:
            yield _doubt(
                f"checks[{place}].together_with",
                f"an answer can be relevant and incomplete; let it pass only together with {COMPLETENESS} or the like",
                f"eine Antwort kann passend und unvollständig sein; nur zusammen mit {COMPLETENESS} o. Ä. bestehen "
                "lassen",
            )


def _judged(policy: Policy, planned: Sequence[PlannedCheck]) -> Iterator[PolicyFinding]:
    if policy.evaluator_failures is None and any(is_judged(check.metric.spec) for check in planned):
        yield _doubt(
            "evaluator_failures",
            "metrics rest on a judge, and nothing limits how often the judge may fail",
            "Metriken beruhen auf einem Gutachtermodell, und nichts begrenzt, wie oft es ausfallen darf",
        )


def _lowered(old: Policy, new: Policy) -> Iterator[PolicyFinding]:
    for change in policy_changes(old, new):
        if change.direction is not Direction.STRICTER:
            yield PolicyFinding(level=Level.DOUBT, field=change.field, message=change.sentence)


def _unprovable(
    policy: Policy, planned: Sequence[PlannedCheck], cases: Sequence[Case], run: Evaluation | None
) -> Iterator[PolicyFinding]:
    """What even a perfect candidate could not prove on the suite, by the gate's own rules."""
    for check in planned:
        column = _perfect(check, cases, run)
        if not len(check.members):
            yield PolicyFinding(
                level=Level.ERROR,
                field=check.check_id,
                message=Sentence(
                    en=f"no case of the suite belongs to {check.segment}, so it can never pass",
                    de=f"kein Fall der Suite gehört zu {check.segment}; das kann nie bestehen",
                ),
            )
            continue
        name = str(check.metric)
        candidate = synthetic_run(cases, {name: column}, "candidate")
        baseline = synthetic_run(cases, {name: beside(column)}, "baseline")
        results = carry_out(check, policy, candidate, baseline)
        found = next(result for result in results if result.check_id == check.check_id)
        if found.state is not CheckState.PASS:
            yield PolicyFinding(level=Level.DOUBT, field=check.check_id, message=_too_few(check, found))


def _perfect(check: PlannedCheck, cases: Sequence[Case], run: Evaluation | None) -> ScoreColumn:
    """The best that could be seen: every case that is due has the best value."""
    column = perfect(check, len(cases))
    known = None if run is None else run.scores.get(str(check.metric))
    if run is None or known is None:
        return column
    by_case = run.by_case(str(check.metric))
    outside = ~by_case.scored & ~by_case.failed
    status = np.where(outside, by_case.status, np.uint8(0)).astype(np.uint8)
    return ScoreColumn(status=status, values=column.values[~outside])


def _too_few(check: PlannedCheck, found: CheckResult) -> Sentence:
    bounds = found.figure or found.difference
    groups = found.needed_unit == "groups"
    have = None if bounds is None else bounds.clusters if groups else bounds.n
    n = have if have is not None else (found.counts.scored if found.counts is not None else 0)

    def make(language: str) -> str:
        unit = pick(language, "groups", "Gruppen") if groups else pick(language, "cases", "Fällen")
        who = _who(check, language)
        if found.needed is None:
            return pick(
                language,
                f"{who} cannot pass this on the suite's {n} {unit}",
                f"{who} kann das auf den {n} {unit} der Suite nicht bestehen",
            )
        return pick(
            language,
            f"{who} cannot pass this on {n} {unit}; {found.needed} are needed",
            f"{who} kann das auf {n} {unit} nicht bestehen; nötig sind {found.needed}",
        )

    return both(make)


def _who(check: PlannedCheck, language: str) -> str:
    """Whom the figures were made up for: one that differs from the baseline here and there is held to another rule."""
    if check.kind is CheckKind.NO_REGRESSION:
        return pick(
            language,
            "a candidate that does everywhere as well as the baseline",
            "ein Kandidat, der überall so gut ist wie die Baseline,",
        )
    return pick(language, "even a perfect candidate", "auch ein fehlerloser Kandidat")
