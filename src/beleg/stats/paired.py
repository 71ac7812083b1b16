"""Is the candidate not worse than the baseline by more than a margin, on the same cases?

Which rule decides was chosen by simulation with known truth (`benchmarks/sim_gate.py`): the share of PASS when the
true difference is exactly -margin stays near or below the promised alpha, also at the small samples of golden suites.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, shown
from beleg.stats.adjusted_t import adjusted_t
from beleg.stats.clustered import Grouped, group
from beleg.stats.distributions import binomial_cdf
from beleg.stats.inputs import (
    FloatArray,
    IntArray,
    Labels,
    Numbers,
    cluster_codes,
    finite_vector,
    require_between,
    require_length,
)
from beleg.stats.intervals import largest_share
from beleg.stats.score_test import tango_lower, tango_needed, tango_p_value

PLANNED_POWER = 0.8
"""The power at which `NonInferiority.needed` is planned."""

# Scores that went through different sums of the same numbers differ by rounding, which is no discordance.
_ROUNDING = 1e-9
_MAX_UNITS = 10**9


class PairedState(StrEnum):
    """What the bounds prove."""

    PASS = "pass"  # noqa: S105
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"


class PairedMethod(StrEnum):
    """The rule that made the bounds."""

    TANGO_SCORE = "tango_score"
    ADJUSTED_T = "adjusted_t"
    CLUSTER_ADJUSTED_T = "cluster_adjusted_t"
    EXACT_LOSSES = "exact_losses"


@dataclass(frozen=True, slots=True, kw_only=True)
class NonInferiority:
    """What paired scores say about candidate minus baseline.

    Attributes:
        method: the rule that made the bounds.
        estimate: mean of candidate minus baseline per case; above 0 the candidate is better.
        lower: one-sided lower bound on the true difference.
        upper: one-sided upper bound on the true difference.
        confidence: confidence of each bound, 1 - alpha.
        margin: the drop that is tolerated.
        n: number of cases.
        clusters: number of clusters, None where cases are independent.
        df: degrees of freedom, None where the rule has none.
        discordant: number of cases whose scores differ.
        p_not_inferior: p-value of "the true difference is -margin or less"; small means proven not inferior.
        p_inferior: p-value of "the true difference is -margin or more"; small means proven worse.
        state: PASS where lower > -margin, FAIL where upper < -margin.
        needed: cases (clusters where there are any) at which PASS is to be expected with a power of 0.8 if estimate
            and spread stay as they are; None where the estimate is at or below -margin, or a t bound has proven PASS.
            It has a meaning while the state is INCONCLUSIVE.
    """

    method: PairedMethod
    estimate: float
    lower: float
    upper: float
    confidence: float
    margin: float
    n: int
    clusters: int | None
    df: float | None
    discordant: int
    p_not_inferior: float
    p_inferior: float
    state: PairedState
    needed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """What is asked of the differences."""

    margin: float
    alpha: float
    span: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What one rule says."""

    method: PairedMethod
    lower: float
    upper: float
    p_not_inferior: float
    p_inferior: float
    needed: int | None
    df: float | None = None


