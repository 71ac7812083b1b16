"""The order: scipy's tau, and every way to move elements."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from beleg.core.errors import DataError
from beleg.core.score import ScoreStatus
from beleg.metrics.ingestion.reading_order import order_counts


@given(st.permutations(range(8)).flatmap(lambda order: st.integers(2, 8).map(lambda size: order[:size])))
def test_counts_are_those_of_all_pairs_and_all_choices(places: list[int]) -> None:
    told = order_counts(places)
    assert told.swapped == sum(one > other for one, other in combinations(places, 2))
    kept = max(
        size
        for size in range(1, len(places) + 1)
        for chosen in combinations(places, size)
        if list(chosen) == sorted(chosen)
    )
    assert told.to_move == len(places) - kept
    ranks = sorted(places)
    assert told.breaks == sum(ranks.index(other) - ranks.index(one) != 1 for one, other in pairwise(places))
    assert told.tau().value == pytest.approx(kendalltau(range(len(places)), places).statistic)


def test_two_columns_read_line_by_line_are_seen_by_continuity() -> None:
    columns = order_counts([*range(0, 100, 2), *range(1, 100, 2)])
    assert columns.continuity().value == pytest.approx(0)
    assert columns.tau().value == pytest.approx(1 - 2 * 1225 / 4950)
    assert columns.in_place().value == 0.51


def test_one_block_that_moved_breaks_little() -> None:
    moved = order_counts([2, 3, 4, 5, 0, 1])
    assert (moved.breaks, moved.to_move) == (1, 2)
    assert order_counts([3, 2, 1, 0]).tau().value == -1


def test_an_order_needs_two_elements() -> None:
    for places in ([], [7]):
        assert order_counts(places).tau().status is ScoreStatus.NOT_APPLICABLE
    with pytest.raises(DataError, match="one place"):
        order_counts([1, 1])
