"""Reads judgements and runs from files into tables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from beleg.adapters.formats.trec import STDIN, read_trec
from beleg.adapters.formats.trec_lines import Kind, TrecColumns
from beleg.core.errors import MAX_PROBLEMS_SHOWN, DataError, Problem, UsageError, shown
from beleg.metrics.ranking_runs.table import Names, Table, table_of


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """A table of scores or grades, and where it comes from."""

    file: str
    tag: str
    """The name that the run gives itself; empty where it has none."""
    table: Table
    dropped: dict[str, int]
    """Lines that a lenient reading left out, by reason."""


def read_judgements(path: Path, *, lenient: bool = False) -> Ranked:
    """Reads relevance judgements; ``-`` is the standard input.

    Args:
        path: the file.
        lenient: leave out lines that cannot be read, and repeats, and count them.

    Raises:
        UsageError: if there is no such file.
        DataError: if the file is faulty or judges a pair twice.
    """
    return _read(path, "qrels", lenient=lenient)


def read_run(path: Path, *, lenient: bool = False) -> Ranked:
    """Reads a run; ``-`` is the standard input.

    Args:
        path: the file.
        lenient: leave out lines that cannot be read, and repeats, and count them.

    Raises:
        UsageError: if there is no such file.
        DataError: if the file is faulty or lists a document twice for a query.
    """
    return _read(path, "run", lenient=lenient)


def require_one_stdin(*paths: Path) -> None:
    """Refuses to read the standard input for more than one file.

    Raises:
        UsageError: if ``-`` is named more than once.
    """
    if [str(path) for path in paths].count(STDIN) > 1:
        raise UsageError("the standard input is named twice", hint="Only one of the files can be -")


def table_of_columns(columns: TrecColumns, *, lenient: bool) -> tuple[Table, dict[str, int]]:
    """The table of what was read, and what was left out.

    Raises:
        DataError: if a document stands twice for a query, and the reading is not lenient.
    """
    names = Names(columns.buffer, columns.document_start, columns.document_length)
    table = table_of(columns.queries, columns.query, names, columns.value)
    repeats = table.repeats()
    if not len(repeats):
        return table, columns.dropped
    if not lenient:
        raise DataError([_repeat(columns, table, row) for row in repeats[:MAX_PROBLEMS_SHOWN].tolist()])
    return table.without(repeats), {**columns.dropped, "repeats": len(repeats)}


def _read(path: Path, kind: Kind, *, lenient: bool) -> Ranked:
    columns = read_trec(path, kind, lenient=lenient)
    table, dropped = table_of_columns(columns, lenient=lenient)
    return Ranked(columns.file, columns.tag or "", table, dropped)


def _repeat(columns: TrecColumns, table: Table, row: int) -> Problem:
    source = table.source_row(row)
    return Problem(
        file=columns.file,
        line=columns.line_of(source),
        field="document",
        message=f"the document stands twice for query {shown(columns.queries[columns.query[source]])}",
        value=shown(table.documents[row].decode("utf-8", "replace")),
        remedy="Remove one of the lines, or keep the first of each with --lenient",
    )
