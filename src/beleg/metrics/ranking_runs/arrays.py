"""Where the judged documents stand in ranked lists that are held as arrays of whole numbers, a row for each query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, shown
from beleg.metrics.ranking_runs.blocks import Block
from beleg.metrics.ranking_runs.matching import Hits
from beleg.metrics.ranking_runs.table import CodeArray, FloatArray, IntArray, Table
from beleg.text.identifiers import as_whole_number

BLOCK_ROWS = 1 << 16
"""Ids that are compared at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """Ranked lists of numbered documents.

    ``documents`` has a row for each query; a negative number marks an empty place, as index libraries write it.
    Without scores the documents stand in the order of their ranks.
    """

    queries: tuple[str, ...]
    documents: IntArray
    scores: FloatArray | None = None

    def require_sound(self) -> None:
        """Refuses lists that cannot be ranked.

        Raises:
            DataError: naming query and document, if a score is NaN or a document stands twice; or if shapes differ.
        """
        if self.documents.ndim != 2 or len(self.queries) != len(self.documents):
            shapes = f"{len(self.queries)} queries, documents of shape {self.documents.shape}"
            raise _misshaped(shapes)
        if self.scores is not None and self.scores.shape != self.documents.shape:
            raise _misshaped(f"documents of shape {self.documents.shape}, scores of shape {self.scores.shape}")
        if len(set(self.queries)) != len(self.queries):
            raise DataError(Problem(field="query", message="a query stands twice", remedy="Keep one list of each"))
        for block in self._blocks():
            self._require_unique(block)
        if self.scores is not None:
            bad = np.argwhere(np.isnan(self.scores) & (self.documents >= 0))
            if len(bad):
                row, place = bad[0].tolist()
                raise self._problem(row, int(self.documents[row, place]), "the score is not a number")

    def _blocks(self) -> Iterator[slice]:
        height = max(1, BLOCK_ROWS // max(1, self.documents.shape[1]))
        for low in range(0, len(self.documents), height):
            yield slice(low, low + height)

    def _require_unique(self, block: slice) -> None:
        ordered = np.sort(self.documents[block], axis=1)
        repeated = np.argwhere((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0))
        if len(repeated):
            row, place = repeated[0].tolist()
            raise self._problem(block.start + row, int(ordered[row, place]), "the document stands twice")

    def _problem(self, row: int, document: int, message: str) -> DataError:
        where = f"{message}, in the list of query {shown(self.queries[row])}"
        return DataError(Problem(field="document", message=where, value=str(document), remedy="Leave it out"))


def _misshaped(found: str) -> DataError:
    remedy = "Give one row of documents, and of scores, for each query"
    return DataError(Problem(message="the arrays do not fit together", value=found, remedy=remedy))


def hits_of_lists(judged: Table, lists: Lists) -> Hits:
    """Finds the judged documents of ranked lists and their ranks, with the same result as `find_hits` on their table.

    Args:
        judged: grades by query and document; only ids that are the decimal text of a whole number can be in the lists.
        lists: sound lists.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> judged = table_from_mapping({"0": {"7": 1}})
        >>> hits_of_lists(judged, Lists(("0",), np.array([[9, 7, -1]]))).rank.tolist()
        [2]
    """
    place = {name: number for number, name in enumerate(judged.queries)}
    code = np.array([place.get(name, -1) for name in lists.queries], dtype=np.int32)
    code[(code >= 0) & (np.diff(judged.offsets)[code] == 0)] = -1
    returned = np.zeros(len(judged.queries), dtype=np.int64)
    known = code >= 0
    returned[code[known]] = (lists.documents[known] >= 0).sum(axis=1)
    judgement, row, document = _wanted(judged, code)
    found, position = _positions(lists, row, document)
    judgement, row = judgement[found], row[found]
    rank = _ranks(lists, row, position, document[found])
    query = judged.query()[judgement]
    order = np.lexsort((rank, query))
    return Hits(query[order], rank[order], judged.value[judgement][order], returned, extra_queries=int((~known).sum()))


def _wanted(judged: Table, code: CodeArray) -> tuple[IntArray, IntArray, IntArray]:
    """The judgements whose document may be in the lists, the row of the list, and the document as a number."""
    list_of = np.full(len(judged.queries), -1, dtype=np.int64)
    list_of[code[code >= 0]] = np.flatnonzero(code >= 0)
    row = list_of[judged.query()]
    numbers = [as_whole_number(name) for name in judged.documents.texts()]
    fits = np.array([number is not None and 0 <= number < 1 << 63 for number in numbers], dtype=np.bool_) & (row >= 0)
    judgement = np.flatnonzero(fits)
    document = np.array([numbers[each] for each in judgement.tolist()], dtype=np.int64)
    return judgement, row[judgement], document


def _positions(lists: Lists, row: IntArray, document: IntArray) -> tuple[IntArray, IntArray]:
    """Which of the documents are in their lists, and where."""
    found, position = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    height = max(1, BLOCK_ROWS // max(1, lists.documents.shape[1]))
    for low in range(0, len(row), height):
        same = lists.documents[row[low : low + height]] == document[low : low + height, None]
        which, where = np.nonzero(same)
        found.append(which + low)
        position.append(where)
    return np.concatenate(found), np.concatenate(position)


def _ranks(lists: Lists, row: IntArray, position: IntArray, document: IntArray) -> IntArray:
    """The ranks of documents at places of their lists, some lists at a time."""
    rank = np.empty(len(row), dtype=np.int64)
    order = np.argsort(row, kind="stable")
    wanted = np.unique(row)
    height = max(1, BLOCK_ROWS // max(1, lists.documents.shape[1]))
    edges = np.searchsorted(row[order], [*wanted[::height].tolist(), len(lists.documents)])
    for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        at = order[low:high]
        rank[at] = _ranks_of_some(lists, row[at], position[at], document[at])
    return rank


def _ranks_of_some(lists: Lists, row: IntArray, position: IntArray, document: IntArray) -> IntArray:
    wanted, of = np.unique(row, return_inverse=True)
    filled = lists.documents[wanted] >= 0
    if lists.scores is None:
        return np.asarray(np.cumsum(filled, axis=1)[of, position])
    scores = lists.scores[wanted]
    score = scores[of, position]
    above, equal = Block(scores[filled], np.concatenate(([0], np.cumsum(filled.sum(axis=1))))).counts(of, score)
    rank = above + 1
    orders: dict[tuple[int, float], dict[int, int]] = {}
    for each in np.flatnonzero(equal > 1).tolist():
        key = (int(of[each]), float(score[each]))
        if key not in orders:
            tied = lists.documents[wanted[key[0]]][filled[key[0]] & (scores[key[0]] == key[1])]
            # By text "9" stands before "10", as it would in a file.
            orders[key] = {name: before for before, name in enumerate(sorted(tied.tolist(), key=str, reverse=True))}
        rank[each] += orders[key][int(document[each])]
    return rank


def lists_of(
    documents: npt.ArrayLike, scores: npt.ArrayLike | None = None, queries: Sequence[str] | None = None
) -> Lists:
    """Makes ranked lists of arrays; without ids of queries, the number of the row is the id.

    Raises:
        DataError: as `Lists.require_sound`, if the documents are no whole numbers or have no room in 63 bits, if the
            scores are no numbers, or if rows differ in length.
    """
    documents = _numbers(documents, "document", "iu")
    if documents.dtype.kind == "u" and (documents > np.uint64(np.iinfo(np.int64).max)).any():
        raise DataError(
            Problem(field="document", message="an id is beyond 2^63", remedy="Give ids as text, in columns")
        )
    names = tuple(str(row) for row in range(len(documents))) if queries is None else tuple(queries)
    value = None if scores is None else _numbers(scores, "score", "iuf").astype(np.float64, copy=False)
    found = Lists(names, documents.astype(np.int64, copy=False), value)
    found.require_sound()
    return found


def _numbers(given: npt.ArrayLike, what: str, kinds: str) -> npt.NDArray[np.number]:
    """A table of numbers; text, fractions and truth values are not cast to ids, and an empty cell is not filled."""
    try:
        found = np.asarray(given)
    except (TypeError, ValueError, OverflowError) as error:
        raise _no_table(what, f"{error}") from error
    if found.ndim != 2:
        raise _misshaped(f"{what}s of shape {found.shape}")
    # A table without cells says nothing of their type.
    if found.size and found.dtype.kind not in kinds:
        raise _no_table(what, f"of type {found.dtype}")
    if np.ma.is_masked(given):
        raise _no_table(what, "some cells are masked")
    return found


def _no_table(what: str, found: str) -> DataError:
    expected = "whole numbers" if what == "document" else "numbers"
    remedy = "Fill every place, with -1 where no document stands; give ids that are text in columns"
    return DataError(Problem(field=what, message=f"a table of {expected} is expected", value=found, remedy=remedy))
