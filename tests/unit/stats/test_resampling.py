from __future__ import annotations

import math

import numpy as np
import pytest

from beleg.stats.resampling import BLOCK_CELLS, count_blocks, resample_counts


def generator(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("units", [1, 2, 17, 255, 256, 257, 1000, 6980])
def test_every_resample_has_as_many_draws_as_there_are_units(units: int) -> None:
    blocks = list(count_blocks(units, 300, generator()))
    assert sum(len(block) for block in blocks) == 300
    assert all((block.sum(axis=1, dtype=np.int64) == units).all() for block in blocks)
    assert all(block.size <= max(BLOCK_CELLS, units) for block in blocks)


def test_the_float_counts_are_the_same_counts() -> None:
    counts = np.concatenate(list(resample_counts(300, 40, generator())))
    assert counts.dtype == np.float32
    assert np.array_equal(counts, np.concatenate(list(count_blocks(300, 40, generator()))))


def test_one_seed_one_result() -> None:
    one, other = (np.concatenate(list(count_blocks(700, 3000, generator(3)))) for _ in range(2))
    assert np.array_equal(one, other)


@pytest.mark.parametrize("units", [40, 400])
def test_a_unit_is_drawn_as_often_as_the_binomial_law_says(units: int) -> None:
    counts = np.concatenate(list(count_blocks(units, 40_000, generator(5))))
    observed = np.bincount(counts.ravel(), minlength=8)[:8]
    share = 1 / units
    expected = counts.size * np.array([math.comb(units, k) * share**k * (1 - share) ** (units - k) for k in range(8)])
    # Counts of one row hang together weakly and negatively, so that chi-square is no larger than for free cells.
    chi_square = float(((observed - expected) ** 2 / expected).sum())
    assert chi_square < 24.3  # 0.1 % point at 7 degrees of freedom


@pytest.mark.parametrize("units", [40, 400])
def test_units_are_drawn_alike_and_exclude_each_other_as_in_a_multinomial(units: int) -> None:
    counts = np.concatenate(list(count_blocks(units, 40_000, generator(6)))).astype(np.float64)
    assert counts.mean(axis=0) == pytest.approx(1.0, abs=5 / math.sqrt(40_000))
    weights = np.linspace(-1.0, 2.0, units)
    # The variance of a weighted sum: that of the weights times the number of units; off where covariances are wrong.
    assert (counts @ weights).var() == pytest.approx(units * weights.var(), rel=0.04)


def test_wide_rows_come_one_at_a_time() -> None:
    blocks = list(count_blocks(2 * BLOCK_CELLS, 2, generator()))
    assert [block.shape for block in blocks] == [(1, 2 * BLOCK_CELLS)] * 2
