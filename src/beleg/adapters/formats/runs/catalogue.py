"""Which reader a run file gets: its extension says it, and where that says nothing, its first bytes."""

from __future__ import annotations

import csv
import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from beleg.adapters.formats.headings import DOCUMENT, QUERY, Kind
from beleg.adapters.formats.source import STDIN, Source, opened
from beleg.adapters.formats.trec import read_trec
from beleg.adapters.formats.trec_lines import TrecColumns
from beleg.core.errors import DataError, Problem, UsageError

if TYPE_CHECKING:
    from beleg.adapters.formats.runs.collected import FileColumns, Reader

    Columns = TrecColumns | FileColumns

TREC, PARQUET = "trec", "parquet"
TEXT: dict[str, tuple[str, str]] = {
    "jsonl": ("json_lines", "read_json_lines"),
    "json": ("json_document", "read_json_document"),
    "csv": ("delimited", "read_csv_columns"),
    "tsv": ("delimited", "read_tsv_columns"),
}
"""The module and the function that read a format; loaded where a file has it, so that the others cost nothing."""
FORMATS = (TREC, *TEXT, PARQUET)
"""The names of the formats, as ``--run-format`` takes them."""

_EXTENSIONS = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv", ".parquet": PARQUET, ".trec": TREC,
    ".run": TREC, ".qrels": TREC, ".qrel": TREC,
}  # fmt: skip
"""``.tsv`` and ``.txt`` are not among them: some hold a header, some are files of TREC with tabs."""
_FIRST_PAIR = re.compile(rb'\{\s*"([^"\\]{1,64})"\s*:\s*(.)')
_PACKED = (".gz", ".zst")
_PARQUET_MAGIC = b"PAR1"


def read_columns(path: Path, kind: Kind, *, format_name: str | None = None, split: str | None = None,
                 lenient: bool = False) -> Columns:  # fmt: skip
    """Reads a run or judgements in any of the `FORMATS`, plain, gzip or zstd; ``-`` is the standard input.

    Args:
        path: the file; for judgements also a folder of BEIR.
        kind: what it holds.
        format_name: one of `FORMATS`; without it the extension of the file says it, or its content.
        split: for a folder of BEIR, which of its judgements to read.
        lenient: leave out rows that cannot be read, and count them, instead of refusing the file.

    Raises:
        UsageError: if there is no such file, format or split.
        DataError: naming the first faulty rows, or if the file is empty or too large.
    """
    _require_format(format_name)
    is_stdin = str(path) == STDIN
    if not is_stdin and path.is_dir():
        path = _judgements_in(path, kind, split)
    elif split is not None:
        raise UsageError(f"{path} is a file, and a split is named", hint="Name the folder of a BEIR data set")
    with opened(path) as source:
        found = format_name or _sniffed(source)
        if found in TEXT:
            return _reader(found)(source, kind, lenient=lenient)
        if found == TREC and not source.is_plain:
            return read_trec(path, kind, lenient=lenient, stream=source.stream)
        if not source.is_plain:
            raise UsageError(f"{source.name} is Parquet, which can only be read from a plain file", hint="Unpack it")
    return _PLAIN[found](path, kind, lenient)


def _reader(name: str) -> Reader:
    module, function = TEXT[name]
    found: Reader = getattr(importlib.import_module(f"beleg.adapters.formats.runs.{module}"), function)
    return found


def format_of(path: Path, format_name: str | None = None) -> str:
    """The format of a file: as named, as its extension says it, or as its content does.

    Raises:
        UsageError: if there is no such file or format.
        DataError: if the file is empty or damaged.
    """
    _require_format(format_name)
    if format_name is not None:
        return format_name
    with opened(path) as source:
        return _sniffed(source)


def _require_format(format_name: str | None) -> None:
    if format_name is not None and format_name not in FORMATS:
        raise UsageError(f"there is no format {format_name!r}", hint=f"Known are {', '.join(FORMATS)}")


def _trec(path: Path, kind: Kind, lenient: bool) -> Columns:  # noqa: FBT001
    return read_trec(path, kind, lenient=lenient)


def _parquet(path: Path, kind: Kind, lenient: bool) -> Columns:  # noqa: FBT001
    # Importing DuckDB takes longer than reading most files of the other formats.
    from beleg.adapters.formats.runs.parquet_columns import read_parquet_columns

    return read_parquet_columns(path, kind, lenient=lenient)


_PLAIN: dict[str, Callable[[Path, Kind, bool], Columns]] = {TREC: _trec, PARQUET: _parquet}


def _judgements_in(folder: Path, kind: Kind, split: str | None) -> Path:
    if kind == "run":
        raise UsageError(f"{folder} is a folder", hint="A run is a file; only judgements may be a folder of BEIR")
    found = sorted(path.stem for path in (folder / "qrels").glob("*.tsv"))
    wanted = split or ("test" if "test" in found else found[0] if len(found) == 1 else None)
    if wanted is None or wanted not in found:
        names = ", ".join(found) or "none"
        what = "the judgements to read are not clear" if wanted is None else f"there are no judgements {wanted!r}"
        raise UsageError(f"{folder}: {what}, found {names}", hint="Name one with --split")
    return folder / "qrels" / f"{wanted}.tsv"


def _sniffed(source: Source) -> str:
    if source.head.startswith(_PARQUET_MAGIC):
        return PARQUET
    suffixes = [suffix.lower() for suffix in source.path.suffixes]
    while suffixes and suffixes[-1] in _PACKED:
        suffixes.pop()
    if suffixes and suffixes[-1] in _EXTENSIONS:
        found = _EXTENSIONS[suffixes[-1]]
        if found != PARQUET:
            return found
        raise DataError(
            Problem(file=source.name, message="this is no readable Parquet file", remedy="Write the file again")
        )
    return _by_content(source.head)


def _by_content(head: bytes) -> str:
    line = head.lstrip().partition(b"\n")[0].rstrip(b"\r")
    if line.startswith(b"["):
        return "json"
    if line.startswith(b"{"):
        is_cut = b"\n" not in head.lstrip()
        return "jsonl" if _is_row(line) or (is_cut and _names_its_query(line)) else "json"
    for name, separator in (("tsv", "\t"), ("csv", ",")):
        if _is_header(line, separator):
            return name
    return TREC


def _is_row(line: bytes) -> bool:
    """Whether a line is a whole object that names its query; a document names queries, and they hold mappings."""
    from beleg.adapters.formats.runs.json_lines import RESULTS, parse_row

    try:
        row = parse_row(line, file="", line=None)
    except DataError:
        return False
    holds_query = any(name in row and not isinstance(row[name], dict) for name in QUERY)
    return holds_query and any(name in row for name in (*DOCUMENT, *RESULTS))


def _names_its_query(line: bytes) -> bool:
    """Whether an object whose end is not in sight begins with the id of a query, as the row of a query does."""
    first = _FIRST_PAIR.match(line)
    return first is not None and first[1].decode("utf-8", "replace").strip().lower() in QUERY and first[2] != b"{"


def _is_header(line: bytes, separator: str) -> bool:
    try:
        cells = next(csv.reader([line.decode("utf-8", "replace")], delimiter=separator), [])
    except csv.Error:
        return False
    names = {cell.strip().lower() for cell in cells}
    return len(cells) > 1 and any(name in names for name in QUERY) and any(name in names for name in DOCUMENT)
