"""What intervals promise, by simulation and by enumeration; `benchmarks/sim_compare.py` has the rest."""

from __future__ import annotations

import math

import numpy as np
import pytest

from beleg.stats.bootstrap import bootstrap_means
from beleg.stats.intervals import Interval, clopper_pearson, wilson
from beleg.stats.t_test import paired_t


def test_intervals_over_groups_cover_what_they_promise_and_naive_ones_do_not() -> None:
    """Sixty groups of five with an intra-group correlation of 0.5: research measured 72 % for the naive interval."""
    rng = np.random.default_rng(11)
    groups, size, repetitions = 60, 5, 1500
    codes = np.repeat(np.arange(groups), size)
    naive = grouped = 0
    for _ in range(repetitions):
        shared = np.repeat(rng.standard_normal(groups), size)
        values = math.sqrt(0.5) * (shared + rng.standard_normal(groups * size))
        plain, over_groups = paired_t(values).interval(), paired_t(values, clusters=codes).interval()
        assert plain is not None
        assert over_groups is not None
        naive += plain.lower <= 0.0 <= plain.upper
        grouped += over_groups.lower <= 0.0 <= over_groups.upper
    # Three standard errors of the simulation are 0.017 at 0.95 and 0.035 at 0.72.
    assert grouped / repetitions == pytest.approx(0.95, abs=0.017)
    assert naive / repetitions == pytest.approx(0.74, abs=0.035)


def test_the_bootstrap_over_groups_is_nearly_as_good() -> None:
    rng = np.random.default_rng(12)
    groups, size, repetitions = 60, 5, 400
    codes = np.repeat(np.arange(groups), size)
    # All samples share their resamples; that leaves the coverage of each as it is.
    values = np.repeat(rng.standard_normal((groups, repetitions)), size, axis=0)
    values = math.sqrt(0.5) * (values + rng.standard_normal(values.shape))
    intervals = bootstrap_means(values, resamples=2000, rng=rng, clusters=codes).percentile()
    covered = np.mean([each is not None and each.lower <= 0.0 <= each.upper for each in intervals])
    assert 0.90 <= covered <= 0.97


def coverage(intervals: list[Interval | None], rate: float) -> float:
    n = len(intervals) - 1
    total = 0.0
    for k, interval in enumerate(intervals):
        lower, upper = (k / n, k / n) if interval is None else (interval.lower, interval.upper)
        if lower <= rate <= upper:
            total += math.comb(n, k) * rate**k * (1 - rate) ** (n - k)
    return total


def test_a_rate_near_1_needs_more_than_a_bootstrap() -> None:
    n, rate = 40, 0.97
    table = (np.arange(n)[:, None] < np.arange(n + 1)[None, :]).astype(float)
    boot = bootstrap_means(table, resamples=5000, rng=np.random.default_rng(13)).percentile()
    assert coverage(boot, rate) == pytest.approx(0.72, abs=0.03)
    assert 0.95 <= coverage([wilson(k, n) for k in range(n + 1)], rate) <= 0.98
    assert coverage([clopper_pearson(k, n) for k in range(n + 1)], rate) >= 0.95
