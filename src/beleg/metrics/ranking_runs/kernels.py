"""Measures of a run: one value for every judged query, all measures from one ranking."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from beleg.core.errors import DataError, Problem, UsageError
from beleg.metrics.ranking_runs.kinds import Form, Measure
from beleg.metrics.ranking_runs.matching import Hits, find_hits
from beleg.metrics.ranking_runs.preferences import RankedPreferences
from beleg.metrics.ranking_runs.ranked import BoolArray, Ranked, restricted
from beleg.metrics.ranking_runs.ranked_groups import GroupedJudgements, RankedGroups
from beleg.metrics.ranking_runs.table import FloatArray, IntArray, Table

MAX_GRADE = 1 << 32
MAX_DEPTH = 1_000_000_000

_WANTED: dict[Form, str] = {
    "qrels": "one grade for each document",
    "groups": "judgements in groups",
    "subtopics": "judgements by subtopic",
    "preferences": "preferences",
}


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
    has_relevant: BoolArray = field(default_factory=lambda: np.empty(0, dtype=np.bool_))
    """For every query, whether a document has a grade of 1 or more."""
    texts: tuple[tuple[Measure, tuple[str, ...]], ...] = ()
    """What was asked for and is text, for every query."""

    def summary(self) -> tuple[float, ...]:
        """One figure for each measure: the mean over judged queries, a sum for counts, the geometric mean for GMAP."""
        return tuple(summarised(measure, row) for measure, row in zip(self.measures, self.values, strict=True))

    def with_relevant(self) -> RunValues:
        """The values of the queries that have a relevant document; the counts stay those of all.

        Raises:
            DataError: if no query has one.
        """
        if not self.has_relevant.any():
            raise DataError(Problem(message="no query has a relevant document", remedy="Check the grades"))
        kept = np.flatnonzero(self.has_relevant)
        texts = tuple((measure, tuple(rows[place] for place in kept)) for measure, rows in self.texts)
        return replace(
            self, queries=tuple(self.queries[place] for place in kept), values=self.values[:, kept],
            has_relevant=self.has_relevant[kept], texts=texts,
        )  # fmt: skip


def evaluate_run(
    judged: Table, run: Table, measures: Sequence[Measure], *, depth: int | None = None, judged_only: bool = False
) -> RunValues:
    """Computes measures of a run for every judged query.

    Order: score descending, then document id descending by bytes, in double precision. Documents without a judgement
    and negative grades are not relevant. A judged query that the run lacks, or that has no relevant document, is 0 and
    part of the mean; a query of the run without judgements is ignored. All are counted.

    Args:
        judged: grades by query and document, each pair once.
        run: scores by query and document, each pair once.
        measures: what to compute.
        depth: as if every list ended at this rank.
        judged_only: as if documents without a judgement, or with a negative grade, had not been returned; this comes
            before ``depth``.

    Raises:
        DataError: if no query is judged, or a grade is above the highest that a measure names.
        UsageError: if a measure needs other judgements.

    Example:
        >>> from beleg.metrics.ranking_runs.measures import parse_measures
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> judged = table_from_mapping({"q1": {"d1": 1, "d2": 0}})
        >>> run = table_from_mapping({"q1": {"d1": 1.0, "d2": 1.0, "d3": 1.0}})
        >>> evaluate_run(judged, run, parse_measures(["RR", "P@2"])).summary()
        (0.3333333333333333, 0.0)
    """
    require_judgements(judged)
    return evaluate_hits(judged, find_hits(judged, run), measures, depth=depth, judged_only=judged_only)


def evaluate_hits(
    judged: Table, hits: Hits, measures: Sequence[Measure], *, depth: int | None = None, judged_only: bool = False
) -> RunValues:
    """Computes measures from the ranks of the judged documents, wherever those ranks come from.

    This is the one way from ranks to figures: a table, a file, a mapping and arrays all end here. What the figures and
    arguments mean is said at `evaluate_run`.

    Raises:
        DataError: if no query is judged, or a grade is above the highest that a measure names.
        UsageError: if a measure needs other judgements.

    Example:
        >>> from beleg.metrics.ranking_runs.measures import parse_measures
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> judged = table_from_mapping({"q1": {"d1": 1}})
        >>> second = Hits(np.array([0], np.int32), np.array([2]), np.array([1.0]), np.array([5]), extra_queries=0)
        >>> evaluate_hits(judged, second, parse_measures(["RR", "NumRet"])).summary()
        (0.5, 5.0)
    """
    require_judgements(judged)
    _require_depth(depth)
    _require_form(measures, "qrels")
    _require_grades(judged.value)
    whole, hits = hits, restricted(hits, depth=depth, judged_only=judged_only)
    ranked = Ranked(len(judged.queries), judged.query(), judged.value, hits)
    numeric = [each for each in measures if each.kind.kernel is not None]
    known = ranked
    if any(_is_judged_only(each) for each in numeric):
        known = Ranked(ranked.size, ranked.judged_query, judged.value, restricted(whole, depth=depth, judged_only=True))
    columns = [
        each.kind.kernel(known if _is_judged_only(each) else ranked, each)
        for each in numeric
        if each.kind.kernel is not None
    ]
    lines = [(each, each.kind.text_kernel(ranked, each)) for each in measures if each.kind.text_kernel is not None]
    kept = _kept(judged)
    found = _collected(judged, hits, numeric, columns, ranked.highest_grade >= 1, kept)
    return replace(found, texts=tuple((each, tuple(rows[place] for place in kept)) for each, rows in lines))


def evaluate_groups(
    judgements: GroupedJudgements, run: Table, measures: Sequence[Measure], *, depth: int | None = None
) -> RunValues:
    """Computes measures over groups of judgements, over subtopics, or of preferences.

    Args:
        judgements: in groups, see `group_judgements`.
        run: scores by query and document, each pair once.
        measures: what to compute; all of one form.
        depth: as if every list ended at this rank.

    Raises:
        DataError: if no query is judged.
        UsageError: if the measures need different judgements.
    """
    require_judgements(judgements.documents)
    _require_depth(depth)
    _require_form(measures, *(("preferences",) if _prefers(measures) else ("groups", "subtopics")))
    _require_grades(judgements.grade)
    hits = restricted(find_hits(judgements.documents, run), depth=depth)
    ranked = RankedGroups(judgements, hits)
    best = np.zeros(ranked.size)
    np.maximum.at(best, judgements.group_query[judgements.group], judgements.grade)
    numeric = [each for each in measures if each.kind.aggregate != "text"]
    columns: list[FloatArray] = []
    preferences = RankedPreferences(judgements, _standing(ranked, run)) if _prefers(measures) else None
    for measure in numeric:
        if measure.kind.group_kernel is not None:
            columns.append(measure.kind.group_kernel(ranked, measure))
        elif measure.kind.preference_kernel is not None and preferences is not None:
            columns.append(measure.kind.preference_kernel(preferences, measure))
        else:
            columns.append(np.ones(ranked.size))
    return _collected(judgements.documents, hits, numeric, columns, best >= 1, _kept(judgements.documents))


def forms(measures: Sequence[Measure]) -> set[Form]:
    """The judgements that the measures need; what fits all, such as the number of queries, needs none."""
    return {each.kind.form for each in measures if each.name not in ("NumQ", "RunId")}


def _is_judged_only(measure: Measure) -> bool:
    return ("judged_only", True) in measure.options


def _prefers(measures: Sequence[Measure]) -> bool:
    return any(each.kind.form == "preferences" for each in measures)


def _require_form(measures: Sequence[Measure], *given: Form) -> None:
    for measure in measures:
        if forms([measure]) - set(given):
            wanted, here = _WANTED[measure.kind.form], " or ".join(_WANTED[each] for each in given)
            raise UsageError(f"{measure} needs {wanted}, and these are {here}", hint="Ask for it in a call of its own")


def _require_grades(grade: FloatArray) -> None:
    highest = float(np.abs(grade).max(initial=0.0))
    if highest > MAX_GRADE:
        raise DataError(
            Problem(
                message=f"a grade is larger than {MAX_GRADE:,}, up to which they are added up",
                value=f"{highest:g}",
                remedy="Give smaller grades",
            )
        )


def _require_depth(depth: int | None) -> None:
    if depth is not None and not 1 <= depth <= MAX_DEPTH:
        raise UsageError(f"the depth is {depth}", hint=f"Give 1 to {MAX_DEPTH:,}")


def require_judgements(judged: Table) -> None:
    """Refuses judgements that judge nothing: every mean would be over no query.

    Raises:
        DataError: if no query is judged.
    """
    if not (np.diff(judged.offsets) > 0).any():
        raise DataError(Problem(message="no query is judged", remedy="Give judgements for one query or more"))


def _kept(judged: Table) -> IntArray:
    """The judged queries by the bytes of their ids."""
    has_judgements = np.flatnonzero(np.diff(judged.offsets) > 0)
    # Code points order as the bytes of UTF-8 do.
    return np.array(sorted(has_judgements.tolist(), key=judged.queries.__getitem__), dtype=np.int64)


def _collected(
    judged: Table,
    hits: Hits,
    measures: Sequence[Measure],
    columns: Sequence[FloatArray],
    has_relevant: BoolArray,
    kept: IntArray,
) -> RunValues:
    values = np.array([column[kept] for column in columns], dtype=np.float64).reshape(len(columns), len(kept))
    counts = Counts(
        queries=len(kept),
        missing=int((hits.returned[kept] == 0).sum()),
        without_relevant=int((~has_relevant[kept]).sum()),
        without_judgements=len(judged.queries) - len(kept),
        extra=hits.extra_queries,
    )
    queries = tuple(judged.queries[number] for number in kept.tolist())
    return RunValues(tuple(measures), queries, values, counts, has_relevant[kept])


def _standing(ranked: RankedGroups, run: Table) -> IntArray:
    """The rank of every judged document, or that of the first of those that share its score."""
    place = {name: number for number, name in enumerate(run.queries)}
    order = np.lexsort((-run.value, run.query()))
    score, query = run.value[order], run.query()[order]
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = (score[1:] != score[:-1]) | (query[1:] != query[:-1])
    head = np.flatnonzero(begins)[np.cumsum(begins) - 1]
    own = ranked.judgements.documents.query()
    code = np.array([place.get(name, 0) for name in ranked.judgements.documents.queries], dtype=np.int64)[own]
    found = ranked.rank > 0
    standing = np.zeros(len(own), dtype=np.int64)
    first = run.offsets[code[found]]
    standing[found] = head[first + ranked.rank[found] - 1] - first + 1
    return standing


def summarised(measure: Measure, values: FloatArray) -> float:
    """The figure for all queries together."""
    # One addition after the other, as trec_eval adds: another order can move the last digit.
    total = float(np.add.accumulate(values)[-1])
    if measure.kind.aggregate == "sum":
        return total
    mean = total / len(values)
    return math.exp(mean) if measure.kind.aggregate == "geometric" else mean
