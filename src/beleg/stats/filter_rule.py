"""The registered rule by which a relevance filter may become a hard predicate, or stays a soft boost."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from beleg.core.errors import EvidenceError
from beleg.stats.adjusted_t import adjusted_t
from beleg.stats.clustered import Grouped, group
from beleg.stats.distributions import binomial_cdf
from beleg.stats.inputs import FloatArray, Labels, cluster_codes
from beleg.stats.intervals import clustered_interval, largest_share
from beleg.stats.paired import PLANNED_POWER, non_inferiority

N_CONDITIONS = 3
_MOST_QUERIES = 1_000_000
_ROUNDING = 1e-12


class Choice(StrEnum):
    """How the rule ends."""

    HARD = "hard"
    SOFT = "soft"
    UNDECIDED = "not_enough_evidence"


class ConditionState(StrEnum):
    """What the bounds of one condition prove."""

    MET = "met"
    VIOLATED = "violated"
    OPEN = "open"
    NOT_EVALUATED = "not_evaluated"


class ConditionName(StrEnum):
    """The three conditions, in the order of the rule."""

    PRECISION_GAIN = "precision_gain"
    EXCLUSION_RATE = "exclusion_rate"
    RECALL_CHANGE = "recall_change"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What was registered."""

    precision_gain_min: float
    exclusion_rate_max: float
    recall_loss_max: float
    alpha: float
    minimum_queries: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedQueries:
    """Both systems on the same eligible queries, one entry per query.

    ``excluded`` is 1 where the predicate removed every eligible gold document, 0 where one survived; where ``is_known``
    is False that was not recorded. ``precision_span`` is the largest difference of precision that the numbers of gold
    documents allow: with 3 of them and k = 10 it is 0.3.
    """

    hard_precision: FloatArray
    soft_precision: FloatArray
    hard_recall: FloatArray
    soft_recall: FloatArray
    excluded: FloatArray
    is_known: npt.NDArray[np.bool_]
    clusters: Labels | None = None
    precision_span: float = 1.0

    @property
    def n(self) -> int:
        """Number of queries."""
        return len(self.hard_precision)


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One condition with its figure.

    Attributes:
        name: which condition.
        state: what the bounds prove.
        threshold: the registered limit; for the recall change minus the largest loss.
        estimate: the observed value, None where nothing was recorded.
        lower: one-sided lower bound.
        upper: one-sided upper bound.
        method: the rule that made the bounds.
        n: queries.
        clusters: groups of queries, None where they are independent.
        unknown: queries for which it was not recorded; they count against a hard predicate, and not for a soft one.
        needed: queries at which the condition is to be expected to be met if the figures stay as they are; None where
            it is met, or where they would have to change.
    """

    name: ConditionName
    state: ConditionState
    threshold: float
    estimate: float | None
    lower: float | None
    upper: float | None
    method: str
    n: int
    clusters: int | None = None
    unknown: int = 0
    needed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleResult:
    """How the rule ended, and by what.

    ``needed`` is the number of queries at which all open conditions are to be expected to be met; None where the choice
    is made, or where more queries alone would not do.
    """

    choice: Choice
    conditions: tuple[Condition, ...]
    n: int
    needed: int | None


def hard_or_soft(paired: PairedQueries, terms: Terms) -> RuleResult:
    """Decides whether a relevance preference may be a hard predicate.

    Hard needs all three, each proven by its own bound at confidence 1 - alpha, and the registered number of queries:

    1. lower bound of precision@k hard - soft >= the least gain (bounds of `non_inferiority`);
    2. upper bound of the false-exclusion rate <= its limit (Clopper and Pearson, or `clustered_interval`);
    3. lower bound of recall@k hard - soft > -(largest loss) (`non_inferiority`).

    Since all three must hold, the chance to say hard wrongly is at most alpha for each that does not
    (intersection-union test, Berger 1982). Soft needs one of them proven false; since any one of three will do, each
    is held against a bound at alpha / 3. Everything else is not enough evidence, and the soft boost stays.

    Args:
        paired: both systems on the same queries.
        terms: what was registered.

    Returns:
        The choice, the three conditions and the number of queries still needed.

    Raises:
        EvidenceError: without a query that has eligible gold.

    Example:
        >>> n = 300
        >>> paired = PairedQueries(hard_precision=np.tile([0.5, 0.3], n // 2), soft_precision=np.full(n, 0.2),
        ...     hard_recall=np.ones(n), soft_recall=np.ones(n), excluded=np.zeros(n), is_known=np.ones(n, dtype=bool))
        >>> terms = Terms(precision_gain_min=0.1, exclusion_rate_max=0.02, recall_loss_max=0.02, alpha=0.05,
        ...     minimum_queries=100)
        >>> hard_or_soft(paired, terms).choice.value
        'hard'
    """
    if not paired.n:
        raise EvidenceError(
            "no query has gold that its caller may see, so nothing can be decided",
            hint="Add queries whose gold documents are eligible",
        )
    codes = None if paired.clusters is None else cluster_codes(paired.clusters, paired.n)
    if codes is not None and codes.max() + 1 == paired.n:
        codes = None
    paired = replace(paired, clusters=codes)
    conditions = (_precision(paired, terms), _exclusion(paired, terms), _recall(paired, terms))
    states = {condition.state for condition in conditions}
    if ConditionState.VIOLATED in states:
        choice = Choice.SOFT
    elif states == {ConditionState.MET} and paired.n >= terms.minimum_queries:
        choice = Choice.HARD
    else:
        choice = Choice.UNDECIDED
    needed = _all_needed(conditions, terms) if choice is Choice.UNDECIDED else None
    return RuleResult(choice=choice, conditions=conditions, n=paired.n, needed=needed)


def _all_needed(conditions: tuple[Condition, ...], terms: Terms) -> int | None:
    waiting = [condition for condition in conditions if condition.state is not ConditionState.MET]
    if any(condition.needed is None for condition in waiting):
        return None
    return max(terms.minimum_queries, *(condition.needed or 0 for condition in conditions), 0)


def _state(*, met: bool, violated: bool) -> ConditionState:
    if met:
        return ConditionState.MET
    return ConditionState.VIOLATED if violated else ConditionState.OPEN


def _precision(paired: PairedQueries, terms: Terms) -> Condition:
    hard, soft, least = paired.hard_precision, paired.soft_precision, terms.precision_gain_min
    # Only the bounds are used, and those do not depend on the margin.
    span, margin = paired.precision_span, 0.5 * paired.precision_span
    usual, strict = (
        non_inferiority(hard, soft, margin=margin, alpha=alpha, clusters=paired.clusters, span=span)
        for alpha in (terms.alpha, terms.alpha / N_CONDITIONS)
    )
    met = usual.lower >= least - _ROUNDING
    needed = None
    if not met:
        units = _units(hard - soft, paired)
        fit = adjusted_t(units.means[None, :], units.sizes, span=span)
        needed = _in_queries(fit.needed(-least, alpha=terms.alpha, power=PLANNED_POWER), paired)
    return Condition(
        name=ConditionName.PRECISION_GAIN,
        state=_state(met=met, violated=strict.upper < least),
        threshold=least,
        estimate=usual.estimate,
        lower=usual.lower,
        upper=usual.upper,
        method=usual.method.value,
        n=usual.n,
        clusters=usual.clusters,
        needed=needed,
    )


def _recall(paired: PairedQueries, terms: Terms) -> Condition:
    hard, soft, margin = paired.hard_recall, paired.soft_recall, terms.recall_loss_max
    usual = non_inferiority(hard, soft, margin=margin, alpha=terms.alpha, clusters=paired.clusters)
    strict = non_inferiority(hard, soft, margin=margin, alpha=terms.alpha / N_CONDITIONS, clusters=paired.clusters)
    met = usual.lower > -margin
    return Condition(
        name=ConditionName.RECALL_CHANGE,
        state=_state(met=met, violated=strict.upper < -margin),
        threshold=-margin,
        estimate=usual.estimate,
        lower=usual.lower,
        upper=usual.upper,
        method=usual.method.value,
        n=usual.n,
        clusters=usual.clusters,
        needed=None if met else _in_queries(usual.needed, paired),
    )


def _exclusion(paired: PairedQueries, terms: Terms) -> Condition:
    known, limit = paired.is_known, terms.exclusion_rate_max
    unknown = int((~known).sum())
    if unknown == paired.n:
        return Condition(
            name=ConditionName.EXCLUSION_RATE,
            state=ConditionState.NOT_EVALUATED,
            threshold=limit,
            estimate=None,
            lower=None,
            upper=None,
            method="none",
            n=paired.n,
            unknown=unknown,
        )
    # What was not recorded counts as excluded for the upper bound and as kept for the lower one.
    worst, best = np.where(known, paired.excluded, 1.0), np.where(known, paired.excluded, 0.0)
    upper = _largest_rate(worst, paired, terms.alpha)
    met = upper <= limit + _ROUNDING
    violated = 1.0 - _largest_rate(1.0 - best, paired, terms.alpha / N_CONDITIONS) > limit
    rate = float(worst.mean())
    return Condition(
        name=ConditionName.EXCLUSION_RATE,
        state=_state(met=met, violated=violated),
        threshold=limit,
        estimate=float(paired.excluded[known].mean()),
        lower=1.0 - _largest_rate(1.0 - best, paired, terms.alpha),
        upper=upper,
        method="clopper_pearson" if paired.clusters is None else "exact_effective_n",
        n=paired.n,
        clusters=None if paired.clusters is None else len(set(paired.clusters)),
        unknown=unknown,
        needed=None if met else _exclusion_needed(rate, paired, terms),
    )


def _largest_rate(events: FloatArray, paired: PairedQueries, alpha: float) -> float:
    """One-sided upper bound on a rate at confidence 1 - alpha."""
    if paired.clusters is None:
        return largest_share(int(events.sum()), len(events), alpha)
    return clustered_interval(events, paired.clusters, 1.0 - 2.0 * alpha).upper


def _exclusion_needed(rate: float, paired: PairedQueries, terms: Terms) -> int | None:
    needed = queries_for_rate(rate, terms.exclusion_rate_max, alpha=terms.alpha, power=PLANNED_POWER)
    if needed is None or paired.clusters is None:
        return needed
    # Queries of one group say less than so many independent ones; Kish's number is what they are worth at least.
    units = group(np.ones(paired.n), cluster_codes(paired.clusters, paired.n))
    return math.ceil(needed * paired.n / units.effective)


def queries_for_rate(rate: float, limit: float, *, alpha: float, power: float) -> int | None:
    """About how many independent queries prove a rate to be at most ``limit``, if it truly is ``rate``.

    With n queries the proof succeeds when so few are excluded that Clopper and Pearson's bound is at most the limit;
    the number is one at which that happens with the wanted power. None where the rate is not below the limit.

    Example:
        >>> queries_for_rate(0.0, 0.02, alpha=0.05, power=0.8), queries_for_rate(0.05, 0.02, alpha=0.05, power=0.8)
        (149, None)
    """
    if rate >= limit:
        return None

    def suffices(n: int) -> bool:
        low, high = -1, n
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if binomial_cdf(middle, n, limit) <= alpha else (low, middle)
        return low >= 0 and (rate <= 0.0 or binomial_cdf(low, n, rate) >= power)

    low, high = 0, 1
    while not suffices(high):
        low, high = high, 2 * high
        if high > _MOST_QUERIES:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return high


def _units(differences: FloatArray, paired: PairedQueries) -> Grouped:
    if paired.clusters is None:
        return Grouped(differences, np.ones(len(differences)))
    return group(differences, cluster_codes(paired.clusters, len(differences)))


def _in_queries(units: int | None, paired: PairedQueries) -> int | None:
    """A number of units as a number of queries; groups keep their average size."""
    if units is None or paired.clusters is None:
        return units
    return math.ceil(units * paired.n / len(set(paired.clusters)))
