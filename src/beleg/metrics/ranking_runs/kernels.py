"""The measures themselves: one value for every judged query, all measures from one ranking."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem
from beleg.metrics.ranking_runs.matching import Hits, find_hits
from beleg.metrics.ranking_runs.measures import Measure
from beleg.metrics.ranking_runs.table import CodeArray, FloatArray, IntArray, Table

GEOMETRIC_FLOOR = 0.00001
"""What GMAP takes in place of an average precision below it, as trec_eval does."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many queries stand behind the figures, and which could not take part as asked."""

    queries: int
    """Judged queries; every mean is taken over them."""
    missing: int
    """Judged queries for which the run returned nothing: every measure is 0 there."""
    without_relevant: int
    """Judged queries in which no document has a grade of 1 or more: they count with 0, as in trec_eval."""
    without_judgements: int
    """Queries of the judgements that have none: excluded."""
    extra: int
    """Queries of the run that are not judged: ignored."""


@dataclass(frozen=True, slots=True, eq=False)
class RunValues:
    """``values[i, j]`` is measure ``i`` on query ``j``; queries ascend by the bytes of their ids."""

    measures: tuple[Measure, ...]
    queries: tuple[str, ...]
    values: FloatArray
    counts: Counts

    def summary(self) -> tuple[float, ...]:
        """One figure for each measure: the mean over judged queries, a sum for counts, the geometric mean for GMAP."""
        return tuple(_summary(measure, row) for measure, row in zip(self.measures, self.values, strict=True))


def evaluate_run(judged: Table, run: Table, measures: Sequence[Measure]) -> RunValues:
    """Computes measures of a run for every judged query.

    Order: score descending, then document id descending by bytes, in double precision. Documents without a judgement
    and negative grades are not relevant. A judged query that the run lacks, or that has no relevant document, is 0 and
    part of the mean; a query of the run without judgements is ignored. All are counted.

    Args:
        judged: grades by query and document, each pair once.
        run: scores by query and document, each pair once.
        measures: what to compute.

    Raises:
        DataError: if no query is judged.

    Example:
        >>> from beleg.metrics.ranking_runs.measures import parse_measures
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> judged = table_from_mapping({"q1": {"d1": 1, "d2": 0}})
        >>> run = table_from_mapping({"q1": {"d1": 1.0, "d2": 1.0, "d3": 1.0}})
        >>> evaluate_run(judged, run, parse_measures(["RR", "P@2"])).summary()
        (0.3333333333333333, 0.0)
    """
    require_judgements(judged)
    return evaluate_hits(judged, find_hits(judged, run), measures)


def require_judgements(judged: Table) -> None:
    """Refuses judgements that judge nothing: every mean would be over no query.

    Raises:
        DataError: if no query is judged.
    """
    if not len(judged.value):
        raise DataError(Problem(message="no query is judged", remedy="Give judgements for one query or more"))


def evaluate_hits(judged: Table, hits: Hits, measures: Sequence[Measure]) -> RunValues:
    """Computes measures from the ranks of the judged documents, wherever those ranks come from.

    This is the one way from ranks to figures: a table, a file, a mapping and arrays all end here. What the figures
    mean is said at `evaluate_run`.

    Args:
        judged: grades by query and document, each pair once.
        hits: where the judged documents stand in the run, as `find_hits` gives it.
        measures: what to compute.

    Raises:
        DataError: if no query is judged.

    Example:
        >>> from beleg.metrics.ranking_runs.measures import parse_measures
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> judged = table_from_mapping({"q1": {"d1": 1}})
        >>> second = Hits(np.array([0], np.int32), np.array([2]), np.array([1.0]), np.array([5]), extra_queries=0)
        >>> evaluate_hits(judged, second, parse_measures(["RR", "NumRet"])).summary()
        (0.5, 5.0)
    """
    require_judgements(judged)
    has_judgements = np.diff(judged.offsets) > 0
    ranked = _Ranked(judged, hits)
    names = [name.encode("utf-8", "surrogatepass") for name in judged.queries]
    kept = np.array(sorted(np.flatnonzero(has_judgements).tolist(), key=names.__getitem__), dtype=np.int64)
    values = np.array([_KERNELS[measure.name](ranked, measure)[kept] for measure in measures], dtype=np.float64)
    counts = Counts(
        queries=len(kept),
        missing=int((ranked.hits.returned[kept] == 0).sum()),
        without_relevant=int((ranked.binary(1).total[kept] == 0).sum()),
        without_judgements=int((~has_judgements).sum()),
        extra=ranked.hits.extra_queries,
    )
    return RunValues(tuple(measures), tuple(judged.queries[number] for number in kept.tolist()), values, counts)


