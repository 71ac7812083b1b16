"""How far two raters agree on the same items, beyond what their own habits would give by chance."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from beleg.core.score import Score, ScoreStatus
from beleg.stats.distributions import student_t_quantile
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
from beleg.stats.intervals import largest_share


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """``counts[i, j]``: items that the first rater put into ``categories[i]`` and the second into ``categories[j]``."""

    categories: tuple[float, ...]
    counts: IntArray

    @property
    def n(self) -> int:
        """Number of items."""
        return int(self.counts.sum())


def confusion(first: Numbers, second: Numbers) -> Confusion:
    """Counts the items by what either rater said.

    Args:
        first: the category of every item by the first rater, as a number.
        second: the same by the second.

    Raises:
        DataError: without items, or for different numbers of them.

    Example:
        >>> confusion([0, 1, 1], [0, 1, 0]).counts.tolist()
        [[1, 0], [1, 1]]
    """
    mine, theirs = finite_vector("first", first), finite_vector("second", second)
    require_length("second", len(theirs), len(mine))
    categories, codes = np.unique(np.concatenate([mine, theirs]), return_inverse=True)
    size = len(categories)
    flat = np.bincount(codes[: len(mine)] * size + codes[len(mine) :], minlength=size * size)
    return Confusion(tuple(categories.tolist()), flat.reshape(size, size))


def raw_agreement(found: Confusion) -> float:
    """Share of the items that both put into one category. Range: 0 to 1, higher is better.

    Example:
        >>> raw_agreement(confusion([0, 1, 1, 1], [0, 1, 0, 1]))
        0.75
    """
    return float(np.trace(found.counts) / found.n)


def kappa(found: Confusion, *, quadratic: bool = False) -> Score:
    """Cohen's kappa: agreement beyond chance.

    Formula: 1 - observed disagreement / disagreement expected from the two raters' own shares (Cohen 1960). Quadratic:
    a disagreement weighs the squared distance of the categories (Cohen 1968), so that 0 against 4 is worse than 3
    against 4. Range: up to 1 for full agreement, 0 at chance, below 0 under it.
    Undefined: where both raters used one and the same category only, for then no disagreement was possible.

    Args:
        found: the counts.
        quadratic: weigh disagreements by squared distance.

    Returns:
        The value, or the reason why there is none.

    Example:
        >>> kappa(Confusion((0.0, 1.0), np.array([[20, 5], [10, 15]]))).value
        0.4
    """
    value = float(
        _kappas(found.counts[None].astype(np.float64), _disagreement(found.categories, quadratic=quadratic))[0]
    )
    if math.isnan(value):
        return Score.without(ScoreStatus.NOT_APPLICABLE, "both used one and the same category for every item")
    return Score.of(value)


@dataclass(frozen=True, slots=True)
class KappaInterval:
    """Bounds of kappa by leaving out one group of items after the other."""

    lower: float
    upper: float
    confidence: float
    groups: int


def kappa_interval(
    first: Numbers, second: Numbers, groups: Labels, confidence: float = 0.95, *, quadratic: bool = False
) -> KappaInterval | None:
    """Interval for kappa over items that come in groups, such as the documents of one query.

    Formula: the jackknife over groups: kappa ± t (G - 1 degrees) times the square root of (G - 1) / G times the sum of
    squared deviations of the leave-one-out values from their mean (Efron and Tibshirani 1993, chapter 11). Cut at -1
    and 1. Undefined: with fewer than three groups, where kappa without some group is undefined, and where all groups
    are alike, for then nothing is known of their variation.

    Args:
        first: the category of every item by the first rater.
        second: the same by the second.
        groups: one label per item.
        confidence: two-sided confidence.
        quadratic: as for `kappa`.

    Returns:
        The bounds, or None where they cannot be found.

    Raises:
        DataError: for different numbers of items.
        UsageError: unless the confidence lies between 0 and 1.

    Example:
        >>> found = kappa_interval([0, 1, 1, 0, 1, 0], [0, 1, 0, 0, 1, 1], ["a", "a", "b", "b", "c", "c"])
        >>> found is not None and found.lower < 1 / 3 < found.upper
        True
    """
    require_between("confidence", confidence, 0.0, 1.0)
    whole = confusion(first, second)
    codes = cluster_codes(groups, whole.n)
    size, count = len(whole.categories), int(codes.max()) + 1
    places = np.searchsorted(whole.categories, np.asarray([first, second], dtype=np.float64))
    flat = codes * size * size + places[0] * size + places[1]
    by_group = np.bincount(flat, minlength=count * size * size).reshape(count, size, size)
    weights = _disagreement(whole.categories, quadratic=quadratic)
    value = float(_kappas(whole.counts[None].astype(np.float64), weights)[0])
    without = _kappas((whole.counts - by_group).astype(np.float64), weights)
    if count < 3 or math.isnan(value) or np.isnan(without).any():
        return None
    error = math.sqrt((count - 1) / count * float(((without - without.mean()) ** 2).sum()))
    if error <= 0.0:
        return None
    half = student_t_quantile(0.5 + 0.5 * confidence, count - 1.0) * error
    return KappaInterval(max(-1.0, value - half), min(1.0, value + half), confidence, count)


def kappa_floor(found: Confusion, confidence: float = 0.95) -> float | None:
    """Lower bound of kappa from an exact bound on disagreement, for two raters who hardly ever disagree.

    Formula: 1 - u / e, u the upper bound of the share of disagreement (Clopper and Pearson), e the share that the two
    raters' own shares would give by chance. Where not one item is disagreed on, the jackknife sees no variation, and
    this is what is known. None where both used one category only.

    Example:
        >>> round(kappa_floor(Confusion((0.0, 1.0), np.array([[50, 0], [0, 50]]))), 3)
        0.928
    """
    agreed, counts = int(np.trace(found.counts)), found.counts
    expected = 1.0 - float(counts.sum(axis=0) @ counts.sum(axis=1)) / found.n**2
    if expected <= 0.0:
        return None
    return max(-1.0, 1.0 - largest_share(found.n - agreed, found.n, 0.5 * (1.0 - confidence)) / expected)


def kendall_tau(first: Numbers, second: Numbers) -> Score:
    """Kendall's tau-b between two orders of the same things, such as systems by two sets of judgements.

    Formula: (concordant - discordant pairs) / sqrt(pairs not tied in the first * pairs not tied in the second) (Kendall
    1945). Range: -1 for the reverse order to 1 for the same one. Undefined: for fewer than two things, or where one
    side has all of them equal.

    Args:
        first: one figure per thing.
        second: another, in the same order.

    Returns:
        The value, or the reason why there is none.

    Raises:
        DataError: for different numbers of figures.

    Example:
        >>> kendall_tau([1, 2, 3, 4], [1, 2, 4, 3]).value
        0.6666666666666666
    """
    mine, theirs = finite_vector("first", first), finite_vector("second", second)
    require_length("second", len(theirs), len(mine))
    if len(mine) < 2:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "an order needs two things or more")
    signs = [np.sign(values[:, None] - values[None, :]) for values in (mine, theirs)]
    product = float((signs[0] * signs[1]).sum())
    free = [float(np.abs(sign).sum()) for sign in signs]
    if not all(free):
        return Score.without(ScoreStatus.NOT_APPLICABLE, "all are equal, so there is no order")
    return Score.of(product / math.sqrt(free[0] * free[1]))


def _disagreement(categories: tuple[float, ...], *, quadratic: bool) -> FloatArray:
    values = np.array(categories)
    if quadratic:
        return np.asarray((values[:, None] - values[None, :]) ** 2, dtype=np.float64)
    return 1.0 - np.eye(len(values))


def _kappas(counts: FloatArray, weights: FloatArray) -> FloatArray:
    """Kappa of each table of counts; NaN, which does not leave this module, where it is undefined."""
    total = counts.sum(axis=(1, 2))
    observed = (counts * weights).sum(axis=(1, 2)) * total
    expected = np.einsum("gi,ij,gj->g", counts.sum(axis=2), weights, counts.sum(axis=1))
    ratio = np.divide(observed, expected, out=np.full(len(counts), np.nan), where=expected > 0)
    return np.asarray(1.0 - ratio, dtype=np.float64)
