"""Measures that follow a reader down the list: what is gained, and where the reader stops."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from beleg.core.errors import DataError, Problem
from beleg.metrics.ranking_runs.ranked import Ranked, divided, running, turns, within
from beleg.metrics.ranking_runs.table import CodeArray, FloatArray, IntArray

if TYPE_CHECKING:
    from beleg.metrics.ranking_runs.kinds import Measure

READ_RANKS = 1_000
"""How far a reader without a cutoff goes, as in the evaluation by Moffat and Azzopardi (cwl_eval)."""
_BLOCK_CELLS = 1 << 19
"""Ranks of all queries that are laid out at a time."""
_ENOUGH = 1e-12


def rank_biased_precision(ranked: Ranked, measure: Measure) -> FloatArray:
    """(1 - p) times the sum of gain times p to the power of rank - 1; gain is 0 or 1, or a share of the best grade."""
    hits, p = ranked.hits, measure.number("p")
    if measure.option("gain") == "grade":
        gained = np.maximum(divided(hits.grade, ranked.highest_grade[hits.query]), 0.0)
    else:
        gained = (hits.grade >= measure.rel).astype(np.float64)
    kept = within(measure.cut, hits.rank) & (gained > 0)
    weight: FloatArray = (1.0 - p) * np.power(p, hits.rank[kept] - 1)
    return ranked.add(hits.query[kept], weight * gained[kept])


def rank_biased_residual(ranked: Ranked, measure: Measure) -> FloatArray:
    """What documents without a judgement could add to `rank_biased_precision`, those below the list included."""
    hits, p = ranked.hits, measure.number("p")
    known = (hits.grade >= 0) & within(measure.cut, hits.rank)
    weight: FloatArray = (1.0 - p) * np.power(p, hits.rank[known] - 1)
    rest = np.maximum(1.0 - ranked.add(hits.query[known], weight), 0.0)
    return np.where(hits.returned > 0, rest, 0.0)


def expected_reciprocal_rank(ranked: Ranked, measure: Measure) -> FloatArray:
    """The expected 1 / rank at which a reader is satisfied.

    Chapelle et al. (2009): a document of grade g satisfies with probability (2^g - 1) / 2^max_grade.

    Raises:
        DataError: if a grade is above ``max_grade``.
    """
    hits = ranked.hits
    highest = _require_grades(ranked, measure, "max_grade")
    satisfied = np.where(hits.grade > 0, (np.exp2(hits.grade) - 1.0) / np.exp2(highest), 0.0)
    kept = (satisfied > 0) & within(measure.cut, hits.rank)
    query, rank, satisfied = hits.query[kept], hits.rank[kept], satisfied[kept]
    reaches = np.ones(len(query))
    for rows, before in turns(query):
        reaches[rows] = reaches[before] * (1.0 - satisfied[before])
    return ranked.add(query, reaches * satisfied / rank)


def scaled_discounted_gain(ranked: Ranked, measure: Measure) -> FloatArray:
    """Discounted gain over that of a list with the highest grade at every rank."""
    cut = measure.cut or 1
    hits, gained = ranked.hits, _scaled(ranked, measure)
    kept = within(cut, hits.rank)
    found = ranked.add(hits.query[kept], gained[kept] / ranked.discount(hits.rank[kept]))
    return found / float((1.0 / ranked.discount(np.arange(1, cut + 1))).sum())


def bejeweled_player(ranked: Ranked, measure: Measure) -> FloatArray:
    """Mean gain down to where the reader has gained T, or to the cutoff.

    Zhang et al. (2017), the static player.
    """

    def means(gained: FloatArray) -> FloatArray:
        so_far = np.cumsum(gained, axis=1)
        enough = so_far >= measure.number("T") - _ENOUGH
        stop = np.where(enough.any(axis=1), enough.argmax(axis=1), gained.shape[1] - 1)
        return np.asarray(so_far[np.arange(len(stop)), stop] / (stop + 1))

    return _read(ranked, measure, measure.cut or 1, means)


def squared_reader(ranked: Ranked, measure: Measure) -> FloatArray:
    """INSQ of Moffat, Scholer and Thomas (2012): going on from rank i with ((i + 2T - 1) / (i + 2T))^2."""

    def means(gained: FloatArray) -> FloatArray:
        at = np.arange(1, gained.shape[1] + 1) + 2.0 * measure.number("T")
        return _expected(gained, np.broadcast_to(((at - 1.0) / at) ** 2, gained.shape))

    return _read(ranked, measure, READ_RANKS, means)


def goal_reader(ranked: Ranked, measure: Measure) -> FloatArray:
    """INST of Bailey et al. (2015): as INSQ, where what is still wanted of T takes the place of one T."""
    return _read(ranked, measure, READ_RANKS, lambda gained: _expected(gained, _goal(gained, measure.number("T"))))


def near_reciprocal_rank(ranked: Ranked, measure: Measure) -> FloatArray:
    """NERR of Azzopardi, Mackenzie and Moffat (2021): the reader goes on with 1 - gain, times a factor for patience.

    The name of the measure says the equation: 8 has no factor and a cutoff, 9 rank / (rank + 1) and a cutoff, 10 the
    constant p, 11 that of INST.
    """
    depth = READ_RANKS if measure.cut is None else measure.cut

    def means(gained: FloatArray) -> FloatArray:
        at = np.arange(1, gained.shape[1] + 1, dtype=np.float64)
        patience: FloatArray = np.ones_like(at)
        if measure.name == "NERR9":
            patience = at / (at + 1.0)
        elif measure.name == "NERR10":
            patience = np.full_like(at, measure.number("p"))
        elif measure.name == "NERR11":
            patience = _goal(gained, measure.number("T"))
        return _expected(gained, (1.0 - gained) * patience)

    return _read(ranked, measure, depth, means)


def compatibility(ranked: Ranked, measure: Measure) -> FloatArray:
    """Rank-biased overlap of the list with the best order of the judged documents.

    Clarke, Vtyurina and Smucker (2021). Documents of one grade stand in the best order as the run has them.
    """
    hits, p = ranked.hits, measure.number("p")
    positive = hits.grade > 0
    query, rank, grade = hits.query[positive], hits.rank[positive], hits.grade[positive]
    ideal_query, position, ideal_grade = ranked.best_first
    order = np.lexsort((rank, -grade, query))
    query, rank, grade = query[order], rank[order], grade[order]
    place = _ideal_positions((query, grade), (ideal_query, ideal_grade, position))
    deepest = np.maximum(hits.returned, ranked.count(ideal_query))
    at = np.arange(1, int(deepest.max(initial=0)) + 1, dtype=np.float64)
    sums = np.concatenate(([0.0], np.cumsum(p ** (at - 1.0) / at)))
    found = ranked.add(query, sums[deepest[query]] - sums[np.maximum(rank, place) - 1])
    if measure.option("normalize"):
        return divided(found, ranked.add(ideal_query, sums[deepest[ideal_query]] - sums[position - 1]))
    return divided(found * (1.0 - p), 1.0 - p**deepest)


def _ideal_positions(returned: tuple[CodeArray, FloatArray], ideal: tuple[CodeArray, FloatArray, IntArray]) -> IntArray:
    """Where each returned document stands in the best order: before others of its grade that are not returned."""
    grades = np.unique(-ideal[1])
    own = returned[0].astype(np.int64) * len(grades) + np.searchsorted(grades, -returned[1])
    all_of = ideal[0].astype(np.int64) * len(grades) + np.searchsorted(grades, -ideal[1])
    first = ideal[2][np.searchsorted(all_of, own)]
    return np.asarray(first + running(own, np.ones(len(own), dtype=np.int64)) - 1)


def _goal(gained: FloatArray, wanted: float) -> FloatArray:
    at = np.arange(1, gained.shape[1] + 1) + wanted + (wanted - np.cumsum(gained, axis=1))
    return np.asarray(((at - 1.0) / at) ** 2)


def _expected(gained: FloatArray, goes_on: FloatArray) -> FloatArray:
    """Gain per inspected document: each rank weighs as often as it is reached."""
    reached = np.ones_like(gained)
    np.cumprod(goes_on[:, :-1], axis=1, out=reached[:, 1:])
    return np.asarray((reached * gained).sum(axis=1) / reached.sum(axis=1))


def _read(ranked: Ranked, measure: Measure, depth: int, means: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Lays out the gain of some queries at a time, rank by rank."""
    hits, gained = ranked.hits, _scaled(ranked, measure)
    kept = (hits.rank <= depth) & (gained > 0)
    query, rank, gained = hits.query[kept], hits.rank[kept], gained[kept]
    values = np.zeros(ranked.size)
    step = max(1, _BLOCK_CELLS // depth)
    for low in range(0, ranked.size, step):
        high = min(low + step, ranked.size)
        rows = slice(*np.searchsorted(query, (low, high)).tolist())
        laid = np.zeros((high - low, depth))
        laid[query[rows] - low, rank[rows] - 1] = gained[rows]
        values[low:high] = means(laid)
    return values


def _scaled(ranked: Ranked, measure: Measure) -> FloatArray:
    """Grades from 0 to 1: ``min_rel`` and less is 0, ``max_rel`` is 1."""
    highest, lowest = _require_grades(ranked, measure, "max_rel"), measure.number("min_rel")
    return np.asarray(np.clip((ranked.hits.grade - lowest) / (highest - lowest), 0.0, 1.0))


def _require_grades(ranked: Ranked, measure: Measure, name: str) -> float:
    highest, found = measure.number(name), float(ranked.judged_grade.max(initial=0.0))
    if found > highest:
        raise DataError(
            Problem(
                message=f"{measure} is for grades up to {highest:g}",
                value=f"grade {found:g} in the judgements",
                remedy=f"Write {name}={found:g} in the parameters of {measure.name}",
            )
        )
    return highest
