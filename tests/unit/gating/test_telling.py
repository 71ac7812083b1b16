"""What figures tell together: held against whether a difference of sums can be solved for a few cases."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from beleg.gating.telling import fewest_told, may_be_told

CASES = 12
masks = st.lists(st.lists(st.booleans(), min_size=CASES, max_size=CASES).map(np.array), min_size=1, max_size=4)


def test_two_figures_that_differ_by_one_case_tell_of_it() -> None:
    every = np.ones(100, dtype=bool)
    but_one = every.copy()
    but_one[7] = False
    assert may_be_told([every], 30)
    assert may_be_told([but_one], 30)
    assert not may_be_told([every, but_one], 30)


def test_three_segments_that_overlap_tell_of_their_overlap() -> None:
    """No two of them differ by few cases; one sum less the other two leaves five."""
    places = np.arange(105)
    one, two, both = places < 55, places >= 50, np.ones(105, dtype=bool)
    assert may_be_told([both, one], 30)
    assert may_be_told([both, two], 30)
    assert fewest_told([one, two, both]) == 5


def test_disjoint_segments_of_enough_cases_may_be_told() -> None:
    places = np.arange(90)
    assert may_be_told([np.ones(90, dtype=bool), places < 30, (places >= 30) & (places < 60), places >= 60], 30)


def test_nothing_told_tells_of_nobody() -> None:
    assert fewest_told([]) is None
    assert fewest_told([np.zeros(5, dtype=bool)]) is None
    assert may_be_told([np.zeros(5, dtype=bool)], 30)


@given(masks)
def test_no_combination_of_sums_isolates_fewer_cases(populations: list[np.ndarray]) -> None:
    """By linear algebra: any weights that sums can give cases are equal over at least so many cases, or zero."""
    fewest = fewest_told(populations)
    weights = np.random.default_rng(0).normal(size=(50, len(populations))) @ np.stack(populations).astype(float)
    for one in weights:
        for value in np.unique(one[np.abs(one) > 1e-12].round(9)):
            assert fewest is not None
            assert np.isclose(one, value).sum() >= fewest
