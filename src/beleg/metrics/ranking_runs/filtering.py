"""What a relevance filter removed, and both ways to use it, against the gold that the caller may see."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, EvidenceError, Problem, shown
from beleg.metrics.ranking_runs.pairs import Pairs, Rows, pairs_of, text_of
from beleg.metrics.ranking_runs.table import CodeArray, FloatArray, IntArray, Names, Table

Mask = npt.NDArray[np.bool_]

YES, NO, UNKNOWN = 1, 0, -1


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """The gold documents that their callers may see, of the queries that have any.

    ``query`` is the place of each document's query in ``queries``. What a filter does later never changes this set: it
    is the denominator.
    """

    queries: tuple[str, ...]
    query: CodeArray
    documents: Names
    refused: int
    """Gold documents that the caller may not see; to leave them out is right and no exclusion."""

    @property
    def size(self) -> IntArray:
        """How many gold documents each query has."""
        return np.bincount(self.query, minlength=len(self.queries))

    def ids(self) -> list[tuple[str, str]]:
        """Query and document of every row."""
        names = (text_of(self.documents[row]) for row in range(len(self.query)))
        return [(self.queries[code], name) for code, name in zip(self.query.tolist(), names, strict=True)]

    def table(self) -> Table:
        """The gold as judgements of grade 1."""
        offsets = np.concatenate(([0], np.cumsum(self.size)))
        return Table(self.queries, offsets, self.documents, self.documents.fingerprints(), np.ones(len(self.query)))

    def look_up(self, stated: Table) -> IntArray:
        """For every gold document `YES`, `NO` or, where the table has no such pair, `UNKNOWN`."""
        found = pairs_of([Rows.all_of(self.table()), Rows.all_of(stated)])
        value, times = found.values(1, stated.value)
        said = np.where(value > 0, YES, NO)
        return np.where(times > 0, said, UNKNOWN)[found.parts[0]]


def eligible_gold(judged: Table, eligible: Table | None, *, relevant_from: float = 1.0) -> Gold:
    """The gold documents of each query, cut to what its caller may see.

    Args:
        judged: grades by query and document.
        eligible: 1 where the caller of the query may see the document, 0 where not; None if the gold is eligible.
        relevant_from: the lowest grade of gold.

    Raises:
        DataError: if nothing says whether a gold document is eligible.
        EvidenceError: if no query has eligible gold; a rate over nothing is missing evidence, not 0.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> judged = table_from_mapping({"q1": {"d1": 1.0, "d2": 1.0}, "q2": {"d3": 1.0}})
        >>> may_see = table_from_mapping({"q1": {"d1": 1.0, "d2": 0.0}, "q2": {"d3": 0.0}})
        >>> gold = eligible_gold(judged, may_see)
        >>> gold.ids(), gold.refused
        ([('q1', 'd1')], 2)
    """
    found = pairs_of([Rows.all_of(judged)])
    rows = np.flatnonzero(found.values(0, judged.value)[0] >= relevant_from)
    whole = _gold(found, rows, 0)
    if eligible is None:
        kept = np.arange(len(rows))
    else:
        said = whole.look_up(eligible)
        _require_stated(whole, said)
        kept = np.flatnonzero(said == YES)
    if not len(kept):
        raise EvidenceError(
            "no query has gold that its caller may see, so there is no false exclusion rate",
            hint="Add queries whose gold documents are eligible",
        )
    return _gold(found, rows[kept], len(rows) - len(kept))


def _gold(pairs: Pairs, rows: IntArray, refused: int) -> Gold:
    codes, query = np.unique(pairs.query[rows], return_inverse=True)
    queries = tuple(pairs.queries[code] for code in codes.tolist())
    return Gold(queries, query.astype(np.int32), pairs.documents.take(rows), refused)


def _require_stated(gold: Gold, said: IntArray) -> None:
    silent = np.flatnonzero(said == UNKNOWN)
    if len(silent):
        query, document = gold.ids()[int(silent[0])]
        raise DataError(
            Problem(
                message=f"nothing says whether the caller may see {len(silent)} gold documents",
                value=f"query {shown(query)}, document {shown(document)}",
                remedy="State 1 or 0 for every gold document",
            )
        )


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """What one system shows of the gold at the cutoff, query by query."""

    precision: FloatArray
    recall: FloatArray
    shown: Mask
    """For every gold document, whether it stands at the cutoff or above."""
    listed: Mask
    """For every gold document, whether it stands anywhere in the list."""
    missing: int
    """Queries for which the system lists nothing: 0 in both."""


def lists_of(gold: Gold, run: Table, k: int) -> Lists:
    """Precision and recall of one system at a cutoff, over the eligible gold.

    Formula: eligible gold in the top k / k, and / all eligible gold of the query, whatever a filter removed. Range: 0
    to 1, higher is better. Undefined: never; a query without a list is 0.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> gold = eligible_gold(table_from_mapping({"q": {"d1": 1.0, "d2": 1.0}}), None)
        >>> found = lists_of(gold, table_from_mapping({"q": {"d9": 2.0, "d1": 1.0}}), 2)
        >>> found.precision.tolist(), found.recall.tolist()
        ([0.5], [0.5])
    """
    best, whole = Rows.best_of(run, k), Rows.all_of(run)
    found = pairs_of([Rows.all_of(gold.table()), best, whole])
    in_top, anywhere = np.zeros(len(found), dtype=np.bool_), np.zeros(len(found), dtype=np.bool_)
    in_top[found.parts[1]], anywhere[found.parts[2]] = True, True
    shown, listed = in_top[found.parts[0]], anywhere[found.parts[0]]
    hits = np.bincount(gold.query, shown, minlength=len(gold.queries))
    has_rows = {name for name, size in zip(run.queries, np.diff(run.offsets).tolist(), strict=True) if size}
    return Lists(
        precision=np.asarray(hits / float(k), dtype=np.float64),
        recall=np.asarray(hits / gold.size, dtype=np.float64),
        shown=shown,
        listed=listed,
        missing=sum(name not in has_rows for name in gold.queries),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Exclusion:
    """What the predicate did to eligible gold."""

    excluded: FloatArray
    """1 for a query that lost every eligible gold document, else 0."""
    is_known: Mask
    """Whether that was recorded."""
    documents_removed: FloatArray
    """1 for a gold document that was removed, 0 for one that survived; of those of which it is known."""
    document_query: CodeArray
    """The query of each of these."""
    documents_unknown: int

    @property
    def queries_excluded(self) -> int:
        """How many queries are known to have lost all gold."""
        return int(self.excluded[self.is_known].sum())


def exclusion_of(gold: Gold, survives: IntArray) -> Exclusion:
    """The false exclusion of a predicate by query and by document.

    A query is excluded when none of its eligible gold documents survives. It is not known where some were not recorded
    and no other survived.

    Args:
        gold: the eligible gold.
        survives: `YES`, `NO` or `UNKNOWN` for every document of it.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> gold = eligible_gold(table_from_mapping({"q1": {"d2": 1.0}, "q2": {"d4": 1.0}}), None)
        >>> exclusion_of(gold, np.array([NO, YES])).excluded.tolist()
        [1.0, 0.0]
    """
    size = len(gold.queries)
    saved = np.bincount(gold.query, survives == YES, minlength=size) > 0
    silent = np.bincount(gold.query, survives == UNKNOWN, minlength=size) > 0
    known = survives != UNKNOWN
    return Exclusion(
        excluded=(~saved & ~silent).astype(np.float64),
        is_known=saved | ~silent,
        documents_removed=(survives[known] == NO).astype(np.float64),
        document_query=gold.query[known],
        documents_unknown=int((~known).sum()),
    )


def require_filtered(gold: Gold, survives: IntArray, hard: Lists) -> None:
    """Refuses a hard run that lists what its predicate removes: then it was not filtered by it.

    Raises:
        DataError: naming the first such document.
    """
    wrong = np.flatnonzero((survives == NO) & hard.listed)
    if len(wrong):
        query, document = gold.ids()[int(wrong[0])]
        raise DataError(
            Problem(
                message=f"the hard run lists {len(wrong)} gold documents that the predicate removes",
                value=f"query {shown(query)}, document {shown(document)}",
                remedy="Check that the run and the predicates come from the same system",
            )
        )


def recall_over_survivors(gold: Gold, survives: IntArray, hard: Lists) -> float | None:
    """The INVALID figure: recall over gold rebuilt after filtering, without the queries that lost all of it.

    It changes the question, hides exactly what the filter lost, and is told only to be recognised. None where survival
    is not known of every document, or nothing survived.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> gold = eligible_gold(table_from_mapping({"q1": {"d2": 1.0}, "q2": {"d4": 1.0}}), None)
        >>> run = table_from_mapping({"q1": {}, "q2": {"d4": 1.0}})
        >>> recall_over_survivors(gold, np.array([NO, YES]), lists_of(gold, run, 10))
        1.0
    """
    left = np.bincount(gold.query, survives == YES, minlength=len(gold.queries))
    if (survives == UNKNOWN).any() or not left.any():
        return None
    hits = np.bincount(gold.query, (survives == YES) & hard.shown, minlength=len(gold.queries))
    return float((hits[left > 0] / left[left > 0]).mean())


@dataclass(frozen=True, slots=True)
class Leaks:
    """Documents of a run that the caller of their query may not see; gold or not, at any rank."""

    documents: int
    """All documents that the run lists."""
    unauthorised: int
    in_top: int
    """Of these, at the cutoff or above."""
    unknown: int
    """Documents of which nothing says whether the caller may see them."""
    queries: int
    queries_with_leak: int
    first: tuple[str, str] | None
    """One of them, to look at."""


def leaks_of(run: Table, eligible: Table, k: int) -> Leaks:
    """Counts what a run lists against entitlement. 0 is the only good value.

    Args:
        run: what the system returned, whole.
        eligible: 1 where the caller of the query may see the document, 0 where not.
        k: the cutoff of the inner count.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> run = table_from_mapping({"q": {"d1": 2.0, "d3": 1.0}})
        >>> leaks_of(run, table_from_mapping({"q": {"d1": 1.0, "d3": 0.0}}), 1).unauthorised
        1
    """
    depth = int(np.diff(run.offsets).max(initial=1))
    ranked = Rows.best_of(run, depth)
    found = pairs_of([Rows.all_of(eligible), ranked])
    value, times = found.values(0, eligible.value)
    pairs = found.parts[1]
    bad = (times[pairs] > 0) & (value[pairs] <= 0)
    first = next(found.ids(pairs[bad][:1]), None)
    return Leaks(
        documents=len(pairs),
        unauthorised=int(bad.sum()),
        in_top=int((bad & (ranked.rank <= k)).sum()),
        unknown=int((times[pairs] == 0).sum()),
        queries=int((np.diff(run.offsets) > 0).sum()),
        queries_with_leak=len(np.unique(found.query[pairs[bad]])),
        first=first,
    )
