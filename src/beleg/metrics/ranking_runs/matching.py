"""Where the judged documents stand in a run: only they are ranked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.metrics.ranking_runs.table import CodeArray, FloatArray, IntArray, Table
from beleg.text.packed import WordArray

_SLOTS_PER_KEY = 16
_NONE = np.int32(-1)


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """The judged documents that a run returned, by query and rank, and how much it returned for every judged query."""

    query: CodeArray
    rank: IntArray
    grade: FloatArray
    returned: IntArray
    extra_queries: int
    """Queries of the run that have no judgement."""


def find_hits(judged: Table, run: Table) -> Hits:
    """Finds the judged documents of a run and their ranks.

    The order is score descending, then document id descending by bytes, as in `beleg.core.ranking`. A list that
    stands in that order already is not sorted, and ids are compared only where a judged document shares its score.
    """
    place = {name: number for number, name in enumerate(judged.queries)}
    code = np.array([place.get(name, _NONE) for name in run.queries], dtype=np.int32)
    has_rows = np.diff(judged.offsets) > 0
    code[(code >= 0) & ~has_rows[code]] = _NONE
    rows, judgement = _matched(judged, run, code)
    rank = _ranks(run, rows)
    query = judged.query()[judgement]
    order = np.lexsort((rank, query))
    known = code >= 0
    returned = np.zeros(len(judged.queries), dtype=np.int64)
    returned[code[known]] = np.diff(run.offsets)[known]
    return Hits(query[order], rank[order], judged.value[judgement][order], returned, extra_queries=int((~known).sum()))


def _matched(judged: Table, run: Table, code: CodeArray) -> tuple[IntArray, IntArray]:
    """Rows of the run that are judged, and the row of the judgement of each."""
    own_keys = judged.keys(np.arange(len(judged.queries), dtype=np.int32))
    by_key = np.argsort(own_keys)
    ordered = own_keys[by_key]
    rows, keys = _perhaps_judged(ordered, run, code)
    place = np.minimum(np.searchsorted(ordered, keys), len(ordered) - 1)
    same = ordered[place] == keys
    rows, judgement = rows[same], by_key[place[same]]
    is_unique = not (ordered[1:] == ordered[:-1]).any()
    run_query = code[np.searchsorted(run.offsets, rows, side="right") - 1]
    agree = np.array_equal(run_query, judged.query()[judgement])
    if is_unique and agree and run.documents.take(rows).equal_to(judged.documents.take(judgement)):
        return rows, judgement
    return _matched_one_by_one(judged, run, rows, run_query)


def _perhaps_judged(ordered: WordArray, run: Table, code: CodeArray) -> tuple[IntArray, WordArray]:
    """Rows whose key falls on a slot that a judged key takes, with that key: all that are judged, and few others."""
    size = 1 << max(8, (len(ordered) * _SLOTS_PER_KEY - 1).bit_length())
    mask = np.uint64(size - 1)
    taken = np.zeros(size, dtype=np.bool_)
    taken[ordered & mask] = True
    rows, found = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.uint64)]
    for block in run.blocks():
        keys = run.keys(code[block], block)
        place = np.flatnonzero(taken.take((keys & mask).view(np.int64)))
        rows.append(place + run.offsets[block.start])
        found.append(keys[place])
    return np.concatenate(rows), np.concatenate(found)


def _matched_one_by_one(judged: Table, run: Table, rows: IntArray, query: CodeArray) -> tuple[IntArray, IntArray]:
    """The exact way for the case that two different names have the same fingerprint."""
    judged_query = judged.query()
    known = {(int(judged_query[row]), judged.documents[row]): row for row in range(len(judged.value))}
    pairs = [
        (row, known[pair])
        for row, number in zip(rows.tolist(), query.tolist(), strict=True)
        if (pair := (number, run.documents[row])) in known
    ]
    matched = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return matched[:, 0], matched[:, 1]


def _ranks(run: Table, rows: IntArray) -> IntArray:
    """The ranks of some rows, which ascend."""
    query = np.searchsorted(run.offsets, rows, side="right") - 1
    rank = rows - run.offsets[query] + 1
    falls = np.ones(len(run.value) + 1, dtype=np.bool_)
    np.less(run.value[1:], run.value[:-1], out=falls[1:-1])
    falls[run.offsets] = True
    level = np.flatnonzero(~falls)
    rising = np.zeros(len(run.queries), dtype=np.bool_)
    rising[np.searchsorted(run.offsets, level[run.value[level] > run.value[level - 1]], side="right") - 1] = True
    moved = rising[query] | ~falls[rows] | ~falls[rows + 1]
    if moved.any():
        rank[moved] = _sorted_ranks(run, np.unique(query[moved]), rows[moved])
    return rank


def _sorted_ranks(run: Table, queries: IntArray, wanted: IntArray) -> IntArray:
    """The ranks of wanted rows in queries whose rows must be sorted, by score or in their ties."""
    sizes = np.diff(run.offsets)[queries]
    first = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    group = np.repeat(np.arange(len(queries)), sizes)
    rows = np.arange(len(group)) + np.repeat(run.offsets[queries] - first, sizes)
    score = run.value[rows]
    if (score[1:] > score[:-1])[group[1:] == group[:-1]].any():
        rows = rows[np.lexsort((-score, group))]
    is_wanted = np.zeros(len(run.value), dtype=np.bool_)
    is_wanted[wanted] = True
    _order_ties(run, rows, group, is_wanted[rows])
    place = np.flatnonzero(is_wanted[rows])
    rank = place - first[group[place]] + 1
    return np.asarray(rank[np.argsort(rows[place])])


def _order_ties(run: Table, rows: IntArray, group: IntArray, is_wanted: npt.NDArray[np.bool_]) -> None:
    """Puts rows of equal score that hold a wanted one in order of their ids, in place."""
    score = run.value[rows]
    begins = np.ones(len(rows), dtype=np.bool_)
    begins[1:] = (score[1:] != score[:-1]) | (group[1:] != group[:-1])
    tie = np.cumsum(begins) - 1
    needed = (np.bincount(tie, weights=is_wanted) > 0) & (np.bincount(tie) > 1)
    place = np.flatnonzero(needed[tie])
    if len(place):
        rows[place] = rows[place][run.documents.take(rows[place]).descending(tie[place])]
