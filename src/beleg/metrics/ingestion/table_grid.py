"""A table as rows and columns: which cell covers which place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem
from beleg.metrics.ingestion.table_tree import SECTION_TAGS, Node, Table, plain

Box = tuple[float, float, float, float]
Integers = npt.NDArray[np.int64]

MOST_PLACES = 1_000_000
"""How many places a grid may have."""
NO_CELL = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class GridCell:
    """A cell with the rows and columns that it covers.

    Attributes:
        row: the first row, from 0.
        column: the first column, from 0.
        rows: how many rows it covers.
        columns: how many columns it covers.
        text: what stands in it.
        box: where it stands on the page, as left, top, right, bottom.
    """

    row: int
    column: int
    rows: int = 1
    columns: int = 1
    text: str = ""
    box: Box | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Cells, and the place of each.

    Attributes:
        cells: in the order in which they were given.
        cover: for each row and column the number of the cell that covers it, `NO_CELL` where there is none.
        overlaps: how many places more than one cell claims; the last one has them.
    """

    cells: tuple[GridCell, ...]
    cover: Integers
    overlaps: int = 0

    @property
    def holes(self) -> int:
        """How many places no cell covers, as in rows that are too short."""
        return int(np.count_nonzero(self.cover == NO_CELL))


def grid_of_cells(cells: Sequence[GridCell]) -> Grid:
    """The grid of cells whose rows and columns are known, as a parser tells them.

    Raises:
        DataError: if a cell covers nothing or begins before the first row or column, or there are more than 1,000,000
            places.

    Example:
        >>> grid_of_cells([GridCell(row=0, column=0, columns=2), GridCell(row=1, column=1)]).cover.tolist()
        [[0, 0], [-1, 1]]
    """
    for number, cell in enumerate(cells):
        if min(cell.row, cell.column) < 0 or min(cell.rows, cell.columns) < 1:
            raise DataError(
                Problem(
                    message=f"cell {number} covers no place",
                    value=f"row {cell.row}, column {cell.column}, {cell.rows} x {cell.columns}",
                    remedy="Rows and columns count from 0, and a cell covers at least one of each",
                )
            )
    height = max((cell.row + cell.rows for cell in cells), default=0)
    width = max((cell.column + cell.columns for cell in cells), default=0)
    _require_places(max(height * width, sum(cell.rows * cell.columns for cell in cells)))
    cover = np.full((height, width), NO_CELL, dtype=np.int64)
    overlaps = 0
    for number, cell in enumerate(cells):
        part = cover[cell.row : cell.row + cell.rows, cell.column : cell.column + cell.columns]
        overlaps += int(np.count_nonzero(part != NO_CELL))
        part[...] = number
    return Grid(tuple(cells), cover, overlaps)


def grid_of_table(table: Table) -> Grid:
    """The grid of an HTML table, by the HTML standard's way of forming a table.

    A cell comes into the first free column of its row. Rows belong to their section, and the rows right below the
    table that follow one another are a section too: no cell reaches beyond its section. Cells outside a row are a row.
    The text of a cell is without tags, every run of spaces as one.

    Raises:
        DataError: if the grid has more than 1,000,000 places.

    Example:
        >>> from beleg.metrics.ingestion.table_html import read_table
        >>> html = "<table><tr><td rowspan=9>a</td><td>b</td></tr><tr><td>c</td></tr></table>"
        >>> grid_of_table(read_table(html)).cover.tolist()
        [[0, 1], [0, 2]]
    """
    cells: list[GridCell] = []
    places = row = 0
    for section in _sections(table.root):
        # For each column, down to which row it is taken by a cell from above.
        taken: list[int] = []
        end = row + len(section)
        for members in section:
            column = 0
            for node in members:
                column = _free(taken, column, row)
                rows = min(node.rowspan or end - row, end - row)
                places += rows * node.colspan
                _require_places(places)
                cells.append(_cell(node, row, column, rows))
                taken.extend([0] * (column + node.colspan - len(taken)))
                taken[column : column + node.colspan] = [row + rows] * node.colspan
                column += node.colspan
            row += 1
    return grid_of_cells(cells)


def _cell(node: Node, row: int, column: int, rows: int) -> GridCell:
    text = " ".join(plain(node.text).split())
    return GridCell(row=row, column=column, rows=rows, columns=node.colspan, text=text)


def _free(taken: Sequence[int], column: int, row: int) -> int:
    while column < len(taken) and taken[column] > row:
        column += 1
    return column


def _require_places(places: int) -> None:
    if places > MOST_PLACES:
        raise DataError(
            Problem(
                message=f"a table of more than {MOST_PLACES:,} places",
                value=f"{places:,}",
                remedy="Look at the spans of its cells",
            )
        )


@dataclass(slots=True)
class _Rows:
    """Rows of a section while they are collected."""

    rows: list[list[Node]] = field(default_factory=list)
    open: bool = False

    def visit(self, node: Node) -> None:
        """Takes a row, or a cell that stands in none."""
        if node.tag == "tr":
            self.rows.append([child for child in node.children if child.is_cell])
            self.open = False
        elif node.is_cell:
            if not self.open:
                self.rows.append([])
            self.rows[-1].append(node)
            self.open = True


def _sections(root: Node) -> Iterator[list[list[Node]]]:
    """The rows of each section, each row as its cells."""
    for apart, members in groupby(root.children, key=lambda node: id(node) if node.tag in SECTION_TAGS else 0):
        found = _Rows()
        for node in next(members).children if apart else members:
            found.visit(node)
        if found.rows:
            yield found.rows
