from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError
from beleg.metrics.neighbours.pareto import Choice, Offer, choose, pareto_front


def offer(recall: float, latency: float, lower: float | None = None, memory: float | None = None) -> Offer:
    return Offer(recall=recall, recall_lower=lower, latency=latency, memory=memory)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12))
def test_the_front_is_what_no_other_setting_beats(figures: list[tuple[int, int]]) -> None:
    offers = [offer(recall / 5, latency) for recall, latency in figures]
    beaten = {
        at
        for at, (recall, latency) in enumerate(figures)
        if any(r >= recall and t <= latency and (r, t) != (recall, latency) for r, t in figures)
    }
    front = pareto_front(offers)
    assert set(front) == set(range(len(figures))) - beaten
    assert [offers[at].latency for at in front] == sorted(offers[at].latency for at in front)


def test_the_cheapest_setting_above_the_floor_is_taken_by_its_bound_and_not_by_its_mean() -> None:
    offers = [offer(0.96, 1.0, 0.94), offer(0.97, 2.0, 0.951), offer(0.99, 3.0, 0.98)]
    assert choose(offers, 0.95) == Choice(1, 1)


def test_at_equal_latency_memory_decides_and_unknown_memory_counts_as_most() -> None:
    offers = [offer(1, 1.0, 0.99), offer(1, 1.0, 0.99, 20), offer(1, 1.0, 0.99, 10), offer(1, 1.0, 0.99, 10)]
    assert choose(offers, 0.95).taken == 2


def test_a_bound_on_the_floor_is_not_above_it() -> None:
    assert choose([offer(1, 1.0, 0.95), offer(1, 1.0, None)], 0.95) == Choice(None, 0)


def test_where_none_reaches_the_floor_the_nearest_is_named() -> None:
    assert choose([offer(0.5, 1.0, 0.4), offer(0.9, 3.0, 0.85), offer(0.8, 2.0, 0.7)], 0.95) == Choice(None, 1)


@pytest.mark.parametrize("offers", [[], [offer(math.nan, 1.0)], [offer(1.0, math.inf)]])
def test_nothing_is_chosen_from_figures_that_are_none(offers: list[Offer]) -> None:
    with pytest.raises(DataError):
        choose(offers, 0.5)
