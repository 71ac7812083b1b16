"""A rate or mean from a few human labels and many verdicts of a judge: the judge's mean, corrected by its own errors.

The rectifier is the mean of human minus judge over the labelled cases; the estimate is the mean of the judge plus the
rectifier. It is unbiased however bad the judge is, as long as the labelled cases are a random sample of all of them.
Which interval holds its promise was measured by simulation (`benchmarks/bench_calibration.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from beleg.core.errors import DataError, Problem, shown
from beleg.stats.adjusted_t import adjusted_t
from beleg.stats.clustered import Grouped, group
from beleg.stats.distributions import normal_quantile
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
from beleg.stats.intervals import UNIT, Interval, clopper_pearson, clustered_interval, mean_t_interval, wilson

LEAST_LABELS_FOR_PPI = 300
"""With fewer human labels the published intervals are too short."""

EXTREME_RATE = 0.9
"""From this rate on, and below one minus it, they are too short with any number of labels that people write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAssisted:
    """An estimate from human labels and verdicts of a judge.

    Attributes:
        estimate: the judge's mean plus the rectifier, within [0, 1].
        lower: lower bound.
        upper: upper bound.
        confidence: two-sided confidence.
        method: the rule that made the bounds.
        labelled: cases with a human label and a verdict.
        judged: all cases with a verdict, those with a label included.
        rectifier: mean of human minus judge over the labelled cases.
        tuning: the weight of the judge (lambda), where the rule tunes it.
        clusters: number of groups of dependent cases; None where cases are independent.
    """

    estimate: float
    lower: float
    upper: float
    confidence: float
    method: str
    labelled: int
    judged: int
    rectifier: float
    tuning: float | None = None
    clusters: int | None = None

    @property
    def width(self) -> float:
        """Upper minus lower bound."""
        return self.upper - self.lower


@dataclass(frozen=True, slots=True, eq=False)
class _Sample:
    human: FloatArray
    judge: FloatArray
    rest: FloatArray
    """Verdicts on the cases without a label."""

    @property
    def judged(self) -> FloatArray:
        return np.concatenate([self.judge, self.rest])

    @property
    def difference(self) -> FloatArray:
        return self.human - self.judge

    @property
    def is_binary(self) -> bool:
        return bool(np.isin(self.human, UNIT).all() and np.isin(self.judged, UNIT).all())


def ppi_interval(
    human: Numbers, judge: Numbers, unlabelled: Numbers, confidence: float = 0.95, *, tuning: float | None = 1.0
) -> JudgeAssisted:
    """The published prediction-powered interval for a mean, with or without power tuning. It may leave [0, 1].

    Formula: lambda mean(f over the unlabelled) + mean(y - lambda f over the labelled) ± z sqrt(lambda² var(f) / N +
    var(y - lambda f) / n), variances with the divisor n (Angelopoulos et al. 2023, PPI; lambda = 1). With ``tuning``
    None lambda is cov(y, f) / ((1 + n / N) var(f)), cut to [0, 1], the variance over all verdicts with the divisor
    n + N - 1 (Angelopoulos, Duchi and Zrnic 2023, PPI++). Below 300 labels and near rates of 0 and 1 it covers too
    seldom: use `judge_assisted_rate`.

    Args:
        human: the label of each labelled case.
        judge: the verdict on each labelled case.
        unlabelled: the verdicts on the other cases.
        confidence: two-sided confidence.
        tuning: lambda; None finds it.

    Raises:
        DataError: without labels or other verdicts, for different lengths, or values that are not finite.
        UsageError: unless the confidence lies between 0 and 1.

    Example:
        >>> found = ppi_interval([1, 0, 1, 1], [1, 0, 0, 1], [1, 1, 0, 1, 0, 1, 1, 0])
        >>> found.estimate, round(found.lower, 6), round(found.upper, 6)
        (0.875, 0.334065, 1.415935)
    """
    sample = _sample(human, judge, finite_vector("unlabelled", unlabelled))
    require_between("confidence", confidence, 0.0, 1.0)
    weight = _tuned(sample) if tuning is None else tuning
    rest = weight * sample.rest
    errors = sample.human - weight * sample.judge
    estimate = float(rest.mean() + errors.mean())
    spread = math.sqrt(rest.var() / len(rest) + errors.var() / len(errors))
    half = normal_quantile(0.5 + 0.5 * confidence) * spread
    return JudgeAssisted(
        estimate=estimate,
        lower=estimate - half,
        upper=estimate + half,
        confidence=confidence,
        method="ppi++" if tuning is None else "ppi",
        labelled=len(sample.human),
        judged=len(sample.judged),
        rectifier=float(sample.difference.mean()),
        tuning=weight,
    )


