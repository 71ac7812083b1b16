"""The no-regression check: candidate against baseline on the same cases."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from beleg.core.decision import Bounds, CheckResult, CheckState, Sentence
from beleg.core.policy import Policy
from beleg.gating import sentences
from beleg.gating.bounds import QUANTILES, aggregated, best_value, beyond_largest, highest, worst_value
from beleg.gating.column import GroupColumn
from beleg.gating.plan import JudgeNoise, PlannedCheck
from beleg.stats.bootstrap import bootstrap_quantile
from beleg.stats.paired import NonInferiority, PairedState, non_inferiority
from beleg.stats.quantiles import quantile_interval
from beleg.stats.repeat_noise import noise_reach

MAX_WORST_CASES = 10

LEAST_FOR_BOOTSTRAP = 500
"""With fewer independent pairs a resampled tail knows too few large values, and its bound is too narrow."""

Values = npt.NDArray[np.float64]
Labels = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Scores of both runs on the same cases, higher always better."""

    new: Values
    old: Values
    clusters: Labels
    positions: npt.NDArray[np.intp]


def carry_out_regression(
    check: PlannedCheck, policy: Policy, new: GroupColumn, old: GroupColumn | Sentence
) -> CheckResult:
    """Decides by the bounds of the paired difference whether a worsening beyond the margin is ruled out or proven.

    Args:
        check: the check.
        policy: the policy it belongs to.
        new: the candidate's scores.
        old: the baseline's scores of the same rows in the same order, or why there are none.
    """
    if isinstance(old, Sentence):
        return _without_figure(check, new, old)
    if not np.array_equal(new.case_ids, old.case_ids):
        raise ValueError("paired columns hold the same cases in the same order")
    pairs = _scored_pairs(check, new, old)
    if len(pairs.new) == 0:
        detail = Sentence(en="no case has a score in both runs", de="kein Fall hat in beiden Läufen einen Wert")
        return _without_figure(check, new, detail)
    if beyond_largest(check, new.scores.values) or beyond_largest(check, old.scores.values):
        return _without_figure(check, new, sentences.LARGER_THAN_SAID)
    if check.aggregate in QUANTILES:
        return _quantile_regression(check, policy, new, old, pairs)
    found = _compare(check, policy, pairs)
    state, verdict = _state(check, policy, new, old, found)
    difference = _difference_bounds(check, found)
    unit = "groups" if found.clusters is not None else "cases"
    needed = found.needed if state is CheckState.INCONCLUSIVE and verdict in ("unproven", "few") else None
    if needed is not None and verdict == "few":
        needed = max(needed, _fewest(check, found))
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


def _fewest(check: PlannedCheck, found: NonInferiority) -> int:
    """The policy's least number of cases, in the unit that the comparison counts in."""
    return check.minimum_n if found.clusters is None else math.ceil(check.minimum_n * found.clusters / found.n)


def _scored_pairs(check: PlannedCheck, new: GroupColumn, old: GroupColumn) -> Pairs:
    return _pairs(check, new, old, new.scores.scored & old.scores.scored, (0.0, 0.0))


def _pairs(
    check: PlannedCheck, new: GroupColumn, old: GroupColumn, kept: Mask, stand_ins: tuple[float, float]
) -> Pairs:
    sign = 1.0 if check.higher_is_better else -1.0
    return Pairs(
        new=sign * new.scores.filled(stand_ins[0])[kept],
        old=sign * old.scores.filled(stand_ins[1])[kept],
        clusters=new.clusters[kept],
        positions=np.flatnonzero(kept),
    )


def _turned_away(new: GroupColumn, old: GroupColumn) -> Mask:
    """Rows that the baseline has a score for and in which the candidate no longer raises the question."""
    return old.due & ~new.due


def _newly_raised(new: GroupColumn, old: GroupColumn) -> Mask:
    """Rows in which the candidate raises the question first, such as one that the baseline declined to answer."""
    return new.scores.scored & ~old.due


def _has_gaps(new: GroupColumn, old: GroupColumn) -> bool:
    """Whether a row is missing from the comparison that could change it."""
    lost = (new.scores.failed & old.due) | (old.scores.failed & new.due) | _turned_away(new, old)
    return bool((lost | _newly_raised(new, old)).any())


