"""Measures of a list as a set: its order has no part in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from beleg.metrics.ranking_runs.binary import found, recall
from beleg.metrics.ranking_runs.ranked import Ranked, divided
from beleg.metrics.ranking_runs.table import FloatArray

if TYPE_CHECKING:
    from beleg.metrics.ranking_runs.kinds import Measure


def set_precision(ranked: Ranked, measure: Measure) -> FloatArray:
    """Relevant documents of the list over its length, or over the most that it could hold."""
    of = ranked.hits.returned
    if measure.option("relative"):
        of = np.minimum(of, ranked.binary(measure.rel).total)
    return divided(found(ranked, measure), of)


def set_average_precision(ranked: Ranked, measure: Measure) -> FloatArray:
    """Precision times recall of the list."""
    both = found(ranked, measure)
    return divided(both * both, ranked.hits.returned * ranked.binary(measure.rel).total)


def set_f(ranked: Ranked, measure: Measure) -> FloatArray:
    """(w + 1) P R / (R + w P), where w is the weight of recall: the square of beta."""
    weight = measure.number("weight")
    if measure.option("beta") is not None:
        weight = measure.number("beta") ** 2
    precision, share = divided(found(ranked, measure), ranked.hits.returned), recall(ranked, measure)
    return divided((weight + 1.0) * precision * share, share + weight * precision)


def utility(ranked: Ranked, measure: Measure) -> FloatArray:
    """A weighted sum of relevant and other documents, returned and not; 0 where nothing was returned."""
    hit, miss, left, rest = measure.numbers("weights")
    relevant, returned = ranked.binary(measure.rel).total, ranked.hits.returned
    both = found(ranked, measure)
    collection = measure.option("collection")
    outside = (measure.number("collection") if collection is not None else 0.0) - returned - relevant + both
    value = hit * both + miss * (returned - both) + left * (relevant - both) + (rest * outside if rest else 0.0)
    return np.where(returned > 0, value, 0.0)