def _tuned(sample: _Sample) -> float:
    variance = float(sample.judged.var(ddof=1))
    if variance <= 0.0:
        return 0.0
    covariance = float(((sample.human - sample.human.mean()) * (sample.judge - sample.judge.mean())).mean())
    return min(1.0, max(0.0, covariance / ((1.0 + len(sample.human) / len(sample.rest)) * variance)))


def square_and_add(
    human: Numbers,
    judge: Numbers,
    unlabelled: Numbers,
    confidence: float = 0.95,
    *,
    clusters: tuple[Labels, Labels] | None = None,
) -> JudgeAssisted:
    """Interval for a rate or a mean in [0, 1] from two intervals: one for the judge's mean, one for the rectifier.

    Formula: with the estimate e = f + d, bounds (l, u) of d and (L, U) of f: e - sqrt((d - l)² + (f - L)²) and
    e + sqrt((u - d)² + (U - f)²) (square-and-add, Zou and Donner 2008). Rates: Wilson's bounds for f over all verdicts,
    and for d the wider of Agresti and Min's (2005), half a case added to either kind of error, and of the exact bounds
    of either kind put together: the former alone are too narrow for a judge that is wrong in one direction. Graded or
    clustered values: the t bounds over clusters for f (`clustered_interval`), and `adjusted_t` for d. The verdicts on
    labelled cases count in f too: human minus judge never varies with the judge in the same direction for 0 and 1, so
    that this only makes the interval hold more often. Range: within [0, 1].

    Args:
        human: the label of each labelled case, from 0 to 1.
        judge: the verdict on each labelled case.
        unlabelled: the verdicts on the other cases; there may be none.
        confidence: two-sided confidence.
        clusters: one label per labelled and one per unlabelled case; cases that share one are not independent.

    Raises:
        DataError: for fewer than two labels, different lengths, or a value outside [0, 1].
        UsageError: unless the confidence lies between 0 and 1.

    Example:
        >>> found = square_and_add([1] * 28 + [0, 0], [1] * 29 + [0], [1] * 950 + [0] * 50)
        >>> round(found.estimate, 3), round(found.lower, 3), round(found.upper, 3)
        (0.917, 0.778, 1.0)
    """
    sample = _unit_sample(human, judge, unlabelled)
    require_between("confidence", confidence, 0.0, 1.0)
    codes = _shared(clusters, sample)
    f, (low_f, high_f) = _mean_of_judge(sample, codes, confidence)
    d, (low_d, high_d) = _rectifier(sample, codes, confidence)
    down = math.hypot(max(0.0, d - low_d), f - low_f)
    up = math.hypot(max(0.0, high_d - d), high_f - f)
    return _within(sample, f + d, (down, up), confidence, method="square_and_add", codes=codes)


def _mean_of_judge(sample: _Sample, codes: IntArray | None, confidence: float) -> tuple[float, tuple[float, float]]:
    judged = sample.judged
    if codes is not None:
        found = clustered_interval(judged, codes, confidence)
    elif sample.is_binary:
        found = wilson(int(judged.sum()), len(judged), confidence)
    else:
        found = mean_t_interval(judged, confidence)
    return found.estimate, (found.lower, found.upper)


