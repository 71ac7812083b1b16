"""A small file of JSON Lines that only grows: each line names the digest of the one before, so that a change shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from beleg.adapters.formats.atomic import write_bytes
from beleg.adapters.formats.files import require_file
from beleg.adapters.formats.limits import MAX_DOCUMENT_BYTES
from beleg.adapters.formats.locking import locked_folder
from beleg.adapters.formats.strict_json import parse_json_bytes
from beleg.core.digest import canonical_json, digest_of_bytes
from beleg.core.errors import EvidenceError

PREVIOUS = "previous"

Entry = dict[str, Any]


def append_chained(
    path: Path, make: Callable[[list[Entry]], Entry | None], *, may_be_empty: bool = False
) -> list[Entry]:
    """Appends one entry, of many writers one after the other; killed at any instant the file is the old or the new one.

    Args:
        path: the file; it need not exist.
        make: makes the entry from those that are there, or None for no new one.
        may_be_empty: whether a file that is there and empty is one without entries; else it is refused.

    Returns:
        The entries that were there before.

    Raises:
        EvidenceError: if a line is not what the next one says it was.
        UsageError: if the file cannot be written.
    """
    with locked_folder(path.parent):
        before = read_chained(path, may_be_empty=may_be_empty) if path.exists() else []
        entry = make(before)
        if entry is not None:
            old = path.read_bytes() if before else b""
            last = digest_of_bytes(old.splitlines()[-1]) if before else None
            write_bytes(path, old + canonical_json({PREVIOUS: last, **entry}) + b"\n")
    return before


def read_chained(path: Path, *, may_be_empty: bool = False) -> list[Entry]:
    """All entries, in order.

    Args:
        path: the file.
        may_be_empty: whether an empty file is one without entries, which people may begin; else it is refused.

    Raises:
        UsageError: if there is no such file.
        DataError: if a line is no JSON.
        EvidenceError: if a line is not what the next one says it was.
    """
    if may_be_empty and path.is_file() and not path.stat().st_size:
        return []
    require_file(path, MAX_DOCUMENT_BYTES)
    entries: list[Entry] = []
    last: str | None = None
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        entry = parse_json_bytes(line, file=str(path), line=number)
        if not isinstance(entry, dict) or entry.get(PREVIOUS) != last:
            raise EvidenceError(
                f"{path}:{number}: the line does not follow the one before: the record was changed",
                hint="Restore the file from version control",
            )
        entries.append(entry)
        last = digest_of_bytes(line)
    return entries
