"""Tables of plain words for pipes, in the very bytes that rich would print, without loading rich.

Only what leaves no choice is laid out here: printable ASCII that fits into the width and asks for no colour. Everything
else, such as wide characters, long cells and a person at a terminal, is left to rich.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

_SWITCHES = ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
"""With any of these rich may colour a pipe."""
_GAP = "   "


def plain_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, numbers_from: int, width: int) -> str | None:
    """The table as text, or ``None`` where rich must decide.

    Args:
        head: one heading for each column.
        rows: as many cells as there are headings, each.
        numbers_from: the first column that is aligned to the right.
        width: the widest line.

    Example:
        >>> print(plain_table(("", "run"), [("AP", "0.5")], numbers_from=1, width=80))
             run
        ────────
        AP   0.5
    """
    if not head or any(switch in os.environ for switch in _SWITCHES) or any(len(row) != len(head) for row in rows):
        return None
    lines = [head, *rows]
    if not all(_is_plain(cell) for line in lines for cell in line):
        return None
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    whole = sum(widths) + len(_GAP) * (len(widths) - 1)
    if whole > width or 0 in widths:
        return None
    laid = [_line(line, widths, numbers_from) for line in lines]
    return "\n".join([laid[0], "─" * whole, *laid[1:]])


def _is_plain(cell: str) -> bool:
    return cell.isascii() and (not cell or cell.isprintable()) and cell == " ".join(cell.split())


def _line(cells: Sequence[str], widths: Sequence[int], numbers_from: int) -> str:
    places = enumerate(zip(cells, widths, strict=True))
    return _GAP.join(cell.rjust(width) if at >= numbers_from else cell.ljust(width) for at, (cell, width) in places)