def _rectifier(sample: _Sample, codes: IntArray | None, confidence: float) -> tuple[float, tuple[float, float]]:
    difference = sample.difference
    if codes is None and sample.is_binary:
        found = _agresti_min(difference, confidence), _by_kind_of_error(difference, confidence)
        return float(difference.mean()), (min(low for low, _ in found), max(high for _, high in found))
    _, own = np.unique(codes[: len(difference)], return_inverse=True) if codes is not None else (None, None)
    units = Grouped(difference, np.ones(len(difference))) if own is None else group(difference, own)
    if len(units.sizes) < 2:
        raise _too_few(len(units.sizes), "groups with a human label")
    tail = 0.5 * (1.0 - confidence)
    low, high = (
        float(adjusted_t(sign * units.means[None, :], units.sizes, span=1.0).lower(tail)[0]) for sign in (1.0, -1.0)
    )
    return units.mean, (low, -high)


def _agresti_min(difference: FloatArray, confidence: float) -> tuple[float, float]:
    """Bounds for the difference of two paired rates, with half a case added to each kind of disagreement."""
    n = len(difference) + 2.0
    over, under = (float(np.count_nonzero(difference == sign)) + 0.5 for sign in (-1.0, 1.0))
    centre = (under - over) / n
    half = normal_quantile(0.5 + 0.5 * confidence) * math.sqrt(under + over - (under - over) ** 2 / n) / n
    return centre - half, centre + half


def _by_kind_of_error(difference: FloatArray, confidence: float) -> tuple[float, float]:
    """Bounds for the same from the exact bounds of either kind of disagreement, by square-and-add.

    A judge that is wrong in one direction only shows few errors or none among few labels. There half a case says too
    little: after n labels without an error the rate may be 3 / n at 95 percent, not 1.6 / n.
    """
    over, under = (
        clopper_pearson(int(np.count_nonzero(difference == sign)), len(difference), confidence) for sign in (-1, 1)
    )
    return (
        float(difference.mean()) - math.hypot(over.upper - over.estimate, under.estimate - under.lower),
        float(difference.mean()) + math.hypot(under.upper - under.estimate, over.estimate - over.lower),
    )


def judge_assisted_rate(
    human: Numbers,
    judge: Numbers,
    unlabelled: Numbers,
    confidence: float = 0.95,
    *,
    clusters: tuple[Labels, Labels] | None = None,
    one_sided: bool = False,
) -> JudgeAssisted:
    """A rate, or a mean in [0, 1], from a few human labels and many verdicts, by the rule that holds its promise.

    Rules, in this order: where no verdict lacks a label, the human labels alone (Clopper and Pearson for rates, the t
    bounds otherwise); below 300 labels, at an estimate of 0.9 and above or 0.1 and below, for graded and for clustered
    values `square_and_add`; elsewhere PPI++ (`ppi_interval`), cut to [0, 1].

    Args:
        human: the label of each labelled case, from 0 to 1; the labelled cases must be a random sample.
        judge: the verdict on each labelled case.
        unlabelled: the verdicts on the other cases.
        confidence: two-sided confidence.
        clusters: one label per labelled and one per unlabelled case; cases that share one are not independent.
        one_sided: whether a single bound decides. Then `square_and_add` is taken with any number of labels: with 300
            labels at rates of 0.8 to 0.88 the lower bound of PPI++ misses .064 to .073 of the time where .05 is
            promised, and of `square_and_add` .042 at most.

    Raises:
        DataError: for fewer than two labels, different lengths, or a value outside [0, 1].
        UsageError: unless the confidence lies between 0 and 1.

    Example:
        >>> found = judge_assisted_rate([1, 1, 1, 0] * 20, [1, 1, 1, 1] * 20, [1] * 800)
        >>> found.method, found.labelled, found.estimate
        ('square_and_add', 80, 0.75)
    """
    sample = _unit_sample(human, judge, unlabelled)
    codes = _shared(clusters, sample)
    if not len(sample.rest):
        return _humans_only(sample, codes, confidence)
    careful = square_and_add(human, judge, unlabelled, confidence, clusters=clusters)
    few = len(sample.human) < LEAST_LABELS_FOR_PPI
    extreme = not 1.0 - EXTREME_RATE < careful.estimate < EXTREME_RATE
    if one_sided or few or extreme or codes is not None or not sample.is_binary:
        return careful
    tuned = ppi_interval(human, judge, unlabelled, confidence, tuning=None)
    reach = (tuned.estimate - tuned.lower, tuned.upper - tuned.estimate)
    return _within(sample, tuned.estimate, reach, confidence, method="ppi++", tuning=tuned.tuning)


