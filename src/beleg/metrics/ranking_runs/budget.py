"""A budget of tokens as the end of a list, in place of a number of documents."""

from __future__ import annotations

import numpy as np

from beleg.core.errors import UsageError
from beleg.metrics.ranking_runs.lookup import places_in
from beleg.metrics.ranking_runs.order import ranking
from beleg.metrics.ranking_runs.parents import unknown_passages
from beleg.metrics.ranking_runs.table import IntArray, Names, Table


def token_counts(documents: Names, known: Names, tokens: IntArray) -> IntArray:
    """The number of tokens of every document.

    Args:
        documents: the documents of a run.
        known: documents whose number of tokens is known, each once.
        tokens: that number, 0 or more.

    Raises:
        DataError: naming documents whose number is not known.

    Example:
        >>> token_counts(Names.of(["b"]), Names.of(["a", "b"]), np.array([7, 9])).tolist()
        [9]
    """
    place = places_in(known, documents)
    missing = np.flatnonzero(place < 0)
    if len(missing):
        raise unknown_passages(documents, missing, "has no number of tokens", "Add it to the file of tokens")
    return tokens[place]


def within_budget(run: Table, tokens: IntArray, budget: int) -> Table:
    """Cuts every list where it no longer fits into a budget of tokens.

    The list is read from its first rank on. The first document that would go beyond the budget ends it, and nothing
    after that counts, even if it would fit: what is handed to a model is a prefix of the list. Cutoffs of measures then
    apply to what is left.

    Args:
        run: scores by query and document.
        tokens: the number of tokens of every row, 0 or more.
        budget: the most tokens of a list.

    Returns:
        The run without what does not fit; a query keeps its place, even if nothing fits.

    Raises:
        UsageError: if the budget is less than 1.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> run = table_from_mapping({"q": {"a": 3.0, "b": 2.0, "c": 1.0}})
        >>> within_budget(run, np.array([50, 60, 10]), 100).documents.texts()
        ['a']
    """
    if budget < 1:
        raise UsageError(f"the budget of tokens is {budget}", hint="Give 1 or more")
    order = ranking(run)
    running = np.cumsum(tokens[order])
    before = np.concatenate(([0], running))[run.offsets[:-1]]
    spent = running - np.repeat(before, np.diff(run.offsets))
    return run.without(order[spent > budget])
