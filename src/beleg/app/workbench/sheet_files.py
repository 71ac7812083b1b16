"""The evidence sheet of a run as a file to take away (E5)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from beleg.app.workbench.workspace import RunEntry
from beleg.run.folder import RunFolder, make_folder
from beleg.run.sheet_folder import SheetFolder

SHEET_KINDS: dict[str, str] = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
"""Media types by kind. Other kinds are written on the command line."""
WORK_FOLDER = Path(".beleg") / "workbench"
PIECE_BYTES = 1 << 16


def has_sheet(run: RunEntry) -> bool:
    """Whether a sheet was built for a run."""
    return SheetFolder(RunFolder(run.path).evidence_folder).exists()


def sheet_file(run: RunEntry, root: Path, kind: str, language: str) -> BinaryIO:
    """The whole sheet of a run, written to a file without a name that is gone once it is closed.

    What people decided is not in it: a reviewer must not see the verdicts of others before giving their own.

    Args:
        run: the run.
        root: the folder of the project, within which it is written.
        kind: one of `SHEET_KINDS`.
        language: the language of heads and verdicts, ``en`` or ``de``.

    Raises:
        UsageError: if no sheet was built.
        EvidenceError: if a line is damaged; nothing was handed out by then.
    """
    # The sheet knows every way to write itself; only this download needs them.
    from beleg.app.sheet_views import sheet_parts, sheet_view

    view = sheet_view(run.path)
    make_folder(root / WORK_FOLDER)
    with ExitStack() as kept:
        file = kept.enter_context(tempfile.TemporaryFile(dir=root / WORK_FOLDER))
        for part in sheet_parts(view, kind, language):
            file.write(part.encode())
        file.seek(0)
        # Whoever sends it closes it.
        kept.pop_all()
    return file


def pieces(file: BinaryIO) -> Iterator[bytes]:
    """The bytes of a file, which is closed at the end or when nobody wants more."""
    with file:
        while piece := file.read(PIECE_BYTES):
            yield piece