def _summary(measure: Measure, values: FloatArray) -> float:
    # One addition after the other, as trec_eval adds: another order can move the last digit.
    total = float(np.add.accumulate(values)[-1])
    if measure.kind.aggregate == "sum":
        return total
    mean = total / len(values)
    return math.exp(mean) if measure.kind.aggregate == "geometric" else mean


@dataclass(frozen=True, slots=True, eq=False)
class _Binary:
    """The relevant hits at one level: query, rank, how many were met so far, and how many there are in all."""

    query: CodeArray
    rank: IntArray
    met: IntArray
    total: IntArray
    hit: npt.NDArray[np.bool_]


class _Ranked:
    """Hits with what several measures share, each made once."""

    def __init__(self, judged: Table, hits: Hits) -> None:
        self.judged = judged
        self.hits = hits
        self.size = len(judged.queries)
        self._binary: dict[int, _Binary] = {}
        self._discounts: FloatArray = np.empty(0)

    @cached_property
    def judged_query(self) -> CodeArray:
        """The query of every judgement."""
        return self.judged.query()

    @cached_property
    def best_first(self) -> tuple[CodeArray, IntArray, FloatArray]:
        """The judgements with gain in the ideal order: query, rank, grade."""
        gaining = self.judged.value > 0
        query, grade = self.judged_query[gaining], self.judged.value[gaining]
        order = np.lexsort((-grade, query))
        return query[order], _running(query[order], np.ones(len(query), dtype=np.int64)), grade[order]

    def binary(self, level: int) -> _Binary:
        """Relevance at a level."""
        if level not in self._binary:
            hit = self.hits.grade >= level
            query = self.hits.query[hit]
            total = self.count(self.judged_query[self.judged.value >= level])
            met = _running(query, np.ones(len(query), dtype=np.int64))
            self._binary[level] = _Binary(query, self.hits.rank[hit], met, total, hit)
        return self._binary[level]

    def count(self, query: CodeArray) -> IntArray:
        """How often each query occurs."""
        return np.bincount(query, minlength=self.size)

    def add(self, query: CodeArray, terms: FloatArray) -> FloatArray:
        """The sum of the terms of each query, added from the first rank on."""
        return np.asarray(np.bincount(query, terms, minlength=self.size), dtype=np.float64)

    def discount(self, rank: IntArray) -> FloatArray:
        """The logarithm to base 2 of rank + 1."""
        deepest = int(rank.max(initial=0))
        if deepest >= len(self._discounts):
            # The C library's logarithm, as trec_eval takes it; numpy's vectorised one may differ in the last bit.
            self._discounts = np.array([math.log2(each + 1) for each in range(deepest + 1)])
        return np.asarray(self._discounts[rank], dtype=np.float64)


def _running(query: CodeArray, amount: IntArray) -> IntArray:
    """The running sum within each query; the rows of a query stand together."""
    total = np.cumsum(amount)
    begins = np.ones(len(query), dtype=np.bool_)
    begins[1:] = query[1:] != query[:-1]
    before = (total - amount)[begins]
    return np.asarray(total - before[np.cumsum(begins) - 1])


def _divided(above: npt.NDArray[np.generic], below: npt.NDArray[np.generic]) -> FloatArray:
    """The quotient, 0 where nothing is to be divided by."""
    top = above.astype(np.float64)
    return np.asarray(np.divide(top, below, out=np.zeros_like(top), where=below != 0), dtype=np.float64)


def _within(measure: Measure, rank: IntArray) -> npt.NDArray[np.bool_]:
    return np.ones(len(rank), dtype=np.bool_) if measure.cut is None else rank <= measure.cut


def _found(ranked: _Ranked, measure: Measure) -> IntArray:
    binary = ranked.binary(measure.rel)
    return ranked.count(binary.query[_within(measure, binary.rank)])


def _average_precision(ranked: _Ranked, measure: Measure) -> FloatArray:
    binary = ranked.binary(measure.rel)
    kept = _within(measure, binary.rank)
    return _divided(ranked.add(binary.query[kept], binary.met[kept] / binary.rank[kept]), binary.total)


def _log_average_precision(ranked: _Ranked, measure: Measure) -> FloatArray:
    floored = np.maximum(_average_precision(ranked, measure), GEOMETRIC_FLOOR)
    return np.array([math.log(value) for value in floored.tolist()])


def _reciprocal_rank(ranked: _Ranked, measure: Measure) -> FloatArray:
    binary = ranked.binary(measure.rel)
    first = (binary.met == 1) & _within(measure, binary.rank)
    return ranked.add(binary.query[first], 1.0 / binary.rank[first])


