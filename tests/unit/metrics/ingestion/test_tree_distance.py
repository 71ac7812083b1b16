"""The tree edit distance is that of Zhang and Shasha, whatever the trees are like."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.metrics.ingestion import tree_distance as module
from beleg.metrics.ingestion.tree_distance import GRAIN, in_grains, most_saved, tree_distance
from support.tables import by_the_book, drawn_tree

TREES = st.one_of(
    st.lists(st.integers(0, 50), max_size=24),
    # Chains, combs and stars.
    st.integers(0, 20).map(lambda size: list(range(size))),
    st.integers(0, 20).map(lambda size: [0] * size),
    st.integers(0, 20).map(lambda size: [max(node - 2, 0) for node in range(size)]),
).map(drawn_tree)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[module.Integers, module.Integers, module.Doubles]:
    one, other = draw(TREES), draw(TREES)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = rng.integers(0, 3, (len(one), len(other)))
    return one, other, in_grains(np.where(kinds == 2, rng.random(kinds.shape), kinds))


@settings(max_examples=400)
@given(pairs())
def test_it_is_the_distance_of_zhang_and_shasha(drawn: tuple[module.Integers, module.Integers, module.Doubles]) -> None:
    one, other, renaming = drawn
    assert tree_distance(one, other, 2 - renaming) == by_the_book(one, other, renaming)


@settings(max_examples=100)
@given(pairs())
def test_it_is_symmetric_and_no_more_than_both_sizes(
    drawn: tuple[module.Integers, module.Integers, module.Doubles],
) -> None:
    one, other, renaming = drawn
    distance = tree_distance(one, other, 2 - renaming)
    assert distance == tree_distance(other, one, 2 - renaming.T)
    assert abs(len(one) - len(other)) <= distance <= max(len(one), len(other)) + min(len(one), len(other)) - 1


@pytest.mark.parametrize("at_once", [1, 40, 1 << 22])
def test_pieces_of_a_batch_change_nothing(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    # A table of 9 rows with 1 to 6 cells, and one with 7 rows.
    one, other = (drawn_tree([0] * rows + [1 + int(row) for row in rng.integers(0, rows, 4 * rows)]) for rows in (9, 7))
    renaming = in_grains(rng.random((len(one), len(other))))
    monkeypatch.setattr(module, "_AT_ONCE", at_once)
    assert tree_distance(one, other, 2 - renaming) == by_the_book(one, other, renaming)


def test_two_single_nodes_cost_their_renaming() -> None:
    root = np.array([0])
    assert tree_distance(root, root, np.array([[1.25]])) == 0.75
    assert most_saved(root, root, np.array([[2.0]])) == 2.0


def test_costs_are_rounded_so_that_sums_are_exact() -> None:
    third = in_grains(np.full(3_000, 1 / 3))
    assert abs(third[0] - 1 / 3) <= GRAIN / 2
    assert third.sum() == third[0] * 3_000 == sum(sorted(third.tolist()))
