"""Reads which group each query belongs to: two columns of text, or JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from beleg.adapters.formats.files import decode_utf8, require_file
from beleg.adapters.formats.jsonl import read_jsonl, read_lines
from beleg.adapters.formats.limits import MAX_ROW_FILE_BYTES
from beleg.adapters.formats.row import Faults
from beleg.core.errors import DataError, Problem, shown

MAX_ID_CHARACTERS = 1_000
JSON_NAMES = (".jsonl", ".jsonl.gz")


class _Assigned(NamedTuple):
    line: int
    query: object
    group: object


def read_groups(path: Path) -> dict[str, str]:
    """Reads the group of every query.

    A file whose name ends in ``.jsonl`` or ``.jsonl.gz`` holds one object a line with the texts ``query_id`` and
    ``group``; any other one two columns, query and group, separated by a tab. Blank lines are passed over.

    Args:
        path: the file; ``.gz`` is unpacked.

    Returns:
        The group by query, in the order of the file.

    Raises:
        UsageError: if there is no such file.
        DataError: with every line that does not name a query and its group, or names a query again.
    """
    file, faults = str(path), Faults()
    found: dict[str, str] = {}
    for assigned in _jsonl(path) if path.name.lower().endswith(JSON_NAMES) else _columns(path, faults):
        try:
            query = _text(file, assigned.line, "query_id", assigned.query)
            group = _text(file, assigned.line, "group", assigned.group)
        except DataError as error:
            faults.add(error)
            continue
        if query in found:
            faults.add(_again(file, assigned.line, query))
        found[query] = group
    faults.raise_if_any()
    if not found:
        raise DataError(Problem(file=file, message="no query has a group", remedy="Write one query and group a line"))
    return found


def _again(file: str, line: int, query: str) -> DataError:
    return DataError(
        Problem(
            file=file,
            line=line,
            field="query_id",
            message="the query has a group already",
            value=shown(query),
            remedy="Give each query one group, on one line",
        )
    )


def _jsonl(path: Path) -> Iterator[_Assigned]:
    for row in read_jsonl(path):
        yield _Assigned(row.line, row.data.get("query_id"), row.data.get("group"))


def _columns(path: Path, faults: Faults) -> Iterator[_Assigned]:
    require_file(path, MAX_ROW_FILE_BYTES)
    for line, data in read_lines(path):
        if not data.strip():
            continue
        try:
            text = decode_utf8(data, file=str(path), line=line).rstrip("\r\n")
        except DataError as error:
            faults.add(error)
            continue
        cells = text.split("\t")
        if len(cells) == 2:
            yield _Assigned(line, *cells)
            continue
        faults.add(
            DataError(
                Problem(
                    file=str(path),
                    line=line,
                    message=f"two columns are needed, separated by a tab; there are {len(cells)}",
                    value=shown(text),
                    remedy="Write the query, a tab, and its group",
                )
            )
        )


def _text(file: str, line: int, field: str, value: object) -> str:
    if isinstance(value, str) and value.strip() and len(value) <= MAX_ID_CHARACTERS:
        return value.strip()
    raise DataError(
        Problem(
            file=file,
            line=line,
            field=field,
            message=f"a text of 1 to {MAX_ID_CHARACTERS:,} characters is needed",
            value="nothing" if value is None else shown(value),
            remedy="Write both query_id and group as texts",
        )
    )
