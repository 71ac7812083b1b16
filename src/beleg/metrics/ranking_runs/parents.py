"""Folding a run of passages to the documents that they were cut from, by a named policy."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.metrics.ranking_runs.lookup import first_of_each, places_in
from beleg.metrics.ranking_runs.order import ranking
from beleg.metrics.ranking_runs.table import CodeArray, FloatArray, IntArray, Names, Table

Policy = Literal["best", "first", "sum", "refuse"]
"""How the passages of a document give its score.

``best``: the highest of their scores. ``first``: the document stands where its first passage stands, so that equal
scores are ordered by passage and not by document. ``sum``: the sum of their scores. ``refuse``: no list may hold two
passages of a document.
"""
POLICIES: tuple[Policy, ...] = get_args(Policy)
_SHOWN = 3


def parents_by_separator(passages: Names, separator: str) -> Names:
    """The part of every id before its last separator; an id without one is its own document.

    Args:
        passages: the ids of passages.
        separator: such as ``#``; one character or more.

    Raises:
        UsageError: if the separator is empty.
        DataError: if nothing stands before the separator of an id.

    Example:
        >>> parents_by_separator(Names.of(["doc#2", "doc", "a#b#1"]), "#").texts()
        ['doc', 'doc', 'a#b']
    """
    mark = separator.encode("utf-8", "surrogatepass")
    if not mark:
        raise UsageError("the separator of passages is empty", hint="Name it, such as --parent-separator '#'")
    buffer = passages.buffer
    fits = np.ones(len(buffer) - len(mark) + 1, dtype=np.bool_)
    for at, byte in enumerate(mark):
        fits &= buffer[at : len(fits) + at] == byte
    marks = np.flatnonzero(fits)
    if not len(marks):
        return passages
    latest = passages.start + passages.length - len(mark)
    last = np.searchsorted(marks, latest, side="right") - 1
    place = np.where(last >= 0, marks[np.maximum(last, 0)], -1)
    has_mark = place >= passages.start
    length = np.where(has_mark, place - passages.start, passages.length).astype(np.int32)
    empty = np.flatnonzero(length == 0)
    if len(empty):
        raise DataError(
            Problem(
                field="document",
                message=f"nothing stands before {shown(separator)} in the id of a passage",
                value=shown(passages[int(empty[0])].decode("utf-8", "replace")),
                remedy="Name the documents in a file of parents",
            )
        )
    return Names(buffer, passages.start, length)


def parents_by_mapping(passages: Names, known: Names, documents: Names) -> Names:
    """The document of every passage, from pairs.

    Args:
        passages: the ids of passages.
        known: passages whose document is known, each once.
        documents: the document of each of those.

    Raises:
        DataError: naming passages whose document is not known.

    Example:
        >>> parents_by_mapping(Names.of(["p2"]), Names.of(["p1", "p2"]), Names.of(["d1", "d1"])).texts()
        ['d1']
    """
    place = places_in(known, passages)
    missing = np.flatnonzero(place < 0)
    if len(missing):
        raise unknown_passages(passages, missing, "has no parent document", "Add it to the file of parents")
    return documents.take(place)


def unknown_passages(passages: Names, missing: IntArray, message: str, remedy: str) -> DataError:
    """The error for passages that a file says nothing of; names the first of them."""
    rows, _ = first_of_each(passages.take(missing))
    names = [shown(passages[int(missing[row])].decode("utf-8", "replace")) for row in rows[:_SHOWN].tolist()]
    more = f" and {len(rows) - _SHOWN:,} more" if len(rows) > _SHOWN else ""
    return DataError(
        Problem(
            field="document", message=f"a passage of the run {message}", value=", ".join(names) + more, remedy=remedy
        )
    )


def fold_to_parents(run: Table, parents: Names, policy: Policy) -> Table:
    """Makes one row of all passages of a document in a list.

    Args:
        run: scores of passages.
        parents: the document of every row.
        policy: how the scores of the passages give that of the document.

    Returns:
        A run of documents; a query keeps its place, even if it has no row.

    Raises:
        DataError: naming query and document, by ``refuse``, if two passages of one document stand in a list; by
            ``sum``, if their scores have none, as infinity and minus infinity.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> run = table_from_mapping({"q": {"d1#1": 3.0, "d2#1": 2.0, "d1#2": 1.5}})
        >>> fold_to_parents(run, parents_by_separator(run.documents, "#"), "sum").value.tolist()
        [4.5, 2.0]
    """
    order = ranking(run)
    query = run.query()[order]
    ordered = parents.take(order)
    first, group = _groups(query, ordered)
    if policy == "refuse" and len(first) < len(order):
        repeated = int(np.setdiff1d(np.arange(len(order)), first)[0])
        raise _repeated(run, int(query[repeated]), ordered[repeated])
    value = _values(run.value[order], first, group, policy)
    lost = np.flatnonzero(np.isnan(value))
    if len(lost):
        row = int(first[lost[0]])
        raise _no_sum(run, int(query[row]), ordered[row])
    documents = ordered.take(first)
    sizes = np.bincount(query[first], minlength=len(run.queries))
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    return Table(run.queries, offsets, documents, documents.fingerprints(), value, order[first])


def _groups(query: CodeArray, parents: Names) -> tuple[IntArray, IntArray]:
    """The first row of every document in a list, ascending, and for every row which of those it belongs to."""
    _, name = first_of_each(parents)
    pair = query.astype(np.int64) * (int(name.max(initial=0)) + 1) + name
    _, first, group = np.unique(pair, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return first[order].astype(np.int64), rank[group]


def _values(value: FloatArray, first: IntArray, group: IntArray, policy: Policy) -> FloatArray:
    if policy == "first":
        # No two documents share a rank, so that the order of the passages is kept.
        return -np.arange(len(first), dtype=np.float64)
    if policy == "sum":
        # One addition after the other, from the first rank on.
        return np.asarray(np.bincount(group, weights=value, minlength=len(first)), dtype=np.float64)
    return value[first]


def _repeated(run: Table, query: int, parent: bytes) -> DataError:
    return DataError(
        Problem(
            field="document",
            message=f"two passages of one document stand in the list of query {shown(run.queries[query])}",
            value=shown(parent.decode("utf-8", "replace")),
            remedy="Choose how to fold them: best, first or sum",
        )
    )


def _no_sum(run: Table, query: int, parent: bytes) -> DataError:
    return DataError(
        Problem(
            field="score",
            message=f"the scores of the passages of a document have no sum, for query {shown(run.queries[query])}",
            value=shown(parent.decode("utf-8", "replace")),
            remedy="Write finite scores, or fold by best or first",
        )
    )
