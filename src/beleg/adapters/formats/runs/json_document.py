"""Runs and judgements as one JSON document, as BEIR and ranx write it: ``{"q1": {"d1": 0.5}}``; or a list of rows."""

from __future__ import annotations

from typing import Any

from beleg.adapters.formats.headings import QUERY, Kind
from beleg.adapters.formats.limits import MAX_ROW_FILE_BYTES
from beleg.adapters.formats.runs.collected import Faulty, FaultyRow, FileColumns, Rows
from beleg.adapters.formats.runs.json_lines import Named, parse_row
from beleg.adapters.formats.source import Source
from beleg.core.errors import DataError, Problem, shown

_SHAPE = 'Write {"q1": {"d1": 0.5, "d2": 0.4}, "q2": {…}}'


def read_json_document(source: Source, kind: Kind, *, lenient: bool) -> FileColumns:
    """Reads a document of queries that hold documents with their scores or grades.

    Raises:
        DataError: if it is no such document, naming query and document.
    """
    data = source.stream.read(MAX_ROW_FILE_BYTES + 1)
    if len(data) > MAX_ROW_FILE_BYTES:
        message = f"the document has more than the {MAX_ROW_FILE_BYTES:,} bytes that are read"
        raise DataError(Problem(file=source.name, message=message, remedy="Write it as JSON Lines"))
    document = parse_row(data, file=source.name, line=None)
    del data
    rows = Rows(source.name, kind, Faulty(lenient))
    if isinstance(document, dict):
        for query, held in document.items():
            _take_query(rows, query, held)
    elif isinstance(document, list):
        _take_list(rows, document)
    else:
        message = "the document holds no queries"
        raise DataError(Problem(file=source.name, message=message, value=shown(document), remedy=_SHAPE))
    return rows.columns(has_lines=False)


def _take_query(rows: Rows, query: str, held: object) -> None:
    if not isinstance(held, dict):
        fault = FaultyRow(
            "fields", f"query {shown(query)} holds no mapping of documents", value=shown(held), remedy=_SHAPE
        )
        rows.faulty.add(fault, rows.file, None)
        return
    for document, value in held.items():
        rows.add(query, document, value)


def _take_list(rows: Rows, listed: list[Any]) -> None:
    named = Named(rows.kind)
    for row in listed:
        try:
            document, value = named.result(row)
            query = named.get(row, QUERY, "query")
        except FaultyRow as error:
            rows.faulty.add(error, rows.file, None)
            continue
        rows.add(query, document, value)
