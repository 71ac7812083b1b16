"""The tables of a document against the tables that were found in it, whichever order they come in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from beleg.core.errors import DataError
from beleg.core.score import Score, ScoreStatus
from beleg.metrics.ingestion.assignment import best_pairs
from beleg.metrics.ingestion.grits import grits_content, grits_topology
from beleg.metrics.ingestion.table_grid import grid_of_table
from beleg.metrics.ingestion.table_html import read_table, read_tables
from beleg.metrics.ingestion.table_similarity import teds
from beleg.metrics.ingestion.table_tree import PUBTABNET, Table, TableForm
from beleg.metrics.ingestion.tree_distance import MostSaved

NO_TABLE = "the prediction has no table"

Similarity = Callable[[Table, Table], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableScores:
    """The figures of one table, or the reason why there are none.

    Attributes:
        teds: structure and content by the edit distance of the trees.
        teds_structure: structure alone (TEDS-S).
        grits_topology: the spans of the grid.
        grits_content: the text in the grid.
        repairs: what was mended in the prediction.
    """

    teds: Score
    teds_structure: Score
    grits_topology: Score
    grits_content: Score
    repairs: tuple[str, ...] = ()


def table_scores(
    gold_html: str, predicted_html: str, form: TableForm = PUBTABNET, *, quicker: MostSaved | None = None
) -> TableScores:
    """Compares the one table of a gold document with that of a prediction.

    Args:
        gold_html: the table as it should be.
        predicted_html: what was extracted.
        form: how the trees are compared.
        quicker: a quicker way to the distance, which gives the same figure.

    Returns:
        Figures. Where the prediction has no table they are missing; where it has several, cannot be read or is too
        large they are invalid, with the reason: a figure is due then, and nothing stands in for it.

    Raises:
        DataError: if the gold document does not hold one table that can be read.

    Example:
        >>> gold = "<table><tr><td>a</td><td>b</td></tr></table>"
        >>> scores = table_scores(gold, "<table><tr><td colspan=2>ab</td></tr></table>")
        >>> scores.teds_structure.value, scores.grits_topology.value
        (0.33333333333333337, 0.5)
        >>> table_scores(gold, "a b").teds.status
        <ScoreStatus.MISSING: 'missing'>
    """
    gold = read_table(gold_html)
    try:
        if not (predicted_html.strip() and read_tables(predicted_html)):
            return _without(Score.without(ScoreStatus.MISSING, NO_TABLE))
        predicted = read_table(predicted_html)
        grids = grid_of_table(gold), grid_of_table(predicted)
        return TableScores(
            teds=Score.of(teds(gold, predicted, form, quicker=quicker).value),
            teds_structure=Score.of(teds(gold, predicted, form, structure_only=True, quicker=quicker).value),
            grits_topology=Score.of(grits_topology(*grids).value),
            grits_content=Score.of(grits_content(*grids).value),
            repairs=predicted.repairs,
        )
    except DataError as error:
        return _without(Score.without(ScoreStatus.INVALID, error.message))


def _without(reason: Score) -> TableScores:
    return TableScores(teds=reason, teds_structure=reason, grits_topology=reason, grits_content=reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTables:
    """Which table was found as which, and which were missed or made up.

    Attributes:
        pairs: positions of a gold and a predicted table, with their similarity.
        missed: positions of gold tables that no prediction is like.
        surplus: positions of predicted tables that are like none.
    """

    pairs: tuple[tuple[int, int, float], ...]
    missed: tuple[int, ...]
    surplus: tuple[int, ...]

    def over_gold(self) -> Score:
        """The mean over gold tables, a missed one with 0; not applicable where there is none."""
        return self._over(len(self.pairs) + len(self.missed), "gold")

    def over_predicted(self) -> Score:
        """The mean over predicted tables, a surplus one with 0; not applicable where there is none."""
        return self._over(len(self.pairs) + len(self.surplus), "predicted")

    def _over(self, count: int, side: str) -> Score:
        if not count:
            return Score.without(ScoreStatus.NOT_APPLICABLE, f"there is no {side} table")
        return Score.of(sum(value for _, _, value in self.pairs) / count)


def page_tables(gold: Sequence[Table], predicted: Sequence[Table], similarity: Similarity) -> PageTables:
    """Pairs the tables of a document so that their similarities are largest together, each table once.

    Args:
        gold: the tables as they should be.
        predicted: the tables as they were found, in any order.
        similarity: from 0 to 1, such as `teds` or GriTS of two tables.

    Returns:
        Pairs, misses and surplus; tables with a similarity of 0 are no pair.

    Example:
        >>> from beleg.metrics.ingestion.table_html import read_tables
        >>> gold = read_tables("<table><tr><td>ab</table><table><tr><td>cd</table>")
        >>> found = read_tables("<table><tr><td>cd</table>")
        >>> told = page_tables(gold, found, lambda one, other: teds(one, other).value)
        >>> told.pairs, told.missed, told.over_gold().value
        (((1, 0, 1.0),), (0,), 0.5)
    """
    worth = np.array([[similarity(one, other) for other in predicted] for one in gold], dtype=np.float64)
    pairs = best_pairs(worth.reshape(len(gold), len(predicted)))
    ours, theirs = {row for row, _ in pairs}, {column for _, column in pairs}
    return PageTables(
        pairs=tuple((row, column, float(worth[row, column])) for row, column in pairs),
        missed=tuple(row for row in range(len(gold)) if row not in ours),
        surplus=tuple(column for column in range(len(predicted)) if column not in theirs),
    )
