"""How much a judge disagrees with itself when it is asked the same again."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from beleg.stats.distributions import normal_quantile
from beleg.stats.inputs import (
    FloatArray,
    IntArray,
    Labels,
    Numbers,
    cluster_codes,
    finite_vector,
    require_between,
    require_length,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatNoise:
    """What repeated verdicts say about a judge's own noise.

    Attributes:
        items: items that were judged twice or more.
        verdicts: verdicts on those items.
        flipped: items whose verdicts are not all the same.
        pair_disagreement: mean share of the pairs of verdicts on one item that differ.
        within_variance: mean variance of the verdicts on one item, without bias: what one verdict adds by chance.
        shared_variance: variance of the mean over all items between passes beyond what independent noise of single
            items explains: noise that all items of one pass share; None where the passes are not complete.
    """

    items: int
    verdicts: int
    flipped: int
    pair_disagreement: float
    within_variance: float
    shared_variance: float | None


def repeat_noise(items: Labels, passes: Labels, verdicts: Numbers) -> RepeatNoise | None:
    """Splits repeated verdicts into what an item is and what asking again changes.

    Formula: within variance = mean over items of the sum of squared deviations from the item's mean over (repeats - 1);
    for verdicts of 0 and 1 it is half of the pair disagreement. Shared variance = max(0, variance of the pass means -
    within variance / items), over the items that every pass judged. Range: 0 and above, lower is better. Undefined
    (None): where no item was judged twice.

    Args:
        items: the item of each verdict.
        passes: which repetition each verdict belongs to.
        verdicts: 0 or 1, or a score.

    Raises:
        DataError: without verdicts, or for different lengths.

    Example:
        >>> found = repeat_noise([0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 1, 0])
        >>> found.flipped, found.pair_disagreement, found.within_variance
        (1, 0.5, 0.25)
    """
    values = finite_vector("verdicts", verdicts)
    codes = cluster_codes(items, len(values))
    require_length("passes", len(passes), len(values))
    repeats = np.bincount(codes)
    often = repeats >= 2
    if not often.any():
        return None
    means = np.bincount(codes, weights=values) / repeats
    squares = np.bincount(codes, weights=(values - means[codes]) ** 2)
    pairs = repeats[often] * (repeats[often] - 1.0)
    within = float((squares[often] / (repeats[often] - 1.0)).mean())
    return RepeatNoise(
        items=int(often.sum()),
        verdicts=int(repeats[often].sum()),
        flipped=int(np.count_nonzero(_spread(codes, values, len(repeats))[often] > 0.0)),
        pair_disagreement=float((1.0 - (_same_pairs(codes, values, len(repeats))[often] / pairs)).mean()),
        within_variance=within,
        shared_variance=_shared_variance(codes, cluster_codes(passes, len(values)), values, within),
    )


def _spread(codes: IntArray, values: FloatArray, n: int) -> FloatArray:
    high, low = np.full(n, -math.inf), np.full(n, math.inf)
    np.maximum.at(high, codes, values)
    np.minimum.at(low, codes, values)
    return np.asarray(high - low)


def _same_pairs(codes: IntArray, values: FloatArray, n: int) -> FloatArray:
    """For each item the number of ordered pairs of verdicts that are the same."""
    kinds, kind = np.unique(values, return_inverse=True)
    flat, times = np.unique(codes * len(kinds) + kind, return_counts=True)
    return np.bincount(flat // len(kinds), weights=times * (times - 1.0), minlength=n).astype(np.float64)


def _shared_variance(codes: IntArray, passes: IntArray, values: FloatArray, within: float) -> float | None:
    items, count = int(codes.max()) + 1, int(passes.max()) + 1
    cells = codes * count + passes
    if count < 2 or len(cells) != items * count or len(np.unique(cells)) != len(cells):
        return None
    means = np.bincount(passes, weights=values) / items
    return max(0.0, float(means.var(ddof=1)) - within / items)


def noise_reach(variance: float, confidence: float) -> float:
    """How far a figure may lie from what it would be without noise of this variance, at a one-sided confidence.

    Example:
        >>> round(noise_reach(0.01**2, 0.95), 4)
        0.0164
    """
    require_between("confidence", confidence, 0.5, 1.0)
    return normal_quantile(confidence) * math.sqrt(variance)
