"""Runs and judgements as JSON Lines: a row for each pair, or a row for each query with its results.

``{"query_id": "q1", "doc_id": "d1", "score": 0.5}``, or
``{"query_id": "q1", "results": [{"doc_id": "d1", "score": 0.5}]}``; judgements name a ``relevance`` or ``grade``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from beleg.adapters.formats.headings import DOCUMENT, QUERY, Kind, value_names, value_word
from beleg.adapters.formats.limits import MAX_LINE_BYTES
from beleg.adapters.formats.runs.collected import Faulty, FaultyRow, FileColumns, Rows
from beleg.adapters.formats.source import Source, lines_of
from beleg.adapters.formats.strict_json import parse_json_bytes
from beleg.core.errors import DataError, shown

MOST_SHAPES = 1_000
RESULTS = ("results", "documents", "docs", "hits")
"""The names under which a row for a query holds its documents."""

_SHAPE = {
    "run": 'Write {"query_id": "q1", "doc_id": "d1", "score": 0.5}',
    "qrels": 'Write {"query_id": "q1", "doc_id": "d1", "relevance": 1}',
}


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping of pairs.

    Raises:
        ValueError: if a key stands twice.
    """
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


_SCAN = json.JSONDecoder(object_pairs_hook=unique_keys).scan_once  # type: ignore[attr-defined]


def parse_row(data: bytes, *, file: str, line: int | None) -> Any:
    """Reads one JSON value quickly, and what that cannot read, or should look at twice, strictly.

    Raises:
        DataError: as `parse_json_bytes` does.
    """
    if b"\\u" not in data:
        try:
            text = data.strip(b" \t\r\n").decode("utf-8")
            value, end = _SCAN(text, 0)
        except (ValueError, RecursionError, StopIteration):
            # Read again to find out what is wrong and where.
            return parse_json_bytes(data, file=file, line=line)
        if end == len(text):
            return value
    return parse_json_bytes(data, file=file, line=line)


def read_json_lines(source: Source, kind: Kind, *, lenient: bool) -> FileColumns:
    """Reads JSON Lines; blank lines are passed over, fields that are not needed too.

    Raises:
        DataError: naming the first faulty lines, or if there is no row.
    """
    rows = Rows(source.name, kind, Faulty(lenient))
    named = Named(kind)
    for line, data in lines_of(source):
        if not data.strip():
            continue
        try:
            _take(rows, named, data, line)
        except FaultyRow as error:
            rows.faulty.add(error, rows.file, line)
    return rows.columns()


def _take(rows: Rows, named: Named, data: bytes, line: int) -> None:
    if len(data) > MAX_LINE_BYTES:
        raise FaultyRow("too long", f"the line has more than {MAX_LINE_BYTES:,} bytes", remedy=_SHAPE[rows.kind])
    try:
        row = parse_row(data, file=rows.file, line=line)
    except DataError as error:
        (problem,) = error.problems
        reason = "encoding" if "UTF-8" in problem.message else "json"
        raise FaultyRow(
            reason, problem.message, what=problem.field, value=problem.value, remedy=problem.remedy
        ) from error
    if not isinstance(row, dict):
        raise FaultyRow("fields", "the line is no JSON object", value=shown(row), remedy=_SHAPE[rows.kind])
    plain = named.plain(row)
    if plain is not None:
        query, document, value = plain
        rows.add(row[query], row[document], row[value], line)
        return
    query = named.get(row, QUERY, "query")
    held = next((row[name] for name in RESULTS if name in row), None)
    if held is None:
        rows.add(query, named.get(row, DOCUMENT, "document"), named.value(row), line)
    else:
        _take_results(rows, named, query, held, line)


def _take_results(rows: Rows, named: Named, query: object, held: object, line: int) -> None:
    """The results of a query: a list of objects, or a mapping of documents to numbers."""
    if isinstance(held, dict):
        for document, value in held.items():
            rows.add(query, document, value, line)
        return
    if not isinstance(held, list):
        raise FaultyRow("fields", "the results are no list", value=shown(held), remedy=_SHAPE[rows.kind])
    for each in held:
        try:
            document, value = named.result(each)
        except FaultyRow as error:
            rows.faulty.add(error, rows.file, line)
            continue
        rows.add(query, document, value, line)


class Named:
    """Looks fields up under the names that they may have; the rows of a file mostly name them alike."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._last: dict[str, str] = {}
        self._plain: dict[tuple[str, ...], tuple[str, str, str] | None] = {}

    def plain(self, row: Mapping[str, Any]) -> tuple[str, str, str] | None:
        """The fields of query, document and number of a row that is a pair; found once for rows of the same fields."""
        shape = tuple(row)
        if shape not in self._plain:
            wanted = (QUERY, DOCUMENT, value_names(self._kind))
            found = tuple(next((name for name in known if name in row), "") for known in wanted)
            is_pair = all(found) and not any(name in row for name in RESULTS)
            if len(self._plain) >= MOST_SHAPES:
                self._plain.clear()
            self._plain[shape] = (found[0], found[1], found[2]) if is_pair else None
        return self._plain[shape]

    def result(self, row: object) -> tuple[Any, Any]:
        """The document and the number of an object.

        Raises:
            FaultyRow: if it is none, or lacks one of the two.
        """
        if not isinstance(row, dict):
            raise FaultyRow("fields", "a result is no JSON object", value=shown(row), remedy=_SHAPE[self._kind])
        return self.get(row, DOCUMENT, "document"), self.value(row)

    def value(self, row: Mapping[str, Any]) -> Any:
        """The score or grade.

        Raises:
            FaultyRow: if the row has none.
        """
        return self.get(row, value_names(self._kind), value_word(self._kind))

    def get(self, row: Mapping[str, Any], known: tuple[str, ...], what: str) -> Any:
        """The value of the first of some names that the row has.

        Raises:
            FaultyRow: if it has none of them.
        """
        last = self._last.get(what)
        # Where a row has several of the names, the first in the list counts, as in a file with a header.
        if last != known[0] or last not in row:
            last = next((name for name in known if name in row), None)
        if last is None:
            found = shown(", ".join(row))
            raise FaultyRow("fields", "the field is missing", what=what, value=found, remedy=_SHAPE[self._kind])
        self._last[what] = last
        return row[last]
