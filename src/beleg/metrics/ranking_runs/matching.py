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
    matcher = Matcher(judged)
    matcher.add(run)
    return matcher.hits()


def hits_of(judged: Table, judgement: IntArray, rank: IntArray, returned: IntArray, extra_queries: int) -> Hits:
    """Hits out of rows of the judgements and their ranks, in any order."""
    query = judged.query()[judgement]
    if (np.diff(query) < 0).any() or (np.diff(rank)[np.diff(query) == 0] < 0).any():
        order = np.lexsort((rank, query))
        query, rank, judgement = query[order], rank[order], judgement[order]
    return Hits(query, rank, judged.value[judgement], returned, extra_queries)


class Matcher:
    """Finds judged documents in a run that comes in parts, each with whole queries."""

    def __init__(self, judged: Table) -> None:
        self.judged = judged
        self._judged_query = judged.query()
        has_rows = np.diff(judged.offsets) > 0
        self._place = {name: number for number, name in enumerate(judged.queries) if has_rows[number]}
        keys = judged.keys(np.arange(len(judged.queries), dtype=np.int32))
        self._by_key = np.argsort(keys)
        self._ordered = keys[self._by_key]
        self._is_unique = not (self._ordered[1:] == self._ordered[:-1]).any()
        size = 1 << max(8, (len(keys) * _SLOTS_PER_KEY - 1).bit_length())
        self._mask = np.uint64(size - 1)
        self._taken = np.zeros(size, dtype=np.bool_)
        self._taken[self._ordered & self._mask] = True
        self._judgement = [np.empty(0, dtype=np.int64)]
        self._rank = [np.empty(0, dtype=np.int64)]
        self._returned = np.zeros(len(judged.queries), dtype=np.int64)
        self._extra_queries = 0

    def add(self, run: Table) -> None:
        """Takes a part of a run; no query of it was in a part before."""
        code = np.array([self._place.get(name, _NONE) for name in run.queries], dtype=np.int32)
        rows, judgement = self._matched(run, code)
        self._judgement.append(judgement)
        self._rank.append(_ranks(run, rows))
        known = code >= 0
        self._returned[code[known]] = np.diff(run.offsets)[known]
        self._extra_queries += int((~known).sum())

    def hits(self) -> Hits:
        """What was found."""
        judgement, rank = np.concatenate(self._judgement), np.concatenate(self._rank)
        return hits_of(self.judged, judgement, rank, self._returned, self._extra_queries)

    def _matched(self, run: Table, code: CodeArray) -> tuple[IntArray, IntArray]:
        """Rows of the run that are judged, and the row of the judgement of each."""
        rows, keys = self._perhaps_judged(run, code)
        place = np.minimum(np.searchsorted(self._ordered, keys), len(self._ordered) - 1)
        same = self._ordered[place] == keys
        rows, judgement = rows[same], self._by_key[place[same]]
        run_query = code[np.searchsorted(run.offsets, rows, side="right") - 1]
        agree = np.array_equal(run_query, self._judged_query[judgement])
        if self._is_unique and agree and run.documents.take(rows).equal_to(self.judged.documents.take(judgement)):
            return rows, judgement
        return self._matched_one_by_one(run, rows, run_query)

    def _perhaps_judged(self, run: Table, code: CodeArray) -> tuple[IntArray, WordArray]:
        """Rows whose key falls on a slot that a judged key takes, with that key: all that are judged, few others."""
        rows, found = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.uint64)]
        for block in run.blocks():
            keys = run.keys(code[block], block)
            place = np.flatnonzero(self._taken.take((keys & self._mask).view(np.int64)))
            rows.append(place + run.offsets[block.start])
            found.append(keys[place])
        return np.concatenate(rows), np.concatenate(found)

    def _matched_one_by_one(self, run: Table, rows: IntArray, query: CodeArray) -> tuple[IntArray, IntArray]:
        """The exact way for the case that two different names have the same fingerprint."""
        judged = self.judged
        known = {(query, judged.documents[row]): row for row, query in enumerate(self._judged_query.tolist())}
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
