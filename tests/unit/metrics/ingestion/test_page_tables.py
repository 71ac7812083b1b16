"""The tables of a document: figures or reasons, and pairs in whichever order they come."""

from __future__ import annotations

import pytest

from beleg.core.errors import DataError
from beleg.core.score import ScoreStatus
from beleg.metrics.ingestion.grits import grits_content
from beleg.metrics.ingestion.page_tables import NO_TABLE, page_tables, table_scores
from beleg.metrics.ingestion.table_grid import grid_of_table
from beleg.metrics.ingestion.table_html import read_tables
from beleg.metrics.ingestion.table_tree import Table
from support.tables import table

GOLD = table("95|a", "b|c")


def content(gold: Table, predicted: Table) -> float:
    return grits_content(grid_of_table(gold), grid_of_table(predicted)).value


def test_a_table_has_four_figures() -> None:
    scores = table_scores(GOLD, table("90|a", "b|c"))
    assert scores.teds.value == pytest.approx(1 - 0.5 / 6)
    assert (scores.teds_structure.value, scores.grits_topology.value) == (1, 1)
    assert scores.grits_content.value == 0.875
    assert scores.repairs == ()


def test_a_bare_table_is_a_table() -> None:
    bare = GOLD.removeprefix("<html><body>").removesuffix("</body></html>")
    assert table_scores(bare, GOLD).teds.value == 1
    assert table_scores(GOLD, bare).teds.value == 1


@pytest.mark.parametrize(
    ("predicted", "status", "reason"),
    [
        ("", ScoreStatus.MISSING, NO_TABLE),
        (" \n", ScoreStatus.MISSING, NO_TABLE),
        ("95 a b c", ScoreStatus.MISSING, NO_TABLE),
        (GOLD + GOLD, ScoreStatus.INVALID, "one table is needed (found 2 tables"),
        ("<table>" + "<div>" * 100_000, ScoreStatus.INVALID, "cannot be read to its end"),
        ("<table>" + "<tr><td colspan=1000 rowspan=99>" * 1_500, ScoreStatus.INVALID, "more than 1,000,000 places"),
    ],
)
def test_where_nothing_can_be_compared_the_reason_stands_and_no_number(
    predicted: str, status: ScoreStatus, reason: str
) -> None:
    scores = table_scores(GOLD, predicted)
    for score in (scores.teds, scores.teds_structure, scores.grits_topology, scores.grits_content):
        assert (score.status, score.value) == (status, None)
        assert reason in (score.detail or "")


def test_repairs_of_the_prediction_stand_beside_its_figures() -> None:
    scores = table_scores(GOLD, GOLD.replace("<td>a", "<td colspan=x>a"))
    assert scores.teds.value == 1
    assert scores.repairs == ("a colspan that says nothing was taken as 1 (1)",)


def test_a_gold_table_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(DataError, match="one table is needed"):
        table_scores("no table", GOLD)


def test_tables_that_changed_places_are_still_found() -> None:
    gold = read_tables(GOLD + table("x|y", "z|w"))
    found = read_tables(table("x|y", "z|w") + table("90|a", "b|c"))
    told = page_tables(gold, found, content)
    assert [pair[:2] for pair in told.pairs] == [(0, 1), (1, 0)]
    # As published with GriTS for two tables of which one has a wrong figure.
    assert told.over_gold().value == 0.9375


def test_missed_and_made_up_tables_count_with_nothing() -> None:
    one, two = read_tables(GOLD), read_tables(GOLD + table("q"))
    lost, invented = page_tables(two, one, content), page_tables(one, two, content)
    assert (lost.missed, lost.surplus, lost.over_gold().value, lost.over_predicted().value) == ((1,), (), 0.5, 1)
    assert (invented.missed, invented.surplus, invented.over_predicted().value) == ((), (1,), 0.5)


def test_a_document_without_tables_has_no_figure() -> None:
    nothing = page_tables([], read_tables(GOLD), content)
    assert nothing.over_gold().status is ScoreStatus.NOT_APPLICABLE
    assert nothing.over_predicted().value == 0
    assert page_tables([], [], content).over_predicted().status is ScoreStatus.NOT_APPLICABLE
