"""Exchanging the labels of two samples keeps sizes and groups, and never gives a p-value of 0."""

from __future__ import annotations

import numpy as np
import pytest

from beleg.core.errors import DataError
from beleg.stats.exchanged_labels import exchanged_labels, permutation_p_value


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def test_the_first_column_is_how_it_was_and_sizes_stay() -> None:
    made = exchanged_labels(7, 5, permutations=50, rng=rng())
    assert made.members[:, 0].tolist() == [1.0] * 7 + [0.0] * 5
    assert set(made.first_sizes.tolist()) == {7.0}
    assert len({tuple(column) for column in made.members.T.tolist()}) > 40


def test_every_row_is_as_often_in_the_first_sample() -> None:
    shares = exchanged_labels(3, 9, permutations=4_000, rng=rng()).members[:, 1:].mean(axis=1)
    # 4,000 draws of 1/4: five standard errors are 0.034.
    assert np.abs(shares - 0.25).max() < 0.034


def test_a_group_changes_sides_as_one() -> None:
    groups = ["a", "a", "b", "c", "d", "d", "d"]
    made = exchanged_labels(4, 3, permutations=200, rng=rng(), groups=groups)
    assert made.groups == 4
    assert (made.members[0] == made.members[1]).all()
    assert (made.members[4] == made.members[6]).all()
    # Three of four groups are always in the first sample, whatever their size.
    assert set(made.members[[0, 2, 3, 4]].sum(axis=0).tolist()) == {3.0}


@pytest.mark.parametrize(
    ("first", "second", "groups", "says"),
    [
        (0, 5, None, "has no rows"),
        (2, 1, None, "3 rows are too few"),
        (4, 4, list("aabbccdd")[:4] + list("abcd"), "stands in both"),
        (4, 4, list("aaaabbbb"), "2 groups are too few"),
        (4, 4, list("abc"), "clusters"),
    ],
)
def test_what_cannot_be_exchanged_is_refused(first: int, second: int, groups: list[str] | None, says: str) -> None:
    with pytest.raises(DataError, match=says):
        exchanged_labels(first, second, permutations=9, rng=rng(), groups=groups)


def test_no_exchange_is_no_test() -> None:
    with pytest.raises(DataError, match="at least once"):
        exchanged_labels(4, 4, permutations=0, rng=rng())


def test_the_real_labels_count_as_one_exchange() -> None:
    assert permutation_p_value(np.array([9.0, 1.0, 2.0, 3.0])) == 0.25
    assert permutation_p_value(np.array([0.0, 0.0, 0.0])) == 1.0
