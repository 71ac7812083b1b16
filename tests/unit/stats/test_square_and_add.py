from __future__ import annotations

import numpy as np
import pytest

from beleg.core.errors import UsageError
from beleg.stats.intervals import clopper_pearson, mean_t_interval, wilson
from beleg.stats.square_and_add import difference_interval


@pytest.mark.parametrize(
    ("first", "second", "lower", "upper"),
    [
        # Newcombe 1998, table II, method 10.
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((10, 10), (0, 10), 0.6075, 1.0000),
        ((10, 10), (0, 20), 0.6791, 1.0000),
        ((5, 56), (0, 29), -0.0381, 0.1926),
    ],
)
def test_differences_of_rates_are_those_of_the_paper(
    first: tuple[int, int], second: tuple[int, int], lower: float, upper: float
) -> None:
    found = difference_interval(wilson(*first), wilson(*second))
    assert [found.lower, found.upper] == pytest.approx([lower, upper], abs=6e-5)


def test_swapping_the_sides_turns_the_interval_round() -> None:
    one, other = difference_interval(wilson(7, 9), wilson(2, 8)), difference_interval(wilson(2, 8), wilson(7, 9))
    assert (one.lower, one.upper) == (-other.upper, -other.lower)


def test_it_holds_the_true_difference_of_graded_scores_as_often_as_it_says() -> None:
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(300):
        first, second = rng.beta(4, 2, 25), rng.beta(3, 3, 20)
        found = difference_interval(mean_t_interval(first), mean_t_interval(second))
        held += found.lower <= 4 / 6 - 0.5 <= found.upper
    assert held >= 0.93 * 300


def test_intervals_of_different_confidence_are_refused() -> None:
    with pytest.raises(UsageError, match="make none"):
        difference_interval(clopper_pearson(1, 2), clopper_pearson(1, 2, 0.9))
