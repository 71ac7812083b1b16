"""The no-regression check: candidate against baseline on the same cases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.decision import Bounds, CheckResult, CheckState, Sentence
from beleg.core.policy import Policy
from beleg.gating import sentences
from beleg.gating.bounds import QUANTILES, aggregated, best_value, worst_value
from beleg.gating.column import GroupColumn
from beleg.gating.plan import PlannedCheck
from beleg.stats.bootstrap import bootstrap_quantile
from beleg.stats.paired import NonInferiority, PairedState, non_inferiority

MAX_WORST_CASES = 10

Values = npt.NDArray[np.float64]
Labels = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Scores of both runs on the same cases, higher always better."""

    new: Values
    old: Values
    clusters: Labels
    positions: npt.NDArray[np.intp]


def carry_out_regression(check: PlannedCheck, policy: Policy, new: GroupColumn, old: GroupColumn | None) -> CheckResult:
    """Decides by the bounds of the paired difference whether a worsening beyond the margin is ruled out or proven."""
    if old is None:
        detail = Sentence(en="there is no baseline to compare with", de="es gibt keine Baseline zum Vergleich")
        return _without_figure(check, new, detail)
    if not np.array_equal(new.case_ids, old.case_ids):
        raise ValueError("paired columns hold the same cases in the same order")
    pairs = _scored_pairs(check, new, old)
    if len(pairs.new) == 0:
        detail = Sentence(en="no case has a score in both runs", de="kein Fall hat in beiden Läufen einen Wert")
        return _without_figure(check, new, detail)
    if check.aggregate in QUANTILES:
        return _quantile_regression(check, policy, new, pairs)
    found = _compare(check, policy, pairs)
    state, verdict = _state(check, policy, new, old, found)
    difference = _difference_bounds(check, found)
    unit = "groups" if found.clusters is not None else "cases"
    needed = found.needed if state is CheckState.INCONCLUSIVE and verdict in ("unproven", "few") else None
    if needed is not None and verdict == "few":
        needed = max(needed, check.minimum_n)
    reason = sentences.regression(check, difference, verdict)
    return _result(
        check,
        new,
        state=state,
        reason=sentences.needed(reason, needed, unit),
        difference=difference,
        baseline=_oriented(check, aggregated(check, pairs.old)),
        p_values=(found.p_not_inferior, found.p_inferior),
        needed=(needed, unit if needed is not None else None),
        worst=_largest_losses(new, pairs),
    )


def _scored_pairs(check: PlannedCheck, new: GroupColumn, old: GroupColumn) -> Pairs:
    both = new.scores.scored & old.scores.scored
    sign = 1.0 if check.higher_is_better else -1.0
    return Pairs(
        new=sign * new.scores.filled(0.0)[both],
        old=sign * old.scores.filled(0.0)[both],
        clusters=new.clusters[both],
        positions=np.flatnonzero(both),
    )


def _worst_pairs(check: PlannedCheck, new: GroupColumn, old: GroupColumn) -> Pairs | None:
    """All pairs, a missing score of the candidate as bad and one of the baseline as good as can be."""
    worst, best = worst_value(check), best_value(check)
    if worst is None or best is None:
        return None
    kept = new.due & old.due
    sign = 1.0 if check.higher_is_better else -1.0
    return Pairs(
        new=sign * new.scores.filled(worst)[kept],
        old=sign * old.scores.filled(best)[kept],
        clusters=new.clusters[kept],
        positions=np.flatnonzero(kept),
    )


def _compare(check: PlannedCheck, policy: Policy, pairs: Pairs) -> NonInferiority:
    # A negated rate is no longer 0 or 1, by which its rule is found; shifted back into its range it is again.
    shift = 0.0 if check.higher_is_better else check.metric.spec.high or 0.0
    return non_inferiority(
        pairs.new + shift,
        pairs.old + shift,
        margin=check.thresholds.margin or 0.0,
        alpha=policy.alpha,
        clusters=pairs.clusters,
        span=_span(check, pairs),
    )


def _span(check: PlannedCheck, pairs: Pairs) -> float:
    """The largest difference that is possible; where the metric has no end, twice the largest one seen."""
    spec = check.metric.spec
    if spec.low is not None and spec.high is not None:
        return spec.high - spec.low
    seen = float(np.abs(pairs.new - pairs.old).max())
    return 2.0 * max(seen, check.thresholds.margin or 0.0)


def _state(
    check: PlannedCheck, policy: Policy, new: GroupColumn, old: GroupColumn, found: NonInferiority
) -> tuple[CheckState, str]:
    if found.state is PairedState.FAIL:
        return CheckState.FAIL, "block"
    if found.n < check.minimum_n:
        return CheckState.INCONCLUSIVE, "few"
    if found.state is PairedState.INCONCLUSIVE:
        return CheckState.INCONCLUSIVE, "unproven"
    if (new.scores.failed & old.due).any() or (old.scores.failed & new.due).any():
        worst = _worst_pairs(check, new, old)
        holds = (
            _compare(check, policy, worst).state is PairedState.PASS
            if worst is not None
            else (new.coverage or 0.0) >= policy.minimum_coverage
        )
        if not holds:
            return CheckState.INCONCLUSIVE, "unscored"
    return CheckState.PASS, "pass"