def _worst_pairs(check: PlannedCheck, new: GroupColumn, old: GroupColumn) -> Pairs | None:
    """All pairs, a missing score of the candidate as bad and one of the baseline as good as can be."""
    worst, best = worst_value(check), best_value(check)
    if worst is None or best is None:
        return None
    kept = (new.due & old.due) | _turned_away(new, old) | _newly_raised(new, old)
    return _pairs(check, new, old, kept, (worst, best))


def _best_pairs(check: PlannedCheck, new: GroupColumn, old: GroupColumn) -> Pairs | None:
    """All pairs, a missing score of the candidate as good and one of the baseline as bad as can be."""
    worst, best = worst_value(check), best_value(check)
    if worst is None or best is None:
        return None
    return _pairs(check, new, old, (new.due & old.due) | _turned_away(new, old), (best, worst))


def _compare(check: PlannedCheck, policy: Policy, pairs: Pairs) -> NonInferiority:
    # A negated rate is no longer 0 or 1, by which its rule is found; shifted back into its range it is again.
    shift = 0.0 if check.higher_is_better else check.metric.spec.high or 0.0
    found = non_inferiority(
        pairs.new + shift,
        pairs.old + shift,
        margin=check.thresholds.margin or 0.0,
        alpha=policy.alpha,
        clusters=pairs.clusters,
        span=_span(check, pairs),
    )
    return found if check.noise is None else _with_noise(found, check.noise, _span(check, pairs))


def _with_noise(found: NonInferiority, noise: JudgeNoise, span: float) -> NonInferiority:
    """The comparison with bounds that also hold under the noise of the judge in both runs."""
    reach = noise_reach(2.0 * noise.of_mean(found.n), found.confidence)
    lower = max(-span, found.estimate - math.hypot(found.estimate - found.lower, reach))
    upper = min(span, found.estimate + math.hypot(found.upper - found.estimate, reach))
    passes, fails = lower > -found.margin, upper < -found.margin
    kept = {PairedState.PASS: passes, PairedState.FAIL: fails, PairedState.INCONCLUSIVE: True}[found.state]
    return replace(found, lower=lower, upper=upper, state=found.state if kept else PairedState.INCONCLUSIVE)


def _span(check: PlannedCheck, pairs: Pairs) -> float:
    """The largest difference that is possible; where the metric has no end, for display, twice the largest seen."""
    low, high = check.metric.spec.low, highest(check)
    if low is not None and high is not None:
        return high - low
    return max(2.0 * float(np.abs(pairs.new - pairs.old).max()), 1.0)


def _state(
    check: PlannedCheck, policy: Policy, new: GroupColumn, old: GroupColumn, found: NonInferiority
) -> tuple[CheckState, str]:
    gaps = _has_gaps(new, old)

    def ends(pairs: Pairs | None, state: PairedState) -> bool:
        return pairs is not None and _compare(check, policy, pairs).state is state

    if found.state is PairedState.FAIL:
        if gaps and not ends(_best_pairs(check, new, old), PairedState.FAIL):
            return CheckState.INCONCLUSIVE, "liftable"
        return CheckState.FAIL, "block"
    if found.n < check.minimum_n:
        return CheckState.INCONCLUSIVE, "few"
    if found.state is PairedState.INCONCLUSIVE:
        return CheckState.INCONCLUSIVE, "unproven"
    if gaps and not ends(_worst_pairs(check, new, old), PairedState.PASS):
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
        judge_noise=None if check.noise is None else noise_reach(2.0 * check.noise.of_mean(found.n), found.confidence),
    )


def _oriented(check: PlannedCheck, value: float) -> float:
    # Adding zero turns the -0.0 of a negated zero into 0.0.
    return value if check.higher_is_better else -value + 0.0


def _largest_losses(column: GroupColumn, pairs: Pairs) -> tuple[str, ...]:
    change = pairs.new - pairs.old
    order = np.argsort(change, kind="stable")
    worse = column.case_ids[pairs.positions[order[change[order] < 0]]]
    return tuple(dict.fromkeys(worse.tolist()))[:MAX_WORST_CASES]


def _quantile_regression(
    check: PlannedCheck, policy: Policy, new: GroupColumn, old: GroupColumn, pairs: Pairs
) -> CheckResult:
    """A quantile is a composite figure: bounded by order statistics of both runs, by a paired bootstrap where many."""
    difference = _quantile_difference(check, policy, pairs)
    cases = len(set(new.case_ids[pairs.positions].tolist()))
    state, verdict = _quantile_state(check, policy, (new, old), difference, cases)
    return _result(
        check,
        new,
        state=state,
        reason=sentences.regression(check, difference, verdict),
        difference=difference,
        baseline=aggregated(check, pairs.old if check.higher_is_better else -pairs.old),
        worst=_largest_losses(new, pairs),
    )


