from __future__ import annotations

import math

import numpy as np
import pytest

from beleg.metrics.ranking_runs.paired_sample import (
    PLAIN_T_FROM,
    ComparisonRules,
    IntervalRule,
    PairedSample,
    PairedTest,
    paired_samples,
)


def samples(table: np.ndarray, codes: np.ndarray | None = None, **rules: object) -> list[PairedSample]:
    asked = ComparisonRules(**rules)  # type: ignore[arg-type]
    return paired_samples(table, codes, asked, np.random.default_rng(1))


def graded(n: int, seed: int = 2) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.05, 0.2, (n, 1)).clip(-1, 1)


@pytest.mark.parametrize("test", list(PairedTest))
@pytest.mark.parametrize("values", [[0.0] * 40, [0.0], [0.3]])
def test_what_shows_nothing_has_p_1_or_none_and_never_nan(test: PairedTest, values: list[float]) -> None:
    sample = samples(np.array(values)[:, None], test=test, resamples=200)[0]
    if any(values) and test in (PairedTest.T, PairedTest.BOOTSTRAP):
        # One query has no spread: t has no answer, and every resample is that query.
        assert sample.p_value in (None, 1 / 201)
    else:
        assert sample.p_value == 1.0


@pytest.mark.parametrize("rule", list(IntervalRule))
def test_a_constant_shift_has_an_interval_only_by_rules_that_allow_for_the_unseen(rule: IntervalRule) -> None:
    rules = ComparisonRules(interval=rule, resamples=200)
    sample = paired_samples(np.full((60, 1), 0.1), None, rules, np.random.default_rng(1))[0]
    interval = sample.interval(rules, binary=False)
    if rule in (IntervalRule.AUTO, IntervalRule.ADJUSTED_T):
        assert interval is not None
        assert interval.lower < 0.1 < interval.upper
    else:
        assert interval is None
    assert sample.detectable(rules) is None
    assert sample.needed(rules) is None


def test_the_interval_allows_for_the_unseen_where_few_queries_differ() -> None:
    rules = ComparisonRules()
    many, few = graded(200), graded(200)
    few[PLAIN_T_FROM - 1 :] = 0.0
    for table, method in ((many, "t"), (few, "adjusted_t")):
        sample = paired_samples(table, None, rules, np.random.default_rng(1))[0]
        interval = sample.interval(rules, binary=False)
        assert interval is not None
        assert interval.method == method


@pytest.mark.parametrize(("n", "differing", "method"), [(20, 10, "t"), (20, 9, "adjusted_t"), (21, 10, "adjusted_t")])
def test_ten_that_are_half_of_all_carry_the_t_interval(n: int, differing: int, method: str) -> None:
    table = graded(n)
    table[differing:] = 0.0
    interval = samples(table)[0].interval(ComparisonRules(), binary=False)
    assert interval is not None
    assert interval.method == method


def test_rates_have_the_score_interval_unless_they_come_in_groups() -> None:
    rules = ComparisonRules()
    table = np.random.default_rng(3).choice([-1.0, 0.0, 1.0], (180, 1))
    for codes, method in ((None, "tango_score"), (np.repeat(np.arange(90), 2), "cluster_t")):
        sample = paired_samples(table, codes, rules, np.random.default_rng(1))[0]
        interval = sample.interval(rules, binary=True)
        assert interval is not None
        assert interval.method == method


def test_scores_without_bounds_have_no_adjusted_interval() -> None:
    rules = ComparisonRules(interval=IntervalRule.ADJUSTED_T)
    sample = paired_samples(3.0 * graded(40), None, rules, np.random.default_rng(1))[0]
    sample.differences[0] = 5.0
    assert sample.interval(rules, binary=False) is None


@pytest.mark.parametrize(("rule", "method"), [("bca", "bca_bootstrap"), ("percentile", "percentile_bootstrap")])
def test_bootstrap_intervals_on_request(rule: str, method: str) -> None:
    rules = ComparisonRules(interval=IntervalRule(rule), resamples=500)
    sample = paired_samples(graded(80), None, rules, np.random.default_rng(1))[0]
    interval = sample.interval(rules, binary=False)
    assert interval is not None
    assert interval.method == method


def test_all_four_tests_agree_on_a_plain_sample() -> None:
    table = graded(60)
    p_values = [samples(table, test=test, resamples=4000)[0].p_value for test in PairedTest]
    assert max(p_values) - min(p_values) < 0.03  # type: ignore[type-var, operator]


def test_groups_make_the_units() -> None:
    codes = np.repeat(np.arange(6), 3)
    table = np.repeat(graded(6), 3, axis=0)
    naive, grouped = samples(table)[0], samples(table, codes)[0]
    assert len(grouped.units.sizes) == 6
    assert grouped.fitted.error > 1.5 * naive.fitted.error  # type: ignore[operator]
    assert grouped.p_value == pytest.approx(samples(graded(6))[0].p_value)
    assert samples(table, codes, test=PairedTest.WILCOXON)[0].p_value == pytest.approx(
        samples(graded(6), test=PairedTest.WILCOXON)[0].p_value
    )


