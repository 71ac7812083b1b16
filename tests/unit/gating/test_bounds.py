"""Expected values are closed forms at one-sided 95 %."""

from __future__ import annotations

import math

import numpy as np
import pytest

from beleg.core.policy import Aggregate
from beleg.core.score import ScoreStatus
from beleg.gating.bounds import (
    aggregated,
    best_value,
    beyond_largest,
    cases_needed,
    extreme_figure,
    figure_bounds,
    two_sided,
    worst_value,
)
from unit.gating.building import LOWER, bounds, planned, scored

NA = ScoreStatus.NOT_APPLICABLE

RATE = planned("hit@5")
GRADED = planned("ndcg@10")
LATENCY = {name: planned("latency_ms", aggregate=Aggregate(name)) for name in ("mean", "p50", "p95", "p99")}


def alone(values: list[float]) -> tuple[np.ndarray, np.ndarray]:
    return np.array(values, dtype=np.float64), np.arange(len(values), dtype=np.intp)


@pytest.mark.parametrize(("one_sided", "confidence"), [(0.95, 0.90), (0.975, 0.95), (0.99, 0.98)])
def test_two_single_bounds_hold_together_with_twice_the_error(one_sided: float, confidence: float) -> None:
    assert two_sided(one_sided) == pytest.approx(confidence)


def test_a_rate_without_any_failure_has_the_closed_form_of_clopper_and_pearson() -> None:
    """The rate at which n successes in a row have the chance 0.05 is its n-th root."""
    found = figure_bounds(RATE, *alone([1.0] * 10), 0.95)
    assert (found.estimate, found.upper) == (1.0, 1.0)
    assert found.lower == pytest.approx(0.05**0.1)
    assert (found.method, found.n, found.clusters, found.confidence) == ("clopper_pearson", 10, None, 0.95)


def test_a_rate_is_bounded_by_the_rates_at_which_as_much_or_as_little_has_the_chance_alpha() -> None:
    found = figure_bounds(RATE, *alone([1.0] * 13 + [0.0] * 27), 0.95)
    assert found.lower is not None
    assert found.upper is not None
    assert 1.0 - at_most(12, 40, found.lower) == pytest.approx(0.05, abs=1e-9)
    assert at_most(13, 40, found.upper) == pytest.approx(0.05, abs=1e-9)


def at_most(count: int, n: int, rate: float) -> float:
    """The chance of no more than so many successes."""
    return math.fsum(math.comb(n, k) * rate**k * (1.0 - rate) ** (n - k) for k in range(count + 1))


def test_a_graded_mean_takes_the_t_interval_with_two_values_more_at_either_end() -> None:
    """Six ones become ten values of mean 0.8 and standard error 0.4/3; t(0.95, 9) = 1.833113."""
    found = figure_bounds(GRADED, *alone([1.0] * 6), 0.95)
    assert (found.estimate, found.upper) == (1.0, 1.0)
    assert found.lower == pytest.approx(0.8 - 1.833113 * 0.4 / 3, abs=1e-6)
    assert found.degrees_of_freedom == pytest.approx(9)


def test_cases_that_share_their_luck_count_as_one_where_all_agree() -> None:
    """Ten sessions of four cases each say no more than ten cases, and are counted as what they are."""
    together = figure_bounds(RATE, np.ones(40), np.repeat(np.arange(10), 4), 0.95)
    assert together.lower == pytest.approx(0.05**0.1)
    assert (together.n, together.clusters) == (40, 10)


def test_a_mean_without_an_upper_end_is_bounded_by_the_largest_value_seen() -> None:
    found = figure_bounds(LATENCY["mean"], *alone([100.0, 300.0, 200.0, 400.0]), 0.95)
    assert found.estimate == 250.0
    assert found.lower is not None
    assert found.upper is not None
    assert 0.0 <= found.lower < 250.0 < found.upper <= 400.0


def test_a_metric_that_was_nought_everywhere_still_has_an_interval() -> None:
    found = figure_bounds(planned("cost_usd"), *alone([0.0] * 5), 0.95)
    assert (found.estimate, found.lower) == (0.0, 0.0)
    assert found.upper is not None
    assert found.upper > 0.0


@pytest.mark.parametrize(
    ("aggregate", "n", "bounded"),
    [
        ("p95", 58, False), ("p95", 59, True), ("p99", 298, False), ("p99", 299, True), ("p50", 4, False),
        ("p50", 5, True),
    ],
)  # fmt: skip
def test_a_quantile_is_bounded_once_the_largest_value_lies_above_it_often_enough(
    aggregate: str, n: int, bounded: bool
) -> None:
    """The largest of n values exceeds the p-quantile with the chance 1 - p^n; 0.95^59 is the first below 0.05."""
    values, clusters = alone([float(value) for value in range(1, n + 1)])
    found = figure_bounds(LATENCY[aggregate], values, clusters, 0.95)
    assert found.upper == (float(n) if bounded else None)
    assert (found.method, found.n) == ("order_statistics", n)


def test_a_median_of_five_lies_between_the_smallest_and_the_largest() -> None:
    """Both 0.5^5 = 0.031 < 0.05, and no narrower pair of ranks holds."""
    found = figure_bounds(LATENCY["p50"], *alone([50.0, 10.0, 30.0, 20.0, 40.0]), 0.95)
    assert (found.lower, found.estimate, found.upper) == (10.0, 30.0, 50.0)


