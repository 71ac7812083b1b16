"""Judgements in groups: by several judges, or by the subtopics of a query; each group is ranked on its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from beleg.metrics.ranking_runs.matching import Hits
from beleg.metrics.ranking_runs.ranked import Ranked
from beleg.metrics.ranking_runs.table import CodeArray, FloatArray, IntArray, Names, Table, table_of


@dataclass(frozen=True, slots=True, eq=False)
class GroupedJudgements:
    """One entry for every judgement, and every document of a query once."""

    documents: Table
    """Each pair of query and document once; its value is its own row."""
    document: IntArray
    """For every judgement, its row in ``documents``."""
    group: CodeArray
    """For every judgement, its group; the groups of all queries are numbered together."""
    subgroup: CodeArray
    grade: FloatArray
    group_query: CodeArray
    """For every group, its query."""


def group_judgements(
    queries: Sequence[str], query: CodeArray, groups: tuple[CodeArray, CodeArray], documents: Names, grade: FloatArray
) -> GroupedJudgements:
    """Arranges judgements that stand in columns.

    Args:
        queries: the ids of the queries.
        query: for every judgement, the place of its query in ``queries``.
        groups: for every judgement, the numbers of its group and of its subgroup; a number may serve several queries.
        documents: the document of every judgement.
        grade: the grade of every judgement.

    Example:
        >>> columns = [np.array(each, dtype=np.int32) for each in ([0, 0, 0], [0, 0, 1], [0, 0, 0])]
        >>> names = Names.of(["a", "b", "a"])
        >>> found = group_judgements(["q"], columns[0], (columns[1], columns[2]), names, np.array([1.0, 0.0, 2.0]))
        >>> len(found.documents.value), found.group_query.tolist(), found.document.tolist()
        (2, [0, 0], [0, 1, 0])
    """
    once, row = _once(queries, query, documents)
    pairs = np.stack((query.astype(np.int64), groups[0].astype(np.int64)))
    distinct, group = np.unique(pairs, axis=1, return_inverse=True)
    return GroupedJudgements(
        once, row, group.reshape(-1).astype(np.int32), groups[1], grade, distinct[0].astype(np.int32)
    )


def _once(queries: Sequence[str], query: CodeArray, documents: Names) -> tuple[Table, IntArray]:
    seen: dict[tuple[int, bytes], int] = {}
    pairs = ((code, documents[row]) for row, code in enumerate(query.tolist()))
    number = np.array([seen.setdefault(pair, len(seen)) for pair in pairs], dtype=np.int64)
    first = np.full(len(seen), -1, dtype=np.int64)
    first[number[::-1]] = np.arange(len(number))[::-1]
    table = table_of(queries, query[first], documents.take(first), np.arange(len(first), dtype=np.float64))
    place = np.empty(len(first), dtype=np.int64)
    place[table.value.astype(np.int64)] = np.arange(len(first))
    numbered = Table(
        table.queries, table.offsets, table.documents, table.fingerprint, np.arange(len(first), dtype=np.float64)
    )
    return numbered, place[number]


class RankedGroups:
    """Grouped judgements and where a run has them; ``hits`` are those of ``judgements.documents``."""

    def __init__(self, judgements: GroupedJudgements, hits: Hits) -> None:
        self.judgements = judgements
        self.hits = hits
        self.size = len(judgements.documents.queries)

    @cached_property
    def rank(self) -> IntArray:
        """The rank of every judged document, 0 where the run lacks it."""
        rank = np.zeros(len(self.judgements.documents.value), dtype=np.int64)
        rank[self.hits.grade.astype(np.int64)] = self.hits.rank
        return rank

    @cached_property
    def groups(self) -> Ranked:
        """Each group as if it were a query of its own with the list of its query."""
        own = self.judgements
        rank = self.rank[own.document]
        rows = np.flatnonzero(rank > 0)
        rows = rows[np.lexsort((rank[rows], own.group[rows]))]
        returned = self.hits.returned[own.group_query]
        hits = Hits(own.group[rows], rank[rows], own.grade[rows], returned, self.hits.extra_queries)
        return Ranked(len(own.group_query), own.group, own.grade, hits)

    def add(self, values: FloatArray) -> FloatArray:
        """The sum of the values of the groups of each query."""
        return np.asarray(np.bincount(self.judgements.group_query, values, minlength=self.size), dtype=np.float64)
