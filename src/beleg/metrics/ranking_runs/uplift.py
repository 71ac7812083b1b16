"""What reranking does to a first stage: on the same candidates, document by document."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.metrics.ranking_runs.lanes import join_lanes
from beleg.metrics.ranking_runs.order import best_first, ranks, require_depth
from beleg.metrics.ranking_runs.table import CodeArray, FloatArray, IntArray, Names, Table

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Reranking:
    """Every document that is a candidate, in the reranked list, or judged: one row each.

    Only judged queries are looked at. The rows of a query stand together.
    """

    queries: tuple[str, ...]
    query: CodeArray
    documents: Names
    before: IntArray
    """The rank in the first stage, 0 for what is no candidate."""
    after: IntArray
    """The rank in the reranked list, 0 for what is not in it."""
    grade: FloatArray
    """The judgement, 0 where there is none."""
    judged: Mask
    candidates: Table
    """The candidates as the first stage has them."""
    best_order: Table
    """The candidates as well ordered as they can be: by grade."""

    @property
    def missing(self) -> Mask:
        """Candidates that the reranked list lacks."""
        return np.asarray((self.before > 0) & (self.after == 0))

    @property
    def extra(self) -> Mask:
        """Documents of the reranked list that are no candidates."""
        return np.asarray((self.after > 0) & (self.before == 0))

    def per_query(self, rows: Mask) -> IntArray:
        """How many of some rows each query has."""
        return np.bincount(self.query[rows], minlength=len(self.queries))


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldMoves:
    """What happened to the relevant documents."""

    relevant: int
    """Judged relevant, over all queries."""
    available: int
    """Of these, among the candidates: no order of the candidates can find more."""
    queries_without: int
    """Queries with relevant documents of which none is a candidate: reranking cannot help them."""
    up: int
    down: int
    same: int
    lost: int
    """Among the candidates, but not in the reranked list."""
    into: dict[int, int]
    """By cutoff, how many came from below it to above it."""
    out_of: dict[int, int]
    """By cutoff, how many fell from above it to below it, or were lost."""


def lay_side_by_side(judged: Table, first_stage: Table, reranked: Table, *, depth: int) -> Reranking:
    """Lines up candidates, reranked lists and judgements, document by document.

    Args:
        judged: grades by query and document.
        first_stage: the run that was reranked; its candidates are the first ``depth`` of each list in the one order.
        reranked: the run after reranking, whole.
        depth: how many candidates each query has, at most.

    Raises:
        UsageError: if the depth is below 1 or beyond all lists.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> first = table_from_mapping({"q": {"a": 3.0, "b": 2.0, "c": 1.0}})
        >>> then, judged = table_from_mapping({"q": {"b": 9.0, "a": 1.0}}), table_from_mapping({"q": {"b": 1}})
        >>> found = lay_side_by_side(judged, first, then, depth=2)
        >>> found.before.tolist(), found.after.tolist(), found.grade.tolist()
        ([1, 2], [2, 1], [0.0, 1.0])
    """
    require_depth(depth)
    candidates = best_first(first_stage, depth=depth)
    kept = {query for query, size in zip(judged.queries, np.diff(judged.offsets).tolist(), strict=True) if size}
    lanes = join_lanes([candidates, reranked, judged], only=kept)
    before, after = np.zeros(len(lanes), dtype=np.int64), np.zeros(len(lanes), dtype=np.int64)
    grade, is_judged = np.zeros(len(lanes)), np.zeros(len(lanes), dtype=np.bool_)
    before[lanes.rows[0]] = ranks(lanes.tables[0])
    after[lanes.rows[1]] = ranks(lanes.tables[1])
    grade[lanes.rows[2]] = lanes.tables[2].value
    is_judged[lanes.rows[2]] = True
    union = lanes.table(grade)
    return Reranking(
        queries=lanes.queries,
        query=union.query(),
        documents=lanes.documents,
        before=before,
        after=after,
        grade=grade,
        judged=is_judged,
        candidates=lanes.tables[0],
        best_order=union.without(np.flatnonzero(before == 0)),
    )


def gold_moves(
    found: Reranking, *, min_rel: int = 1, cuts: tuple[int, ...] = (1, 10), only: Mask | None = None
) -> GoldMoves:
    """Counts how the relevant documents moved.

    Args:
        found: the lists side by side.
        min_rel: the lowest grade that counts as relevant.
        cuts: the ranks that documents are counted across.
        only: the queries to count; all where nothing is named.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> first = table_from_mapping({"q": {"a": 3.0, "b": 2.0, "c": 1.0}})
        >>> then, judged = table_from_mapping({"q": {"b": 9.0, "a": 1.0}}), table_from_mapping({"q": {"b": 1, "c": 1}})
        >>> moves = gold_moves(lay_side_by_side(judged, first, then, depth=2), cuts=(1,))
        >>> moves.relevant, moves.available, moves.up, moves.into
        (2, 1, 1, {1: 1})
    """
    kept = found.judged & (found.grade >= min_rel)
    if only is not None:
        kept &= only[found.query]
    candidate = kept & (found.before > 0)
    relevant, available = found.per_query(kept), found.per_query(candidate)
    before = found.before[candidate]
    # What is not in the reranked list stands below everything.
    after = np.where(found.after[candidate] > 0, found.after[candidate], np.iinfo(np.int64).max)
    is_lost = found.after[candidate] == 0
    return GoldMoves(
        relevant=int(relevant.sum()),
        available=int(available.sum()),
        queries_without=int(((relevant > 0) & (available == 0)).sum()),
        up=int((after < before).sum()),
        down=int(((after > before) & ~is_lost).sum()),
        same=int((after == before).sum()),
        lost=int(is_lost.sum()),
        into={cut: int(((before > cut) & (after <= cut)).sum()) for cut in cuts},
        out_of={cut: int(((before <= cut) & (after > cut)).sum()) for cut in cuts},
    )