def test_no_millions_of_queries_are_planned_for_next_to_no_difference() -> None:
    table = graded(60) - graded(60).mean() + 1e-7
    assert samples(table)[0].needed(ComparisonRules()) is None


@pytest.mark.parametrize(
    ("n", "changed", "winning"), [(25, 0.2, 0.65), (100, 0.2, 0.65), (100, 0.06, 0.8), (25, 0.8, 0.6), (200, 0.5, 0.6)]
)
def test_the_interval_covers_what_it_promises(n: int, changed: float, winning: float) -> None:
    """Differences of reciprocal ranks, most of them none; the plain t covers 90 % of 100 queries with 6 % changed."""
    gains = np.array([1.0, 0.5, 0.5, 2 / 3, 0.25, 1 / 6, 1 / 12, 0.05, 0.05, 0.02])
    truth, repetitions = changed * (2 * winning - 1) * gains.mean(), 600
    rng = np.random.default_rng(n)
    shape = (n, repetitions)
    signed = rng.choice(gains, shape) * np.where(rng.random(shape) < winning, 1.0, -1.0)
    table = np.where(rng.random(shape) < changed, signed, 0.0)
    rules = ComparisonRules(test=PairedTest.T)
    intervals = [each.interval(rules, binary=False) for each in paired_samples(table, None, rules, rng)]
    covered = np.mean([each is not None and each.lower <= truth <= each.upper for each in intervals])
    # Three standard errors of the simulation.
    assert covered >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / repetitions)


def test_equal_differences_of_unequal_sums_are_tied() -> None:
    table = np.array([[0.9 - 0.3], [0.6], [0.7 - 0.1], [-0.6], [0.2]])
    assert len(set(np.abs(table[:, 0]).tolist())) > 2
    exact = samples(np.round(table, 3), test=PairedTest.WILCOXON)[0].p_value
    assert samples(table, test=PairedTest.WILCOXON)[0].p_value == exact


@pytest.mark.parametrize(("small", "large", "method"), [(200, 10, "cluster_adjusted_t"), (0, 30, "cluster_t")])
def test_groups_carry_the_t_interval_by_their_weight(small: int, large: int, method: str) -> None:
    """Ten groups of 60 beside 200 of 1 weigh as much as 18 equal ones; where only the small ones differ, as 4."""
    sizes = np.repeat([1, 60], [small, large])
    shared = graded(len(sizes)) - graded(len(sizes)).mean()
    if small:
        shared[small:] = 0.0
    codes = np.repeat(np.arange(len(sizes)), sizes)
    interval = samples(np.repeat(shared, sizes, axis=0), codes)[0].interval(ComparisonRules(), binary=False)
    assert interval is not None
    assert interval.method == method


@pytest.mark.parametrize("n", [35, 50, 100])
def test_rare_large_losses_do_not_slip_through_where_t_takes_over(n: int) -> None:
    """Every query differs, by -0.9 with a chance of 10 % and else by 0.1: t alone misses 0 in up to 12 %."""
    rules, missed = ComparisonRules(test=PairedTest.T), 0.0
    for lost in range(n + 1):
        column = np.where(np.arange(n) < lost, -0.9, 0.1)[:, None]
        interval = samples(column, test=PairedTest.T)[0].interval(rules, binary=False)
        assert interval is not None
        if not interval.lower <= 0.0 <= interval.upper:
            missed += math.comb(n, lost) * 0.1**lost * 0.9 ** (n - lost)
    assert missed <= 0.05


def test_small_groups_that_lost_do_not_make_large_ones_look_well_known() -> None:
    sizes = np.repeat([1, 100], [190, 10])
    codes, rng = np.repeat(np.arange(200), sizes), np.random.default_rng(3)
    table = np.where(rng.random((200, 400)) < 0.1, -0.9, 0.1)[codes]
    intervals = [each.interval(ComparisonRules(), binary=False) for each in samples(table, codes, test=PairedTest.T)]
    assert np.mean([each is not None and each.lower <= 0.0 <= each.upper for each in intervals]) >= 0.95


@pytest.mark.parametrize(("n", "differing"), [(5, 5), (20, 6), (100, 10)])
def test_no_power_is_promised_where_the_rule_for_shown_does_not_have_it(n: int, differing: int) -> None:
    table = graded(n)
    table[differing:] = 0.0
    sample = samples(table)[0]
    assert (sample.detectable(ComparisonRules()), sample.needed(ComparisonRules())) == (None, None)
    by_t = ComparisonRules(test=PairedTest.T, interval=IntervalRule.T)
    assert sample.detectable(by_t) is not None


def test_five_queries_never_reach_a_small_p_by_exchange() -> None:
    sample = samples(graded(5))[0]
    assert sample.detectable(ComparisonRules(interval=IntervalRule.T)) is None
    assert sample.detectable(ComparisonRules(interval=IntervalRule.T, confidence=0.9)) is not None


def test_the_smallest_difference_to_be_found_is_told_where_t_decides() -> None:
    sample = samples(graded(100))[0]
    assert sample.detectable(ComparisonRules()) == sample.detectable(ComparisonRules(interval=IntervalRule.T))
    assert sample.detectable(ComparisonRules()) is not None
    assert sample.detectable(ComparisonRules(interval=IntervalRule.ADJUSTED_T)) is None
