"""Carrying out single checks. PASS is proven; FAIL is seen or proven; everything else says what is missing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.decision import Bounds, CheckKind, CheckResult, CheckState, Sentence
from beleg.core.evaluation import Evaluation
from beleg.core.policy import Aggregate, Policy
from beleg.core.score import ScoreColumn
from beleg.gating import sentences
from beleg.gating.assisted import assisted_bounds, labels_of
from beleg.gating.bounds import (
    QUANTILES,
    Needed,
    best_value,
    beyond_largest,
    cases_needed,
    extreme_figure,
    figure_bounds,
    groups_for,
    worst_value,
)
from beleg.gating.column import GroupColumn
from beleg.gating.plan import PlannedCheck
from beleg.gating.regression import carry_out_regression

MAX_WORST_CASES = 10

NO_BASELINE = Sentence(en="there is no baseline to compare with", de="es gibt keine Baseline zum Vergleich")

ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a check found, before it is written down."""

    state: CheckState
    reason: Sentence
    needed: int | None = None
    needed_unit: str | None = None


def carry_out(
    check: PlannedCheck,
    policy: Policy,
    candidate: Evaluation,
    baseline: Evaluation | None,
    *,
    without_baseline: Sentence = NO_BASELINE,
) -> list[CheckResult]:
    """Carries out one planned check; a figure check brings its coverage check along when coverage is too low.

    Args:
        check: the check.
        policy: the policy it belongs to.
        candidate: the scored run.
        baseline: the run to compare with, if there is a comparable one.
        without_baseline: why there is none.
    """
    column = column_of(check, candidate)
    results = []
    thin = coverage_check(check, policy, column)
    if thin is not None:
        results.append(thin)
    if check.kind is CheckKind.BAND:
        results.append(_band(check, policy, _Figures(check, policy, column, labels_of(check, candidate, column))))
    elif check.kind is CheckKind.ZERO_TOLERANCE:
        attempts = GroupColumn.of_rows(candidate, str(check.metric), check.members)
        results.append(_zero_tolerance(check, column, attempts))
    else:
        old = without_baseline if baseline is None else column_of(check, baseline)
        results.append(carry_out_regression(check, policy, column, old))
    return results


def column_of(check: PlannedCheck, evaluation: Evaluation) -> GroupColumn:
    """The scores that a check looks at: one per case, or one per attempt where a quantile is asked for."""
    of = GroupColumn.of_rows if check.aggregate in QUANTILES else GroupColumn.of
    return of(evaluation, str(check.metric), check.members)


