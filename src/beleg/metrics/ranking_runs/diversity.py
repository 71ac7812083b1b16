"""Measures over judges and over the subtopics of a query: novelty and diversity, as ndeval computes them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from beleg.metrics.ranking_runs.binary import average_precision, precision, precision_at_share
from beleg.metrics.ranking_runs.ranked import divided
from beleg.metrics.ranking_runs.ranked_groups import RankedGroups
from beleg.metrics.ranking_runs.table import CodeArray, FloatArray, IntArray

if TYPE_CHECKING:
    from collections.abc import Callable

    from beleg.metrics.ranking_runs.kinds import Measure
    from beleg.metrics.ranking_runs.ranked import Ranked

_DIGITS = 12
"""Gains that agree in so many digits are equal, whatever the order in which they were added."""
_BITS = 60


def judged_average_precision(ranked: RankedGroups, measure: Measure) -> FloatArray:
    """Average precision by the judgements of each group, averaged over groups."""
    return _over_all(ranked, measure, average_precision)


def judged_precision(ranked: RankedGroups, measure: Measure) -> FloatArray:
    """Precision by the judgements of each group, averaged over groups."""
    return _over_all(ranked, measure, precision)


def judged_precision_at_share(ranked: RankedGroups, measure: Measure) -> FloatArray:
    """Precision at a multiple of the relevant documents of each group, averaged over groups."""
    return _over_all(ranked, measure, precision_at_share)


def intent_average_precision(ranked: RankedGroups, measure: Measure) -> FloatArray:
    """Average precision of each subtopic, averaged over those with a relevant document."""
    return _over_found(ranked, measure, average_precision)


def intent_precision(ranked: RankedGroups, measure: Measure) -> FloatArray:
    """Precision of each subtopic, averaged over those with a relevant document."""
    return _over_found(ranked, measure, precision)


def subtopic_recall(ranked: RankedGroups, measure: Measure) -> FloatArray:
    """Subtopics with a relevant document down to the cutoff, over all that have one."""
    binary = ranked.groups.binary(measure.rel)
    first = (binary.met == 1) & (binary.rank <= (measure.cut or 1))
    reached = np.zeros(ranked.groups.size)
    reached[binary.query[first]] = 1.0
    return divided(ranked.add(reached), _subtopics(ranked, measure))


def novelty_gain(ranked: RankedGroups, measure: Measure) -> FloatArray:
    """Alpha-DCG of Clarke et al. (2008), over what a list would gain whose every document holds every subtopic."""
    return _cascade(ranked, measure, _by_logarithm)


def normalised_novelty_gain(ranked: RankedGroups, measure: Measure) -> FloatArray:
    """Alpha-DCG over that of the greedy best order."""
    return _normalised(ranked, measure, _by_logarithm)


def intent_reciprocal_rank(ranked: RankedGroups, measure: Measure) -> FloatArray:
    """ERR-IA of Chapelle et al. (2011) for binary judgements and equal subtopics, scaled as alpha-DCG here."""
    return _cascade(ranked, measure, _by_rank)


def normalised_intent_reciprocal_rank(ranked: RankedGroups, measure: Measure) -> FloatArray:
    """ERR-IA over that of the greedy best order."""
    return _normalised(ranked, measure, _by_rank)


def novelty_rank_biased_precision(ranked: RankedGroups, measure: Measure) -> FloatArray:
    """NRBP of Clarke, Kolla and Vechtomova (2009): novel gain, discounted by beta to the power of rank - 1."""
    beta, alpha = measure.number("beta"), measure.number("alpha")
    query, rank, gain = _novel(ranked, measure)
    total = np.bincount(query, gain * beta ** (rank - 1), minlength=ranked.size)
    return divided(total * (1.0 - (1.0 - alpha) * beta), _subtopics(ranked, measure))


def normalised_novelty_rank_biased_precision(ranked: RankedGroups, measure: Measure) -> FloatArray:
    """NRBP over that of the greedy best order."""
    beta = measure.number("beta")
    query, rank, gain = _novel(ranked, measure)
    total = np.bincount(query, gain * beta ** (rank - 1), minlength=ranked.size)
    best_query, best_rank, best = _greedy(ranked, measure, deepest=_last_that_counts(ranked, beta))
    return divided(total, np.bincount(best_query, best * beta ** (best_rank - 1), minlength=ranked.size))


def _over_all(ranked: RankedGroups, measure: Measure, kernel: Callable[[Ranked, Measure], FloatArray]) -> FloatArray:
    groups = np.bincount(ranked.judgements.group_query, minlength=ranked.size)
    return divided(ranked.add(kernel(ranked.groups, measure)), groups)


def _over_found(ranked: RankedGroups, measure: Measure, kernel: Callable[[Ranked, Measure], FloatArray]) -> FloatArray:
    return divided(ranked.add(kernel(ranked.groups, measure)), _subtopics(ranked, measure))


def _subtopics(ranked: RankedGroups, measure: Measure) -> FloatArray:
    """How many subtopics of each query have a relevant document."""
    return ranked.add((ranked.groups.binary(measure.rel).total > 0).astype(np.float64))


def _by_logarithm(rank: IntArray) -> FloatArray:
    return np.array([1.0 / math.log2(each + 1) for each in range(1, int(rank.max(initial=0)) + 1)])[rank - 1]


def _by_rank(rank: IntArray) -> FloatArray:
    return 1.0 / rank


def _novel(ranked: RankedGroups, measure: Measure) -> tuple[CodeArray, IntArray, FloatArray]:
    """What each relevant hit of a subtopic adds: less by 1 - alpha for every one of its subtopic above."""
    binary = ranked.groups.binary(measure.rel)
    gain: FloatArray = np.power(1.0 - measure.number("alpha"), binary.met - 1)
    return ranked.judgements.group_query[binary.query], binary.rank, gain


def _discounted(
    ranked: RankedGroups, measure: Measure, discount: Callable[[IntArray], FloatArray],
    rows: tuple[CodeArray, IntArray, FloatArray],
) -> FloatArray:  # fmt: skip
    query, rank, gain = rows
    kept = rank <= (measure.cut or 1)
    terms = gain[kept] * discount(rank[kept])
    return np.asarray(np.bincount(query[kept], terms, minlength=ranked.size), dtype=np.float64)


def _cascade(ranked: RankedGroups, measure: Measure, discount: Callable[[IntArray], FloatArray]) -> FloatArray:
    rank = np.arange(1, (measure.cut or 1) + 1)
    most = float(((1.0 - measure.number("alpha")) ** (rank - 1) * discount(rank)).sum())
    return divided(_discounted(ranked, measure, discount, _novel(ranked, measure)), _subtopics(ranked, measure) * most)


def _normalised(ranked: RankedGroups, measure: Measure, discount: Callable[[IntArray], FloatArray]) -> FloatArray:
    found = _discounted(ranked, measure, discount, _novel(ranked, measure))
    return divided(found, _discounted(ranked, measure, discount, _greedy(ranked, measure)))


def _last_that_counts(ranked: RankedGroups, beta: float) -> int:
    """The rank beyond which all gains together, discounted by beta, are less than a double holds beside the first."""
    if beta == 0.0:
        return 1
    subtopics = int(np.bincount(ranked.judgements.group_query, minlength=1).max(initial=1))
    smallest = math.log(1.0 - beta) - _BITS * math.log(2.0) - math.log(subtopics)
    return max(1, math.ceil(smallest / math.log(beta)))


def _greedy(
    ranked: RankedGroups, measure: Measure, *, deepest: int | None = None
) -> tuple[CodeArray, IntArray, FloatArray]:
    """The order that takes the document with the greatest novel gain next, ties by document id descending by bytes."""
    own, alpha = ranked.judgements, measure.number("alpha")
    rows = np.flatnonzero(own.grade >= measure.rel)
    documents, code = np.unique(own.document[rows], return_inverse=True)
    code = code.reshape(-1)
    query = own.documents.query()[documents]
    order = own.documents.documents.take(documents).descending(query)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    code, query, group = place[code], query[order], own.group[rows]
    weight, free = np.ones(len(own.group_query)), np.ones(len(order), dtype=np.bool_)
    found: list[tuple[CodeArray, IntArray, FloatArray]] = []
    most = int(np.bincount(query, minlength=1).max(initial=0))
    for rank in range(1, min(most, measure.cut or most, deepest or most) + 1):
        gain: FloatArray = np.round(np.bincount(code, weight[group], minlength=len(order)), _DIGITS).astype(np.float64)
        best = np.zeros(ranked.size)
        np.maximum.at(best, query[free], gain[free])
        if not best.any():
            # Every subtopic is used up: whatever comes next gains nothing.
            break
        leading = np.flatnonzero(free & (gain == best[query]))
        chosen_query, first = np.unique(query[leading], return_index=True)
        chosen = leading[first]
        found.append((chosen_query, np.full(len(chosen), rank, dtype=np.int64), gain[chosen]))
        free[chosen] = False
        taken = np.zeros(len(order), dtype=np.bool_)
        taken[chosen] = True
        weight[group[taken[code]]] *= 1.0 - alpha
    if not found:
        return np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int64), np.empty(0)
    return (
        np.concatenate([each[0] for each in found]), np.concatenate([each[1] for each in found]),
        np.concatenate([each[2] for each in found]),
    )  # fmt: skip
