"""Statistics against scipy, which is no part of an install."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special, stats

from beleg.stats.adjusted_t import adjusted_t
from beleg.stats.bootstrap import bootstrap_means
from beleg.stats.distributions import (
    beta_quantile,
    binomial_cdf,
    regularised_incomplete_beta,
    student_t_cdf,
    student_t_quantile,
)
from beleg.stats.intervals import clopper_pearson, mean_t_interval, wilson
from beleg.stats.quantiles import quantile_interval
from beleg.stats.score_test import restricted_loss_share, tango_lower

PROBABILITIES = (1e-8, 1e-4, 0.01, 0.05, 0.3, 0.4999, 0.6, 0.95, 0.975, 0.9999)


@pytest.mark.parametrize("df", [0.5, 1.0, 1.7, 3.3, 9.0, 30.0, 101.0, 12345.6, 9.9e5, 1.1e6, 1e8, 1e12])
def test_student_t(df: float) -> None:
    for p in PROBABILITIES:
        expected = float(stats.t.ppf(p, df))
        assert student_t_quantile(p, df) == pytest.approx(expected, rel=1e-10, abs=1e-10)
        assert student_t_cdf(expected, df) == pytest.approx(p, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize("a", [0.5, 1.0, 2.0, 5.5, 20.0, 1e3, 1e6])
@pytest.mark.parametrize("b", [0.5, 1.0, 7.0, 1e3, 1e6])
def test_beta(a: float, b: float) -> None:
    for p in (1e-6, 0.025, 0.05, 0.5, 0.95, 1 - 1e-6):
        expected = float(stats.beta.ppf(p, a, b))
        assert beta_quantile(p, a, b) == pytest.approx(expected, abs=1e-10)
        assert regularised_incomplete_beta(expected, a, b) == pytest.approx(
            float(special.betainc(a, b, expected)), abs=1e-10
        )


@given(st.integers(1, 3000), st.floats(0.001, 0.999), st.data())
def test_binomial(n: int, p: float, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    assert binomial_cdf(k, n, p) == pytest.approx(float(stats.binom.cdf(k, n, p)), abs=1e-10)


@given(st.integers(1, 2000), st.sampled_from([0.8, 0.95, 0.999]), st.data())
def test_rate_intervals(n: int, confidence: float, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    test = stats.binomtest(k, n)
    for rule, method in ((wilson, "wilson"), (clopper_pearson, "exact")):
        expected = test.proportion_ci(confidence, method=method)
        interval = rule(k, n, confidence)
        assert (interval.lower, interval.upper) == pytest.approx((expected.low, expected.high), abs=1e-10)


def test_the_padded_mean_interval_is_the_t_interval_of_the_padded_sample() -> None:
    values = np.random.default_rng(1).beta(5, 2, 40)
    padded = np.append(values, [0, 0, 1, 1])
    expected = stats.ttest_1samp(padded, 0).confidence_interval(0.9)
    interval = mean_t_interval(values, 0.9)
    assert (interval.lower, interval.upper) == pytest.approx((expected.low, expected.high))


def test_the_mean_interval_covers_skewed_scores_where_the_plain_one_does_not() -> None:
    rng = np.random.default_rng(2)
    n, truth, repetitions = 30, 0.97, 1500
    covered = plain = 0
    for row in np.where(rng.random((repetitions, n)) < 0.05, 0.4, 1.0):
        interval = mean_t_interval(row)
        covered += interval.lower <= truth <= interval.upper
        spread = stats.sem(row) * stats.t.ppf(0.975, n - 1)
        plain += bool(abs(row.mean() - truth) <= spread)
    # Four standard errors of the simulation are 0.0225.
    assert covered / repetitions >= 0.95 - 0.0225
    assert plain / repetitions < 0.85


def test_the_adjusted_bound_is_the_t_test_with_one_loss_and_one_gain() -> None:
    units = np.tile([-0.75, -0.25, 0.0, 0.25, 0.75], 12)
    test = stats.ttest_1samp(np.append(units, [-1, 1]), -0.2, alternative="greater")
    fit = adjusted_t(units[None, :], np.ones(60), span=1.0)
    assert float(fit.lower(0.05)[0]) == pytest.approx(test.confidence_interval(0.95).low)
    assert fit.p_value(0.2) == pytest.approx(test.pvalue, rel=1e-9)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 100), st.floats(-0.8, 0.8))
def test_the_restricted_share_of_losses_maximises_the_likelihood(
    losses: int, gains: int, same: int, difference: float
) -> None:
    n = losses + gains + same
    lowest, highest = max(0.0, -difference), (1.0 - difference) / 2.0

    def unlikelihood(q: float) -> float:
        shares = (q, q + difference, 1.0 - 2.0 * q - difference)
        return -float(np.sum(special.xlogy((losses, gains, same), shares)))

    found = optimize.minimize_scalar(
        unlikelihood, bounds=(lowest, highest), method="bounded", options={"xatol": 1e-12, "maxiter": 500}
    )
    share = float(restricted_loss_share(np.array([losses]), np.array([gains]), n, difference)[0])
    assert lowest - 1e-9 <= share <= highest + 1e-9
    assert unlikelihood(min(max(share, lowest), highest)) <= found.fun + 1e-6


def test_tangos_bound_is_the_root_of_the_score_test_with_numeric_likelihood() -> None:
    losses, gains, n = 4, 7, 90

    def excess(difference: float) -> float:
        lowest, highest = max(0.0, -difference), (1.0 - difference) / 2.0
        found = optimize.minimize_scalar(
            lambda q: (
                -float(np.sum(special.xlogy((losses, gains, 79), (q, q + difference, 1.0 - 2.0 * q - difference))))
            ),
            bounds=(lowest, highest),
            method="bounded",
            options={"xatol": 1e-12},
        )
        deviation = math.sqrt(n * (2.0 * found.x + difference * (1.0 - difference)))
        return float((gains - losses - n * difference) / deviation - stats.norm.ppf(0.95))

    expected = optimize.brentq(excess, -0.2, 0.03)
    assert float(tango_lower(np.array([losses]), np.array([gains]), n, 0.05)[0]) == pytest.approx(expected, abs=1e-5)


def test_bca_and_percentile_intervals_of_scipy() -> None:
    values = np.random.default_rng(3).exponential(size=80)
    ours = bootstrap_means(values, resamples=40000, rng=np.random.default_rng(4))
    for method, interval in (("BCa", ours.bca()[0]), ("percentile", ours.percentile()[0])):
        theirs = stats.bootstrap(
            (values,), np.mean, n_resamples=40000, method=method, rng=np.random.default_rng(5), batch=500
        ).confidence_interval
        assert interval is not None
        # Monte-Carlo error of a 2.5 % quantile from 40,000 draws is about 0.002 here; four times that is allowed.
        assert (interval.lower, interval.upper) == pytest.approx((theirs.low, theirs.high), abs=0.008)


def test_quantile_bounds_of_scipy() -> None:
    values = np.random.default_rng(6).normal(size=300)
    for p in (0.5, 0.9, 0.95):
        expected = stats.quantile_test(values, p=p).confidence_interval(0.95)
        interval = quantile_interval(values, p)
        assert (interval.lower, interval.upper) == (expected.low, expected.high)
