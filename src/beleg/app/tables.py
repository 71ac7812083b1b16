"""Tables held against gold tables, by the compiled part where it was built."""

from __future__ import annotations

from beleg.adapters.native.tree_saving import most_saved
from beleg.metrics.ingestion import page_tables
from beleg.metrics.ingestion.page_tables import TableScores
from beleg.metrics.ingestion.table_tree import PUBTABNET, TableForm


def table_scores(gold_html: str, predicted_html: str, form: TableForm = PUBTABNET) -> TableScores:
    """As `beleg.metrics.ingestion.page_tables.table_scores`, with the same figures, and quicker where it can be.

    Example:
        >>> table_scores("<table><tr><td>a</table>", "<table><tr><td>a</table>").teds.value
        1.0
    """
    return page_tables.table_scores(gold_html, predicted_html, form, quicker=most_saved)
