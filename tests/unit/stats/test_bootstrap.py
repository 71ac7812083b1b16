from __future__ import annotations

import math

import numpy as np
import pytest

from beleg.core.errors import DataError, UsageError
from beleg.stats.bootstrap import bootstrap_means, bootstrap_quantile, bootstrap_ratio, bootstrap_with_counts
from beleg.stats.quantiles import quantile
from beleg.stats.resampling import resample_counts


def generator(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_draws_are_the_means_of_the_rows_that_were_drawn() -> None:
    rows = generator(2).random((30, 4))
    boot = bootstrap_means(rows, resamples=50, rng=generator())
    counts = np.concatenate(list(resample_counts(30, 50, generator())))
    assert counts.sum(axis=1).tolist() == [30.0] * 50
    for draw, count in zip(boot.draws, counts, strict=True):
        assert draw == pytest.approx(np.repeat(rows, count.astype(int), axis=0).mean(axis=0), abs=1e-6)


def test_the_spread_of_draws_is_the_standard_error() -> None:
    rows = generator(3).normal(size=400)
    boot = bootstrap_means(rows, resamples=20000, rng=generator())
    assert boot.draws.std() == pytest.approx(rows.std() / 20, rel=0.03)
    assert boot.draws.mean() == pytest.approx(rows.mean(), abs=0.002)


def test_a_large_level_costs_no_digits_of_a_small_spread() -> None:
    small = generator(4).random(200)
    plain = bootstrap_means(small, resamples=300, rng=generator())
    lifted = bootstrap_means(small + 1e6, resamples=300, rng=generator())
    assert lifted.draws - 1e6 == pytest.approx(plain.draws, abs=1e-6)


def test_one_seed_one_result_and_blocks_do_not_show() -> None:
    rows = generator(5).random((3000, 2))
    one = bootstrap_means(rows, resamples=3000, rng=generator(9))
    other = bootstrap_means(rows, resamples=3000, rng=generator(9))
    assert np.array_equal(one.draws, other.draws)
    assert len(one.draws) == 3000


def test_clusters_are_drawn_whole() -> None:
    values = np.repeat([0.0, 1.0, 0.5, 0.25], [1, 2, 3, 4])
    labels = np.repeat(list("abcd"), [1, 2, 3, 4])
    boot = bootstrap_means(values, resamples=40, rng=generator(), clusters=labels)
    counts = np.concatenate(list(resample_counts(4, 40, generator())))
    sizes, sums = np.array([1.0, 2, 3, 4]), np.array([0.0, 2.0, 1.5, 1.0])
    assert boot.clusters == 4
    assert boot.draws[:, 0] == pytest.approx((counts @ sums) / (counts @ sizes), abs=1e-6)


def test_naive_intervals_are_too_short_for_clusters() -> None:
    rng = generator(6)
    values = np.repeat(rng.normal(size=60), 5) + 0.1 * rng.normal(size=300)
    naive = bootstrap_means(values, resamples=2000, rng=generator()).draws.std()
    whole = bootstrap_means(values, resamples=2000, rng=generator(), clusters=np.repeat(np.arange(60), 5)).draws.std()
    assert whole == pytest.approx(naive * np.sqrt(5), rel=0.15)


def test_weights_make_a_weighted_mean() -> None:
    boot = bootstrap_means([[1.0], [0.0]], resamples=100, rng=generator(), weights=[3.0, 1.0])
    assert boot.estimates.tolist() == [0.75]
    assert set(boot.draws[:, 0].round(6)) == {0.0, 0.75, 1.0}


def test_a_ratio_leaves_out_resamples_without_a_denominator() -> None:
    boot = bootstrap_ratio([0.0, 2.0], [0.0, 4.0], resamples=400, rng=generator())
    assert boot.estimates.tolist() == [0.5]
    assert np.all(boot.draws == 0.5)
    assert 260 < len(boot.draws) < 340


def test_quantile_draws_are_the_quantiles_of_the_rows_that_were_drawn() -> None:
    values = generator(7).random(41)
    boot = bootstrap_quantile(values, 0.9, resamples=60, rng=generator())
    counts = np.concatenate(list(resample_counts(41, 60, generator())))
    expected = [quantile(np.repeat(values, count.astype(int)), 0.9) for count in counts]
    assert boot.draws[:, 0] == pytest.approx(expected)
    assert boot.estimates[0] == pytest.approx(quantile(values, 0.9))


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_extreme_quantiles_stay_among_the_values(p: float) -> None:
    boot = bootstrap_quantile([3.0, 1.0, 2.0], p, resamples=30, rng=generator())
    assert set(boot.draws[:, 0]) <= {1.0, 2.0, 3.0}


def test_clustered_quantiles_draw_clusters_whole() -> None:
    values, labels = np.arange(9.0), np.repeat([0, 1, 2], [2, 3, 4])
    boot = bootstrap_quantile(values, 0.5, resamples=50, rng=generator(), clusters=labels)
    counts = np.concatenate(list(resample_counts(3, 50, generator())))
    expected = [quantile(np.repeat(values, count.astype(int)[labels]), 0.5) for count in counts]
    assert boot.draws[:, 0] == pytest.approx(expected)


def test_a_column_without_spread_has_no_interval_instead_of_one_without_width() -> None:
    boot = bootstrap_means(np.column_stack([np.ones(20), np.arange(20.0)]), resamples=200, rng=generator())
    for intervals in (boot.percentile(), boot.bca()):
        assert intervals[0] is None
        assert intervals[1] is not None
        assert intervals[1].lower < 9.5 < intervals[1].upper


def test_bca_follows_the_skewness() -> None:
    values = generator(8).exponential(size=60)
    boot = bootstrap_means(values, resamples=5000, rng=generator())
    percentile, bca = boot.percentile()[0], boot.bca()[0]
    assert percentile is not None
    assert bca is not None
    assert bca.upper > percentile.upper
    assert bca.lower > percentile.lower


def test_bca_is_not_defined_for_quantiles() -> None:
    boot = bootstrap_quantile([1.0, 2.0, 3.0], 0.5, resamples=10, rng=generator())
    with pytest.raises(DataError, match="percentile interval"):
        boot.bca()


def test_faulty_input_is_refused() -> None:
    with pytest.raises(DataError, match="rows by columns"):
        bootstrap_means(np.zeros((0, 2)), resamples=10, rng=generator())
    with pytest.raises(DataError, match="not finite"):
        bootstrap_means([[1.0], [np.nan]], resamples=10, rng=generator())
    with pytest.raises(DataError, match="weights"):
        bootstrap_means([1.0, 2.0], resamples=10, rng=generator(), weights=[-1.0, 2.0])
    with pytest.raises(DataError, match="not all zero"):
        bootstrap_ratio([1.0], [0.0], resamples=10, rng=generator())
    with pytest.raises(UsageError, match="resamples"):
        bootstrap_means([1.0, 2.0], resamples=0, rng=generator())
    with pytest.raises(UsageError, match="p must"):
        bootstrap_quantile([1.0], 1.5, resamples=10, rng=generator())


def test_given_counts_are_taken_as_they_are() -> None:
    rows = generator(8).random((5, 2))
    counts = np.array([[5, 0, 0, 0, 0], [1, 1, 1, 1, 1]])
    boot = bootstrap_with_counts(rows, [counts[:1], counts[1:]])
    assert boot.draws == pytest.approx(np.stack([rows[0], rows.mean(axis=0)]))
    with pytest.raises(DataError, match="counts of resamples by 5 rows"):
        bootstrap_with_counts(rows, [np.ones((2, 4))])
    with pytest.raises(DataError, match="nothing"):
        bootstrap_with_counts(rows, [])


def test_the_bootstrap_p_value_is_never_0_and_1_without_a_difference() -> None:
    table = np.stack([np.zeros(40), np.full(40, 0.1), generator(9).normal(0.0, 1.0, 40)], axis=1)
    p_values = bootstrap_means(table, resamples=999, rng=generator()).p_values()
    assert p_values[:2].tolist() == [1.0, 0.001]
    normal = 2 * (1 - math.erf(abs(table[:, 2].mean()) / table[:, 2].std() * math.sqrt(20)) / 2 - 0.5)
    assert p_values[2] == pytest.approx(normal, abs=0.06)


def test_fifty_columns_share_their_resamples_and_lose_no_digits() -> None:
    table = generator(10).normal(size=(700, 50))
    boot = bootstrap_means(table, resamples=100, rng=generator(11))
    counts = np.concatenate(list(resample_counts(700, 100, generator(11)))).astype(np.float64)
    assert boot.draws == pytest.approx(counts @ table / 700, abs=1e-14)


@pytest.mark.parametrize("scale", [2.0**-660, 2.0**660])
def test_bca_does_not_depend_on_the_scale(scale: float) -> None:
    values = np.array([1.0, 2.0, -0.5, 0.75, 0.1, 3.0])
    plain, scaled = (
        bootstrap_means(factor * values, resamples=200, rng=np.random.default_rng(1)).bca()[0]
        for factor in (1.0, scale)
    )
    assert plain is not None
    assert scaled is not None
    assert (scaled.lower / scale, scaled.upper / scale) == pytest.approx((plain.lower, plain.upper), rel=1e-12)
