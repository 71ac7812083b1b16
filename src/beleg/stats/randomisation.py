"""Randomisation tests: how often chance alone, exchanging the systems case by case, would give such a difference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem
from beleg.stats.inputs import FloatArray, Labels, cluster_codes, require_between, require_finite
from beleg.stats.resampling import BLOCK_CELLS

EXACT_UP_TO = 20
"""With so many units that differ, all patterns of signs are looked at (one million)."""

_ROUNDING = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class SignFlip:
    """What exchanging the two systems at random says about each column of differences.

    Attributes:
        p_values: two-sided p-value per column.
        exact: whether all patterns of signs were looked at, per column.
        patterns: how many patterns stand behind each p-value.
        n: number of rows.
        clusters: number of clusters whose signs were flipped as one, None where rows were.
    """

    p_values: FloatArray
    exact: npt.NDArray[np.bool_]
    patterns: npt.NDArray[np.int64]
    n: int
    clusters: int | None


def sign_flip(
    differences: FloatArray, *, patterns: int, rng: np.random.Generator, clusters: Labels | None = None
) -> SignFlip:
    """Paired randomisation test of many columns of differences, all under the same patterns of signs.

    Where the systems do not differ, each difference is as likely with the other sign. The p-value is the share of sign
    patterns whose absolute sum is at least the observed one. With at most 20 rows that differ all patterns are looked
    at; else random ones, and the observed pattern counts as one of them: (1 + reached) / (1 + patterns), so that p is
    never 0 (Phipson and Smyth 2010). Rows that do not differ change nothing. Source: Fisher 1935; for rankings
    Smucker, Allan and Carterette 2007.
    Range: above 0 to 1. Undefined: never; a column without any difference has 1.

    Args:
        differences: rows by columns, or one column.
        patterns: random patterns where not all are looked at.
        rng: the random generator.
        clusters: one label per row; the rows of a cluster change their sign together.

    Returns:
        One p-value per column.

    Raises:
        DataError: for no rows, values that are not finite, or labels that do not match the rows.
        UsageError: if there is no pattern.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> sign_flip(np.full(8, 0.25), patterns=1000, rng=rng).p_values.tolist()
        [0.0078125]
    """
    require_between("patterns", patterns, 0, np.inf)
    units, rows = _units(differences, clusters)
    differing = np.count_nonzero(units, axis=0)
    exact = differing <= EXACT_UP_TO
    p_values = np.ones(units.shape[1])
    for column in np.flatnonzero(exact & (differing > 0)):
        values = units[:, column]
        p_values[column] = _enumerated(values[values != 0.0])
    if not exact.all():
        p_values[~exact] = _sampled(units[:, ~exact], patterns, rng)
    return SignFlip(
        p_values=p_values,
        exact=exact,
        patterns=np.where(exact, 2**differing, patterns + 1),
        n=rows,
        clusters=None if clusters is None else len(units),
    )


def _enumerated(units: FloatArray) -> float:
    # The first sign is fixed: the other half of the patterns mirrors this one.
    sums = units[:1]
    for value in units[1:]:
        sums = np.concatenate([sums + value, sums - value])
    return float(np.mean(np.abs(sums) >= abs(units.sum()) - _ROUNDING * np.abs(units).sum()))


def _sampled(units: FloatArray, patterns: int, rng: np.random.Generator) -> FloatArray:
    total = units.sum(axis=0)
    reached = np.abs(total) - _ROUNDING * np.abs(units).sum(axis=0)
    count = np.zeros(units.shape[1])
    for kept in _coins(len(units), patterns, rng):
        # Twice the sum of those that keep their sign, less all, is the sum with the others flipped.
        count += (np.abs(2.0 * (kept.astype(np.float64) @ units) - total) >= reached).sum(axis=0)
    return np.asarray((1.0 + count) / (1.0 + patterns))


def _coins(units: int, patterns: int, rng: np.random.Generator) -> Iterator[npt.NDArray[np.uint8]]:
    per_block = max(1, BLOCK_CELLS // units)
    for start in range(0, patterns, per_block):
        rows = min(per_block, patterns - start)
        words = rng.integers(0, 2**64 - 1, -(-rows * units // 64), dtype=np.uint64, endpoint=True)
        yield np.unpackbits(words.view(np.uint8), count=rows * units).reshape(rows, units)


def _units(differences: FloatArray, clusters: Labels | None) -> tuple[FloatArray, int]:
    """Rows, or the sums of clusters, by columns."""
    table = np.asarray(differences, dtype=np.float64)
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2 or not table.size:
        raise DataError(
            Problem(message="rows by columns with at least one of each are needed", value=f"shape {table.shape}")
        )
    require_finite("differences", table)
    if clusters is None:
        return table, len(table)
    codes = cluster_codes(clusters, len(table))
    sums = np.zeros((int(codes.max()) + 1, table.shape[1]))
    np.add.at(sums, codes, table)
    # Differences that cancel within a cluster leave rounding, which is no difference.
    sizes = np.zeros_like(sums)
    np.add.at(sizes, codes, np.abs(table))
    sums[np.abs(sums) <= _ROUNDING * sizes] = 0.0
    return sums, len(table)


def randomised_tukey(scores: FloatArray, *, permutations: int, rng: np.random.Generator) -> FloatArray:
    """Compares all pairs of systems at once; the p-values hold for the whole family of pairs.

    Where no systems differ, the scores of a case are as likely in any order. In each permutation the scores of every
    case are shuffled among the systems, and the largest mean less the smallest is kept. The p-value of a pair is the
    share of permutations in which that range reaches the pair's difference; the observed order counts as one of them.
    The chance of any false finding among all pairs is thereby bounded (Carterette 2012, Multiple testing in
    statistical analysis of systems-based information retrieval experiments).
    Range: above 0 to 1.

    Args:
        scores: cases by systems, two or more systems.
        permutations: number of random permutations.
        rng: the random generator.

    Returns:
        Systems by systems, symmetric, 1 on the diagonal.

    Raises:
        DataError: for fewer than two systems, no cases, or values that are not finite.
        UsageError: if there is no permutation.

    Example:
        >>> scores = np.array([[0.1, 0.2, 0.9]] * 12)
        >>> p = randomised_tukey(scores, permutations=999, rng=np.random.default_rng(1))
        >>> float(p[0, 2]), bool(p[0, 1] > 0.05)
        (0.001, True)
    """
    require_between("permutations", permutations, 0, np.inf)
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] < 2 or not len(table):
        raise DataError(Problem(message="cases by two or more systems are needed", value=f"shape {table.shape}"))
    require_finite("scores", table)
    # A case on which all systems agree adds the same to all sums in any order.
    table = table[np.ptp(table, axis=1) > 0.0]
    ranges = np.zeros(permutations)
    per_block = max(1, BLOCK_CELLS // max(1, table.size))
    for start in range(0, permutations if len(table) else 0, per_block):
        rows = min(per_block, permutations - start)
        shuffled = rng.permuted(np.broadcast_to(table, (rows, *table.shape)), axis=2)
        ranges[start : start + rows] = np.ptp(shuffled.sum(axis=1), axis=1)
    sums = table.sum(axis=0)
    observed = np.abs(sums[:, None] - sums[None, :])
    ranges.sort()
    reached = permutations - np.searchsorted(ranges, observed - _ROUNDING * np.abs(table).sum())
    p_values = (1.0 + reached) / (1.0 + permutations)
    np.fill_diagonal(p_values, 1.0)
    return np.asarray(p_values)
