from __future__ import annotations

import math

import numpy as np
import pytest

from beleg.core.errors import UsageError
from beleg.stats.t_test import paired_t


def test_the_textbook_formula() -> None:
    values = np.array([0.1, 0.4, -0.2, 0.3, 0.5])
    test = paired_t(values)
    assert test.error == pytest.approx(values.std(ddof=1) / math.sqrt(5))
    assert test.df == pytest.approx(4.0)
    interval = test.interval()
    assert interval is not None
    assert interval.upper - interval.estimate == pytest.approx(2.776445 * test.error, rel=1e-6)
    assert (interval.method, interval.n, interval.clusters) == ("t", 5, None)


def test_clusters_of_one_size_are_the_t_test_of_their_means() -> None:
    values = np.random.default_rng(1).normal(size=24)
    test = paired_t(values, clusters=np.repeat(np.arange(8), 3))
    means = paired_t(values.reshape(8, 3).mean(axis=1))
    assert test.p_value == pytest.approx(means.p_value)
    assert test.clusters == 8
    assert test.interval().method == "cluster_t"  # type: ignore[union-attr]


@pytest.mark.parametrize("values", [[0.3], [0.0] * 9, [0.1] * 9, [0.1 + 0.2, 0.3]])
def test_without_spread_there_is_no_standard_error(values: list[float]) -> None:
    test = paired_t(values)
    assert test.error is test.df is test.statistic is test.p_value is test.interval() is None
    assert test.estimate == pytest.approx(values[0])


def test_one_cluster_says_nothing() -> None:
    assert paired_t([0.1, 0.2, 0.5], clusters=["a"] * 3).error is None


def test_a_confidence_beyond_1_is_refused() -> None:
    with pytest.raises(UsageError, match="confidence"):
        paired_t([0.1, 0.2]).interval(1.5)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_statistic_does_not_depend_on_the_scale(scale: float) -> None:
    values = np.array([1.0, 2.0, -0.5, 0.75])
    assert paired_t(scale * values).statistic == pytest.approx(paired_t(values).statistic, rel=1e-12)
    assert paired_t([1e-200, 2e-200]).p_value == pytest.approx(paired_t([1.0, 2.0]).p_value)
    # Half of the smallest number is 0.
    assert paired_t([5e-324, 0.0]).statistic is None