def coverage_check(check: PlannedCheck, policy: Policy, column: GroupColumn) -> CheckResult | None:
    """A check that too few cases have a score for, or ``None`` where enough have."""
    coverage = column.coverage
    if coverage is None or coverage >= policy.minimum_coverage:
        return None
    due = column.n_scored + column.n_failed
    return CheckResult(
        check_id="/".join(filter(None, (str(check.metric), "coverage", check.segment))),
        kind=CheckKind.COVERAGE,
        state=CheckState.NOT_EVALUATED,
        reason=sentences.coverage(check, column.n_scored, due, policy.minimum_coverage),
        metric=str(check.metric),
        aggregate=check.aggregate.value if check.aggregate in QUANTILES else None,
        segment=check.segment,
        protected=check.protected,
        counts=column.counts(),
        worst_cases=column.ids(column.scores.failed)[:MAX_WORST_CASES],
        owner=check.owner,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Figures:
    """The figure of a check with its bounds, as it is and with the unscored cases at a bound."""

    check: PlannedCheck
    policy: Policy
    column: GroupColumn
    people: ScoreColumn | None

    def bounds(self, stand_in: float | None = None) -> Bounds:
        if self.people is not None:
            return assisted_bounds(self.column, self.people, self.policy.confidence, stand_in=stand_in)
        cases = self.column.scored_values() if stand_in is None else self.column.bounded_values(stand_in)
        return figure_bounds(self.check, *cases, self.policy.confidence)

    def extreme(self, stand_in: float | None) -> float | None:
        """The figure if every due case without a score had the given value; ``None`` where all are scored."""
        if not self.column.n_failed:
            return None
        if self.people is None or stand_in is None:
            return extreme_figure(self.check, self.column, stand_in)
        return self.bounds(stand_in).estimate


def _band(check: PlannedCheck, policy: Policy, figures: _Figures) -> CheckResult:
    column = figures.column
    if column.n_scored == 0:
        return not_evaluated(check, column)
    if beyond_largest(check, column.scores.values):
        return not_evaluated(check, column, sentences.LARGER_THAN_SAID)
    figure = figures.bounds()
    outcome = _band_outcome(check, policy, figures, figure)
    return CheckResult(
        check_id=check.check_id,
        kind=check.kind,
        state=outcome.state,
        reason=sentences.needed(outcome.reason, outcome.needed, outcome.needed_unit or "cases"),
        metric=str(check.metric),
        aggregate=check.aggregate.value,
        higher_is_better=check.higher_is_better,
        segment=check.segment,
        protected=check.protected,
        pass_at=check.thresholds.pass_at,
        block_at=check.thresholds.block_at,
        figure=figure,
        worst_case=figures.extreme(worst_value(check)),
        best_case=figures.extreme(best_value(check)),
        counts=column.counts(),
        needed=outcome.needed,
        needed_unit=outcome.needed_unit,
        worst_cases=worst_cases(check, column),
        owner=check.owner,
    )


def _band_outcome(check: PlannedCheck, policy: Policy, figures: _Figures, figure: Bounds) -> Outcome:
    column = figures.column
    pass_at, block_at = check.thresholds.pass_at, check.thresholds.block_at
    if pass_at is None or block_at is None:
        raise ValueError("a band check has both levels")
    sign = 1.0 if check.higher_is_better else -1.0
    towards_bad = figure.lower if check.higher_is_better else figure.upper
    towards_good = figure.upper if check.higher_is_better else figure.lower

    def beyond(value: float, limit: float) -> bool:
        return sign * value < sign * limit - ROUNDING

    enough = column.n_cases >= check.minimum_n
    estimate_decides = enough and not check.is_interim
    proven_bad = towards_good is not None and beyond(towards_good, block_at)
    if proven_bad or (estimate_decides and beyond(figure.estimate + sign * (figure.judge_noise or 0.0), block_at)):
        lifted = figures.extreme(best_value(check))
        if lifted is not None and not beyond(lifted, block_at):
            return Outcome(CheckState.INCONCLUSIVE, sentences.band(check, figure, "liftable"))
        return Outcome(CheckState.FAIL, sentences.band(check, figure, "block"))
    if enough and beyond(figure.estimate, block_at):
        why = "interim" if check.is_interim else "noisy"
        return Outcome(CheckState.INCONCLUSIVE, sentences.band(check, figure, why))
    needed = None if figure.human_labels else cases_needed(check, figure, pass_at)
    if not enough:
        return _too_few(check, (figure, column.n_cases), needed, meets=not beyond(figure.estimate, pass_at))
    if beyond(figure.estimate, pass_at):
        return Outcome(CheckState.INCONCLUSIVE, sentences.band(check, figure, "between"))
    if towards_bad is None or beyond(towards_bad, pass_at):
        return Outcome(CheckState.INCONCLUSIVE, sentences.band(check, figure, "unproven"), *(needed or (None, None)))
    if column.n_failed and not _holds_at_worst(check, policy, figures, pass_at):
        return Outcome(CheckState.INCONCLUSIVE, sentences.band(check, figure, "unscored"))
    return Outcome(CheckState.PASS, sentences.band(check, figure, "pass"))


def _too_few(check: PlannedCheck, seen: tuple[Bounds, int], needed: Needed | None, *, meets: bool) -> Outcome:
    """Fewer cases than the policy wants: the number that would do, where the figure itself could pass."""
    figure, cases = seen
    reason = sentences.band(check, figure, "few")
    if not meets or (needed is None and check.aggregate not in QUANTILES):
        return Outcome(CheckState.INCONCLUSIVE, reason)
    total = needed.total if needed else 0
    if figure.clusters is None:
        return Outcome(CheckState.INCONCLUSIVE, reason, max(check.minimum_n, total), "cases")
    return Outcome(CheckState.INCONCLUSIVE, reason, max(total, groups_for(check.minimum_n, cases, figure)), "groups")


def _holds_at_worst(check: PlannedCheck, policy: Policy, figures: _Figures, pass_at: float) -> bool:
    """Whether the bound still clears the level when every case without a score counts as bad as can be."""
    worst = worst_value(check)
    if worst is None:
        # Without a worst value nothing can be bounded; coverage has its own check.
        return (figures.column.coverage or 0.0) >= policy.minimum_coverage
    bounds = figures.bounds(worst)
    if check.higher_is_better:
        return bounds.lower is not None and bounds.lower >= pass_at - ROUNDING
    return bounds.upper is not None and bounds.upper <= pass_at + ROUNDING


def _zero_tolerance(check: PlannedCheck, column: GroupColumn, attempts: GroupColumn) -> CheckResult:
    """Counts over every attempt: an event that was seen is not undone by another repeat that failed."""
    if not column.due.any():
        return not_evaluated(check, column)
    filled = attempts.scores.filled(0.0)
    with_event = frozenset(attempts.ids(filled > 0.0))
    affected = np.array([case_id in with_event for case_id in column.case_ids], dtype=np.bool_)
    cases = len(with_event)
    events = max(cases, round(float(filled.sum())))
    few = column.n_cases < check.minimum_n
    unseen = CheckState.NOT_EVALUATED if column.n_failed else CheckState.INCONCLUSIVE if few else CheckState.PASS
    state = CheckState.FAIL if cases else unseen
    shown = affected if cases else column.scores.failed
    reason = sentences.zero_tolerance(check, events, cases, column.n_scored, column.n_failed)
    needed = check.minimum_n if state is CheckState.INCONCLUSIVE else None
    return CheckResult(
        check_id=check.check_id,
        kind=check.kind,
        state=state,
        reason=sentences.needed(reason, needed, "cases"),
        metric=str(check.metric),
        aggregate="sum",
        higher_is_better=False,
        segment=check.segment,
        protected=check.protected,
        pass_at=0.0,
        events=events,
        needed=needed,
        needed_unit="cases" if needed else None,
        counts=column.counts(),
        worst_cases=column.ids(shown)[:MAX_WORST_CASES],
        owner=check.owner,
    )


def not_evaluated(check: PlannedCheck, column: GroupColumn, why: Sentence | None = None) -> CheckResult:
    """There is no figure at all: no case in the group, none with a score, or the reason given."""
    if why is not None:
        detail = why
    elif not len(column.scores):
        detail = Sentence(
            en="no case belongs to this part of the suite", de="kein Fall gehört zu diesem Teil der Suite"
        )
    elif not column.due.any():
        detail = Sentence(en="the question does not arise in any case", de="die Frage stellt sich in keinem Fall")
    else:
        detail = Sentence(en="no case has a score", de="kein Fall hat einen Wert")
    return CheckResult(
        check_id=check.check_id,
        kind=check.kind,
        state=CheckState.NOT_EVALUATED,
        reason=sentences.nothing_scored(check, detail),
        metric=str(check.metric),
        aggregate=check.aggregate.value,
        higher_is_better=check.higher_is_better,
        segment=check.segment,
        protected=check.protected,
        pass_at=check.thresholds.pass_at,
        block_at=check.thresholds.block_at,
        margin=check.thresholds.margin,
        counts=column.counts(),
        worst_cases=column.ids(column.scores.failed)[:MAX_WORST_CASES],
        owner=check.owner,
    )


def worst_cases(check: PlannedCheck, column: GroupColumn) -> tuple[str, ...]:
    """The cases that pull the figure down most, without those that are as good as can be."""
    if check.aggregate is not Aggregate.MEAN and check.aggregate not in (Aggregate.P95, Aggregate.P99):
        return ()
    scored = np.flatnonzero(column.scores.scored)
    worst = column.case_ids[scored[_worst_first(check, column.scores.values)]]
    return tuple(dict.fromkeys(worst.tolist()))[:MAX_WORST_CASES]


def _worst_first(check: PlannedCheck, values: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    order = np.argsort(values if check.higher_is_better else -values, kind="stable")
    best = best_value(check)
    return order if best is None else order[values[order] != best]
