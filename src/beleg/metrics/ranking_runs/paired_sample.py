"""One column of paired differences with all that a comparison asks of it: test, interval, and what it could find."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from beleg.metrics.ranking_runs.table import FloatArray
from beleg.stats.adjusted_t import adjusted_t
from beleg.stats.bootstrap import bootstrap_means
from beleg.stats.clustered import Grouped, group
from beleg.stats.inputs import IntArray
from beleg.stats.intervals import Interval
from beleg.stats.power import detectable_difference, pairs_for_difference
from beleg.stats.randomisation import sign_flip
from beleg.stats.score_test import tango_lower
from beleg.stats.signed_rank import signed_rank
from beleg.stats.t_test import PairedT, paired_t

POWER = 0.8
"""The power at which the smallest difference that can be found is told, and the queries that would be needed."""

PLAIN_T_FROM = 30
"""With so many queries (or groups) that differ the t interval keeps its promise; measured in docs/adr/0010."""

DENSE_FROM = 10
"""The same where at least half of them differ."""

EVEN_UP_TO = 0.2
"""Skewness of the mean up to which the t interval keeps it; measured in docs/adr/0010."""

_LAST_DIGITS = 1e-12
_TIED_DECIMALS = 9
_TOO_SMALL = 1e-3
"""A difference of less than a thousandth of a standard deviation would take millions of queries."""


class PairedTest(StrEnum):
    """Where the p-value comes from."""

    RANDOMISATION = "randomisation"
    T = "t"
    WILCOXON = "wilcoxon"
    BOOTSTRAP = "bootstrap"


class IntervalRule(StrEnum):
    """Where the interval of a difference comes from."""

    AUTO = "auto"
    T = "t"
    ADJUSTED_T = "adjusted-t"
    BCA = "bca"
    PERCENTILE = "percentile"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRules:
    """How runs are compared.

    Attributes:
        test: where p-values come from.
        interval: where intervals come from.
        resamples: random sign patterns, bootstrap resamples or permutations.
        confidence: two-sided, of each interval; 1 less it is what an adjusted p-value is held against.
        all_pairs: compare every run with every other, not only with the first.
    """

    test: PairedTest = PairedTest.RANDOMISATION
    interval: IntervalRule = IntervalRule.AUTO
    resamples: int = 10_000
    confidence: float = 0.95
    all_pairs: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedSample:
    """Differences of one run from another in one measure.

    Attributes:
        differences: one per query.
        codes: one group number per query; None where queries are independent.
        fitted: mean and standard error.
        p_value: of the test that was asked for; None where it is not defined.
        exact: whether that p-value looks at all outcomes.
        resampled: the bootstrap interval; None unless asked for, or where nothing varies.
    """

    differences: FloatArray
    codes: IntArray | None
    fitted: PairedT
    p_value: float | None
    exact: bool
    resampled: Interval | None

    @property
    def units(self) -> Grouped:
        """The groups, or the queries where there are none."""
        if self.codes is None:
            return Grouped(self.differences, np.ones(len(self.differences)))
        return group(self.differences, self.codes)

    def interval(self, rules: ComparisonRules, *, binary: bool) -> Interval | None:
        """The interval by the rule asked for; ``binary`` says that both runs are 0 or 1 in every query.

        None where it is not defined: a t interval of differences that do not vary, a bootstrap of the same, an
        adjusted t interval of scores beyond 0 and 1.
        """
        rule = rules.interval
        if rule in (IntervalRule.BCA, IntervalRule.PERCENTILE):
            return self.resampled
        if rule is IntervalRule.AUTO and binary and self.codes is None:
            return self._tango(rules.confidence)
        bounded = bool((np.abs(self.differences) <= 1.0).all())
        if rule is IntervalRule.ADJUSTED_T or (rule is IntervalRule.AUTO and bounded and not self._carries_t()):
            return self._adjusted(rules.confidence) if bounded else None
        return self.fitted.interval(rules.confidence)

    def detectable(self, rules: ComparisonRules) -> float | None:
        """Smallest true difference that a two-sided t test shows with a power of 0.8.

        None where nothing varies, and where the rule for *shown* asks more than t and so has less power: an adjusted t
        interval, or so few queries (or groups) that no exchange of their signs gives a small p-value.
        """
        fitted = self.fitted
        if fitted.error is None or fitted.df is None or fitted.df < 1.0 or self._asks_more_than_t(rules):
            return None
        return detectable_difference(fitted.error, fitted.df, alpha=1.0 - rules.confidence, power=POWER)

    def needed(self, rules: ComparisonRules) -> int | None:
        """Queries, or groups, that show a true difference as large as the observed one with a power of 0.8.

        None where `detectable` is, or there is no difference to show.
        """
        fitted = self.fitted
        if fitted.error is None or not fitted.estimate or self._asks_more_than_t(rules):
            return None
        spread = fitted.error * math.sqrt(len(self.units.sizes))
        if abs(fitted.estimate) < spread * _TOO_SMALL:
            return None
        return pairs_for_difference(spread, fitted.estimate, alpha=1.0 - rules.confidence, power=POWER)

    def _asks_more_than_t(self, rules: ComparisonRules) -> bool:
        signed = rules.test in (PairedTest.RANDOMISATION, PairedTest.WILCOXON)
        if signed and 2.0 ** (1 - len(self.units.sizes)) > 1.0 - rules.confidence + _LAST_DIGITS:
            return True
        adjusted = rules.interval is IntervalRule.ADJUSTED_T
        return adjusted or (rules.interval is IntervalRule.AUTO and not self._carries_t())

    def _carries_t(self) -> bool:
        """Whether enough queries (or groups) differ, evenly enough, for the t interval.

        The groups of average size or more are asked alone as well: small ones tell nothing about them.
        """
        units = self.units
        large = units.sizes >= units.sizes.mean()
        return _carry_t(units) and _carry_t(Grouped(units.means[large], units.sizes[large]))

    def _tango(self, confidence: float) -> Interval:
        n, tail = len(self.differences), 0.5 * (1.0 - confidence)
        lost = np.array([np.count_nonzero(self.differences < 0.0)])
        gained = np.array([np.count_nonzero(self.differences > 0.0)])
        lower, upper = float(tango_lower(lost, gained, n, tail)[0]), -float(tango_lower(gained, lost, n, tail)[0])
        return Interval(self.fitted.estimate, lower, upper, confidence, "tango_score", n)

    def _adjusted(self, confidence: float) -> Interval:
        units, tail = self.units, 0.5 * (1.0 - confidence)
        below = adjusted_t(units.means[None, :], units.sizes, span=1.0)
        above = adjusted_t(-units.means[None, :], units.sizes, span=1.0)
        clusters = None if self.codes is None else len(units.sizes)
        return Interval(
            estimate=self.fitted.estimate,
            lower=float(below.lower(tail)[0]),
            upper=-float(above.lower(tail)[0]),
            confidence=confidence,
            method="adjusted_t" if clusters is None else "cluster_adjusted_t",
            n=len(self.differences),
            clusters=clusters,
            df=below.df,
        )


def paired_samples(
    table: FloatArray, codes: IntArray | None, rules: ComparisonRules, rng: np.random.Generator
) -> list[PairedSample]:
    """Tests every column of differences; all columns share the same random patterns and resamples.

    Args:
        table: queries by comparisons.
        codes: one group number per query; None where queries are independent.
        rules: how to test.
        rng: the random generator.

    Returns:
        One sample per column.

    Example:
        >>> samples = paired_samples(np.full((8, 1), 0.25), None, ComparisonRules(), np.random.default_rng(1))
        >>> samples[0].p_value, samples[0].exact
        (0.0078125, True)
    """
    fitted = [paired_t(column, clusters=codes) for column in table.T]
    resampled: list[Interval | None] = [None] * len(fitted)
    boot = None
    if rules.test is PairedTest.BOOTSTRAP or rules.interval in (IntervalRule.BCA, IntervalRule.PERCENTILE):
        boot = bootstrap_means(table, resamples=rules.resamples, rng=rng, clusters=codes)
        by_percentile = rules.interval is IntervalRule.PERCENTILE
        resampled = boot.percentile(rules.confidence) if by_percentile else boot.bca(rules.confidence)
    p_values: list[float | None]
    exact = [False] * len(fitted)
    if rules.test is PairedTest.BOOTSTRAP and boot is not None:
        p_values = list(boot.p_values().tolist())
    elif rules.test is PairedTest.RANDOMISATION:
        flipped = sign_flip(table, patterns=rules.resamples, rng=rng, clusters=codes)
        p_values, exact = list(flipped.p_values.tolist()), flipped.exact.tolist()
    elif rules.test is PairedTest.WILCOXON:
        # Equal differences of unequal sums differ in their last digits, which would untie their ranks.
        ranked = [signed_rank(np.round(_units(column, codes), _TIED_DECIMALS)) for column in table.T]
        p_values, exact = [test.p_value for test in ranked], [test.exact for test in ranked]
    else:
        p_values = [test.p_value if column.any() else 1.0 for test, column in zip(fitted, table.T, strict=True)]
    return [
        PairedSample(differences=column, codes=codes, fitted=test, p_value=p_value, exact=is_exact, resampled=interval)
        for column, test, p_value, is_exact, interval in zip(table.T, fitted, p_values, exact, resampled, strict=True)
    ]


def _carry_t(units: Grouped) -> bool:
    if np.ptp(units.means) <= _LAST_DIGITS * float(np.abs(units.means).max()):
        return False
    weight = units.sizes[units.means != 0.0]
    differing = min(Grouped(weight, weight).effective, units.effective * weight.sum() / units.sizes.sum())
    enough = differing >= PLAIN_T_FROM or (differing >= DENSE_FROM and 2.0 * differing >= units.effective)
    return bool(enough and _skewness(units) <= EVEN_UP_TO)


def _skewness(units: Grouped) -> float:
    """Absolute skewness of the mean; for single queries that of the differences over the root of their number."""
    moved = (units.means - units.mean) * units.sizes
    # Scaled, so that no power of a tiny or huge difference leaves the range of numbers.
    moved = moved / np.abs(moved).max()
    return float(abs((moved**3).sum()) / (moved @ moved) ** 1.5)


def _units(column: FloatArray, codes: IntArray | None) -> FloatArray:
    return column if codes is None else group(column, codes).means