def non_inferiority(  # noqa: PLR0913  one question with its options; a bundle would only hide them
    candidate: Numbers,
    baseline: Numbers,
    *,
    margin: float,
    alpha: float = 0.05,
    clusters: Labels | None = None,
    binary: bool | None = None,
    span: float = 1.0,
) -> NonInferiority:
    """Bounds candidate minus baseline on paired cases and holds the bounds against a margin.

    Rules, in this order:

    * Fewer than two units with a difference (a unit is a case, or a cluster): nothing can be estimated, so the drop is
      bounded by span times the exact upper bound on the share of losing units (Clopper and Pearson); a cluster counts
      with the largest observed size over the average size. Without a loss this takes ln alpha / ln(1 - margin) units,
      149 at a margin of 0.02. FAIL is impossible.
    * Any two cases share a cluster: adjusted t over cluster means weighted by size (`adjusted_t`, `robust_weights`).
    * Both scores are 0 or 1: Tango's score interval.
    * Otherwise: adjusted t over cases.

    Higher scores are better; negate scores where lower is better.

    Args:
        candidate: scores of the candidate, one per case.
        baseline: scores of the baseline on the same cases in the same order.
        margin: the drop that is tolerated, above 0 and below ``span``.
        alpha: error rate of each one-sided bound.
        clusters: one label per case (source document, session); None where cases are independent.
        binary: whether scores are 0 or 1; None finds out.
        span: largest possible size of a difference.

    Returns:
        Estimate, bounds, p-values, state and the number of cases still needed.

    Raises:
        DataError: for no cases, different lengths, values that are not finite, a difference beyond the span, scores
            other than 0 and 1 where ``binary`` says so, or a margin outside (0, span).
        UsageError: unless 0 < alpha < 0.5.

    Example:
        >>> result = non_inferiority([1.0, 0.0] * 40, [1.0, 0.0] * 40, margin=0.05)
        >>> result.state.value, result.method.value, result.needed
        ('pass', 'exact_losses', 59)
    """
    new, old = finite_vector("candidate", candidate), finite_vector("baseline", baseline)
    require_length("candidate", len(new), len(old))
    require_between("alpha", alpha, 0.0, 0.5)
    differences = _differences(new, old, margin, span)
    question = _Question(margin=margin, alpha=alpha, span=span)
    codes = _shared_clusters(clusters, len(differences))
    answer = _by_rule(differences, codes, question, is_binary=_is_binary(new, old, binary=binary))
    return _told(answer, differences, codes, question)


def _by_rule(differences: FloatArray, codes: IntArray | None, question: _Question, *, is_binary: bool) -> _Answer:
    units = Grouped(differences, np.ones(len(differences))) if codes is None else group(differences, codes)
    if np.count_nonzero(_differing_units(differences, codes)) < 2:
        return _exact(units, question)
    if codes is not None:
        return _t(units, question, PairedMethod.CLUSTER_ADJUSTED_T)
    return _tango(differences, question) if is_binary else _t(units, question, PairedMethod.ADJUSTED_T)


def _differing_units(differences: FloatArray, codes: IntArray | None) -> npt.NDArray[np.intp]:
    """How many differences each unit holds."""
    differing = (differences != 0.0).astype(np.intp)
    return differing if codes is None else np.bincount(codes, weights=differing).astype(np.intp)


def _told(answer: _Answer, differences: FloatArray, codes: IntArray | None, question: _Question) -> NonInferiority:
    return NonInferiority(
        method=answer.method,
        estimate=float(differences.mean()),
        lower=answer.lower,
        upper=answer.upper,
        confidence=1.0 - question.alpha,
        margin=question.margin,
        n=len(differences),
        clusters=None if codes is None else int(codes.max()) + 1,
        df=answer.df,
        discordant=int(np.count_nonzero(differences)),
        p_not_inferior=answer.p_not_inferior,
        p_inferior=answer.p_inferior,
        state=_state(answer, question.margin),
        needed=answer.needed,
    )


def _state(answer: _Answer, margin: float) -> PairedState:
    if answer.lower > -margin:
        return PairedState.PASS
    return PairedState.FAIL if answer.upper < -margin else PairedState.INCONCLUSIVE


def _differences(new: FloatArray, old: FloatArray, margin: float, span: float) -> FloatArray:
    if not (math.isfinite(span) and 0.0 < margin < span):
        raise DataError(
            Problem(
                message=f"the margin must lie above 0 and below the largest possible difference, {span:g}",
                field="margin",
                value=shown(margin),
                remedy="Give the largest drop that users would tolerate, for example 0.02",
            )
        )
    differences = new - old
    differences[np.abs(differences) <= _ROUNDING * span] = 0.0
    beyond = np.flatnonzero(np.abs(differences) > span * (1.0 + _ROUNDING))
    if len(beyond):
        raise DataError(
            Problem(
                message=f"the scores at position {beyond[0]} differ by more than the span {span:g}",
                field="candidate",
                value=f"{float(new[beyond[0]])!r} against {float(old[beyond[0]])!r}",
                remedy="Give the range of the metric as the span",
            )
        )
    return differences


