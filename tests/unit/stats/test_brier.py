"""The parts of a Brier score in cases whose answer is known beforehand."""

from __future__ import annotations

import pytest

from beleg.stats.brier import brier_parts
from beleg.stats.reliability import reliability


def test_scores_that_are_the_shares_lose_nothing_to_reliability() -> None:
    parts = brier_parts(reliability([0.25] * 4 + [0.75] * 4, [1, 0, 0, 0, 1, 1, 1, 0], bins=4))
    assert (parts.reliability, parts.resolution, parts.uncertainty) == (0.0, 0.0625, 0.25)


def test_a_judge_that_always_says_the_base_rate_tells_nothing_apart() -> None:
    parts = brier_parts(reliability([0.5] * 8, [1, 0] * 4))
    assert (parts.reliability, parts.resolution, parts.uncertainty, parts.within_bins) == (0.0, 0.0, 0.25, 0.0)


def test_a_judge_that_is_always_sure_and_wrong() -> None:
    found = reliability([1.0] * 4, [0] * 4)
    parts = brier_parts(found)
    assert (found.brier, parts.reliability, parts.uncertainty) == (1.0, 1.0, 0.0)


def test_scores_that_differ_within_a_bin_are_told_apart_from_the_rest() -> None:
    found = reliability([0.6, 0.8], [0, 1], bins=2)
    parts = brier_parts(found)
    assert found.brier == pytest.approx((0.36 + 0.04) / 2)
    assert parts.reliability == pytest.approx(0.04)
    assert parts.within_bins == pytest.approx(found.brier - 0.04 - 0.25)