def _precision(ranked: _Ranked, measure: Measure) -> FloatArray:
    return _found(ranked, measure) / float(measure.cut or 1)


def _recall(ranked: _Ranked, measure: Measure) -> FloatArray:
    return _divided(_found(ranked, measure), ranked.binary(measure.rel).total)


def _success(ranked: _Ranked, measure: Measure) -> FloatArray:
    return (_found(ranked, measure) > 0).astype(np.float64)


def _r_precision(ranked: _Ranked, measure: Measure) -> FloatArray:
    binary = ranked.binary(measure.rel)
    kept = binary.rank <= binary.total[binary.query]
    return _divided(ranked.count(binary.query[kept]), binary.total)


def _interpolated_precision(ranked: _Ranked, measure: Measure) -> FloatArray:
    binary = ranked.binary(measure.rel)
    # Halves are rounded up, as trec_eval 10 does; its version 9 adds 0.9 and cuts.
    needed = np.floor((measure.level or 0.0) * binary.total + 0.5).astype(np.int64)
    kept = binary.met >= needed[binary.query]
    best = np.zeros(ranked.size)
    np.maximum.at(best, binary.query[kept], binary.met[kept] / binary.rank[kept])
    return best


def _binary_preference(ranked: _Ranked, measure: Measure) -> FloatArray:
    binary, grade = ranked.binary(measure.rel), ranked.hits.grade
    # A negative grade means: in the pool, not judged. It is neither.
    not_relevant = (grade >= 0) & (grade < measure.rel)
    above = _running(ranked.hits.query, not_relevant.astype(np.int64))[binary.hit]
    judged = ranked.judged.value
    known = ranked.count(ranked.judged_query[(judged >= 0) & (judged < measure.rel)])
    total = binary.total[binary.query]
    worst = np.minimum(known[binary.query], total)
    share = _divided(np.minimum(above, total), worst)
    return _divided(ranked.add(binary.query, 1.0 - share), binary.total)


def _discounted_gain(ranked: _Ranked, measure: Measure) -> FloatArray:
    hits = ranked.hits
    gaining = (hits.grade > 0) & _within(measure, hits.rank)
    found = ranked.add(hits.query[gaining], _gain(measure, hits.grade[gaining]) / ranked.discount(hits.rank[gaining]))
    query, rank, grade = ranked.best_first
    kept = _within(measure, rank)
    ideal = ranked.add(query[kept], _gain(measure, grade[kept]) / ranked.discount(rank[kept]))
    return _divided(found, ideal)


def _gain(measure: Measure, grade: FloatArray) -> FloatArray:
    return np.asarray(np.exp2(grade) - 1.0) if measure.exponential else grade


def _set_precision(ranked: _Ranked, measure: Measure) -> FloatArray:
    return _divided(_found(ranked, measure), ranked.hits.returned)


def _set_f(ranked: _Ranked, measure: Measure) -> FloatArray:
    precision, recall = _set_precision(ranked, measure), _recall(ranked, measure)
    return _divided(2.0 * precision * recall, precision + recall)


def _judged_share(ranked: _Ranked, measure: Measure) -> FloatArray:
    cut = measure.cut or 1
    known = ranked.count(ranked.hits.query[ranked.hits.rank <= cut])
    return _divided(known, np.minimum(ranked.hits.returned, cut))


def _returned(ranked: _Ranked, measure: Measure) -> FloatArray:
    return ranked.hits.returned.astype(np.float64)


def _relevant(ranked: _Ranked, measure: Measure) -> FloatArray:
    return ranked.binary(measure.rel).total.astype(np.float64)


def _relevant_returned(ranked: _Ranked, measure: Measure) -> FloatArray:
    return _found(ranked, measure).astype(np.float64)


def _one(ranked: _Ranked, measure: Measure) -> FloatArray:
    return np.ones(ranked.size)


_KERNELS: dict[str, Callable[[_Ranked, Measure], FloatArray]] = {
    "NumQ": _one,
    "NumRet": _returned,
    "NumRel": _relevant,
    "NumRelRet": _relevant_returned,
    "AP": _average_precision,
    "GMAP": _log_average_precision,
    "Rprec": _r_precision,
    "Bpref": _binary_preference,
    "RR": _reciprocal_rank,
    "IPrec": _interpolated_precision,
    "P": _precision,
    "R": _recall,
    "nDCG": _discounted_gain,
    "Success": _success,
    "SetP": _set_precision,
    "SetR": _recall,
    "SetF": _set_f,
    "Judged": _judged_share,
}
