"""The grid: the HTML standard's way of forming a table, and its limits."""

from __future__ import annotations

import pytest

from beleg.core.errors import DataError
from beleg.metrics.ingestion.table_grid import GridCell, grid_of_cells, grid_of_table
from beleg.metrics.ingestion.table_html import read_table


def drawn(html: str) -> list[str]:
    """Each row of the grid as the texts of its cells; a dot where there is none."""
    grid = grid_of_table(read_table(f"<table>{html}</table>"))
    return ["".join("." if cell < 0 else grid.cells[cell].text for cell in row) for row in grid.cover.tolist()]


@pytest.mark.parametrize(
    ("html", "rows"),
    [
        ("<tr><td>a<td>b<tr><td>c<td>d", ["ab", "cd"]),
        ("<tr><td rowspan=2>a<td>b<tr><td>c", ["ab", "ac"]),
        ("<tr><td colspan=2>a<td>b<tr><td>c<td rowspan=2>d<td>e<tr><td>f<td>g", ["aab", "cde", "fdg"]),
        ("<tr><td>a<td>b<tr><td>c", ["ab", "c."]),
        # No cell reaches beyond its section, and 0 reaches to its end.
        ("<thead><tr><td rowspan=9>a<td>b</thead><tr><td>c<td>d", ["ab", "cd"]),
        ("<tr><td rowspan=0>a<td>b<tr><td>c<tr><td>d", ["ab", "ac", "ad"]),
        # Rows right below the table are a section of their own.
        ("<tr><td rowspan=5>a<td>b<tbody><tr><td>c", ["ab", "c."]),
        ("<td>a<td>b<tr><td>c", ["ab", "c."]),
        ("<tbody><td>a<td>b<tr><td>c<td>d</tbody>", ["ab", "cd"]),
        ("<tr><tr><td>a", [".", "a"]),
        ("<tr><td> x  <b>y</b>", ["x y"]),
        ("", []),
    ],
)
def test_cells_stand_where_a_browser_puts_them(html: str, rows: list[str]) -> None:
    assert drawn(html) == rows


def test_cells_that_overlap_are_counted_and_the_last_one_has_the_place() -> None:
    grid = grid_of_table(read_table("<table><tr><td>a<td rowspan=2>b<tr><td colspan=2>c</table>"))
    assert (grid.cover.tolist(), grid.overlaps, grid.holes) == ([[0, 1], [2, 2]], 1, 0)


def test_holes_are_counted() -> None:
    assert grid_of_cells([GridCell(row=1, column=1)]).holes == 3


@pytest.mark.parametrize(
    "cell",
    [GridCell(row=-1, column=0), GridCell(row=0, column=0, rows=0), GridCell(row=0, column=0, columns=-2)],
)
def test_cells_that_cover_nothing_are_refused(cell: GridCell) -> None:
    with pytest.raises(DataError, match="cell 1 covers no place"):
        grid_of_cells([GridCell(row=0, column=0), cell])


def test_spans_cannot_fill_the_memory() -> None:
    wide = "<tr>" + "<td colspan=1000 rowspan=65534>" * 90
    with pytest.raises(DataError, match="more than 1,000,000 places"):
        grid_of_table(read_table("<table>" + wide * 200 + "</table>"))
    with pytest.raises(DataError, match="more than 1,000,000 places"):
        grid_of_cells([GridCell(row=10**9, column=10**9)])
