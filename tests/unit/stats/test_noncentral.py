from __future__ import annotations

import math

import pytest

from beleg.core.errors import UsageError
from beleg.stats.distributions import normal_cdf, student_t_cdf
from beleg.stats.noncentral import noncentral_t_cdf


def test_without_a_shift_it_is_students_t() -> None:
    assert noncentral_t_cdf(1.3, 7.0, 0.0) == student_t_cdf(1.3, 7.0)


def test_at_zero_it_is_the_normal_tail() -> None:
    assert noncentral_t_cdf(0.0, 5.0, 1.2) == pytest.approx(normal_cdf(-1.2))


def test_it_mirrors() -> None:
    assert noncentral_t_cdf(-1.0, 6.0, -2.0) == pytest.approx(1 - noncentral_t_cdf(1.0, 6.0, 2.0))


def test_many_degrees_of_freedom_are_the_shifted_normal() -> None:
    assert noncentral_t_cdf(2.5, 1e8, 1.0) == pytest.approx(normal_cdf(1.5), abs=1e-7)


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(UsageError, match="df"):
        noncentral_t_cdf(1.0, 0.5, 1.0)
    with pytest.raises(UsageError, match="noncentrality"):
        noncentral_t_cdf(1.0, 5.0, math.inf)