def _quantile_difference(check: PlannedCheck, policy: Policy, pairs: Pairs) -> Bounds:
    """Candidate minus baseline in the metric's own direction, by the rule that fits the number of pairs."""
    sign = 1.0 if check.higher_is_better else -1.0
    new, old = sign * pairs.new, sign * pairs.old
    groups = len(np.unique(pairs.clusters))
    p, shared = QUANTILES[check.aggregate], groups < len(pairs.clusters)
    estimate = float(np.quantile(new, p) - np.quantile(old, p))
    if groups < LEAST_FOR_BOOTSTRAP:
        method, (lower, upper) = "order_statistics_both", _bounds_by_rank(policy, new, old, p, pairs, shared=shared)
    else:
        method, (lower, upper) = "paired_percentile_bootstrap", _bounds_by_bootstrap(policy, new, old, p, pairs)
    return Bounds(
        estimate=estimate,
        lower=lower,
        upper=upper,
        confidence=policy.confidence,
        method=method,
        n=len(new),
        clusters=groups if shared else None,
    )


def _bounds_by_rank(
    policy: Policy, new: Values, old: Values, p: float, pairs: Pairs, *, shared: bool
) -> tuple[float | None, float | None]:
    """Each run's quantile between its order statistics, at half of alpha for each bound, so that both hold together."""
    clusters = pairs.clusters if shared else None
    mine, theirs = (quantile_interval(values, p, policy.confidence, clusters=clusters) for values in (new, old))
    lower = None if mine.lower is None or theirs.upper is None else mine.lower - theirs.upper
    upper = None if mine.upper is None or theirs.lower is None else mine.upper - theirs.lower
    return lower, upper


def _bounds_by_bootstrap(policy: Policy, new: Values, old: Values, p: float, pairs: Pairs) -> tuple[float, float]:
    resampled = bootstrap_quantile(
        np.stack([new, old], axis=1),
        p,
        resamples=policy.resamples,
        rng=np.random.default_rng(policy.seed),
        clusters=pairs.clusters,
    )
    changes = resampled.draws[:, 0] - resampled.draws[:, 1]
    lower, upper = (float(bound) for bound in np.quantile(changes, [policy.alpha, policy.confidence]))
    return lower, upper


def _quantile_state(
    check: PlannedCheck, policy: Policy, runs: tuple[GroupColumn, GroupColumn], difference: Bounds, cases: int
) -> tuple[CheckState, str]:
    gaps = _has_gaps(*runs)
    if _worsens_beyond(check, difference):
        best = _best_pairs(check, *runs) if gaps else None
        if gaps and (best is None or not _worsens_beyond(check, _quantile_difference(check, policy, best))):
            return CheckState.INCONCLUSIVE, "liftable"
        return CheckState.FAIL, "block"
    if cases < check.minimum_n:
        return CheckState.INCONCLUSIVE, "few"
    if not _stays_within(check, difference):
        return CheckState.INCONCLUSIVE, "unproven"
    worst = _worst_pairs(check, *runs) if gaps else None
    if gaps and (worst is None or not _stays_within(check, _quantile_difference(check, policy, worst))):
        return CheckState.INCONCLUSIVE, "unscored"
    return CheckState.PASS, "pass"


def _worsens_beyond(check: PlannedCheck, difference: Bounds) -> bool:
    """Whether even the smallest worsening within the bounds is beyond the margin."""
    margin = check.thresholds.margin or 0.0
    if check.higher_is_better:
        return difference.upper is not None and difference.upper < -margin
    return difference.lower is not None and difference.lower > margin


def _stays_within(check: PlannedCheck, difference: Bounds) -> bool:
    """Whether even the largest worsening within the bounds is below the margin."""
    margin, lower, upper = check.thresholds.margin or 0.0, difference.lower, difference.upper
    # Resampling that shows no variation at all says nothing about what was not sampled.
    if lower is not None and lower == upper:
        return False
    if check.higher_is_better:
        return lower is not None and lower > -margin
    return upper is not None and upper < margin


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
