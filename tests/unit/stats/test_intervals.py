from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError, UsageError
from beleg.stats.intervals import (
    clopper_pearson,
    clustered_interval,
    exact_bound_reaches,
    exact_bounds,
    largest_share,
    mean_t_interval,
    planned_half_width,
    sample_size_for_half_width,
    wilson,
)


def test_two_hundred_cases_at_eighty_percent_are_known_to_five_and_a_half_points() -> None:
    assert planned_half_width(0.8, 200, 0.95) == pytest.approx(0.055, abs=5e-4)


def test_the_planned_size_is_the_smallest_that_is_enough() -> None:
    for p in (0.0, 0.5, 0.8, 0.97, 1.0):
        for half_width in (0.02, 0.055, 0.2):
            size = sample_size_for_half_width(p, half_width)
            assert planned_half_width(p, size) <= half_width + 1e-12
            assert size == 1 or planned_half_width(p, size - 1) > half_width


def test_wilson_of_the_textbook_example() -> None:
    # Newcombe 1998, table I: 81 of 263 and 0 of 20.
    interval = wilson(81, 263)
    assert (interval.lower, interval.upper) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    nothing = wilson(0, 20)
    assert (nothing.lower, nothing.upper) == pytest.approx((0.0, 0.1611), abs=5e-5)


def test_clopper_pearson_of_the_textbook_example() -> None:
    # Newcombe 1998, table I.
    interval = clopper_pearson(81, 263)
    assert (interval.lower, interval.upper) == pytest.approx((0.2527, 0.3676), abs=5e-5)
    nothing = clopper_pearson(0, 20)
    assert (nothing.lower, nothing.upper) == pytest.approx((0.0, 0.1684), abs=5e-5)


def test_no_event_is_bounded_by_the_root_of_alpha() -> None:
    assert largest_share(0, 59, 0.05) == pytest.approx(1.0 - 0.05 ** (1 / 59), rel=1e-12)
    assert largest_share(4, 4, 0.05) == 1.0


