"""Bootstrap intervals for many columns at once, by one shared matrix of resample counts.

For displays, composite statistics and large samples. No bootstrap decides a release: at the size of golden suites its
intervals are too short (see `beleg.stats.paired`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem
from beleg.stats.distributions import normal_cdf, normal_quantile
from beleg.stats.inputs import (
    FloatArray,
    IntArray,
    Labels,
    Numbers,
    binary_scaled,
    cluster_codes,
    finite_vector,
    require_between,
    require_finite,
    require_length,
)
from beleg.stats.intervals import Interval
from beleg.stats.resampling import CountMatrix, count_blocks, resample_counts

Counts: TypeAlias = npt.NDArray[np.floating] | npt.NDArray[np.integer]
Columns: TypeAlias = npt.NDArray[np.floating] | npt.NDArray[np.integer] | npt.NDArray[np.bool_]

_WINDOW_DEVIATIONS = 6.0
_ROUNDING = 1e-9
_LAST_DIGITS = 1e-15


@dataclass(frozen=True, slots=True, eq=False)
class Bootstrap:
    """Resampled values of one statistic for each column; all columns share the same resamples.

    Attributes:
        estimates: the observed statistic, one per column.
        draws: resamples by columns.
        n: number of rows.
        clusters: number of clusters that were resampled, None where rows were.
        acceleration: the acceleration of BCa per column, None where the statistic has no jackknife.
    """

    estimates: FloatArray
    draws: FloatArray
    n: int
    clusters: int | None
    acceleration: FloatArray | None = None

    def percentile(self, confidence: float = 0.95) -> list[Interval | None]:
        """Percentile intervals, one per column; None where the column does not vary and resampling shows nothing.

        Raises:
            UsageError: unless the confidence lies between 0 and 1.
        """
        require_between("confidence", confidence, 0.0, 1.0)
        tail = 0.5 * (1.0 - confidence)
        bounds = np.quantile(self.draws, [tail, 1.0 - tail], axis=0)
        return [
            self._interval(column, bounds[:, column], confidence, "percentile_bootstrap")
            for column in range(len(self.estimates))
        ]

    def bca(self, confidence: float = 0.95) -> list[Interval | None]:
        """Bias-corrected and accelerated intervals (Efron 1987), one per column; None where a column does not vary.

        Raises:
            DataError: if the statistic has no jackknife (quantiles).
            UsageError: unless the confidence lies between 0 and 1.
        """
        require_between("confidence", confidence, 0.0, 1.0)
        if self.acceleration is None:
            raise DataError(
                Problem(message="BCa is not defined for quantiles", remedy="Take the percentile interval instead")
            )
        return [self._bca(column, confidence) for column in range(len(self.estimates))]

    def p_values(self) -> FloatArray:
        """Two-sided p-values of "the true value is 0", one per column, by the draws shifted to that hypothesis.

        Formula: (1 + number of draws at least as far from the estimate as the estimate is from 0) / (1 + draws)
        (Efron and Tibshirani 1993, section 16.4, not studentised). Range: above 0 to 1; a column that does not vary
        has 1 if it is 0 and else 1 / (1 + draws).
        """
        spread = np.abs(self.draws - self.estimates)
        reached = np.abs(self.estimates) - _ROUNDING * _deviation(self.draws)
        return np.asarray((1.0 + (spread >= reached).sum(axis=0)) / (1.0 + len(self.draws)))

    def _bca(self, column: int, confidence: float) -> Interval | None:
        draws, estimate = self.draws[:, column], self.estimates[column]
        acceleration = 0.0 if self.acceleration is None else float(self.acceleration[column])
        # Draws that equal the estimate up to rounding count half.
        tie = _ROUNDING * float(_deviation(draws))
        below = float(np.mean(draws < estimate - tie) + 0.5 * np.mean(np.abs(draws - estimate) <= tie))
        smallest = 0.5 / len(draws)
        bias = normal_quantile(min(max(below, smallest), 1.0 - smallest))
        levels = []
        for p in (0.5 * (1.0 - confidence), 0.5 * (1.0 + confidence)):
            z = bias + normal_quantile(p)
            levels.append(normal_cdf(bias + z / (1.0 - acceleration * z)))
        return self._interval(column, np.quantile(draws, levels), confidence, "bca_bootstrap")

    def _interval(self, column: int, bounds: FloatArray, confidence: float, method: str) -> Interval | None:
        estimate = float(self.estimates[column])
        if np.ptp(self.draws[:, column]) == 0.0:
            return None
        lower, upper = min(float(bounds[0]), estimate), max(float(bounds[1]), estimate)
        return Interval(estimate, lower, upper, confidence, method, self.n, self.clusters)


def bootstrap_means(
    columns: Columns,
    *,
    resamples: int,
    rng: np.random.Generator,
    clusters: Labels | None = None,
    weights: Numbers | None = None,
) -> Bootstrap:
    """Resamples the means of many columns at once.

    Formula: draw = sum of counts times weight times value over sum of counts times weight, with the counts of one
    multinomial resample of the rows (or clusters), shared by all columns.

    Args:
        columns: rows by columns (one column per metric or per paired difference), or one column.
        resamples: number of resamples.
        rng: the random generator; its seed belongs in the record.
        clusters: one label per row; whole clusters are resampled.
        weights: one weight per row, not negative; None weighs all rows alike.

    Returns:
        Observed means and draws, one column each.

    Raises:
        DataError: for no rows, values that are not finite, lengths that differ, or weights that are negative or all 0.
        UsageError: if there is no resample.

    Example:
        >>> rows = np.arange(12.0).reshape(6, 2)
        >>> boot = bootstrap_means(rows, resamples=200, rng=np.random.default_rng(1))
        >>> boot.estimates.tolist(), boot.draws.shape
        ([5.0, 6.0], (200, 2))
    """
    table = _table(columns)
    if weights is None:
        return _ratios(table, np.ones(len(table)), resamples=resamples, rng=rng, clusters=clusters)
    shares = finite_vector("weights", weights)
    require_length("weights", len(shares), len(table))
    return _ratios(table * shares[:, None], shares, resamples=resamples, rng=rng, clusters=clusters)


def bootstrap_with_counts(columns: Columns, counts: Iterable[Counts]) -> Bootstrap:
    """The means of rows under given counts, so that several tables can share the very same resamples.

    Args:
        columns: rows by columns, or one column.
        counts: blocks of resamples by rows: how often each row stands in each resample.

    Returns:
        Observed means and draws, one column each.

    Raises:
        DataError: for no rows or values that are not finite, no resample, or counts for another number of rows.

    Example:
        >>> bootstrap_with_counts(np.array([1.0, 2.0, 6.0]), [np.array([[3, 0, 0], [1, 1, 1]])]).draws[:, 0].tolist()
        [1.0, 3.0]
    """
    table = _table(columns)
    blocks = list(counts)
    if not blocks or any(block.ndim != 2 or block.shape[1] != len(table) for block in blocks):
        raise DataError(
            Problem(
                message=f"counts of resamples by {len(table)} rows are needed",
                field="counts",
                value=", ".join(str(block.shape) for block in blocks[:3]) or "nothing",
            )
        )
    return _drawn(table, np.ones(len(table)), blocks, rows=len(table), clusters=None)


def bootstrap_ratio(
    numerator: Numbers,
    denominator: Numbers,
    *,
    resamples: int,
    rng: np.random.Generator,
    clusters: Labels | None = None,
) -> Bootstrap:
    """Resamples a ratio of two sums, such as supported claims over all claims.

    Resamples whose denominator is 0 have no ratio and are left out, so that fewer draws may come back.

    Args:
        numerator: one value per row.
        denominator: one value per row, not negative.
        resamples: number of resamples.
        rng: the random generator.
        clusters: one label per row; whole clusters are resampled.

    Returns:
        The observed ratio and its draws.

    Raises:
        DataError: for no rows, values that are not finite, lengths that differ or denominators that are negative or
            sum to 0.
        UsageError: if there is no resample.

    Example:
        >>> boot = bootstrap_ratio([1, 2, 0], [2, 2, 1], resamples=100, rng=np.random.default_rng(1))
        >>> boot.estimates.tolist()
        [0.6]
    """
    above, below = finite_vector("numerator", numerator), finite_vector("denominator", denominator)
    require_length("denominator", len(below), len(above))
    return _ratios(above[:, None], below, resamples=resamples, rng=rng, clusters=clusters)


def bootstrap_quantile(
    columns: Columns, p: float, *, resamples: int, rng: np.random.Generator, clusters: Labels | None = None
) -> Bootstrap:
    """Resamples one quantile of many columns at once.

    Args:
        columns: rows by columns, or one column.
        p: which quantile, 0 to 1, at rank p (n - 1) with linear interpolation as in `quantile`.
        resamples: number of resamples.
        rng: the random generator.
        clusters: one label per row; whole clusters are resampled.

    Returns:
        Observed quantiles and draws; only percentile intervals are defined.

    Raises:
        DataError: for no rows, values that are not finite or lengths that differ.
        UsageError: unless 0 <= p <= 1 and there is a resample.

    Example:
        >>> boot = bootstrap_quantile(np.arange(101.0), 0.95, resamples=500, rng=np.random.default_rng(1))
        >>> interval = boot.percentile()[0]
        >>> interval.lower < 95.0 < interval.upper
        True
    """
    if p not in (0.0, 1.0):
        require_between("p", p, 0.0, 1.0)
    table = _table(columns)
    codes = None if clusters is None else cluster_codes(clusters, len(table))
    units = len(table) if codes is None else int(codes.max()) + 1
    owners = np.arange(len(table)) if codes is None else codes
    order = np.argsort(table, axis=0, kind="stable")
    sorted_columns = [
        _SortedColumn.of(table[order[:, column], column], owners[order[:, column]], units, p)
        for column in range(table.shape[1])
    ]
    draws = np.empty((_resamples(resamples), table.shape[1]))
    start = 0
    for counts in resample_counts(units, resamples, rng, columns=max(units, len(table))):
        for column, ordered in enumerate(sorted_columns):
            draws[start : start + len(counts), column] = ordered.quantiles(counts, p)
        start += len(counts)
    return Bootstrap(np.quantile(table, p, axis=0), draws, len(table), None if codes is None else units)


def _ratios(
    above: FloatArray, below: FloatArray, *, resamples: int, rng: np.random.Generator, clusters: Labels | None
) -> Bootstrap:
    """Resamples the ratio of column sums to one common denominator."""
    rows = len(above)
    if (below < 0.0).any() or below.sum() <= 0.0:
        raise DataError(
            Problem(
                message="weights and denominators must not be negative, and not all zero", field="weights, denominator"
            )
        )
    counted = None
    if clusters is not None:
        codes = cluster_codes(clusters, rows)
        above, below = _sums(above, codes), _sums(below[:, None], codes)[:, 0]
        counted = len(below)
    resamples = _resamples(resamples)
    return _drawn(above, below, count_blocks(len(below), resamples, rng), rows=rows, clusters=counted)


def _drawn(
    above: FloatArray, below: FloatArray, blocks: Iterable[Counts], *, rows: int, clusters: int | None
) -> Bootstrap:
    """The ratios under given counts of the units, by one matrix product for all columns of a block."""
    estimates = above.sum(axis=0) / below.sum()
    # Centred, so that a product loses digits of the spread and not of the level.
    centred = above - estimates * below[:, None]
    centred[np.abs(centred) <= _LAST_DIGITS * np.abs(above).max(axis=0)] = 0.0
    constant = bool(np.ptp(below) == 0.0)
    factors = centred if constant else np.column_stack([centred, below])
    found = []
    for counts in blocks:
        sums = counts.astype(np.float64) @ factors
        shifted = sums[:, : len(estimates)]
        total = np.full(len(sums), float(below.sum())) if constant else sums[:, -1]
        usable = total > 0.0
        found.append(estimates + shifted[usable] / total[usable, None])
    return Bootstrap(estimates, np.concatenate(found), rows, clusters, _acceleration(centred, below))


def _deviation(draws: FloatArray) -> FloatArray:
    scaled, exponent = binary_scaled(draws)
    return np.asarray(np.ldexp(scaled.std(axis=0), exponent))


def _acceleration(centred: FloatArray, below: FloatArray) -> FloatArray:
    """Acceleration of BCa from the closed form of the jackknife values of a ratio."""
    rest = below.sum() - below
    left_out = np.divide(-centred, rest[:, None], out=np.zeros_like(centred), where=rest[:, None] > 0.0)
    influence = binary_scaled(left_out.mean(axis=0) - left_out)[0]
    spread = (influence**2).sum(axis=0) ** 1.5
    cubes = (influence**3).sum(axis=0)
    acceleration: FloatArray = np.divide(cubes, 6.0 * spread, out=np.zeros_like(cubes), where=spread > 0.0)
    return acceleration


@dataclass(frozen=True, slots=True, eq=False)
class _SortedColumn:
    """A column in ascending order with the window of ranks in which nearly every resample has its quantile.

    Only the window is summed up rank by rank; how many values of a resample lie below it is one product.
    """

    values: FloatArray
    owners: IntArray
    first: int
    last: int
    below: CountMatrix
    sizes: CountMatrix

    @classmethod
    def of(cls, values: FloatArray, owners: IntArray, units: int, p: float) -> _SortedColumn:
        n = len(values)
        sizes = np.bincount(owners, minlength=units).astype(np.float32)
        reach = _WINDOW_DEVIATIONS * math.sqrt(n * max(p * (1.0 - p), 1.0 / n) * float(sizes.max()))
        first = max(0, math.floor(p * (n - 1) - reach))
        last = min(n, math.ceil(p * (n - 1) + reach) + 2)
        below = np.bincount(owners[:first], minlength=units).astype(np.float32)
        return cls(values, owners, first, last, below, sizes)

    def quantiles(self, counts: CountMatrix, p: float) -> FloatArray:
        """Quantile of each resample, given how often every unit stands in it."""
        base = (counts @ self.below).astype(np.float64)
        reached = base[:, None] + np.cumsum(counts[:, self.owners[self.first : self.last]], axis=1, dtype=np.float64)
        highest = (counts @ self.sizes).astype(np.float64) - 1.0
        rank = p * highest
        low = np.floor(rank)
        ranks = np.stack([low, np.minimum(low + 1.0, highest)], axis=1)
        inside = (base <= ranks[:, 0]) & (reached[:, -1] > ranks[:, 1])
        places = self.first + np.array(
            [row.searchsorted(wanted, side="right") for row, wanted in zip(reached, ranks, strict=True)]
        )
        outside = np.flatnonzero(~inside)
        if len(outside):
            whole = np.cumsum(counts[np.ix_(outside, self.owners)], axis=1, dtype=np.float64)
            places[outside] = [
                row.searchsorted(wanted, side="right") for row, wanted in zip(whole, ranks[outside], strict=True)
            ]
        found = self.values[places]
        result: FloatArray = found[:, 0] + (rank - low) * (found[:, 1] - found[:, 0])
        return result


def _sums(table: FloatArray, codes: IntArray) -> FloatArray:
    sums = np.zeros((int(codes.max()) + 1, table.shape[1]))
    np.add.at(sums, codes, table)
    return sums


def _table(columns: Columns) -> FloatArray:
    table = np.asarray(columns, dtype=np.float64)
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2 or not table.size:
        raise DataError(
            Problem(message="rows by columns with at least one of each are needed", value=f"shape {table.shape}")
        )
    require_finite("columns", table)
    return table


def _resamples(resamples: int) -> int:
    require_between("resamples", resamples, 0, np.inf)
    return resamples