@pytest.mark.parametrize(
    ("metric", "worst", "best"),
    [("hit@5", 0.0, 1.0), (LOWER, 1.0, 0.0), ("latency_ms", None, 0.0), ("completion_tokens", None, 0.0)],
)
def test_the_worst_and_the_best_follow_the_direction_and_may_not_exist(
    metric: str, worst: float | None, best: float | None
) -> None:
    check = planned(metric)
    assert (worst_value(check), best_value(check)) == (worst, best)


def test_what_the_missing_could_change_is_told_over_the_cases_that_are_due() -> None:
    column = scored([1.0, 1.0, 0.0, ScoreStatus.TIMEOUT, None, NA])
    assert extreme_figure(RATE, column, 0.0) == pytest.approx(2 / 5)
    assert extreme_figure(RATE, column, 1.0) == pytest.approx(4 / 5)


def test_nothing_is_told_where_there_is_no_worst_value_or_no_case_is_due() -> None:
    assert extreme_figure(RATE, scored([1.0, None]), None) is None
    assert extreme_figure(RATE, scored([NA, NA]), 0.0) is None


@pytest.mark.parametrize(("aggregate", "figure"), [("mean", 20.0), ("p50", 10.0), ("p95", 90.0), ("p99", 98.0)])
def test_a_figure_is_the_mean_or_the_quantile_by_linear_interpolation(aggregate: str, figure: float) -> None:
    """Eleven values have the ranks 0 to 10: p95 stands at 9.5, halfway from 80 to 100, and p99 at 9.9."""
    values = [0.0, 0.0, 0.0, 0.0, 0.0, 10.0, 10.0, 10.0, 10.0, 80.0, 100.0]
    assert aggregated(LATENCY[aggregate], np.array(values)) == pytest.approx(figure)


def test_inside_the_range_the_number_of_cases_grows_with_the_square() -> None:
    """The bound lies twice as far away as it may: four times the cases."""
    assert cases_needed(GRADED, bounds(0.90, 0.80, 0.95), 0.85) == (400, "cases")


def test_where_lower_is_better_the_upper_bound_decides() -> None:
    assert cases_needed(planned("over_refusal"), bounds(0.02, 0.0, 0.08), 0.04) == (900, "cases")


def test_a_rate_without_a_failure_needs_as_many_cases_as_its_exact_bound() -> None:
    """0.05^(1/59) = 0.9505 is the first root above 0.95."""
    found = figure_bounds(RATE, *alone([1.0] * 10), 0.95)
    assert cases_needed(RATE, found, 0.95) == (59, "cases")


def test_a_rate_needs_as_many_cases_as_bring_its_exact_bound_to_the_level() -> None:
    """With 9 of 10 as it is, no sample of fewer cases reaches 0.85, and the one named does."""
    found = figure_bounds(RATE, *alone([1.0] * 45 + [0.0] * 5), 0.95)
    needed = cases_needed(RATE, found, 0.85)
    assert needed is not None
    tenth = needed.total // 10
    assert at_most(9 * tenth - 1, 10 * tenth, 0.85) >= 0.94
    assert at_most(9 * (tenth - 2) - 1, 10 * (tenth - 2), 0.85) < 0.95


def test_dependent_cases_are_asked_for_in_groups() -> None:
    found = figure_bounds(RATE, np.ones(40), np.repeat(np.arange(10), 4), 0.95)
    needed = cases_needed(RATE, found, 0.95)
    assert needed is not None
    assert needed.unit == "groups"
    assert needed.total >= 59


def test_a_bound_that_meets_the_level_needs_no_further_case() -> None:
    assert cases_needed(GRADED, bounds(0.90, 0.88, 0.95, n=70), 0.85) == (70, "cases")


@pytest.mark.parametrize(
    ("estimate", "lower"), [(0.80, 0.75), (0.85, 0.80), (0.851, 0.80)], ids=["below", "at", "too near"]
)
def test_no_number_is_promised_that_would_not_settle_it(estimate: float, lower: float) -> None:
    """With 0.001 to spare and a bound 0.051 away the suite would have to grow 2,601 times."""
    assert cases_needed(GRADED, bounds(estimate, lower, 0.95), 0.85) is None


@pytest.mark.parametrize(("aggregate", "needed"), [("p50", 5), ("p95", 59), ("p99", 299)])
def test_an_open_bound_needs_as_many_values_as_close_it(aggregate: str, needed: int) -> None:
    assert cases_needed(LATENCY[aggregate], bounds(100.0, 90.0, None, n=3), 120.0) == (needed, "cases")


def test_an_open_bound_of_a_mean_promises_no_number() -> None:
    assert cases_needed(GRADED, bounds(0.9, None, 1.0), 0.8) is None


def test_an_open_bound_of_a_figure_with_a_floor_is_closed_by_the_smallest_value() -> None:
    floor = planned("ndcg@10", aggregate=Aggregate.P50)
    assert cases_needed(floor, bounds(0.9, None, 1.0, n=3), 0.8) == (5, "cases")


@pytest.mark.parametrize(("values", "beyond"), [([1.0, 5.0], False), ([1.0, 5.1], True)])
def test_a_case_beyond_the_largest_value_is_noticed(values: list[float], beyond: bool) -> None:
    assert beyond_largest(planned("cost_usd", largest=5.0), np.array(values)) is beyond
    assert not beyond_largest(planned("cost_usd"), np.array(values))
