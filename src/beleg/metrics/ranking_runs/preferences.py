"""Measures of preferences: of which of two documents a judge thought more, and whether the run agrees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from beleg.core.errors import DataError, Problem, shown
from beleg.metrics.ranking_runs.ranked import BoolArray
from beleg.metrics.ranking_runs.ranked_groups import GroupedJudgements
from beleg.metrics.ranking_runs.table import FloatArray, IntArray

if TYPE_CHECKING:
    from beleg.metrics.ranking_runs.kinds import Measure

MAX_DOCUMENTS = 5_000
"""Judged documents of one query, beyond which the pairs are too many."""
MAX_CHAINED = 2_000
"""Judged documents of a group with subgroups, beyond which chains of preferences are too many."""
_SCOPES = ("all", "ret", "imp")
_NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class Tally:
    """Preferences that the run fulfils, and those that there are."""

    fulfilled: float = 0.0
    possible: float = 0.0

    @property
    def ratio(self) -> float:
        """Fulfilled over possible, 0 where there is none."""
        return self.fulfilled / self.possible if self.possible else 0.0


class RankedPreferences:
    """Judgements in groups, read as preferences, and the standing of every document in a run.

    ``standing`` is the rank of a document, or that of the first document with its score: equal scores fulfil no
    preference. 0 means not returned.
    """

    def __init__(self, judgements: GroupedJudgements, standing: IntArray) -> None:
        self.judgements = judgements
        self.standing = standing
        self.size = len(judgements.documents.queries)

    @cached_property
    def _by_group(self) -> tuple[IntArray, IntArray]:
        """The judgements by group, and where each group begins."""
        own = self.judgements
        sizes = np.bincount(own.group, minlength=len(own.group_query))
        return np.argsort(own.group, kind="stable"), np.concatenate(([0], np.cumsum(sizes)))

    @cached_property
    def figures(self) -> dict[str, FloatArray]:
        """Every figure of every query."""
        rows = [self._of_query(query) for query in range(self.size)]
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}

    def _of_query(self, query: int) -> dict[str, float]:
        low, high = self.judgements.documents.offsets[query : query + 2].tolist()
        if high - low > MAX_DOCUMENTS:
            raise DataError(_too_many(self.judgements.documents.queries[query], high - low, MAX_DOCUMENTS))
        rank = self.standing[low:high]
        order = np.where(rank > 0, rank, _NEVER)
        groups = list(self._groups(query, low))
        found: dict[str, float] = {}
        for scope in _SCOPES:
            found |= _scoped(scope, groups, order)
        for scope in ("all", "ret"):
            shares = [_with_not_relevant(each, order, only_returned=scope == "ret").ratio for each in groups]
            found[f"padded_{scope}"] = sum(shares) / len(shares) if shares else 0.0
        return found

    def _groups(self, query: int, low: int) -> Iterator[_Group]:
        own = self.judgements
        by_group, offsets = self._by_group
        # Groups are numbered by query.
        first, last = np.searchsorted(own.group_query, (query, query + 1)).tolist()
        for group in range(first, last):
            rows = by_group[offsets[group] : offsets[group + 1]]
            documents, place = np.unique(own.document[rows] - low, return_inverse=True)
            place = place.reshape(-1)
            prefers = np.zeros((len(documents), len(documents)), dtype=np.bool_)
            grade = np.full(len(documents), -np.inf)
            subgroups = np.unique(own.subgroup[rows])
            for number in subgroups.tolist():
                part = own.subgroup[rows] == number
                grades, at = own.grade[rows][part], place[part]
                prefers[np.ix_(at, at)] |= grades[:, None] > grades[None, :]
            np.maximum.at(grade, place, own.grade[rows])
            is_chained = len(subgroups) > 1
            if is_chained:
                prefers = self._chained(query, prefers)
            yield _Group(documents, prefers, grade, is_chained)

    def _chained(self, query: int, prefers: BoolArray) -> BoolArray:
        """Adds what follows from two preferences of different subgroups: a over b and b over c is a over c."""
        name = self.judgements.documents.queries[query]
        judged = np.flatnonzero(prefers.any(axis=0) | prefers.any(axis=1))
        if len(judged) > MAX_CHAINED:
            raise DataError(_too_many(name, len(judged), MAX_CHAINED))
        reaches = prefers[np.ix_(judged, judged)].astype(np.float32)
        while True:
            further = np.minimum(reaches + reaches @ reaches, 1.0)
            if np.array_equal(further, reaches):
                break
            reaches = further
        if reaches.diagonal().any():
            raise DataError(
                Problem(
                    message=f"the preferences of one judge for query {shown(name)} go in a circle",
                    remedy="Put judgements that contradict each other into different groups",
                )
            )
        prefers[np.ix_(judged, judged)] = reaches > 0
        return prefers


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """The preferences of one group: over whom each of its documents is preferred, and its best grade.

    ``documents`` are their places among those of the query; only pairs of them are looked at.
    """

    documents: IntArray
    prefers: BoolArray
    grade: FloatArray
    is_chained: bool


def _agrees(order: IntArray) -> BoolArray:
    return np.asarray(order[:, None] < order[None, :])


def _counted(scope: str, order: IntArray) -> BoolArray:
    """The pairs that a scope counts: all, those of two returned documents, or those of one or two."""
    returned = order < _NEVER
    if scope == "all":
        return np.ones((len(order), len(order)), dtype=np.bool_)
    one, two = returned[:, None], returned[None, :]
    return np.asarray(one & two if scope == "ret" else one | two)


def _scoped(scope: str, groups: list[_Group], order: IntArray) -> dict[str, float]:
    """Fulfilled and possible preferences, and their ratio in all, by pair of documents, and by group."""
    shape = (len(order), len(order))
    fulfilled, possible = np.zeros(shape, dtype=np.int32), np.zeros(shape, dtype=np.int32)
    shares: list[float] = []
    for group in groups:
        own = order[group.documents]
        wanted = group.prefers & _counted(scope, own)
        met = wanted & _agrees(own)
        tally = Tally(float(np.count_nonzero(met)), float(np.count_nonzero(wanted)))
        shares.append(tally.ratio)
        pairs_of_group = np.ix_(group.documents, group.documents)
        fulfilled[pairs_of_group] += met
        possible[pairs_of_group] += wanted
    pairs, met_pairs = np.triu(possible + possible.T), np.triu(fulfilled + fulfilled.T)
    some = pairs > 0
    whole = Tally(float(fulfilled.sum()), float(possible.sum()))
    by_pair = Tally(float((met_pairs[some] / pairs[some]).sum()), float(np.count_nonzero(some)))
    return {
        f"fulfilled_{scope}": whole.fulfilled, f"possible_{scope}": whole.possible, f"simple_{scope}": whole.ratio,
        f"pair_{scope}": by_pair.ratio, f"group_{scope}": sum(shares) / len(shares) if shares else 0.0,
    }  # fmt: skip


def _with_not_relevant(group: _Group, order: IntArray, *, only_returned: bool) -> Tally:
    """Preferences of a group as if it had as many not relevant documents as relevant ones.

    Where it has fewer, ones that the run lacks are added. Where it has more, the first ones of the run stay, and the
    count is that of trec_eval, which counts preferences among these too; a group with subgroups stays as it is.
    """
    order = order[group.documents]
    agrees, returned = _agrees(order), order < _NEVER
    relevant, other = group.grade > 0, group.grade <= 0
    wanted = group.prefers & _counted("ret" if only_returned else "all", order)
    plain = Tally(float(np.count_nonzero(wanted & agrees)), float(np.count_nonzero(wanted)))
    met = int(np.count_nonzero(relevant & returned))
    many = met if only_returned else int(np.count_nonzero(relevant))
    few = int(np.count_nonzero(other & returned)) if only_returned else int(np.count_nonzero(other))
    if few <= many:
        missing = many - few
        return Tally(plain.fulfilled + missing * met, plain.possible + missing * float(np.count_nonzero(relevant)))
    if group.is_chained:
        return plain
    rows = np.flatnonzero(other)
    first = rows[np.argsort(order[rows], kind="stable")][:many]
    among = wanted[np.ix_(relevant, relevant)]
    fulfilled = np.count_nonzero(among & agrees[np.ix_(relevant, relevant)])
    fulfilled += np.count_nonzero(agrees[np.ix_(np.flatnonzero(relevant), first)])
    fulfilled += np.count_nonzero(agrees[np.ix_(first, first)])
    return Tally(float(fulfilled), float(np.count_nonzero(among) + many * (many + few)))


def _too_many(query: str, found: int, most: int) -> Problem:
    return Problem(
        message=f"query {shown(query)} has more judged documents than the {most:,} whose pairs are compared",
        value=f"{found:,}",
        remedy="Judge fewer documents of the query",
    )


def figure(ranked: RankedPreferences, measure: Measure) -> FloatArray:
    """The figure of the measure, which all come from one pass."""
    return ranked.figures[_FIGURES[measure.name]]


_FIGURES = {
    "PrefsPossible": "possible_all", "PrefsFulfilled": "fulfilled_all", "PrefsFulfilledRet": "fulfilled_ret",
    "Prefs": "simple_all", "PrefsPair": "pair_all", "PrefsGroup": "group_all", "PrefsGroupBalanced": "padded_all",
    "PrefsRet": "simple_ret", "PrefsPairRet": "pair_ret", "PrefsGroupRet": "group_ret",
    "PrefsGroupBalancedRet": "padded_ret",
    "PrefsEither": "simple_imp", "PrefsPairEither": "pair_imp", "PrefsGroupEither": "group_imp",
}  # fmt: skip
