from __future__ import annotations

import math

import numpy as np
import pytest

from beleg.core.errors import DataError, UsageError
from beleg.stats.quantiles import quantile, quantile_interval


def test_worked_example() -> None:
    values = [1, 2, 3, 4, 5, 10, 100]
    assert quantile(values, 0.5) == 4
    assert quantile(values, 0.95) == pytest.approx(73.0)
    assert quantile(values, 0.99) == pytest.approx(94.6)
    assert (quantile(values, 0.0), quantile(values, 1.0)) == (1, 100)


def test_ranks_hold_the_binomial_probability_and_no_rank_nearer_does() -> None:
    def at_most(k: int, n: int, p: float) -> float:
        return sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1))

    for n, p in ((20, 0.5), (100, 0.5), (400, 0.99), (150, 0.95)):
        interval = quantile_interval(np.arange(1.0, n + 1.0), p)
        if interval.lower is not None:
            rank = int(interval.lower)
            assert at_most(rank - 1, n, p) <= 0.025 < at_most(rank, n, p)
        if interval.upper is not None:
            rank = int(interval.upper)
            assert 1.0 - at_most(rank - 1, n, p) <= 0.025 < 1.0 - at_most(rank - 2, n, p)


def test_too_few_values_leave_a_bound_open_and_say_how_many_it_takes() -> None:
    interval = quantile_interval(np.arange(100.0), 0.99)
    assert interval.upper is None
    assert interval.lower is not None
    assert interval.needed == math.ceil(math.log(0.025) / math.log(0.99)) == 368
    assert quantile_interval(np.arange(367.0), 0.99).upper is None
    assert quantile_interval(np.arange(368.0), 0.99).upper == 367.0
    single = quantile_interval([5.0], 0.5)
    assert (single.lower, single.estimate, single.upper) == (None, 5.0, None)


def test_intervals_cover_as_often_as_they_say() -> None:
    rng = np.random.default_rng(5)
    truth, hits, repetitions = -math.log(0.05), 0, 2000
    for row in rng.exponential(size=(repetitions, 120)):
        interval = quantile_interval(row, 0.95)
        hits += (interval.lower or 0.0) <= truth <= (interval.upper or math.inf)
    assert hits / repetitions >= 0.95 - 4 * math.sqrt(0.95 * 0.05 / repetitions)


def test_faulty_input_is_refused() -> None:
    with pytest.raises(UsageError, match="p must"):
        quantile([1.0], 1.5)
    with pytest.raises(UsageError, match="p must"):
        quantile_interval([1.0], 1.0)
    with pytest.raises(DataError, match="there is no value"):
        quantile([], 0.5)
