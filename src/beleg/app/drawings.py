"""Where a drawing may be written to, asked before anything is measured."""

from __future__ import annotations

from pathlib import Path

from beleg.core.errors import MissingExtra, UsageError, shown
from beleg.report.chart import is_available


def require_plot(path: Path) -> None:
    """Refuses a drawing that cannot be made, before anything is measured.

    Raises:
        UsageError: if the file is neither ``.svg`` nor ``.png``.
        MissingExtra: if the extra ``report`` is not installed.
    """
    if path.suffix.lower() not in (".svg", ".png"):
        raise UsageError(f"a drawing is written as .svg or .png, not {shown(path.suffix)}")
    if not is_available():
        raise MissingExtra("the drawing", "report")