@given(st.integers(1, 400), st.data())
def test_rate_intervals_hold_the_rate_and_mirror_each_other(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    for rule in (wilson, clopper_pearson):
        interval, mirrored = rule(k, n), rule(n - k, n)
        assert 0.0 <= interval.lower <= interval.estimate <= interval.upper <= 1.0
        assert interval.lower < interval.upper
        assert interval.lower == pytest.approx(1.0 - mirrored.upper, abs=1e-10)


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("n", [1, 2, 10, 1000])
def test_equal_values_never_give_an_interval_without_width(value: float, n: int) -> None:
    for interval in (
        mean_t_interval([value] * n),
        clustered_interval([value] * n, list(range(n))),
        clustered_interval([value] * n, ["one"] * n),
    ):
        assert interval.lower <= value <= interval.upper
        assert interval.upper - interval.lower > 1.0 / (n + 4)


def test_a_constant_score_is_trusted_no_more_than_an_exact_rate() -> None:
    for n in (10, 40, 200, 1000):
        assert mean_t_interval([1.0] * n).lower <= clopper_pearson(n, n).lower + 0.002


def test_the_padded_mean_is_the_t_interval_with_two_values_at_each_bound() -> None:
    # By hand: values 0.5 and 0.7 with 0, 0, 1, 1: mean 0.5333, sd 0.4502, t(5) at 0.975 is 2.5706.
    interval = mean_t_interval([0.5, 0.7])
    half = 2.570582 * math.sqrt(sum((x - 3.2 / 6) ** 2 for x in (0.5, 0.7, 0, 0, 1, 1)) / 5 / 6)
    assert interval.lower == pytest.approx(3.2 / 6 - half, abs=1e-6)
    assert interval.df == pytest.approx(5.0)


def test_other_bounds_scale_the_interval() -> None:
    unit = mean_t_interval([0.1, 0.5, 0.7])
    scaled = mean_t_interval([1.0, 5.0, 7.0], bounds=(0.0, 10.0))
    assert (scaled.lower, scaled.upper) == pytest.approx((10 * unit.lower, 10 * unit.upper))


def test_a_cluster_that_moves_as_one_counts_once_at_most() -> None:
    # 20 documents with 10 questions each, every document all right or all wrong: no better than 20 cases.
    values = np.repeat([1.0] * 16 + [0.0] * 4, 10)
    interval = clustered_interval(values, np.repeat(np.arange(20), 10))
    assert interval.clusters == 20
    alone = clopper_pearson(16, 20)
    assert interval.lower <= alone.lower < alone.upper <= interval.upper
    assert interval.upper - interval.lower < 1.25 * (alone.upper - alone.lower)


def test_a_perfect_clustered_rate_is_known_as_well_as_its_clusters() -> None:
    interval = clustered_interval([1.0] * 50, np.repeat(np.arange(10), 5))
    assert interval.lower == pytest.approx(clopper_pearson(10, 10).lower)


def test_one_cluster_proves_what_one_case_proves() -> None:
    # One of one: the exact lower bound at a tail of 2.5 % is 2.5 %.
    assert clustered_interval([1.0] * 40, ["only"] * 40).lower == pytest.approx(0.025)


def test_clusters_of_equal_rates_count_no_more_than_their_cases() -> None:
    interval = clustered_interval([1.0, 0.0] * 30, np.repeat(np.arange(30), 2))
    alone = clopper_pearson(30, 60)
    assert interval.lower <= alone.lower
    assert interval.upper >= alone.upper


@pytest.mark.parametrize(("groups", "size", "rate"), [(8, 25, 0.9), (15, 13, 0.9), (30, 7, 0.95), (60, 5, 0.8)])
@pytest.mark.parametrize("correlation", [0.05, 0.2, 0.4])
def test_a_clustered_rate_at_a_level_clears_it_no_more_often_than_promised(
    groups: int, size: int, rate: float, correlation: float
) -> None:
    """Beta-binomial clusters with known truth; 0.05 is promised, and 600 repetitions know it to ± 0.018."""
    rng = np.random.default_rng(5)
    strength = 1.0 / correlation - 1.0
    labels = np.repeat(np.arange(groups), size)
    cleared = 0
    for _ in range(600):
        level = rng.beta(rate * strength, (1.0 - rate) * strength, groups)[labels]
        values = (rng.random(len(labels)) < level).astype(float)
        cleared += clustered_interval(values, labels, 0.9).lower >= rate
    assert cleared / 600 <= 0.05 + 0.018


def test_clustered_intervals_cover_as_often_as_they_say() -> None:
    rng = np.random.default_rng(11)
    truth, repetitions = 0.8, 300
    sizes = np.repeat([1, 4, 10], 10)
    labels = np.repeat(np.arange(30), sizes)
    covered = {"graded": 0, "binary": 0}
    for _ in range(repetitions):
        level = rng.beta(4.0, 1.0, 30)[labels]
        graded = np.clip(rng.beta(5.0 * level + 1e-3, 5.0 * (1.0 - level) + 1e-3), 0.0, 1.0)
        binary = (rng.random(len(labels)) < level).astype(float)
        for kind, values in (("graded", graded), ("binary", binary)):
            interval = clustered_interval(values, labels)
            covered[kind] += interval.lower <= truth <= interval.upper
    # 0.95 less four standard errors of the simulation; Beta(5 m + c, ...) shifts the graded truth by less than 0.001.
    assert min(covered.values()) / repetitions > 0.95 - 4 * math.sqrt(0.95 * 0.05 / repetitions)


def test_faulty_rates_are_refused() -> None:
    for successes, n in ((1, 0), (-1, 5), (6, 5)):
        with pytest.raises(DataError, match="a rate needs"):
            wilson(successes, n)
    with pytest.raises(UsageError, match="confidence"):
        clopper_pearson(1, 2, 1.0)
    with pytest.raises(UsageError, match="p must"):
        planned_half_width(1.2, 10)


def test_values_outside_the_bounds_are_refused_with_their_place() -> None:
    with pytest.raises(DataError, match=r"position 1 lies outside \[0, 1\]"):
        mean_t_interval([0.5, 1.5])
    with pytest.raises(DataError, match="not finite"):
        mean_t_interval([math.nan])
    with pytest.raises(UsageError, match="lower bound"):
        mean_t_interval([0.5], bounds=(1.0, 0.0))


@pytest.mark.parametrize("rate", [0.0, 0.02, 0.5, 0.93, 1.0])
@pytest.mark.parametrize("n", [1.0, 40.0, 316.5])
@pytest.mark.parametrize("level", [0.0, 0.01, 0.4, 0.9, 0.999, 1.0])
def test_whether_a_bound_reaches_a_level_is_what_the_bound_itself_says(rate: float, n: float, level: float) -> None:
    lower, upper = exact_bounds(rate, n, 0.05)
    assert exact_bound_reaches(rate, n, 0.05, level, is_lower=True) == (lower >= level)
    assert exact_bound_reaches(rate, n, 0.05, level, is_lower=False) == (upper <= level)
