"""Weights are chosen without the queries that judge them, by a rule that leaves nothing to chance."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError, UsageError
from beleg.metrics.ranking_runs.tuning import MAX_CANDIDATES, choose_weights, deal_folds, weight_grid


@pytest.mark.parametrize(("lanes", "parts"), [(2, 1), (2, 10), (3, 4), (4, 3)])
def test_the_grid_holds_all_weights_in_steps_that_sum_to_one(lanes: int, parts: int) -> None:
    expected = {
        tuple(step / parts for step in steps)
        for steps in product(range(parts + 1), repeat=lanes)
        if sum(steps) == parts
    }
    assert set(weight_grid(lanes, parts)) == expected
    assert len(weight_grid(lanes, parts)) == len(expected)


@pytest.mark.parametrize(("lanes", "step"), [(2, 0.05), (3, 0.1), (4, 0.2), (5, 0.25), (8, 0.5)])
def test_where_no_step_is_named_more_lanes_are_tried_in_coarser_steps(lanes: int, step: float) -> None:
    weights = {weight for each in weight_grid(lanes) for weight in each}
    assert min(weights - {0.0}) == step
    assert len(weight_grid(lanes)) <= 100


def test_a_grid_that_would_take_too_long_or_has_no_meaning_is_refused() -> None:
    with pytest.raises(UsageError, match=f"more than the {MAX_CANDIDATES:,}"):
        weight_grid(6, 20)
    with pytest.raises(UsageError, match="one lane"):
        weight_grid(1, 20)
    with pytest.raises(UsageError, match="less than one step"):
        weight_grid(2, 0)


@given(st.lists(st.integers(0, 9), min_size=6, max_size=60), st.integers(2, 5), st.integers(0, 9))
def test_a_group_is_never_split_and_no_fold_is_empty(labels: list[int], folds: int, seed: int) -> None:
    groups = np.unique(labels, return_inverse=True)[1]
    if len(np.unique(groups)) < folds:
        with pytest.raises(DataError, match="cannot be dealt"):
            deal_folds(groups, folds, np.random.default_rng(seed))
        return
    found = deal_folds(groups, folds, np.random.default_rng(seed))
    assert set(found.tolist()) == set(range(folds))
    assert all(len(set(found[groups == group].tolist())) == 1 for group in np.unique(groups))
    assert found.tolist() == deal_folds(groups, folds, np.random.default_rng(seed)).tolist()


def test_folds_of_single_queries_have_like_sizes_and_another_seed_deals_anew() -> None:
    one, two = (deal_folds(np.arange(53), 5, np.random.default_rng(seed)) for seed in (1, 2))
    assert sorted(np.bincount(one).tolist()) == [10, 10, 11, 11, 11]
    assert one.tolist() != two.tolist()


def test_one_fold_is_refused() -> None:
    with pytest.raises(UsageError, match="1 fold leaves nothing"):
        deal_folds(np.arange(5), 1, np.random.default_rng(0))


GRID = weight_grid(2, 10)


def test_the_queries_of_a_fold_have_no_part_in_its_choice() -> None:
    rng = np.random.default_rng(4)
    values, folds = rng.random((len(GRID), 40)), np.arange(40) % 4
    before = choose_weights(values, GRID, folds)
    for fold, choice in enumerate(before.choices):
        changed = values.copy()
        changed[:, folds == fold] = rng.random((len(GRID), 10))
        assert choose_weights(changed, GRID, folds).choices[fold].weights == choice.weights
        assert choice.held_out.tolist() == (folds == fold).tolist()
        assert choice.trained_on == 30


def test_choice_by_hand() -> None:
    values = np.zeros((len(GRID), 4))
    values[2], values[9] = [1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.9, 0.9]
    tuned = choose_weights(values, GRID, np.array([0, 0, 1, 1]))
    assert tuned.number.tolist() == [9, 9, 2, 2]
    assert tuned.final == GRID[2] == (0.2, 0.8)
    assert tuned.final_number == 2
    assert tuned.means.tolist() == values.mean(axis=1).tolist()
    # What was chosen is worth nothing on queries it has not seen, whatever the mean over those that chose it.
    assert values[tuned.number, np.arange(4)].mean() == 0.0 < values[tuned.final_number].mean()


def test_among_equals_the_most_even_weights_are_chosen() -> None:
    assert choose_weights(np.ones((len(GRID), 4)), GRID, np.arange(4) % 2).final == (0.5, 0.5)
    values = np.ones((len(GRID), 4))
    values[5] = 0.0
    assert choose_weights(values, GRID, np.arange(4) % 2).final == (0.4, 0.6)


@given(st.integers(0, 1_000))
def test_inner_folds_would_choose_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = np.round(rng.random((len(GRID), 30)), 2)
    folds, inner = np.arange(30) % 3, rng.integers(0, 4, 30)
    for fold, choice in enumerate(choose_weights(values, GRID, folds).choices):
        outside = folds != fold
        parts = [outside & (inner == each) for each in range(4) if (outside & (inner == each)).any()]
        means = np.array([values[:, part].mean(axis=1) for part in parts])
        by_inner = np.average(means, axis=0, weights=[part.sum() for part in parts])
        assert by_inner[GRID.index(choice.weights)] == pytest.approx(by_inner.max(), abs=1e-12)


def test_a_tuned_choice_looks_better_in_sample_than_it_is() -> None:
    rng = np.random.default_rng(7)
    optimism = []
    for _ in range(200):
        values = rng.random((len(GRID), 20))
        tuned = choose_weights(values, GRID, deal_folds(np.arange(20), 5, rng))
        held_out = values[tuned.number, np.arange(20)].mean()
        optimism.append(values[tuned.final_number].mean() - held_out)
    # All candidates are worth 0.5; the best of eleven means of 20 looks about 1.6 standard errors better.
    assert 0.06 < np.mean(optimism) < 0.14
