"""A budget of tokens ends a list at the first document that goes beyond it."""

from __future__ import annotations

import numpy as np
import pytest

from beleg.core.errors import DataError, UsageError
from beleg.metrics.ranking_runs.budget import token_counts, within_budget
from beleg.metrics.ranking_runs.kernels import evaluate_run
from beleg.metrics.ranking_runs.measures import parse_measures
from beleg.metrics.ranking_runs.table import Names, table_from_mapping

RUN = {"q1": {"a": 1.0, "b": 3.0, "c": 2.0}, "q2": {"a": 5.0, "d": 4.0}, "q3": {"e": 1.0}}
TOKENS = {"a": 300, "b": 500, "c": 400, "d": 0, "e": 801}


def kept(budget: int) -> dict[str, list[str]]:
    table = table_from_mapping(RUN)
    tokens = token_counts(table.documents, Names.of(TOKENS), np.array(list(TOKENS.values())))
    found = within_budget(table, tokens, budget)
    names = found.documents.texts()
    return {
        query: names[low:high]
        for query, low, high in zip(found.queries, found.offsets[:-1], found.offsets[1:], strict=True)
    }


def test_the_first_that_goes_beyond_ends_the_list_even_if_a_later_one_would_fit() -> None:
    # By rank: b 500, c 400, a 300; after b and c nothing of 800 is left for c, and a would fit beside b.
    assert kept(800) == {"q1": ["b"], "q2": ["a", "d"], "q3": []}
    assert kept(900) == {"q1": ["b", "c"], "q2": ["a", "d"], "q3": ["e"]}
    assert kept(1200) == {"q1": ["a", "b", "c"], "q2": ["a", "d"], "q3": ["e"]}


def test_documents_without_tokens_stay_while_the_budget_holds() -> None:
    assert kept(300)["q2"] == ["a", "d"]
    assert kept(299)["q2"] == []


def test_recall_and_precision_within_a_budget() -> None:
    table = table_from_mapping(RUN)
    tokens = token_counts(table.documents, Names.of(TOKENS), np.array(list(TOKENS.values())))
    judged = table_from_mapping({"q1": {"b": 1, "a": 1}, "q3": {"e": 1}})
    found = evaluate_run(judged, within_budget(table, tokens, 800), parse_measures(["SetR", "SetP", "NumRet"]))
    assert found.values.tolist() == [[0.5, 0.0], [1.0, 0.0], [1.0, 0.0]]
    assert found.counts.missing == 1


def test_a_document_without_a_number_is_named_and_a_budget_of_nothing_refused() -> None:
    table = table_from_mapping(RUN)
    with pytest.raises(DataError, match=r"'b', 'c', 'd'"):
        token_counts(table.documents, Names.of(["a", "e"]), np.array([1, 1]))
    with pytest.raises(UsageError, match="budget"):
        within_budget(table, np.ones(len(table.value), dtype=np.int64), 0)
