from __future__ import annotations

import itertools

import numpy as np
import pytest

from beleg.core.errors import DataError, UsageError
from beleg.stats.randomisation import randomised_tukey, sign_flip


def generator(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def by_hand(values: np.ndarray) -> float:
    signs = np.array(list(itertools.product([-1, 1], repeat=len(values))))
    return float(np.mean(np.abs(signs @ values) >= abs(values.sum()) - 1e-12))


def test_few_differences_are_enumerated() -> None:
    values = generator(2).normal(0.3, 1.0, 11)
    found = sign_flip(values, patterns=10, rng=generator())
    assert found.p_values[0] == pytest.approx(by_hand(values))
    assert found.exact.tolist() == [True]
    assert found.patterns.tolist() == [2**11]


def test_a_constant_shift_is_as_rare_as_all_signs_alike() -> None:
    assert sign_flip(np.full(8, 0.1), patterns=10, rng=generator()).p_values.tolist() == [2 / 256]


def test_one_case_shows_nothing() -> None:
    assert sign_flip(np.array([0.4]), patterns=10, rng=generator()).p_values.tolist() == [1.0]


def test_no_difference_at_all_has_p_1() -> None:
    found = sign_flip(np.zeros((500, 2)), patterns=10, rng=generator())
    assert found.p_values.tolist() == [1.0, 1.0]
    assert found.exact.all()


def test_cases_without_a_difference_change_nothing() -> None:
    values = generator(3).normal(size=12)
    padded = np.concatenate([values, np.zeros(300)])
    assert sign_flip(padded, patterns=10, rng=generator()).p_values == pytest.approx(
        sign_flip(values, patterns=10, rng=generator()).p_values
    )


def test_random_patterns_come_near_the_exact_p_and_never_give_0() -> None:
    values = generator(4).normal(0.35, 1.0, 20)
    exact = sign_flip(values, patterns=1, rng=generator()).p_values[0]
    # One more that hardly counts makes 21, which are sampled.
    sampled = sign_flip(np.append(values, 1e-12), patterns=40_000, rng=generator()).p_values[0]
    assert sampled == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 40_000))
    shifted = np.full(100, 1.0)
    assert sign_flip(shifted, patterns=999, rng=generator()).p_values.tolist() == [1 / 1000]


def test_columns_have_the_same_p_alone_and_together() -> None:
    table = generator(5).normal(0.05, 1.0, (100, 3))
    together = sign_flip(table, patterns=2000, rng=generator(7)).p_values
    alone = [sign_flip(table[:, [i]], patterns=2000, rng=generator(7)).p_values[0] for i in range(3)]
    assert together.tolist() == alone


def test_clusters_change_their_sign_together() -> None:
    values = np.array([0.5, 0.1, 0.2, 0.3, -0.1, 0.4])
    labels = ["a", "a", "b", "b", "c", "c"]
    found = sign_flip(values, patterns=10, rng=generator(), clusters=labels)
    assert found.p_values[0] == by_hand(np.array([0.6, 0.5, 0.3]))
    assert found.clusters == 3
    assert found.n == 6


def test_what_cancels_within_a_cluster_is_no_difference() -> None:
    found = sign_flip(np.array([0.1, 0.2, -0.3]), patterns=10, rng=generator(), clusters=["a", "a", "a"])
    assert found.p_values.tolist() == [1.0]


@pytest.mark.parametrize("values", [np.zeros((0, 1)), np.array([np.nan]), np.zeros((2, 2, 2))])
def test_broken_tables_are_refused(values: np.ndarray) -> None:
    with pytest.raises(DataError):
        sign_flip(values, patterns=10, rng=generator())


def test_without_patterns_there_is_no_test() -> None:
    with pytest.raises(UsageError, match="patterns"):
        sign_flip(np.ones(3), patterns=0, rng=generator())


def test_two_systems_of_the_tukey_test_are_the_sign_flip_test() -> None:
    scores = generator(6).random((15, 2))
    exact = sign_flip(scores[:, 0] - scores[:, 1], patterns=1, rng=generator()).p_values[0]
    found = randomised_tukey(scores, permutations=20_000, rng=generator())[0, 1]
    assert found == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 20_000))


def test_the_tukey_test_keeps_its_promise_over_all_pairs() -> None:
    rng = generator(8)
    false = sum(
        bool((randomised_tukey(rng.random((12, 5)), permutations=99, rng=rng) <= 0.05).any()) for _ in range(400)
    )
    assert false / 400 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


def test_the_tukey_matrix_is_symmetric_and_refuses_one_system() -> None:
    p_values = randomised_tukey(generator(9).random((10, 3)), permutations=50, rng=generator())
    assert np.array_equal(p_values, p_values.T)
    assert np.diag(p_values).tolist() == [1.0, 1.0, 1.0]
    with pytest.raises(DataError, match="two or more"):
        randomised_tukey(np.ones((3, 1)), permutations=5, rng=generator())


def test_cases_on_which_all_systems_agree_change_no_tukey_p() -> None:
    scores = generator(10).random((12, 3))
    alone = randomised_tukey(scores, permutations=500, rng=generator())
    padded = randomised_tukey(np.concatenate([scores, np.full((90, 3), 0.4)]), permutations=500, rng=generator())
    assert np.array_equal(alone, padded)
    assert (randomised_tukey(np.full((5, 3), 0.2), permutations=9, rng=generator()) == 1.0).all()
