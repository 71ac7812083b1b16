"""How often each unit stands in each bootstrap resample: exactly multinomial counts, not drawn one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from beleg.stats.inputs import FloatArray

CountMatrix: TypeAlias = npt.NDArray[np.float32]
CountBytes: TypeAlias = npt.NDArray[np.uint8]

BLOCK_CELLS = 1_000_000
"""Cells held at a time: few enough for the cache of a processor, enough for long matrix products."""

_POISSON_FROM = 256
_LACKING_DEVIATIONS = 4.0
_BYTES = 256
_SMALLEST_SHARE = 1e-18


def resample_counts(
    units: int, resamples: int, rng: np.random.Generator, *, columns: int | None = None
) -> Iterator[CountMatrix]:
    """How often each unit stands in each resample, in blocks of bounded memory.

    Args:
        units: number of rows or clusters.
        resamples: number of resamples over all blocks.
        rng: the random generator.
        columns: cells per resample that the caller will hold, if more than there are units.

    Yields:
        Matrices of resamples by units; every row sums to ``units``.

    Example:
        >>> block = next(resample_counts(5, 3, np.random.default_rng(1)))
        >>> block.shape, block.sum(axis=1).tolist()
        ((3, 5), [5.0, 5.0, 5.0])
    """
    for counts in count_blocks(units, resamples, rng, columns=columns):
        yield counts.astype(np.float32)


def count_blocks(
    units: int, resamples: int, rng: np.random.Generator, *, columns: int | None = None
) -> Iterator[CountBytes]:
    """The same counts as bytes.

    Few units are drawn one by one. For many, independent Poisson counts of a rate a little below 1 are drawn, which,
    given their sum, are multinomial with equal shares. A row with a sum above ``units`` is dropped: its sum says
    nothing about which units it holds. The draws that a row lacks are then made one by one. The result is multinomial
    exactly, and takes one random byte for most units.

    Args:
        units: number of rows or clusters.
        resamples: number of resamples over all blocks.
        rng: the random generator.
        columns: cells per resample that the caller will hold, if more than there are units.

    Yields:
        Matrices of resamples by units; every row sums to ``units``.

    Example:
        >>> block = next(count_blocks(1000, 2, np.random.default_rng(1)))
        >>> block.dtype.name, block.sum(axis=1).tolist()
        ('uint8', [1000, 1000])
    """
    per_block = max(1, BLOCK_CELLS // max(units, columns or 0))
    poisson = _Poisson.of(1.0 - _LACKING_DEVIATIONS / math.sqrt(units)) if units >= _POISSON_FROM else None
    made = 0
    while made < resamples:
        rows = min(per_block, resamples - made)
        counts = _one_by_one(units, rows, rng) if poisson is None else _filled_up(poisson.draw(rows, units, rng), rng)
        made += len(counts)
        yield counts


def _one_by_one(units: int, rows: int, rng: np.random.Generator) -> CountBytes:
    cells = rng.integers(0, units, size=(rows, units)) + np.arange(0, rows * units, units)[:, None]
    return np.bincount(cells.ravel(), minlength=rows * units).astype(np.uint8).reshape(rows, units)


def _filled_up(counts: CountBytes, rng: np.random.Generator) -> CountBytes:
    """Makes every row sum to the number of units, without those that have more already."""
    units = counts.shape[1]
    totals = counts.sum(axis=1, dtype=np.uint32).astype(np.int64)
    if (totals > units).any():
        counts, totals = counts[totals <= units], totals[totals <= units]
    lacking = units - totals
    drawn = rng.integers(0, units, int(lacking.sum()), dtype=np.uint32)
    starts = np.repeat(np.arange(0, counts.size, units), lacking)
    np.add.at(counts.reshape(-1), starts + drawn, np.uint8(1))
    return counts


@dataclass(frozen=True, slots=True, eq=False)
class _Poisson:
    """A Poisson distribution as a mixture: shares in 256ths, which one random byte decides, and a small rest."""

    thresholds: tuple[int, ...]
    """A byte at or above the k-th of them stands for k or more events."""
    rest_share: float
    rest: FloatArray
    """Cumulative distribution of a cell that is of the rest."""

    @classmethod
    def of(cls, rate: float) -> _Poisson:
        shares = [math.exp(-rate)]
        while shares[-1] > _SMALLEST_SHARE:
            shares.append(shares[-1] * rate / len(shares))
        exact = np.array(shares)
        parts = np.floor(exact * _BYTES)
        while parts.sum() < _BYTES:
            parts[np.argmax(exact / (parts + 1.0))] += 1.0
        kept = float((exact[parts > 0.0] * _BYTES / parts[parts > 0.0]).min())
        rest = np.cumsum(np.maximum(exact - kept * parts / _BYTES, 0.0))
        thresholds = np.cumsum(parts).astype(int).tolist()
        return cls(tuple(level for level in thresholds if level < _BYTES), 1.0 - kept, rest / rest[-1])

    def draw(self, rows: int, columns: int, rng: np.random.Generator) -> CountBytes:
        cells = rows * columns
        words = rng.integers(0, 2**64 - 1, -(-cells // 8), dtype=np.uint64, endpoint=True)
        byte = words.view(np.uint8)[:cells]
        counts = (byte >= self.thresholds[0]).view(np.uint8)
        for level in self.thresholds[1:]:
            counts += (byte >= level).view(np.uint8)
        chosen = _places(self.rest_share, cells, rng)
        counts[chosen] = np.searchsorted(self.rest, rng.random(len(chosen)), side="right")
        return counts.reshape(rows, columns)


def _places(share: float, cells: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """The cells that are chosen if each is, independently, with the same probability."""
    last, found = -1, []
    while last < cells:
        expected = (cells - last) * share
        steps = rng.geometric(share, size=math.ceil(expected + 4.0 * math.sqrt(expected) + 4.0))
        found.append(last + np.cumsum(steps))
        last = int(found[-1][-1])
    places = np.concatenate(found)
    return places[places < cells]