def _shared_clusters(clusters: Labels | None, n: int) -> IntArray | None:
    """One cluster number per case; None where no two cases share one."""
    if clusters is None:
        return None
    codes = cluster_codes(clusters, n)
    return None if codes.max() + 1 == n else codes


def _is_binary(new: FloatArray, old: FloatArray, *, binary: bool | None) -> bool:
    found = bool(np.isin(new, (0.0, 1.0)).all() and np.isin(old, (0.0, 1.0)).all())
    if binary and not found:
        raise DataError(
            Problem(message="scores other than 0 and 1 were found in a binary metric", remedy="Leave binary unset")
        )
    return found if binary is None else binary


def _tango(differences: FloatArray, question: _Question) -> _Answer:
    n = len(differences)
    losses, gains = int(np.count_nonzero(differences < 0.0)), int(np.count_nonzero(differences > 0.0))
    lost, gained = np.array([losses]), np.array([gains])
    return _Answer(
        method=PairedMethod.TANGO_SCORE,
        lower=float(tango_lower(lost, gained, n, question.alpha)[0]),
        upper=-float(tango_lower(gained, lost, n, question.alpha)[0]),
        p_not_inferior=tango_p_value(losses, gains, n, question.margin),
        p_inferior=tango_p_value(gains, losses, n, -question.margin),
        needed=tango_needed(losses, gains, n, margin=question.margin, alpha=question.alpha, power=PLANNED_POWER),
    )


def _t(units: Grouped, question: _Question, method: PairedMethod) -> _Answer:
    below = adjusted_t(units.means[None, :], units.sizes, span=question.span)
    above = adjusted_t(-units.means[None, :], units.sizes, span=question.span)
    lower = float(below.lower(question.alpha)[0])
    proven = lower > -question.margin
    return _Answer(
        method=method,
        lower=lower,
        upper=-float(above.lower(question.alpha)[0]),
        p_not_inferior=below.p_value(question.margin),
        p_inferior=above.p_value(-question.margin),
        needed=None if proven else below.needed(question.margin, alpha=question.alpha, power=PLANNED_POWER),
        df=below.df,
    )


def _exact(units: Grouped, question: _Question) -> _Answer:
    n = len(units.sizes)
    losses, gains = int(np.count_nonzero(units.means < 0.0)), int(np.count_nonzero(units.means > 0.0))
    # A losing cluster may be the largest one, so every loss counts with the heaviest weight that was seen.
    heaviest = question.span * float(units.sizes.max() / units.sizes.mean())
    tolerated = question.margin / heaviest
    return _Answer(
        method=PairedMethod.EXACT_LOSSES,
        lower=-min(question.span, heaviest * largest_share(losses, n, question.alpha)),
        upper=min(question.span, heaviest * largest_share(gains, n, question.alpha)),
        p_not_inferior=binomial_cdf(losses, n, tolerated),
        p_inferior=1.0,
        needed=_exact_needed(units, losses, tolerated, question),
    )


def _exact_needed(units: Grouped, losses: int, tolerated: float, question: _Question) -> int | None:
    """Units at which so many losses would still pass; with one loss at least what its spread asks of the t rule."""
    if units.mean <= -question.margin:
        return None
    low, high = 0, 1
    while binomial_cdf(losses, high, tolerated) > question.alpha and high < _MAX_UNITS:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if binomial_cdf(losses, middle, tolerated) <= question.alpha else (middle, high)
    if not losses:
        return high
    planned = adjusted_t(units.means[None, :], units.sizes, span=question.span).needed(
        question.margin, alpha=question.alpha, power=PLANNED_POWER
    )
    return max(high, planned or 0)
