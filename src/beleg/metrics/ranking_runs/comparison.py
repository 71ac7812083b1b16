"""Compares runs query by query: differences with intervals, tests, effect sizes, and what the queries could show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from beleg.core.errors import DataError, Problem, UsageError
from beleg.metrics.ranking_runs.kernels import RunValues
from beleg.metrics.ranking_runs.measures import Measure, require_higher_is_better
from beleg.metrics.ranking_runs.paired_sample import ComparisonRules, PairedSample, paired_samples
from beleg.metrics.ranking_runs.table import FloatArray
from beleg.stats.effect_size import EffectSize, effect_size
from beleg.stats.inputs import IntArray, cluster_codes, require_between
from beleg.stats.intervals import Interval, clopper_pearson, clustered_interval, mean_t_interval
from beleg.stats.multiplicity import holm
from beleg.stats.randomisation import randomised_tukey

_ROUNDING = 1e-9


class Finding(StrEnum):
    """What a comparison says."""

    BETTER = "better"
    WORSE = "worse"
    NOT_SHOWN = "not_shown"
    IDENTICAL = "identical"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunDifference:
    """One run against another in one measure.

    Attributes:
        measure: which measure.
        run: position of the run.
        against: position of the run that it is compared with.
        run_mean: mean of the run over all judged queries.
        against_mean: mean of the other one.
        estimate: run_mean less against_mean.
        interval: of the true difference; None where it cannot be estimated.
        p_value: two-sided p-value of "there is no difference"; None where the test is not defined.
        adjusted_p: the same after Holm's correction over all measures and runs that were compared.
        tukey_p: by the randomised Tukey test over all pairs of runs in this measure; None unless asked for.
        exact: whether the p-value looks at all outcomes, by no sample and no approximation.
        effect: effect sizes, and how many queries are won and lost.
        detectable: smallest true difference that these queries show with a power of 0.8; None where none can be told.
        needed: queries (or groups) that would show a true difference as large as the observed one; None likewise.
        finding: what it comes to.
        differences: one per query.
        run_values: the run itself, one per query.
    """

    measure: Measure
    run: int
    against: int
    run_mean: float
    against_mean: float
    estimate: float
    interval: Interval | None
    p_value: float | None
    adjusted_p: float | None
    tukey_p: float | None
    exact: bool
    effect: EffectSize
    detectable: float | None
    needed: int | None
    finding: Finding
    differences: FloatArray
    run_values: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunComparison:
    """All comparisons of one call, and the figure of every run in every measure.

    Attributes:
        measures: what was measured.
        queries: the judged queries.
        means: ``means[run][measure]``, each with its interval.
        comparisons: by measure, then by run.
        groups: how many groups the queries come in; None where they are independent.
        rules: how it was compared.
    """

    measures: tuple[Measure, ...]
    queries: tuple[str, ...]
    means: tuple[tuple[Interval, ...], ...]
    comparisons: tuple[RunDifference, ...]
    groups: int | None
    rules: ComparisonRules


def compare_runs(
    runs: Sequence[RunValues],
    rules: ComparisonRules,
    rng: np.random.Generator,
    *,
    groups: Sequence[str] | None = None,
) -> RunComparison:
    """Compares the first run, the baseline, with each of the others; or all runs with each other.

    Differences are paired by query; up to 1e-9 they are rounding and count as none. What a run lacks counts with 0.

    Interval (``auto``): of measures that are 0 or 1 in every query, Tango's score interval. Else the t interval where
    30 queries or more differ, or 10 that are at least half of all, and the mean is hardly skewed; else the adjusted t
    interval, which allows for losses and gains not seen yet. Groups count by weight, and large ones are asked alone.
    A difference is shown where the adjusted p-value is at most 1 - confidence and the interval excludes 0.

    Args:
        runs: the values of each run over the same queries and measures, the baseline first.
        rules: how to compare.
        rng: the random generator.
        groups: one label per query; queries of one group are not independent.

    Raises:
        DataError: if the runs are not over the same queries, or groups do not match the queries.
        UsageError: for fewer than two runs, a measure without a mean or better figures, or settings out of order.

    Example:
        >>> from beleg.metrics.ranking_runs.kernels import evaluate_run
        >>> from beleg.metrics.ranking_runs.measures import parse_measures
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> judged = table_from_mapping({f"q{i}": {"d": 1} for i in range(6)})
        >>> runs = [table_from_mapping({f"q{i}": {"d": d, "e": 2.0} for i in range(6)}) for d in (1.0, 3.0)]
        >>> values = [evaluate_run(judged, run, parse_measures(["RR"])) for run in runs]
        >>> found = compare_runs(values, ComparisonRules(), np.random.default_rng(1)).comparisons[0]
        >>> found.estimate, found.p_value
        (0.5, 0.03125)
    """
    _require_comparable(runs, rules)
    first = runs[0]
    codes = None if groups is None else cluster_codes(groups, len(first.queries))
    columns = [
        (measure, run, against)
        for measure in range(len(first.measures))
        for run, against in _pairs(len(runs), all_pairs=rules.all_pairs)
    ]
    table = np.stack([_differences(runs, *column) for column in columns], axis=1)
    samples = paired_samples(table, codes, rules, rng)
    adjusted = _adjusted([sample.p_value for sample in samples])
    tukey = _tukey(runs, codes, rules, rng)
    return RunComparison(
        measures=first.measures,
        queries=first.queries,
        means=tuple(tuple(_mean(row, codes, rules.confidence) for row in run.values) for run in runs),
        comparisons=tuple(
            _told(runs, column, sample, _Family(adjusted_p, tukey.get(column)), rules)
            for column, sample, adjusted_p in zip(columns, samples, adjusted, strict=True)
        ),
        groups=None if codes is None else int(codes.max()) + 1,
        rules=rules,
    )


@dataclass(frozen=True, slots=True)
class _Family:
    """What holds for all comparisons together."""

    adjusted_p: float | None
    tukey_p: float | None


def _told(
    runs: Sequence[RunValues],
    column: tuple[int, int, int],
    sample: PairedSample,
    family: _Family,
    rules: ComparisonRules,
) -> RunDifference:
    measure, run, against = column
    new, old = runs[run].values[measure], runs[against].values[measure]
    values = sample.differences
    interval = sample.interval(rules, binary=bool(np.isin(new, (0, 1)).all() and np.isin(old, (0, 1)).all()))
    return RunDifference(
        measure=runs[0].measures[measure],
        run=run,
        against=against,
        run_mean=float(new.mean()),
        against_mean=float(old.mean()),
        estimate=sample.fitted.estimate,
        interval=interval,
        p_value=sample.p_value,
        adjusted_p=family.adjusted_p,
        tukey_p=family.tukey_p,
        exact=sample.exact,
        effect=effect_size(values),
        detectable=sample.detectable(rules),
        needed=sample.needed(rules),
        finding=_finding(sample, interval, family.adjusted_p, rules.confidence),
        differences=values,
        run_values=new,
    )


def _finding(sample: PairedSample, interval: Interval | None, adjusted_p: float | None, confidence: float) -> Finding:
    if not sample.differences.any():
        return Finding.IDENTICAL
    excludes_zero = interval is not None and not interval.lower <= 0.0 <= interval.upper
    if not excludes_zero or adjusted_p is None or adjusted_p > 1.0 - confidence + _ROUNDING:
        return Finding.NOT_SHOWN
    return Finding.BETTER if sample.fitted.estimate > 0.0 else Finding.WORSE


def _pairs(count: int, *, all_pairs: bool) -> list[tuple[int, int]]:
    """Each run with the one that it is compared with."""
    if not all_pairs:
        return [(run, 0) for run in range(1, count)]
    return [(run, against) for against in range(count) for run in range(against + 1, count)]


def _differences(runs: Sequence[RunValues], measure: int, run: int, against: int) -> FloatArray:
    found: FloatArray = runs[run].values[measure] - runs[against].values[measure]
    found[np.abs(found) <= _ROUNDING] = 0.0
    return found


def _adjusted(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's correction over all comparisons; one without a p-value counts as one that shows nothing."""
    adjusted = holm([1.0 if p is None else p for p in p_values]).tolist()
    return [None if p is None else value for p, value in zip(p_values, adjusted, strict=True)]


