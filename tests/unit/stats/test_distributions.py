from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import UsageError
from beleg.stats.distributions import (
    beta_quantile,
    binomial_cdf,
    normal_cdf,
    normal_quantile,
    regularised_incomplete_beta,
    student_t_cdf,
    student_t_quantile,
)


def test_one_degree_of_freedom_is_the_cauchy_distribution() -> None:
    for t in (-8.0, -0.3, 0.0, 1.0, 25.0):
        assert student_t_cdf(t, 1.0) == pytest.approx(0.5 + math.atan(t) / math.pi, abs=1e-14)


def test_two_degrees_of_freedom_have_a_closed_quantile() -> None:
    for p in (0.01, 0.2, 0.6, 0.975):
        expected = (2.0 * p - 1.0) / math.sqrt(2.0 * p * (1.0 - p))
        assert student_t_quantile(p, 2.0) == pytest.approx(expected, rel=1e-12)


def test_printed_table_values_of_student_t() -> None:
    assert student_t_quantile(0.975, 10.0) == pytest.approx(2.228, abs=5e-4)
    assert student_t_quantile(0.5, 10.0) == 0.0
    assert student_t_quantile(0.95, 30.0) == pytest.approx(1.697, abs=5e-4)


def test_many_degrees_of_freedom_end_in_the_normal_distribution() -> None:
    assert student_t_quantile(0.95, 1e12) == pytest.approx(normal_quantile(0.95), abs=1e-11)
    assert student_t_cdf(-1e4, 2e6) == 0.0


def test_incomplete_beta_has_closed_forms() -> None:
    for x in (0.0, 0.1, 0.5, 0.93, 1.0):
        assert regularised_incomplete_beta(x, 1.0, 7.0) == pytest.approx(1.0 - (1.0 - x) ** 7, abs=1e-14)
        assert regularised_incomplete_beta(x, 3.0, 1.0) == pytest.approx(x**3, abs=1e-14)
    assert regularised_incomplete_beta(-0.5, 2.0, 2.0) == 0.0
    assert regularised_incomplete_beta(1.5, 2.0, 2.0) == 1.0


def test_beta_quantile_of_no_event_is_the_rule_of_three() -> None:
    assert beta_quantile(0.95, 1.0, 149.0) == pytest.approx(1.0 - 0.05 ** (1.0 / 149.0), rel=1e-13)


def test_binomial_cdf_is_the_sum_of_its_terms() -> None:
    n, p = 13, 0.3
    for k in range(n + 1):
        terms = sum(math.comb(n, i) * p**i * (1.0 - p) ** (n - i) for i in range(k + 1))
        assert binomial_cdf(k, n, p) == pytest.approx(terms, abs=1e-13)
    assert binomial_cdf(-1, n, p) == 0.0
    assert binomial_cdf(n, n, p) == 1.0


@given(st.floats(1e-6, 1.0 - 1e-6), st.floats(0.6, 1e5))
def test_quantile_undoes_the_distribution_function(p: float, df: float) -> None:
    assert student_t_cdf(student_t_quantile(p, df), df) == pytest.approx(p, abs=1e-11)


@given(st.floats(-50.0, 50.0), st.floats(0.5, 1e4))
def test_student_t_is_symmetric(t: float, df: float) -> None:
    assert student_t_cdf(t, df) + student_t_cdf(-t, df) == pytest.approx(1.0, abs=1e-13)


def test_normal_functions_undo_each_other() -> None:
    assert normal_cdf(normal_quantile(0.123)) == pytest.approx(0.123, abs=1e-14)


@pytest.mark.parametrize("p", [0.0, 1.0, -0.1, math.nan])
def test_a_probability_outside_the_open_interval_is_refused(p: float) -> None:
    for call in (lambda: normal_quantile(p), lambda: student_t_quantile(p, 5.0), lambda: beta_quantile(p, 1.0, 1.0)):
        with pytest.raises(UsageError, match="p must lie strictly between 0 and 1"):
            call()


@pytest.mark.parametrize("df", [0.0, -1.0, math.inf, math.nan])
def test_impossible_degrees_of_freedom_are_refused(df: float) -> None:
    with pytest.raises(UsageError, match="df"):
        student_t_cdf(1.0, df)


def test_a_quantile_below_every_float_ends_at_the_smallest() -> None:
    assert beta_quantile(1e-9, 0.001, 1.0) < 1e-300


def test_impossible_shapes_and_counts_are_refused() -> None:
    with pytest.raises(UsageError, match="a must"):
        regularised_incomplete_beta(0.5, 0.0, 1.0)
    with pytest.raises(UsageError, match="n must"):
        binomial_cdf(0, -1, 0.5)