def _difference_bounds(check: PlannedCheck, found: NonInferiority) -> Bounds:
    """Candidate minus baseline in the metric's own direction."""
    lower, upper = (found.lower, found.upper) if check.higher_is_better else (-found.upper, -found.lower)
    return Bounds(
        estimate=_oriented(check, found.estimate),
        lower=lower,
        upper=upper,
        confidence=found.confidence,
        method=found.method.value,
        n=found.n,
        clusters=found.clusters,
        degrees_of_freedom=found.df,
    )


def _oriented(check: PlannedCheck, value: float) -> float:
    # Adding zero turns the -0.0 of a negated zero into 0.0.
    return value if check.higher_is_better else -value + 0.0


def _largest_losses(column: GroupColumn, pairs: Pairs) -> tuple[str, ...]:
    change = pairs.new - pairs.old
    order = np.argsort(change, kind="stable")[:MAX_WORST_CASES]
    return tuple(column.case_ids[pairs.positions[place]] for place in order if change[place] < 0)


def _quantile_regression(check: PlannedCheck, policy: Policy, new: GroupColumn, pairs: Pairs) -> CheckResult:
    """A quantile is a composite figure: its difference is bounded by a paired bootstrap over clusters."""
    sign = 1.0 if check.higher_is_better else -1.0
    new_values, old_values = sign * pairs.new, sign * pairs.old
    difference, (lower, upper) = _quantile_difference(check, policy, new_values, old_values, pairs.clusters)
    state, verdict = _quantile_state(check, (lower, upper), len(pairs.new))
    return _result(
        check,
        new,
        state=state,
        reason=sentences.regression(check, difference, verdict),
        difference=difference,
        baseline=aggregated(check, sign * pairs.old),
        worst=_largest_losses(new, pairs),
    )


def _quantile_difference(
    check: PlannedCheck, policy: Policy, new: Values, old: Values, clusters: Labels
) -> tuple[Bounds, tuple[float, float]]:
    resampled = bootstrap_quantile(
        np.stack([new, old], axis=1),
        QUANTILES[check.aggregate],
        resamples=policy.resamples,
        rng=np.random.default_rng(policy.seed),
        clusters=clusters,
    )
    changes = resampled.draws[:, 0] - resampled.draws[:, 1]
    lower, upper = (float(bound) for bound in np.quantile(changes, [policy.alpha, policy.confidence]))
    difference = Bounds(
        estimate=float(resampled.estimates[0] - resampled.estimates[1]),
        lower=lower,
        upper=upper,
        confidence=policy.confidence,
        method="paired_percentile_bootstrap",
        n=len(new),
        clusters=resampled.clusters,
    )
    return difference, (lower, upper)


def _quantile_state(check: PlannedCheck, bounds: tuple[float, float], n: int) -> tuple[CheckState, str]:
    margin = check.thresholds.margin or 0.0
    lower, upper = bounds
    least, most = (-upper, -lower) if check.higher_is_better else (lower, upper)
    if least > margin:
        return CheckState.FAIL, "block"
    if n < check.minimum_n:
        return CheckState.INCONCLUSIVE, "few"
    # Resampling that shows no variation at all says nothing about what was not sampled.
    if most < margin and lower < upper:
        return CheckState.PASS, "pass"
    return CheckState.INCONCLUSIVE, "unproven"


def _without_figure(check: PlannedCheck, column: GroupColumn, detail: Sentence) -> CheckResult:
    return _result(
        check, column, state=CheckState.NOT_EVALUATED, reason=sentences.nothing_scored(check, detail), difference=None
    )


def _result(  # noqa: PLR0913 - the parts of one result, each used once
    check: PlannedCheck,
    column: GroupColumn,
    *,
    state: CheckState,
    reason: Sentence,
    difference: Bounds | None,
    baseline: float | None = None,
    p_values: tuple[float, float] | None = None,
    needed: tuple[int | None, str | None] = (None, None),
    worst: tuple[str, ...] = (),
) -> CheckResult:
    return CheckResult(
        check_id=check.check_id,
        kind=check.kind,
        state=state,
        reason=reason,
        metric=str(check.metric),
        aggregate=check.aggregate.value,
        higher_is_better=check.higher_is_better,
        segment=check.segment,
        protected=check.protected,
        margin=check.thresholds.margin,
        baseline=baseline,
        difference=difference,
        p_not_inferior=p_values[0] if p_values else None,
        p_inferior=p_values[1] if p_values else None,
        counts=column.counts(),
        needed=needed[0],
        needed_unit=needed[1],
        worst_cases=worst,
        owner=check.owner,
    )
