"""Agreement of two raters, by hand, by published tables and by closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError
from beleg.stats.agreement import Confusion, confusion, kappa, kappa_interval, kendall_tau, raw_agreement

RATINGS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=40)


def test_the_table_of_cohen_1968() -> None:
    # Proportions of 200 patients; published: kappa .492.
    table = Confusion((0.0, 1.0, 2.0), np.array([[88, 10, 2], [14, 40, 6], [18, 10, 12]]))
    assert kappa(table).value == pytest.approx(0.492, abs=5e-4)
    assert raw_agreement(table) == pytest.approx(0.70)


@given(RATINGS)
def test_quadratic_kappa_is_the_concordance_correlation(pairs: list[tuple[int, int]]) -> None:
    """Fleiss and Cohen 1973: with squared weights kappa is 2 cov / (var + var + squared difference of the means)."""
    one, two = np.array(pairs, dtype=np.float64).T
    below = one.var() + two.var() + (one.mean() - two.mean()) ** 2
    found = kappa(confusion(one, two), quadratic=True)
    if below == 0:
        assert found.value is None
    else:
        assert found.value == pytest.approx(2 * ((one - one.mean()) * (two - two.mean())).mean() / below, abs=1e-12)


@given(RATINGS)
def test_kappa_does_not_change_when_the_raters_change_places(pairs: list[tuple[int, int]]) -> None:
    one, two = zip(*pairs, strict=True)
    for quadratic in (False, True):
        assert kappa(confusion(one, two), quadratic=quadratic).value == pytest.approx(
            kappa(confusion(two, one), quadratic=quadratic).value
        )


def test_one_category_only_leaves_kappa_without_a_value() -> None:
    found = kappa(confusion([1, 1, 1], [1, 1, 1]))
    assert found.value is None
    assert "same category" in (found.detail or "")


def test_full_agreement_is_one_and_chance_is_nought() -> None:
    assert kappa(confusion([0, 1, 2, 0], [0, 1, 2, 0])).value == 1.0
    assert kappa(Confusion((0.0, 1.0), np.array([[25, 25], [25, 25]]))).value == pytest.approx(0.0)


def test_raters_of_different_items_are_refused() -> None:
    with pytest.raises(DataError):
        confusion([1, 2], [1])


def test_the_interval_over_queries_holds_the_true_kappa_as_often_as_it_says() -> None:
    """Queries differ in how hard they are, so items alone would give an interval that is too short."""
    rng, queries, items = np.random.default_rng(11), 25, 30
    big = draw(np.random.default_rng(1), 4_000, items)
    truth = kappa(confusion(big[0], big[1])).value or 0.0
    held = 0
    for _ in range(300):
        one, two, groups = draw(rng, queries, items)
        bounds = kappa_interval(one, two, groups)
        held += bounds is not None and bounds.lower <= truth <= bounds.upper
    assert held / 300 > 0.92


def draw(rng: np.random.Generator, queries: int, items: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    """Binary labels; the second rater errs more on some queries than on others."""
    groups = np.repeat(np.arange(queries), items)
    prevalence, error = rng.beta(2, 3, queries)[groups], rng.beta(2, 6, queries)[groups]
    one = rng.random(len(groups)) < prevalence
    two = one ^ (rng.random(len(groups)) < error)
    return one.astype(float), two.astype(float), groups


def test_too_few_queries_give_no_interval() -> None:
    assert kappa_interval([0, 1, 0, 1], [0, 1, 1, 1], ["a", "a", "b", "b"]) is None
    assert kappa_interval([0, 0, 1], [0, 0, 1], ["a", "b", "c"]) is None


def test_groups_that_are_all_alike_give_no_interval_of_no_width() -> None:
    assert kappa_interval([0, 1] * 5, [0, 1] * 5, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]) is None


@pytest.mark.parametrize(("one", "two"), [([1.0], [2.0]), ([1.0, 1.0], [1.0, 2.0])])
def test_no_order_has_no_tau(one: list[float], two: list[float]) -> None:
    assert kendall_tau(one, two).value is None
