"""One label for each query: the topic group or slice that it belongs to."""

from __future__ import annotations

from pathlib import Path

from beleg.adapters.formats.files import decode_utf8, require_file
from beleg.adapters.formats.jsonl import read_lines
from beleg.adapters.formats.limits import MAX_ROW_FILE_BYTES
from beleg.adapters.formats.row import Faults
from beleg.core.errors import DataError, Problem, shown


def read_query_labels(path: Path) -> dict[str, str]:
    """Reads lines of a query, white space and a label; blank lines carry nothing, a label may hold spaces.

    Raises:
        UsageError: if there is no such file.
        DataError: naming the line of everything that has not two fields, and of a query that stands twice.
    """
    require_file(path, MAX_ROW_FILE_BYTES)
    found: dict[str, str] = {}
    faults = Faults()
    for line, data in read_lines(path):
        try:
            text = decode_utf8(data, file=str(path), line=line).strip()
            if text:
                _take(found, text, path, line)
        except DataError as error:
            faults.add(error)
    faults.raise_if_any()
    return found


def _take(found: dict[str, str], text: str, path: Path, line: int) -> None:
    query, *labels = text.split(maxsplit=1)
    if not labels or "\t" in labels[0]:
        raise DataError(
            Problem(
                file=str(path), line=line, message="a query and its label are expected", value=shown(text),
                remedy="Write the query, a tab, and the label",
            )
        )  # fmt: skip
    if query in found:
        raise DataError(
            Problem(
                file=str(path), line=line, message="the query stands twice", value=shown(query),
                remedy="Keep one of the lines",
            )
        )  # fmt: skip
    found[query] = labels[0]
