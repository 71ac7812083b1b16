from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from beleg.core.errors import UsageError
from beleg.stats.power import (
    detectable_difference,
    minimum_detectable_difference,
    needed_pairs,
    pairs_for_difference,
    two_sided_power,
)


def test_the_textbook_factor_of_six_point_eighteen() -> None:
    # (1.6449 + 0.8416)² = 6.1826 for one-sided 5 % and 80 % power.
    assert needed_pairs(1.0, 0.1) == math.ceil(618.26)
    assert minimum_detectable_difference(1.0, 100) == pytest.approx(math.sqrt(6.1826) / 10, abs=1e-4)


def test_planned_pairs_have_the_planned_power() -> None:
    rng = np.random.default_rng(3)
    n = needed_pairs(0.25, 0.05)
    draws = rng.normal(0.05, 0.25, (20000, n))
    t = draws.mean(axis=1) / (draws.std(axis=1, ddof=1) / math.sqrt(n))
    # The t quantile for 154 degrees of freedom is 1.6548; four standard errors of the simulation are 0.011.
    assert (t > 1.6548).mean() == pytest.approx(0.8, abs=0.015)


def test_what_n_can_show_needs_n() -> None:
    for n in (10, 57, 400):
        assert needed_pairs(0.3, minimum_detectable_difference(0.3, n)) == n


def test_no_spread_needs_one_pair() -> None:
    assert needed_pairs(0.0, 0.05) == 1


def test_faulty_plans_are_refused() -> None:
    with pytest.raises(UsageError, match="distance"):
        needed_pairs(0.3, 0.0)
    with pytest.raises(UsageError, match="sd"):
        needed_pairs(-0.3, 0.1)
    with pytest.raises(UsageError, match="n must"):
        minimum_detectable_difference(0.3, 0)


def test_without_an_effect_the_power_is_alpha() -> None:
    assert two_sided_power(0.0, 20.0, alpha=0.05) == pytest.approx(0.05)
    assert two_sided_power(-2.0, 20.0) == two_sided_power(2.0, 20.0)


def test_the_detectable_difference_has_the_wanted_power() -> None:
    for df in (1.0, 4.0, 60.0):
        assert two_sided_power(detectable_difference(1.0, df, power=0.9), df) == pytest.approx(0.9, abs=1e-6)


def test_planned_pairs_fit_what_they_can_detect() -> None:
    n = pairs_for_difference(0.3, -0.05)
    assert detectable_difference(0.3 / math.sqrt(n), n - 1) <= 0.05
    assert detectable_difference(0.3 / math.sqrt(n - 1), n - 2) > 0.05


@pytest.mark.parametrize(
    "call",
    [
        lambda: detectable_difference(-1.0, 5.0),
        lambda: detectable_difference(1.0, 5.0, power=0.01),
        lambda: pairs_for_difference(0.0, 0.1),
        lambda: pairs_for_difference(0.3, 0.0),
        lambda: two_sided_power(1.0, 5.0, alpha=1.0),
    ],
)
def test_two_sided_settings_out_of_order_are_refused(call: Callable[[], object]) -> None:
    with pytest.raises(UsageError):
        call()
