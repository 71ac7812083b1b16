"""GriTS: closed forms, published figures, and the same result in pieces."""

from __future__ import annotations

import numpy as np
import pytest

from beleg.core.errors import DataError
from beleg.metrics.ingestion import grits
from beleg.metrics.ingestion.grits import common_share, grits_content, grits_location, grits_topology, overlap
from beleg.metrics.ingestion.table_grid import Grid, GridCell, grid_of_cells, grid_of_table
from beleg.metrics.ingestion.table_html import read_table
from support.tables import table

GOLD = table("a|b", "c|d")


def grid(html: str) -> Grid:
    return grid_of_table(read_table(html))


# Figures of grits-metric 0.7.0, by one of the authors of the measure.
@pytest.mark.parametrize(
    ("predicted", "topology", "content"),
    [
        (GOLD, 1, 1),
        (table("a|x", "c|d"), 1, 0.75),
        (table("a|b"), 0.666667, 0.666667),
        (table("a|c", "b|d"), 1, 0.5),
        (table("a|b", "c"), 1, 0.75),
        (GOLD.replace("<td>a</td><td>b</td>", "<td colspan=2>a b</td>"), 0.75, 0.75),
        (GOLD.replace("td", "th"), 1, 1),
        ("<table></table>", 0, 0),
    ],
)
def test_published_pairs_come_out(predicted: str, topology: float, content: float) -> None:
    assert grits_topology(grid(GOLD), grid(predicted)).value == pytest.approx(topology, abs=5e-7)
    assert grits_content(grid(GOLD), grid(predicted)).value == pytest.approx(content, abs=5e-7)


def test_the_example_of_the_authors_comes_out() -> None:
    right, found = grid(table("95|a", "b|c")), grid(table("90|a", "b|c"))
    assert grits_topology(right, found).value == 1
    assert grits_content(right, found).value == 0.875


def test_precision_and_recall_are_over_the_places_of_either_side() -> None:
    told = grits_content(grid(table("a|b", "c|d")), grid(table("a|b")))
    assert (told.precision, told.recall, told.upper_bound) == (1, 0.5, told.value)


def test_a_spanning_cell_matches_by_the_part_that_both_cover() -> None:
    wide = grid_of_cells([GridCell(row=0, column=0, columns=3)])
    narrow = grid_of_cells([GridCell(row=0, column=0, columns=2), GridCell(row=0, column=2)])
    # Seen from their own place, two cells of two share 2 of 3 columns, and one of one 1 of 3.
    assert grits_topology(wide, narrow).value == pytest.approx((2 / 3 + 2 / 3 + 1 / 3) / 3)


def test_rows_are_aligned_in_order_and_only_once() -> None:
    right, found = grid(table("a", "b", "c")), grid(table("c", "a", "b"))
    assert grits_content(right, found).value == pytest.approx(2 / 3)


def test_two_empty_grids_are_alike_and_one_is_like_nothing() -> None:
    empty = grid_of_cells([])
    assert grits_topology(empty, empty).value == 1
    assert grits_content(empty, grid(GOLD)).recall == 0


def test_boxes_match_by_intersection_over_union() -> None:
    right = grid_of_cells([GridCell(row=0, column=0, box=(0, 0, 4, 2)), GridCell(row=0, column=1, box=(4, 0, 8, 2))])
    found = grid_of_cells([GridCell(row=0, column=0, box=(0, 0, 2, 2)), GridCell(row=0, column=1, box=(4, 0, 8, 2))])
    assert grits_location(right, found).value == pytest.approx((0.5 + 1) / 2)
    # A place without a cell has no box.
    ragged = grid_of_cells([GridCell(row=0, column=0, box=(0, 0, 1, 1)), GridCell(row=1, column=1, box=(1, 1, 2, 2))])
    assert grits_location(ragged, ragged).value == 0.5


@pytest.mark.parametrize("box", [None, (2, 0, 1, 1), (0, 0, float("nan"), 1), (0, 0, 1, float("inf"))])
def test_cells_without_a_box_are_refused(box: tuple[float, float, float, float] | None) -> None:
    with pytest.raises(DataError, match="cell 0 has no box"):
        grits_location(grid_of_cells([GridCell(row=0, column=0, box=box)]), grid_of_cells([]))


def test_overlap_and_common_parts_have_closed_forms() -> None:
    assert overlap([(0, 0, 0, 0)], [(0, 0, 0, 0), (0, 0, 1, 1)]).tolist() == [[0, 0]]
    assert overlap([(0, 0, 2, 2)], [(1, 1, 3, 3)]).tolist() == [[1 / 7]]
    assert common_share(["abcd"], ["acbd", "", "abcd"]).tolist() == [[0.75, 0, 1]]


def whole(right: Grid, found: Grid) -> float:
    """What the best choice of rows and columns matches, by trying every one; small grids only."""
    from itertools import combinations

    one, other = right.cover, found.cover
    texts, others = [cell.text for cell in right.cells], [cell.text for cell in found.cells]
    share = common_share(texts, others)
    best = 0.0
    for count in range(1, min(len(one), len(other)) + 1):
        for width in range(1, min(one.shape[1], other.shape[1]) + 1):
            for rows in combinations(range(len(one)), count):
                for columns in combinations(range(one.shape[1]), width):
                    mine = one[np.ix_(rows, columns)]
                    for theirs in combinations(range(len(other)), count):
                        for beside in combinations(range(other.shape[1]), width):
                            best = max(best, float(share[mine, other[np.ix_(theirs, beside)]].sum()))
    return 2 * best / (one.size + other.size)


def test_the_best_choice_lies_between_the_figure_and_its_bound() -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        right, found = (
            grid(table(*("|".join(rng.choice(["a", "b", "ab", "ba"], 3)) for _ in range(rng.integers(1, 4)))))
            for _ in range(2)
        )
        told = grits_content(right, found)
        assert told.value - 1e-12 <= whole(right, found) <= told.upper_bound + 1e-12


def test_pieces_change_nothing_and_large_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    right, found = grid(table("a|b|c", "d|e|f", "g|h|i")), grid(table("a|x|c", "g|h|i"))
    told = grits_content(right, found)
    monkeypatch.setattr(grits, "_AT_ONCE", 1)
    assert grits_content(right, found) == told
    monkeypatch.setattr(grits, "MOST_PAIRED_PLACES", 53)
    with pytest.raises(DataError, match="more than 53 pairs of places"):
        grits_content(right, found)
    monkeypatch.setattr(grits, "MOST_PAIRED_PLACES", 54)
    monkeypatch.setattr(grits, "MOST_PAIRED_VALUES", 3)
    with pytest.raises(DataError, match="more than 3 pairs of different values"):
        grits_content(right, found)