def _humans_only(sample: _Sample, codes: IntArray | None, confidence: float) -> JudgeAssisted:
    found: Interval
    if codes is not None:
        found = clustered_interval(sample.human, codes, confidence)
    elif sample.is_binary:
        found = clopper_pearson(int(sample.human.sum()), len(sample.human), confidence)
    else:
        found = mean_t_interval(sample.human, confidence)
    reach = (found.estimate - found.lower, found.upper - found.estimate)
    return _within(sample, found.estimate, reach, confidence, method=f"human_labels_{found.method}", codes=codes)


def _within(  # noqa: PLR0913 - the parts of one result
    sample: _Sample,
    estimate: float,
    reach: tuple[float, float],
    confidence: float,
    *,
    method: str,
    tuning: float | None = None,
    codes: IntArray | None = None,
) -> JudgeAssisted:
    """The estimate and its bounds cut to [0, 1]; the bounds are drawn around the estimate as it was before."""
    low, middle, high = (min(1.0, max(0.0, value)) for value in (estimate - reach[0], estimate, estimate + reach[1]))
    return JudgeAssisted(
        estimate=middle,
        lower=low,
        upper=high,
        confidence=confidence,
        method=method,
        labelled=len(sample.human),
        judged=len(sample.judged),
        rectifier=float(sample.difference.mean()),
        tuning=tuning,
        clusters=None if codes is None else len(np.unique(codes)),
    )


def _sample(human: Numbers, judge: Numbers, rest: FloatArray) -> _Sample:
    labels, verdicts = finite_vector("human", human), finite_vector("judge", judge)
    require_length("judge", len(verdicts), len(labels))
    return _Sample(labels, verdicts, rest)


def _unit_sample(human: Numbers, judge: Numbers, unlabelled: Numbers) -> _Sample:
    rest = finite_vector("unlabelled", unlabelled) if len(unlabelled) else np.empty(0)
    sample = _sample(human, judge, rest)
    if len(sample.human) < 2:
        raise _too_few(len(sample.human), "human labels")
    for field, values in (("human", sample.human), ("judge", sample.judged)):
        outside = values[(values < 0.0) | (values > 1.0)]
        if len(outside):
            raise DataError(
                Problem(message="a label or verdict lies between 0 and 1", field=field, value=shown(float(outside[0])))
            )
    return sample


def _too_few(found: int, what: str) -> DataError:
    return DataError(Problem(message=f"at least two {what} are needed", value=str(found), remedy="Label more cases"))


def _shared(clusters: tuple[Labels, Labels] | None, sample: _Sample) -> IntArray | None:
    """One cluster number per judged case, labelled ones first; None where no two cases share one."""
    if clusters is None:
        return None
    for field, labels, n in zip(
        ("labelled", "unlabelled"), clusters, (len(sample.human), len(sample.rest)), strict=True
    ):
        require_length(f"{field} clusters", len(labels), n)
    listed = [label for labels in clusters for label in np.asarray(labels, dtype=object).tolist()]
    codes = cluster_codes(listed, len(listed))
    return None if int(codes.max()) + 1 == len(codes) else codes
