"""Runs and judgements that are given from Python: files, mappings, frames, columns, arrays, rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Reversible, Set
from dataclasses import dataclass
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np

from beleg.adapters.formats.headings import DOCUMENT, QUERY, Kind, value_names
from beleg.adapters.native.held_run import take_lists
from beleg.app.ir.passing import RunFile
from beleg.app.ir.reading import Ranked, read_judgements
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.metrics.ranking_runs.arrays import Lists, hits_of_lists, lists_of
from beleg.metrics.ranking_runs.mappings import hits_of_mapping, require_sound
from beleg.metrics.ranking_runs.matching import Hits, find_hits
from beleg.metrics.ranking_runs.table import Names, Table, table_from_mapping, table_of
from beleg.text.identifiers import as_text

Nested = Mapping[object, Mapping[object, float]]

_EXPECTED = (
    "Give a file, a mapping of queries to mappings of documents to numbers, a frame or a mapping of columns, "
    "an array of numbered documents with a row for each query, or rows of query, document and number"
)


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """A run in the form in which it was given."""

    name: str
    held: RunFile | Ranked | Nested | Lists

    @property
    def dropped(self) -> dict[str, int]:
        """What a lenient reading left out, by reason."""
        return self.held.dropped if isinstance(self.held, (RunFile, Ranked)) else {}

    @property
    def tag(self) -> str:
        """The name that a run file gives itself."""
        return self.held.tag if isinstance(self.held, (RunFile, Ranked)) else self.name

    def queries(self) -> Iterable[str]:
        """The ids of its queries."""
        if isinstance(self.held, RunFile):
            return self.held.queries()
        if isinstance(self.held, Ranked):
            return self.held.table.queries
        return self.held.queries if isinstance(self.held, Lists) else (as_text(name, "query") for name in self.held)

    def hits(self, judged: Table) -> Hits:
        """Where the judged documents stand in it."""
        if isinstance(self.held, RunFile):
            return self.held.hits(judged)
        if isinstance(self.held, Ranked):
            return find_hits(judged, self.held.table)
        if isinstance(self.held, Lists):
            return hits_of_lists(judged, self.held)
        return hits_of_mapping(judged, self.held, take=take_lists)

    def table(self) -> Table:
        """The same run as a table."""
        if isinstance(self.held, RunFile):
            return self.held.table()
        if isinstance(self.held, Ranked):
            return self.held.table
        return _table_of_lists(self.held) if isinstance(self.held, Lists) else _table_of_mapping(self.held)


def take_judgements(source: object, *, lenient: bool = False) -> Ranked:
    """Relevance judgements in any of the forms that Python may hold them.

    Besides the forms of a run, a query may name its relevant documents in a set or a list: each has grade 1.

    Args:
        source: a file, a nested mapping, a frame, a mapping of columns, or rows.
        lenient: for a file, leave out what cannot be read, and count it.

    Raises:
        DataError: naming query and document of what cannot be used, and of a pair that is judged twice.
        UsageError: if there is no such file, or the source is of no known form.
    """
    if isinstance(source, Ranked):
        return source
    if isinstance(source, (str, PathLike)):
        return read_judgements(Path(source), lenient=lenient)
    if _is_nested(source):
        table = _table_of_mapping(source)
    elif isinstance(source, Mapping) and not _has_columns(source, "qrels"):
        table = _table_of_mapping({query: _grades(query, held) for query, held in source.items()})
    else:
        table = _table_of_columns(_as_columns(source, "qrels"), "qrels")
    infinite = np.flatnonzero(np.isinf(table.value))
    if len(infinite):
        raise _faulty(table, int(infinite[0]), "qrels", "the grade is not finite")
    return Ranked("qrels", "", table, {})


def take_run(source: object, *, lenient: bool = False, name: str = "run", format_name: str | None = None) -> Given:
    """A run in any of the forms that Python may hold one.

    Args:
        source: a file, a nested mapping, a mapping of queries to ranked ids, a frame, a mapping of columns, ranked
            lists as an array, or rows.
        lenient: for a file, leave out what cannot be read, and count it.
        name: what to call a run that is no file.
        format_name: the format of a file; without it its extension says it, or its content.

    Raises:
        DataError: naming query and document of what cannot be used, and of a document that stands twice.
        UsageError: if there is no such file, or the source is of no known form.
    """
    if isinstance(source, (str, PathLike)):
        file = RunFile(Path(source), lenient=lenient, format_name=format_name)
        return Given(file.name, file)
    if isinstance(source, Ranked):
        return Given(source.file, source)
    if isinstance(source, Lists):
        return Given(name, source)
    if isinstance(source, np.ndarray) and source.ndim == 2 and source.dtype.kind in "iu":
        return Given(name, lists_of(source))
    if _is_nested(source):
        return Given(name, source)
    if isinstance(source, Mapping) and not _has_columns(source, "run"):
        if all(isinstance(held, Mapping) for held in source.values()):
            return Given(name, source)
        return Given(name, {query: _scores(query, held) for query, held in source.items()})
    return Given(name, Ranked(name, name, _table_of_columns(_as_columns(source, "run"), "run"), {}))


def _is_nested(source: object) -> TypeGuard[dict[object, dict[object, float]]]:
    """Whether a source is plainly one dictionary for each query: quicker than to look at every name."""
    return type(source) is dict and set(map(type, source.values())) == {dict}


def _has_columns(source: Mapping[Any, Any], kind: Kind) -> bool:
    """Whether a mapping is one of columns: it names a query and a document column, and they hold no mappings."""
    names = {name.strip().lower(): held for name, held in source.items() if isinstance(name, str)}
    return all(
        any(name in names and not isinstance(names[name], Mapping) for name in known)
        for known in (QUERY, DOCUMENT, value_names(kind))
    )


def _grades(query: object, held: object) -> Mapping[object, float]:
    if isinstance(held, Mapping):
        return held
    return _unique(query, [(name, 1.0) for name in _members(query, held)])


def _scores(query: object, held: object) -> Mapping[object, float]:
    """Pairs of document and score, or documents in the order of their ranks."""
    if isinstance(held, Mapping):
        return held
    members = _members(query, held)
    if all(isinstance(each, (tuple, list)) and len(each) == 2 for each in members):
        return _unique(query, [(each[0], each[1]) for each in members])
    if isinstance(held, Set) and not isinstance(held, Reversible):
        message = f"the documents of query {shown(query)} stand in a set, which has no order"
        remedy = "Give a list in the order of ranks, or pairs of document and score"
        raise DataError(Problem(field="document", message=message, remedy=remedy))
    return _unique(query, [(each, -float(rank)) for rank, each in enumerate(members, start=1)])


def _members(query: object, held: object) -> list[Any]:
    if isinstance(held, (str, bytes)) or not isinstance(held, Iterable):
        raise DataError(
            Problem(
                field="query",
                message=f"query {shown(query)} holds no documents",
                value=shown(held),
                remedy="Give a mapping of documents to numbers, or a list of documents",
            )
        )
    return held.tolist() if isinstance(held, np.ndarray) else list(held)


def _unique(query: object, pairs: list[tuple[Any, Any]]) -> dict[object, float]:
    found: dict[object, float] = {}
    for name, value in pairs:
        text = as_text(name, "document", query=str(query))
        if text in found:
            message = f"the document stands twice for query {shown(query)}"
            raise DataError(Problem(field="document", message=message, value=shown(text), remedy="Keep one of them"))
        found[text] = value
    return found


def _table_of_mapping(scores: Nested) -> Table:
    if _is_plain(scores):
        return table_from_mapping(scores)
    named: dict[str, Mapping[str, float]] = {}
    for name, held in scores.items():
        query = as_text(name, "query")
        if query in named:
            message = "two ids of queries have the same text"
            raise DataError(Problem(field="query", message=message, value=shown(query), remedy="Keep one of them"))
        named[query] = _checked(query, held)
    return table_from_mapping(named)


def _is_plain(scores: Nested) -> TypeGuard[dict[str, dict[str, float]]]:
    """Whether all is text and plain numbers; asked of everything at once, since lists may be many and short."""
    if not _is_nested(scores) or set(map(type, scores)) != {str}:
        return False
    held = scores.values()
    names, numbers = chain.from_iterable(held), chain.from_iterable(map(dict.values, held))
    return set(map(type, names)) <= {str} and set(map(type, numbers)) <= {int, float}


def _checked(query: str, held: Mapping[Any, Any]) -> Mapping[str, float]:
    if set(map(type, held)) <= {str} and set(map(type, held.values())) <= {int, float}:
        return held
    return require_sound(query, held)


def _table_of_lists(lists: Lists) -> Table:
    filled = lists.documents >= 0
    falling = -np.arange(1, lists.documents.shape[1] + 1, dtype=np.float64)
    scores = np.broadcast_to(falling, lists.documents.shape) if lists.scores is None else lists.scores
    columns = {
        "query_id": np.repeat(np.arange(len(lists.queries)), filled.sum(axis=1)),
        "doc_id": lists.documents[filled],
        "score": scores[filled],
    }
    from beleg.adapters.frames.columns import columns_of

    found = columns_of(columns, "run")
    names = Names(found.document.buffer, found.document.start, found.document.length)
    return table_of(lists.queries, columns["query_id"].astype(np.int32), names, found.value)


def _as_columns(source: object, kind: Kind) -> object:
    from beleg.adapters.frames.columns import is_frame

    if is_frame(source) or isinstance(source, Mapping):
        return source
    if hasattr(source, "collect") and not isinstance(source, Iterable):
        raise UsageError(f"the {kind} is a lazy frame", hint="Collect it first")
    if isinstance(source, (bytes, np.ndarray)) or not isinstance(source, Iterable):
        raise UsageError(f"the {kind} is of type {type(source).__name__}", hint=_EXPECTED)
    # An iterator can be read only once, and both its queries and its documents are needed.
    rows = [_row(row, number, kind) for number, row in enumerate(source)]
    query, document, value = zip(*rows, strict=True) if rows else ((), (), ())
    return {"query_id": list(query), "doc_id": list(document), value_names(kind)[0]: list(value)}


def _row(row: Any, number: int, kind: Kind) -> tuple[Any, Any, Any]:
    """Three values, or an object that names them as ir_measures does."""
    value = getattr(row, "relevance" if kind == "qrels" else "score", None)
    if value is not None and hasattr(row, "query_id"):
        return row.query_id, row.doc_id, value
    if isinstance(row, (tuple, list)) and len(row) == 3:
        return row[0], row[1], row[2]
    raise UsageError(f"row {number} of the {kind} is {shown(row)}", hint=_EXPECTED)


def _table_of_columns(source: object, kind: Kind) -> Table:
    from beleg.adapters.frames.columns import columns_of

    columns = columns_of(source, kind)
    queries, code = Names(columns.query.buffer, columns.query.start, columns.query.length).coded()
    documents = Names(columns.document.buffer, columns.document.start, columns.document.length)
    table = table_of(queries, code, documents, columns.value)
    for row in table.repeats()[:1].tolist():
        raise _faulty(table, row, kind, "the document stands twice")
    return table


def _faulty(table: Table, row: int, kind: Kind, message: str) -> DataError:
    query = table.queries[int(np.searchsorted(table.offsets, row, side="right")) - 1]
    return DataError(
        Problem(
            file=kind,
            field="document",
            message=f"row {table.source_row(row)}: {message}, for query {shown(query)}",
            value=shown(table.documents[row].decode("utf-8", "replace")),
            remedy="Leave it out",
        )
    )