def _tukey(
    runs: Sequence[RunValues], codes: IntArray | None, rules: ComparisonRules, rng: np.random.Generator
) -> dict[tuple[int, int, int], float]:
    if not rules.all_pairs:
        return {}
    found = {}
    for measure in range(len(runs[0].measures)):
        scores = np.stack([run.values[measure] for run in runs], axis=1)
        if codes is not None:
            sums = np.zeros((int(codes.max()) + 1, len(runs)))
            np.add.at(sums, codes, scores)
            scores = sums
        p_values = randomised_tukey(scores, permutations=rules.resamples, rng=rng)
        for run, against in _pairs(len(runs), all_pairs=True):
            found[measure, run, against] = float(p_values[run, against])
    return found


def _mean(values: FloatArray, codes: IntArray | None, confidence: float) -> Interval:
    """The mean of one run in one measure: an exact interval for a rate, the adjusted t interval for a graded mean."""
    bounds = (min(0.0, float(values.min())), max(1.0, float(values.max())))
    if codes is not None:
        return clustered_interval(values, codes, confidence, bounds=bounds)
    if np.isin(values, (0.0, 1.0)).all():
        return clopper_pearson(int(values.sum()), len(values), confidence)
    return mean_t_interval(values, confidence, bounds=bounds)


def _require_comparable(runs: Sequence[RunValues], rules: ComparisonRules) -> None:
    require_between("confidence", rules.confidence, 0.5, 1.0)
    require_between("resamples", rules.resamples, 0, math.inf)
    if len(runs) < 2:
        raise UsageError("there is nothing to compare", hint="Name a baseline and one run or more")
    require_higher_is_better(runs[0].measures)
    for measure in runs[0].measures:
        if measure.kind.aggregate != "mean":
            raise UsageError(
                f"{measure.label or measure} has no mean over queries to compare", hint="Compare AP in place of GMAP"
            )
    if any(run.queries != runs[0].queries or run.measures != runs[0].measures for run in runs):
        raise DataError(
            Problem(
                message="the runs were not evaluated over the same queries and measures",
                remedy="Evaluate all of them against the same judgements",
            )
        )
