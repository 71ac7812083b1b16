"""The largest value of a ratio over all grades, against trying every combination of grades."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.metrics.ranking_runs import extremes
from beleg.metrics.ranking_runs.extremes import Ratio, largest

WEIGHTS = st.lists(st.sampled_from([-1.0, -0.5, -0.3, 0.0, 0.3, 0.6, 1.0]), max_size=4)


def tried(ratio: Ratio, above: float, weights: list[float]) -> float:
    """The largest value of the first query by trying every grade for every document."""
    gains = np.concatenate([[0.0], np.cumsum(ratio.steps)])
    found = []
    for levels in itertools.product(range(len(gains)), repeat=len(weights)):
        numbers = [ratio.counts[each, 0] + sum(level > each for level in levels) for each in range(len(ratio.steps))]
        last = len(ratio.ceiling) - 1
        below = ratio.constant + sum(
            step * ratio.ceiling[min(number, last)] for step, number in zip(ratio.steps, numbers, strict=True)
        )
        top = above + sum(gains[level] * weight for level, weight in zip(levels, weights, strict=True))
        found.append(top / below if below > 0 else 0.0)
    return max(found)


@given(
    weights=WEIGHTS,
    judged=st.lists(st.integers(0, 3), min_size=2, max_size=2).map(lambda each: sorted(each, reverse=True)),
    share=st.floats(-1.0, 1.0),
    step=st.sampled_from([1.0, 2.0]),
)
def test_no_combination_of_grades_gives_more(
    weights: list[float], judged: list[int], share: float, step: float
) -> None:
    ceiling = np.concatenate([[0.0], np.cumsum(1 / np.log2(np.arange(2.0, 5.0)))])
    ratio = Ratio(np.array([1.0, step]), np.array(judged)[:, None], ceiling)
    above = share * float(ratio.below()[0])
    found = largest(
        ratio, np.array([above]), np.zeros(len(weights), dtype=np.int64), np.array(weights, dtype=np.float64)
    )
    assert float(found[0]) == pytest.approx(tried(ratio, above, weights), abs=1e-12)


def test_an_unjudged_document_may_do_most_with_a_middle_grade() -> None:
    # Rank 1 has grade 1, rank 2 is unjudged: with grade 1 the list is perfect, with grade 3 it is upside down.
    ceiling = np.concatenate([[0.0], np.cumsum(1 / np.log2(np.arange(2.0, 4.0)))])
    ratio = Ratio(np.ones(3), np.array([[1], [0], [0]]), ceiling)
    second = 1 / np.log2(3)
    assert largest(ratio, np.array([1.0]), np.array([0]), np.array([second])).tolist() == [1.0]


def test_where_nothing_can_be_relevant_the_value_is_nought() -> None:
    ratio = Ratio(np.ones(1), np.array([[0, 0]]), np.arange(9.0))
    assert largest(ratio, np.zeros(2), np.array([1]), np.array([-1.0])).tolist() == [0.0, 0.0]
    assert largest(ratio, np.zeros(2), np.array([1]), np.array([1.0])).tolist() == [0.0, 1.0]


def test_queries_are_worked_on_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    query, weight = rng.integers(0, 30, 90), rng.uniform(-1, 1, 90)
    ratio = Ratio(np.ones(1), rng.integers(0, 4, (1, 30)), np.arange(99.0))
    above = rng.uniform(-1, 1, 30) * ratio.counts[0]
    whole = largest(ratio, above, query, weight)
    monkeypatch.setattr(extremes, "_CELLS", 16)
    assert np.array_equal(largest(ratio, above, query, weight), whole)
