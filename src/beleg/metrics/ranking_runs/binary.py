"""Measures of relevant and not relevant documents, in the order of the run."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from beleg.metrics.ranking_runs.ranked import Ranked, divided, running, within
from beleg.metrics.ranking_runs.table import FloatArray, IntArray

if TYPE_CHECKING:
    from beleg.metrics.ranking_runs.kinds import Measure

GEOMETRIC_FLOOR = 0.00001
"""What a geometric mean takes in place of a value below it, as trec_eval does."""
INFERRED_SMOOTHING = 0.00001
"""What inferred average precision adds to its counts, as its authors and trec_eval do."""


def found(ranked: Ranked, measure: Measure) -> IntArray:
    """Relevant documents of each query down to the cutoff."""
    binary = ranked.binary(measure.rel)
    return ranked.count(binary.query[within(measure.cut, binary.rank)])


def average_precision(ranked: Ranked, measure: Measure) -> FloatArray:
    """The sum of the precision at each relevant document, over all relevant ones."""
    binary = ranked.binary(measure.rel)
    kept = within(measure.cut, binary.rank)
    return divided(ranked.add(binary.query[kept], binary.met[kept] / binary.rank[kept]), binary.total)


def log_average_precision(ranked: Ranked, measure: Measure) -> FloatArray:
    """The logarithm of average precision, for a geometric mean."""
    return _floored_logarithm(average_precision(ranked, measure))


def log_binary_preference(ranked: Ranked, measure: Measure) -> FloatArray:
    """The logarithm of binary preference, for a geometric mean."""
    return _floored_logarithm(binary_preference(ranked, measure))


def _floored_logarithm(values: FloatArray) -> FloatArray:
    return np.array([math.log(value) for value in np.maximum(values, GEOMETRIC_FLOOR).tolist()])


def reciprocal_rank(ranked: Ranked, measure: Measure) -> FloatArray:
    """The inverse of the rank of the first relevant document."""
    binary = ranked.binary(measure.rel)
    first = (binary.met == 1) & within(measure.cut, binary.rank)
    return ranked.add(binary.query[first], 1.0 / binary.rank[first])


def precision(ranked: Ranked, measure: Measure) -> FloatArray:
    """Relevant documents down to the cutoff, over the cutoff."""
    return found(ranked, measure) / float(measure.cut or 1)


def relative_precision(ranked: Ranked, measure: Measure) -> FloatArray:
    """Precision over the best that could be reached."""
    total = ranked.binary(measure.rel).total
    return divided(found(ranked, measure), np.minimum(total, measure.cut or 1))


def recall(ranked: Ranked, measure: Measure) -> FloatArray:
    """Relevant documents down to the cutoff, over all relevant ones."""
    return divided(found(ranked, measure), ranked.binary(measure.rel).total)


def success(ranked: Ranked, measure: Measure) -> FloatArray:
    """One where a relevant document stands above the cutoff."""
    return (found(ranked, measure) > 0).astype(np.float64)


def r_precision(ranked: Ranked, measure: Measure) -> FloatArray:
    """Precision at the number of relevant documents."""
    binary = ranked.binary(measure.rel)
    kept = binary.rank <= binary.total[binary.query]
    return divided(ranked.count(binary.query[kept]), binary.total)


def precision_at_share(ranked: Ranked, measure: Measure) -> FloatArray:
    """Precision at a multiple of the number of relevant documents."""
    binary = ranked.binary(measure.rel)
    # trec_eval adds 0.9 and cuts here, and rounds for interpolated precision.
    cut = np.floor((measure.level or 0.0) * binary.total + 0.9).astype(np.int64)
    kept = binary.rank <= cut[binary.query]
    return divided(ranked.count(binary.query[kept]), cut)


def interpolated_precision(ranked: Ranked, measure: Measure) -> FloatArray:
    """The best precision from a recall level on."""
    return _best_precision_from(ranked, measure.rel, measure.level or 0.0)


def mean_interpolated_precision(ranked: Ranked, measure: Measure) -> FloatArray:
    """The mean of interpolated precision over recall levels."""
    levels = measure.numbers("levels")
    total = np.zeros(ranked.size)
    # From the highest level down, the order in which trec_eval adds.
    for level in sorted(levels, reverse=True):
        total = total + _best_precision_from(ranked, measure.rel, level)
    return total / float(len(levels))


def _best_precision_from(ranked: Ranked, rel: int, level: float) -> FloatArray:
    binary = ranked.binary(rel)
    # Halves are rounded up, as trec_eval 10 does; its version 9 adds 0.9 and cuts.
    needed = np.floor(level * binary.total + 0.5).astype(np.int64)
    kept = binary.met >= needed[binary.query]
    best = np.zeros(ranked.size)
    np.maximum.at(best, binary.query[kept], binary.met[kept] / binary.rank[kept])
    return best


def binary_preference(ranked: Ranked, measure: Measure) -> FloatArray:
    """The share of judged not relevant documents that stand below a relevant one."""
    binary, grade = ranked.binary(measure.rel), ranked.hits.grade
    # A negative grade means: in the pool, not judged. It is neither.
    not_relevant = (grade >= 0) & (grade < measure.rel)
    above = running(ranked.hits.query, not_relevant.astype(np.int64))[binary.hit]
    judged = ranked.judged_grade
    known = ranked.count(ranked.judged_query[(judged >= 0) & (judged < measure.rel)])
    total = binary.total[binary.query]
    worst = np.minimum(known[binary.query], total)
    share = divided(np.minimum(above, total), worst)
    return divided(ranked.add(binary.query, 1.0 - share), binary.total)


def inferred_average_precision(ranked: Ranked, measure: Measure) -> FloatArray:
    """Average precision where only a sample of the pool is judged: a negative grade is in the pool and not judged.

    Yilmaz and Aslam (2006): above each relevant document the share of the pool is known, and the share of relevant
    documents in it is estimated from the judged ones.
    """
    binary, grade, query = ranked.binary(measure.rel), ranked.hits.grade, ranked.hits.query
    is_judged = grade >= 0
    pooled = (running(query, np.ones(len(query), dtype=np.int64)) - 1)[binary.hit].astype(np.float64)
    judged = (running(query, is_judged.astype(np.int64)) - 1)[binary.hit].astype(np.float64)
    rank, relevant = binary.rank.astype(np.float64), (binary.met - 1).astype(np.float64)
    above = np.maximum(rank - 1.0, 1.0)
    estimate = (relevant + INFERRED_SMOOTHING) / (judged + 2.0 * INFERRED_SMOOTHING)
    terms = np.where(rank == 1.0, 1.0, 1.0 / rank + (rank - 1.0) / rank * (pooled / above) * estimate)
    return divided(ranked.add(binary.query, terms), binary.total)


def accuracy(ranked: Ranked, measure: Measure) -> FloatArray:
    """The share of pairs of a relevant and a not relevant document of the list that stand in the right order.

    1 where the list holds relevant documents only, 0 where it holds none.
    """
    binary = ranked.binary(measure.rel)
    kept = within(measure.cut, binary.rank)
    query, above = binary.query[kept], (binary.rank - binary.met)[kept].astype(np.float64)
    relevant = ranked.count(query)
    returned = ranked.hits.returned if measure.cut is None else np.minimum(ranked.hits.returned, measure.cut)
    pairs = (returned - relevant) * relevant
    return np.where(relevant > 0, 1.0 - divided(ranked.add(query, above), pairs), 0.0)


def judged_share(ranked: Ranked, measure: Measure) -> FloatArray:
    """Judged documents down to the cutoff, over the cutoff or the length of the list."""
    cut = measure.cut or 1
    known = ranked.count(ranked.hits.query[ranked.hits.rank <= cut])
    return divided(known, np.minimum(ranked.hits.returned, cut))


def unjudged_share(ranked: Ranked, measure: Measure) -> FloatArray:
    """Documents without a judgement down to the cutoff, over the cutoff; a negative grade is none."""
    cut = measure.cut or 1
    known = ranked.count(ranked.hits.query[(ranked.hits.rank <= cut) & (ranked.hits.grade >= 0)])
    return (np.minimum(ranked.hits.returned, cut) - known) / float(cut)


def one(ranked: Ranked, measure: Measure) -> FloatArray:
    """One for every query: their number as a sum."""
    return np.ones(ranked.size)


def returned(ranked: Ranked, measure: Measure) -> FloatArray:
    """Documents that the run returned."""
    return ranked.hits.returned.astype(np.float64)


def relevant(ranked: Ranked, measure: Measure) -> FloatArray:
    """Documents that are relevant."""
    return ranked.binary(measure.rel).total.astype(np.float64)


def relevant_returned(ranked: Ranked, measure: Measure) -> FloatArray:
    """Relevant documents that the run returned."""
    return found(ranked, measure).astype(np.float64)


def not_relevant_returned(ranked: Ranked, measure: Measure) -> FloatArray:
    """Documents that the run returned and that are judged not relevant."""
    grade = ranked.hits.grade
    return ranked.count(ranked.hits.query[(grade >= 0) & (grade < measure.rel)]).astype(np.float64)


def grades_in_order(ranked: Ranked, measure: Measure) -> list[str]:
    """The grades of the first documents as one character each: ``-`` without a judgement, ``.`` in the pool only.

    ``<`` stands for a grade below -1, ``>`` for one above 9.
    """
    cut = measure.cut or 1
    rows = np.flatnonzero(ranked.hits.rank <= cut)
    lines = [["-"] * min(cut, int(length)) for length in ranked.hits.returned]
    for query, rank, grade in zip(
        ranked.hits.query[rows].tolist(), ranked.hits.rank[rows].tolist(), ranked.hits.grade[rows].tolist(), strict=True
    ):
        lines[query][rank - 1] = _character(int(grade))
    return ["".join(line) for line in lines]


def _character(grade: int) -> str:
    if grade < 0:
        return "." if grade == -1 else "<"
    return str(grade) if grade <= 9 else ">"
