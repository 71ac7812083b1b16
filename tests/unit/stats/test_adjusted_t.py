from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.stats.adjusted_t import adjusted_t, skewed_quantile
from beleg.stats.distributions import student_t_quantile
from beleg.stats.inputs import FloatArray


def plain_bound(units: FloatArray, span: float, alpha: float) -> float:
    """The t bound of the sample with one loss and one gain of the largest size."""
    padded = np.append(units, [-span, span])
    error = padded.std(ddof=1) / math.sqrt(len(padded))
    return float(padded.mean() - student_t_quantile(1 - alpha, len(padded) - 1) * error)


def test_without_skewness_it_is_the_t_bound_of_the_sample_with_one_loss_and_one_gain() -> None:
    units = np.tile([-0.5, 0.0, 0.0, 0.5], 25)
    fit = adjusted_t(units[None, :], np.ones(100), span=1.0)
    assert fit.df == pytest.approx(101.0)
    assert float(fit.lower(0.05)[0]) == pytest.approx(plain_bound(units, 1.0, 0.05))


def test_where_gains_are_the_rare_large_ones_the_t_bound_stays() -> None:
    units = np.array([-0.1] * 60 + [1.0] * 10 + [-1.0])
    fit = adjusted_t(units[None, :], np.ones(71), span=1.0)
    assert float(fit.lower(0.05)[0]) == pytest.approx(plain_bound(units, 1.0, 0.05))


def test_where_losses_are_the_rare_large_ones_the_bound_falls() -> None:
    units = np.array([0.1] * 60 + [-1.0] * 4)
    fit = adjusted_t(units[None, :], np.ones(64), span=1.0)
    assert float(fit.lower(0.05)[0]) < plain_bound(units, 1.0, 0.05) - 0.005


def test_equal_values_get_the_exact_binomial_bound() -> None:
    # With no case below 0.01 in n, up to 1 - 0.05^(1/n) of all cases may lose everything.
    for n in (50, 200):
        fit = adjusted_t(np.full((1, n), 0.01), np.ones(n), span=1.0)
        unseen = 1 - 0.05 ** (1 / n)
        assert float(fit.lower(0.05)[0]) == pytest.approx(0.01 - 1.01 * unseen)


def test_hall_quantile_undoes_the_transformation() -> None:
    for g in (-0.05, -0.4, -1.5):
        t = float(skewed_quantile(1.7, np.array([g]))[0])
        assert t > 1.7
        assert t + g * t**2 / 3 + g**2 * t**3 / 27 + g / 6 == pytest.approx(1.7)


UNITS = st.lists(st.floats(-1.0, 1.0), min_size=2, max_size=40)


@given(UNITS, st.floats(0.01, 0.4), st.data())
def test_bound_and_p_value_agree(values: list[float], alpha: float, data: st.DataObject) -> None:
    sizes = np.array(data.draw(st.lists(st.integers(1, 9), min_size=len(values), max_size=len(values))), dtype=float)
    fit = adjusted_t(np.array(values)[None, :], sizes, span=1.0)
    lower = float(fit.lower(alpha)[0])
    assert -1.0 <= lower <= float(fit.mean[0]) + 1e-12
    if lower > -1.0:
        assert fit.p_value(-lower + 1e-6) <= alpha + 1e-9
        assert fit.p_value(-lower - 1e-6) >= alpha - 1e-9


@given(UNITS)
def test_many_samples_are_bounded_as_if_alone(values: list[float]) -> None:
    sample = np.array(values)
    sizes = np.arange(1.0, len(values) + 1.0)
    both = adjusted_t(np.stack([sample, -sample]), sizes, span=1.0).lower(0.05)
    alone = [float(adjusted_t(one[None, :], sizes, span=1.0).lower(0.05)[0]) for one in (sample, -sample)]
    assert both == pytest.approx(alone, rel=1e-6, abs=1e-9)


@given(UNITS, st.floats(0.5, 20.0))
def test_scale_does_not_matter(values: list[float], scale: float) -> None:
    sample = np.array(values)[None, :]
    sizes = np.ones(len(values))
    one = float(adjusted_t(sample, sizes, span=1.0).lower(0.05)[0])
    scaled = float(adjusted_t(scale * sample, sizes, span=scale).lower(0.05)[0])
    assert scaled == pytest.approx(scale * one, rel=1e-6, abs=1e-9)


def test_the_planned_number_of_units_has_the_planned_power() -> None:
    rng = np.random.default_rng(4)
    steps, shares = np.array([-1.0, -0.5, 0.0, 0.25, 0.5]), [0.01, 0.05, 0.8, 0.10, 0.04]
    seen = np.repeat(steps, (np.array(shares) * 100).round().astype(int))
    needed = adjusted_t(seen[None, :], np.ones(100), span=1.0).needed(0.05, alpha=0.05, power=0.8)
    assert needed is not None
    draws = rng.choice(steps, (8000, needed), p=shares)
    power = float((adjusted_t(draws, np.ones(needed), span=1.0).lower(0.05) > -0.05).mean())
    assert power == pytest.approx(0.8, abs=0.04)


def test_no_number_of_units_helps_a_drop_as_large_as_the_margin() -> None:
    fit = adjusted_t(np.array([[-0.5, -0.1, 0.0, 0.2]]), np.ones(4), span=1.0)
    assert fit.needed(0.1, alpha=0.05, power=0.8) is None
    assert fit.p_value(0.1) == 1.0


def test_the_unseen_loss_is_asked_of_the_large_units_alone() -> None:
    # Ten units of 60 have 600 of 900 cases; none of them lost, whatever the 300 small ones did.
    sizes = np.repeat([1.0, 60.0], [300, 10])
    units = np.where(np.arange(310) < 30, -0.5, 0.0)
    unseen = units @ sizes / 900 - 600 / 900 * (1 - 0.05 ** (1 / 10))
    fit = adjusted_t(units[None, :], sizes, span=1.0)
    assert float(fit.lower(0.05)[0]) <= unseen + 1e-12
    assert fit.p_value(-unseen) >= 0.05 - 1e-12


def test_units_of_one_size_are_bounded_as_single_cases() -> None:
    units = np.random.default_rng(5).choice([-0.7, 0.0, 0.1, 0.3], (4, 60))
    one, seven = (adjusted_t(units, np.full(60, size), span=1.0) for size in (1.0, 7.0))
    assert seven.effective == 60.0
    assert seven.lower(0.05) == pytest.approx(one.lower(0.05), rel=1e-12)
    assert one.needed(0.3, alpha=0.05, power=0.8) == seven.needed(0.3, alpha=0.05, power=0.8)
