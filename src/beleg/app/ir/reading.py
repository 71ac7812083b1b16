"""Reads judgements and runs from files into tables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from beleg.adapters.formats.runs.catalogue import FORMATS, read_columns
from beleg.adapters.formats.source import STDIN
from beleg.adapters.formats.trec_lines import TrecColumns
from beleg.core.errors import MAX_PROBLEMS_SHOWN, DataError, Problem, UsageError, shown
from beleg.metrics.ranking_runs.table import Names, Table, table_of

if TYPE_CHECKING:
    from beleg.adapters.formats.runs.catalogue import Columns

__all__ = [
    "FORMATS",
    "Ranked",
    "read_judgements",
    "read_run",
    "require_file_name",
    "require_one_stdin",
    "table_of_columns",
]


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """A table of scores or grades, and where it comes from."""

    file: str
    tag: str
    """The name that the run gives itself; empty where it has none."""
    table: Table
    dropped: dict[str, int]
    """Lines that a lenient reading left out, by reason."""


def read_judgements(
    path: Path, *, lenient: bool = False, format_name: str | None = None, split: str | None = None
) -> Ranked:
    """Reads relevance judgements; ``-`` is the standard input.

    Args:
        path: the file, in any of the `FORMATS`, or a folder of BEIR.
        lenient: leave out rows that cannot be read, and repeats, and count them.
        format_name: one of the `FORMATS`; without it the extension of the file says it, or its content.
        split: for a folder of BEIR, which of its judgements; without it ``test``, or the only one.

    Raises:
        UsageError: if there is no such file, format or split.
        DataError: if the file is faulty or judges a pair twice.
    """
    return _ranked(read_columns(path, "qrels", lenient=lenient, format_name=format_name, split=split), lenient=lenient)


def read_run(path: Path, *, lenient: bool = False, format_name: str | None = None) -> Ranked:
    """Reads a run; ``-`` is the standard input.

    Args:
        path: the file, in any of the `FORMATS`.
        lenient: leave out rows that cannot be read, and repeats, and count them.
        format_name: one of the `FORMATS`; without it the extension of the file says it, or its content.

    Raises:
        UsageError: if there is no such file or format.
        DataError: if the file is faulty or lists a document twice for a query.
    """
    return _ranked(read_columns(path, "run", lenient=lenient, format_name=format_name), lenient=lenient)


def require_one_stdin(*paths: Path) -> None:
    """Refuses to read the standard input for more than one file.

    Raises:
        UsageError: if ``-`` is named more than once.
    """
    if [str(path) for path in paths].count(STDIN) > 1:
        raise UsageError("the standard input is named twice", hint="Only one of the files can be -")


def require_file_name(out: Path) -> None:
    """Refuses ``-`` as the name of a file that is written once and kept: it would be taken for the standard output.

    Raises:
        UsageError: if it is named.
    """
    if str(out) == STDIN:
        raise UsageError("this is written to a file, not to the standard output", hint="Name a new file with --out")


def table_of_columns(columns: Columns, *, lenient: bool) -> tuple[Table, dict[str, int]]:
    """The table of what was read, and what was left out.

    Raises:
        DataError: if a document stands twice for a query, and the reading is not lenient.
    """
    if isinstance(columns, TrecColumns):
        queries, code = columns.queries, columns.query
        names = Names(columns.buffer, columns.document_start, columns.document_length)
    else:
        queries, code = Names(columns.query.buffer, columns.query.start, columns.query.length).coded()
        names = Names(columns.document.buffer, columns.document.start, columns.document.length)
    table = table_of(queries, code, names, columns.value)
    repeats = table.repeats()
    if not len(repeats):
        return table, columns.dropped
    if not lenient:
        raise DataError([_repeat(columns, table, row) for row in repeats[:MAX_PROBLEMS_SHOWN].tolist()])
    return table.without(repeats), {**columns.dropped, "repeats": len(repeats)}


def _ranked(columns: Columns, *, lenient: bool) -> Ranked:
    table, dropped = table_of_columns(columns, lenient=lenient)
    named = columns.tag or "" if isinstance(columns, TrecColumns) else Path(columns.file).name.partition(".")[0]
    return Ranked(columns.file, named, table, dropped)


def _repeat(columns: Columns, table: Table, row: int) -> Problem:
    query = table.queries[int(np.searchsorted(table.offsets, row, side="right")) - 1]
    return Problem(
        file=columns.file,
        line=columns.line_of(table.source_row(row)),
        field="document",
        message=f"the document stands twice for query {shown(query)}",
        value=shown(table.documents[row].decode("utf-8", "replace")),
        remedy="Remove one of the lines, or keep the first of each with --lenient",
    )
