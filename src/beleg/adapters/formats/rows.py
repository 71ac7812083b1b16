"""The rows of a file with the place where each stands; the file's suffix names its format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from beleg.adapters.formats.csv_rows import read_csv
from beleg.adapters.formats.files import read_document_text
from beleg.adapters.formats.jsonl import read_jsonl
from beleg.adapters.formats.limits import MAX_ROWS
from beleg.adapters.formats.row import Row, as_row
from beleg.adapters.formats.strict_json import parse_json_list
from beleg.adapters.formats.strict_yaml import parse_yaml
from beleg.core.errors import DataError, Problem, UsageError, shown

__all__ = ["SUFFIXES", "Row", "read_rows"]


def read_rows(path: Path) -> Iterator[Row]:
    """Reads the rows of a file, choosing the reader by the file's suffix.

    A reader goes on after a broken row to find the other broken rows, and raises at the end; what it yielded before
    is only good if the iterator ends without an error.

    Args:
        path: a file with one of the `SUFFIXES`.

    Raises:
        UsageError: if the suffix is none of these or there is no such file.
        DataError: naming file, line and remedy for everything that is no row, and for a file without rows.
    """
    read = 0
    for row in _reader_of(path)(path):
        read += 1
        if read > MAX_ROWS:
            raise DataError(
                Problem(file=str(path), message=f"the file has more than {MAX_ROWS:,} rows", remedy="Split it")
            )
        yield row
    if read == 0:
        raise DataError(Problem(file=str(path), message="the file holds no rows", remedy="Check how it was written"))


def _reader_of(path: Path) -> Callable[[Path], Iterator[Row]]:
    name = path.name.lower()
    for suffix, reader in _READERS.items():
        if name.endswith(suffix):
            return reader
    raise UsageError(f"{path}: no reader is known for this suffix", hint=f"Supported are {', '.join(SUFFIXES)}")


def _read_json_list(path: Path) -> Iterator[Row]:
    for line, value in parse_json_list(read_document_text(path), file=str(path)):
        yield as_row(value, str(path), line)


def _read_yaml_list(path: Path) -> Iterator[Row]:
    document = parse_yaml(read_document_text(path), file=str(path))
    if not isinstance(document.value, list):
        raise DataError(
            Problem(
                file=str(path),
                line=document.line_of(()),
                message="a list of rows is expected",
                value=shown(document.value),
                remedy="Begin every row with '- '",
            )
        )
    for position, value in enumerate(document.value):
        yield as_row(value, str(path), document.lines[(position,)])


def _read_parquet(path: Path) -> Iterator[Row]:
    # Importing DuckDB takes longer than reading most files of the other formats.
    from beleg.adapters.formats.parquet import read_parquet

    return read_parquet(path)


_READERS: dict[str, Callable[[Path], Iterator[Row]]] = {
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".jsonl.gz": read_jsonl,
    ".ndjson.gz": read_jsonl,
    ".json": _read_json_list,
    ".yaml": _read_yaml_list,
    ".yml": _read_yaml_list,
    ".csv": read_csv,
    ".parquet": _read_parquet,
}

SUFFIXES: tuple[str, ...] = tuple(_READERS)
"""The suffixes that `read_rows` understands."""
