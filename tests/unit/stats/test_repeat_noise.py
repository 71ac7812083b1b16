"""A judge's disagreement with itself."""

from __future__ import annotations

import numpy as np
import pytest

from beleg.stats.repeat_noise import noise_reach, repeat_noise


def test_noise_by_hand() -> None:
    found = repeat_noise(["a", "a", "a", "b", "b", "b"], [0, 1, 2, 0, 1, 2], [1, 1, 0, 1, 1, 1])
    assert found is not None
    assert (found.items, found.verdicts, found.flipped) == (2, 6, 1)
    assert found.pair_disagreement == pytest.approx((4 / 6 + 0) / 2)
    assert found.within_variance == pytest.approx((1 / 3 + 0) / 2)
    assert found.within_variance == pytest.approx(found.pair_disagreement / 2)


def test_independent_noise_is_told_from_noise_that_a_pass_shares() -> None:
    rng = np.random.default_rng(2)
    items, passes = np.tile(np.arange(500), 40), np.repeat(np.arange(40), 500)
    true = rng.random(500)[items]
    alone = repeat_noise(items, passes, true + rng.normal(scale=0.2, size=len(items)))
    together = repeat_noise(
        items, passes, true + rng.normal(scale=0.2, size=len(items)) + rng.normal(scale=0.1, size=40)[passes]
    )
    assert alone is not None
    assert together is not None
    assert alone.within_variance == pytest.approx(0.04, rel=0.05)
    assert alone.shared_variance is not None
    assert alone.shared_variance < 1e-4
    assert together.shared_variance == pytest.approx(0.01, rel=0.6)


def test_what_was_asked_once_says_nothing_of_noise() -> None:
    assert repeat_noise(["a", "b"], [0, 0], [1, 0]) is None


def test_passes_with_gaps_have_no_shared_variance() -> None:
    found = repeat_noise(["a", "a", "b"], [0, 1, 0], [1, 0, 1])
    assert found is not None
    assert found.shared_variance is None


def test_reach_is_the_quantile_times_the_spread() -> None:
    assert noise_reach(0.0004, 0.95) == pytest.approx(1.6448536 * 0.02)
