from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.stats.score_test import restricted_loss_share, tango_lower, tango_needed, tango_p_value, tango_statistic

COUNTS = st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(0, 200)).filter(lambda c: sum(c) > 0)


def test_at_no_difference_it_is_mcnemars_test() -> None:
    # McNemar: (gains - losses) / sqrt(gains + losses).
    assert float(tango_statistic(np.array([9]), np.array([25]), 80, 0.0)[0]) == pytest.approx(16 / np.sqrt(34))


@given(COUNTS, st.floats(-0.9, 0.9))
def test_exchanging_losses_and_gains_turns_the_sign(counts: tuple[int, int, int], difference: float) -> None:
    losses, gains, same = counts
    n = losses + gains + same
    one = float(tango_statistic(np.array([losses]), np.array([gains]), n, difference)[0])
    other = float(tango_statistic(np.array([gains]), np.array([losses]), n, -difference)[0])
    assert one == pytest.approx(-other, rel=1e-6, abs=1e-6)


@given(COUNTS, st.sampled_from([0.01, 0.05, 0.2]))
def test_the_bound_is_where_the_p_value_is_alpha(counts: tuple[int, int, int], alpha: float) -> None:
    losses, gains, same = counts
    n = losses + gains + same
    bound = float(tango_lower(np.array([losses]), np.array([gains]), n, alpha)[0])
    assert -1.0 <= bound <= (gains - losses) / n + 1e-12
    if bound > -0.999:
        assert tango_p_value(losses, gains, n, -bound) == pytest.approx(alpha, abs=1e-6)


def test_all_samples_of_a_batch_are_bounded_as_if_alone() -> None:
    losses, gains = np.array([0, 3, 10, 40]), np.array([2, 3, 1, 0])
    together = tango_lower(losses, gains, 60, 0.05)
    alone = [float(tango_lower(losses[i : i + 1], gains[i : i + 1], 60, 0.05)[0]) for i in range(4)]
    assert together.tolist() == alone


def test_without_restriction_in_force_the_share_of_losses_is_the_observed_one() -> None:
    share = restricted_loss_share(np.array([4]), np.array([9]), 50, np.array([5 / 50]))
    assert float(share[0]) == pytest.approx(4 / 50)


def test_the_planned_number_has_the_planned_power() -> None:
    n = tango_needed(9, 9, 300, margin=0.05, alpha=0.05, power=0.8)
    assert n is not None
    rng = np.random.default_rng(2)
    losses, gains, _ = rng.multinomial(n, [0.03, 0.03, 0.94], 20000).T
    power = float((tango_lower(losses, gains, n, 0.05) > -0.05).mean())
    assert power == pytest.approx(0.8, abs=0.03)


def test_nothing_is_planned_for_a_drop_as_large_as_the_margin() -> None:
    assert tango_needed(5, 0, 100, margin=0.05, alpha=0.05, power=0.8) is None
