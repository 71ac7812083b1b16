"""AC1 and alpha: published worked examples, closed forms and laws."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError
from beleg.stats.agreement_coefficients import LEVELS, Coefficient, Level, gwet_ac1, krippendorff_alpha

# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability": four observers, twelve units, 0 where none was given.
FOUR_OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
        [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
    ]
)
RATINGS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3)), min_size=4, max_size=40)


def listed(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    raters, units = np.nonzero(table)
    return units, table[raters, units]


@pytest.mark.parametrize(("level", "value"), [("nominal", 0.743421), ("ordinal", 0.815388), ("interval", 0.849107)])
def test_the_example_of_krippendorff_2011(level: Level, value: float) -> None:
    found = krippendorff_alpha(*listed(FOUR_OBSERVERS), level=level)
    assert found.score.value == pytest.approx(value, abs=5e-7)
    assert found.units == 11
    assert found.lower is not None
    assert found.upper is not None
    assert found.lower < value < found.upper


def test_ac1_of_the_same_ratings_as_published_by_gwet() -> None:
    """Published with the data set cac.raw4raters: AC1 .77544, standard error .14295, interval (.461, 1)."""
    found = gwet_ac1(*listed(FOUR_OBSERVERS))
    assert found.score.value == pytest.approx(0.77544, abs=5e-6)
    assert found.lower == pytest.approx(0.461, abs=5e-4)
    assert found.upper == 1.0


def test_ac1_stands_where_kappa_collapses() -> None:
    """90 both pass, 5 and 5 apart: by hand pe = 2 * .95 * .05 and AC1 = (.9 - .095) / .905."""
    first, second = np.repeat([1, 1, 0], [90, 5, 5]), np.repeat([1, 0, 1], [90, 5, 5])
    units = np.tile(np.arange(100), 2)
    assert gwet_ac1(units, np.concatenate([first, second])).score.value == pytest.approx(0.805 / 0.905)


@given(RATINGS)
def test_two_levels_make_all_alphas_the_same(pairs: list[tuple[int, int]]) -> None:
    units, ratings = [unit for unit, _ in pairs], [float(rating > 1) for _, rating in pairs]
    values = [krippendorff_alpha(units, ratings, level=level).score.value for level in LEVELS]
    assert values[1:] == pytest.approx([values[0]] * 2, abs=1e-9) if values[0] is not None else values == [None] * 3


@given(RATINGS, st.permutations(range(7)))
def test_names_of_units_and_categories_do_not_matter(pairs: list[tuple[int, int]], names: list[int]) -> None:
    units, ratings = zip(*pairs, strict=True)
    renamed = [names[unit] for unit in units], [(rating * 2 + 1) % 5 for rating in ratings]
    for coefficient in (gwet_ac1, krippendorff_alpha):
        one, two = coefficient(units, ratings), coefficient(*renamed)
        assert (one.score.value is None) == (two.score.value is None)
        if one.score.value is not None:
            assert one.score.value == pytest.approx(two.score.value, abs=1e-9)


def test_without_any_disagreement_possible_there_is_a_reason_and_no_number() -> None:
    for coefficient in (gwet_ac1, krippendorff_alpha):
        assert coefficient([0, 0, 1, 1], [1, 1, 1, 1]).score.value is None
        assert coefficient([0, 1, 2], [1, 0, 1]).score.value is None


def test_full_agreement_is_1_without_bounds() -> None:
    for coefficient in (gwet_ac1, krippendorff_alpha):
        found = coefficient([0, 0, 1, 1], [1, 1, 0, 0])
        assert (found.score.value, found.lower) == (1.0, None)


def test_continuous_scores_need_no_table_of_values() -> None:
    rng = np.random.default_rng(1)
    true = rng.normal(size=3_000)
    ratings = np.concatenate([true + rng.normal(scale=0.5, size=3_000) for _ in range(5)])
    found = krippendorff_alpha(np.tile(np.arange(3_000), 5), ratings, level="interval")
    assert found.score.value == pytest.approx(1 / 1.25, abs=0.02)  # variance of units over all variance


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(DataError, match="no such level"):
        krippendorff_alpha([0, 0], [1, 2], level="ratio")  # type: ignore[arg-type]


@pytest.mark.parametrize("coefficient", [gwet_ac1, krippendorff_alpha])
def test_units_that_repeat_each_other_are_worth_one(coefficient: Callable[..., Coefficient]) -> None:
    """Every unit stands there five times: as one group of five it tells no more than once."""
    rng = np.random.default_rng(8)
    first = rng.integers(0, 2, 60)
    second = np.where(rng.random(60) < 0.85, first, 1 - first)
    once = coefficient(np.tile(np.arange(60), 2), np.concatenate([first, second]))
    units = np.tile(np.arange(300), 2)
    five = np.concatenate([np.repeat(first, 5), np.repeat(second, 5)])
    grouped, alone = coefficient(units, five, groups=units // 5), coefficient(units, five)
    assert grouped.score.value == pytest.approx(once.score.value, abs=0.01)
    widths = [found.upper - found.lower for found in (once, grouped, alone)]  # type: ignore[operator]
    assert widths[1] == pytest.approx(widths[0], rel=0.05)
    assert widths[2] < 0.6 * widths[0]
