"""Maximum mean discrepancy: do two windows of embeddings come from one distribution?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem
from beleg.stats.exchanged_labels import ExchangedLabels, exchanged_labels, permutation_p_value
from beleg.stats.inputs import FloatArray, Labels

Vectors: TypeAlias = npt.NDArray[np.floating]
Block: TypeAlias = npt.NDArray[np.float32]

BLOCK_ROWS = 1_024
"""Rows of the kernel that are held at a time: 4 MB a block, however long the windows are."""
MAX_ROWS = 100_000
"""Cost grows with the square of the rows; longer windows are to be sampled."""
_DROPPED_BITS = 11
"""Of the 23 bits of a float's mantissa; by the 12 others the median is found to one part in 4,096."""
_SAME = 1e-6
"""Squared distances below this share of the longest squared vector are rounding: the vectors are the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MmdTest:
    """Whether two windows differ, and by how much.

    Attributes:
        squared_mmd: the unbiased estimate of the squared discrepancy; it may lie below 0 where the windows are alike.
        p_value: how often exchanged labels give at least as much; above 0 to 1.
        bandwidth: the sigma of the Gaussian kernel.
        n_reference: rows of the reference.
        n_current: rows of the current window.
        permutations: how many exchanges stand behind the p-value.
        groups: how many groups changed sides as one; ``None`` where rows did.
    """

    squared_mmd: float
    p_value: float
    bandwidth: float
    n_reference: int
    n_current: int
    permutations: int
    groups: int | None


def mmd_test(
    reference: Vectors,
    current: Vectors,
    *,
    permutations: int = 1_000,
    rng: np.random.Generator,
    bandwidth: float | None = None,
    groups: Labels | None = None,
) -> MmdTest:
    """Tests by maximum mean discrepancy whether two windows of vectors come from one distribution (I12, M4).

    The unbiased estimate of ``E k(x,x') + E k(y,y') - 2 E k(x,y)`` with the Gaussian kernel
    ``k(a,b) = exp(-|a-b|^2 / (2 sigma^2))``. Source: Gretton et al. 2012, lemma 6. Sigma is the median distance between
    all rows of both windows that differ (to one part in 4,096): it fits any number of dimensions, and is the same for
    every exchange of labels. The p-value counts exchanges of labels (Phipson and Smyth 2010) and is exact in finite
    samples, whatever the distribution.
    Range of the estimate: about 0 to 2; 0 where the distributions are one. The p-value lies above 0 and at most at 1.
    It tells whether there is a difference, not whether it does harm: measure retrieval on the suite for that.
    Undefined: never; windows in which all vectors are the same have estimate 0 and p-value 1.

    Vectors are taken as they are. Normalise them before where only their direction counts, as for cosine search.

    Args:
        reference: rows by dimensions, in float32 or float64.
        current: rows by the same dimensions.
        permutations: how many exchanges.
        rng: the random generator.
        bandwidth: sigma, where it was fixed before; the median distance else.
        groups: documents or sessions, one label per row with those of the reference first, whose rows are no
            independent draws.

    Returns:
        The test.

    Raises:
        DataError: if the windows have other shapes, too few or too many rows, or values that are not finite.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> old, new = rng.normal(size=(60, 8)), rng.normal(loc=1.0, size=(60, 8))
        >>> mmd_test(old, new, permutations=199, rng=rng).p_value
        0.005
    """
    pooled, exponent = pooled_vectors(reference, current)
    first = len(reference)
    exchanged = exchanged_labels(first, len(current), permutations=permutations, rng=rng, groups=groups)
    _require_pairs(exchanged, len(pooled))
    sigma = _median_distance(pooled) if bandwidth is None else math.ldexp(_checked(bandwidth), -exponent)
    estimates = _estimates(pooled, sigma, exchanged) if sigma > 0.0 else np.zeros(permutations + 1)
    return MmdTest(
        squared_mmd=float(estimates[0]),
        p_value=permutation_p_value(estimates),
        bandwidth=math.ldexp(sigma, exponent),
        n_reference=first,
        n_current=len(current),
        permutations=permutations,
        groups=exchanged.groups,
    )


def pooled_vectors(reference: Vectors, current: Vectors) -> tuple[Block, int]:
    """Both windows below each other, moved to their common mean, in float32.

    Returns:
        The vectors over a power of two, so that no square leaves the range of float32, and its exponent.

    Raises:
        DataError: if the windows have other shapes, no or too many rows, or values that are not finite.
    """
    for field, window in (("reference", reference), ("current", current)):
        if window.ndim != 2 or not window.size:
            raise DataError(Problem(message="rows of vectors are needed", field=field, value=f"shape {window.shape}"))
        broken = np.flatnonzero(~np.isfinite(window).all(axis=1))
        if len(broken):
            raise DataError(
                Problem(
                    message=f"the vector at position {broken[0]} is not finite",
                    field=field,
                    remedy="Leave a text without a vector out, and count it",
                )
            )
    if reference.shape[1] != current.shape[1]:
        raise DataError(
            Problem(
                message=f"the vectors have {reference.shape[1]} and {current.shape[1]} dimensions",
                field="current",
                remedy="Compare vectors of one model; for two models compare neighbours of the same texts",
            )
        )
    rows = len(reference) + len(current)
    if rows > MAX_ROWS:
        raise DataError(
            Problem(message=f"{rows} rows are more than {MAX_ROWS}", field="current", remedy="Draw a sample of each")
        )
    pooled = np.concatenate([reference, current]).astype(np.float64)
    largest = float(np.abs(pooled).max())
    exponent = math.frexp(largest)[1] if largest else 0
    pooled = np.ldexp(pooled, -exponent)
    pooled -= pooled.mean(axis=0)
    return pooled.astype(np.float32), exponent


def _checked(bandwidth: float) -> float:
    if not (math.isfinite(bandwidth) and bandwidth > 0.0):
        raise DataError(Problem(message="the bandwidth must be above 0", field="bandwidth", value=str(bandwidth)))
    return bandwidth


def _require_pairs(exchanged: ExchangedLabels, rows: int) -> None:
    sizes = exchanged.first_sizes
    if sizes.min() < 2 or rows - sizes.max() < 2:
        raise DataError(
            Problem(
                message="a sample would have a single row, and pairs within it are needed",
                field="groups" if exchanged.groups else "reference",
                remedy="Give at least two rows in each window and group",
            )
        )


def _blocks(rows: int) -> Iterator[tuple[slice, slice]]:
    """The blocks on and above the diagonal."""
    starts = range(0, rows, BLOCK_ROWS)
    for at, start in enumerate(starts):
        across = slice(start, start + BLOCK_ROWS)
        for other in list(starts)[at:]:
            yield across, slice(other, other + BLOCK_ROWS)


def _squared_distances(pooled: Block, norms: Block, across: slice, down: slice) -> Block:
    found: Block = pooled[across] @ pooled[down].T
    found *= -2.0
    found += norms[across, None]
    found += norms[None, down]
    return np.maximum(found, 0.0, out=found)


def _squared_norms(pooled: Block) -> Block:
    norms: Block = np.einsum("ij,ij->i", pooled, pooled, dtype=np.float32)
    return norms


def _median_distance(pooled: Block) -> float:
    """The median distance between two rows that differ; 0 where none do.

    Bit patterns of floats that are not negative are in the order of the floats: counting them by their first bits
    finds the median without keeping or sorting all distances.
    """
    norms = _squared_norms(pooled)
    counts = np.zeros((1 << 31) >> _DROPPED_BITS, dtype=np.int64)
    for across, down in _blocks(len(pooled)):
        squared = _squared_distances(pooled, norms, across, down)
        if across == down:
            squared = squared[np.triu_indices(len(squared), 1)]
        counts += np.bincount(_key(squared.ravel()), minlength=len(counts))
    counts[: _key(np.array([_SAME * norms.max()], dtype=np.float32))[0] + 1] = 0
    return _median_of(counts)


def _key(values: Block) -> npt.NDArray[np.int32]:
    return values.view(np.int32) >> _DROPPED_BITS


def _median_of(counts: npt.NDArray[np.int64]) -> float:
    reached = np.cumsum(counts)
    if not reached[-1]:
        return 0.0
    key = int(np.searchsorted(reached, (reached[-1] + 1) // 2))
    edges = np.array([key << _DROPPED_BITS, (key + 1) << _DROPPED_BITS], dtype=np.int32).view(np.float32)
    return math.sqrt(float(edges.mean(dtype=np.float64)))


def _estimates(pooled: Block, sigma: float, exchanged: ExchangedLabels) -> FloatArray:
    """The unbiased estimate for the real labels and for each exchange, from one pass over the kernel.

    With ``a`` the membership of the first sample, ``a'Ka`` is the sum within it, and ``r'a``, with ``r`` the sums of
    the kernel's rows, what it shares with everything. A constant is taken off the kernel, which changes no estimate
    and keeps the sums small.
    """
    members, norms = exchanged.members, _squared_norms(pooled)
    scale, level = np.float32(-0.5 / sigma**2), np.float32(math.exp(-0.5))
    within = np.zeros(members.shape[1])
    row_sums = np.zeros(len(pooled))
    for across, down in _blocks(len(pooled)):
        kernel = _squared_distances(pooled, norms, across, down)
        kernel *= scale
        np.exp(kernel, out=kernel)
        kernel -= level
        if across == down:
            np.fill_diagonal(kernel, 0.0)
        shared = members[across] * (kernel @ members[down])
        twice = 1.0 if across == down else 2.0
        within += twice * shared.sum(axis=0, dtype=np.float64)
        row_sums[across] += kernel.sum(axis=1, dtype=np.float64)
        if across != down:
            row_sums[down] += kernel.sum(axis=0, dtype=np.float64)
    first = exchanged.first_sizes
    second = len(pooled) - first
    touching = row_sums @ members
    between = touching - within
    elsewhere = row_sums.sum() - 2.0 * touching + within
    alike = within / (first * (first - 1)) + elsewhere / (second * (second - 1))
    estimates: FloatArray = alike - 2.0 * between / (first * second)
    return estimates
