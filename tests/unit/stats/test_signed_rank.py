from __future__ import annotations

import itertools

import numpy as np
import pytest

from beleg.core.errors import DataError, UsageError
from beleg.stats.signed_rank import middle_ranks, signed_rank


def by_hand(ranks: np.ndarray, smaller: float) -> float:
    sums = [sum(rank for rank, up in zip(ranks, signs, strict=True) if up)
            for signs in itertools.product([0, 1], repeat=len(ranks))]  # fmt: skip
    return min(1.0, 2 * sum(total <= smaller + 1e-9 for total in sums) / len(sums))


def test_ties_are_exact() -> None:
    values = np.array([1.0, 1.0, -1.0, 2.0, 2.0, -3.0, 4.0, 4.0, 4.0])
    found = signed_rank(values)
    ranks = middle_ranks(np.abs(values))
    assert found.exact
    assert found.positive + found.negative == 45.0
    assert found.p_value == pytest.approx(by_hand(ranks, min(found.positive, found.negative)))


def test_zeros_are_ranked_and_left_out_by_pratt() -> None:
    values = np.array([0.0, 0.0, 1.0, -2.0, 3.0, 4.0])
    pratt, drop = signed_rank(values), signed_rank(values, zeros="drop")
    assert (pratt.positive, pratt.negative, pratt.zeros) == (14.0, 4.0, 2)
    assert (drop.positive, drop.negative) == (8.0, 2.0)
    assert pratt.p_value == pytest.approx(by_hand(np.array([3.0, 4.0, 5.0, 6.0]), 4.0))


def test_half_of_the_ranks_of_zeros_go_to_either_side() -> None:
    found = signed_rank([0.0, 0.0, 1.0, -2.0, 3.0], zeros="split")
    assert (found.positive, found.negative, found.exact) == (9.5, 5.5, False)


def test_no_difference_and_one_difference_show_nothing() -> None:
    assert signed_rank([0.0, 0.0]).p_value == 1.0
    assert signed_rank([0.0], zeros="split").p_value == 1.0
    assert signed_rank([0.3]).p_value == 1.0


def test_many_differences_are_approximated_and_near_the_exact_value() -> None:
    values = np.random.default_rng(1).normal(0.2, 1.0, 51)
    assert not signed_rank(values).exact
    assert signed_rank(values[:50]).exact
    assert signed_rank(values).p_value == pytest.approx(signed_rank(values[:50]).p_value, abs=0.1)


def test_an_unknown_policy_and_broken_numbers_are_refused() -> None:
    with pytest.raises(UsageError, match="no policy 'skip'"):
        signed_rank([1.0], zeros="skip")  # type: ignore[arg-type]
    with pytest.raises(DataError):
        signed_rank([float("nan")])
