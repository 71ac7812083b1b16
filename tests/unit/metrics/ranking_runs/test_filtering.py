"""What a filter removed, against the gold before it; the worked example of four queries and six documents."""

from __future__ import annotations

import numpy as np
import pytest

from beleg.core.errors import DataError, EvidenceError
from beleg.metrics.ranking_runs.filtering import (
    NO,
    UNKNOWN,
    YES,
    Gold,
    eligible_gold,
    exclusion_of,
    leaks_of,
    lists_of,
    recall_over_survivors,
    require_filtered,
)
from beleg.metrics.ranking_runs.table import Table, table_from_mapping

Run = dict[str, dict[str, float]]

TENANT = {"d1": "acme", "d2": "acme", "d3": "globex", "d4": "acme", "d5": "acme", "d6": "acme"}
LOCALE = {"d1": "en-US", "d2": "en-GB", "d3": "en-US", "d4": "en-US", "d5": "de-DE", "d6": "fr-FR"}
GOLD = {"q1": "d2", "q2": "d4", "q3": "d6", "q4": "d5"}
FILTERS = {"q1": "en-US", "q2": None, "q3": "en-US", "q4": "de-DE"}


def passes(query: str, document: str) -> bool:
    return FILTERS[query] is None or LOCALE[document] == FILTERS[query]


def the_example() -> tuple[Gold, np.ndarray, Table]:  # type: ignore[type-arg]
    """Gold cut to the tenant, what the filter does to it, and the survivors as a ranked run."""
    may_see = {query: {name: float(tenant == "acme") for name, tenant in TENANT.items()} for query in GOLD}
    judged = {query: {document: 1.0} for query, document in GOLD.items()}
    gold = eligible_gold(table_from_mapping(judged), table_from_mapping(may_see))
    survives = np.array([YES if passes(*pair) else NO for pair in gold.ids()])
    run: Run = {
        query: {name: 1.0 for name, tenant in TENANT.items() if tenant == "acme" and passes(query, name)}
        for query in GOLD
    }
    return gold, survives, table_from_mapping(run)


def test_half_of_four_eligible_queries_lose_their_gold() -> None:
    gold, survives, run = the_example()
    found, hard = exclusion_of(gold, survives), lists_of(gold, run, 10)
    assert (len(gold.queries), gold.refused) == (4, 0)
    assert (found.excluded.mean(), found.queries_excluded) == (0.5, 2)
    assert found.documents_removed.mean() == 0.5
    assert hard.recall.mean() == 0.5
    assert recall_over_survivors(gold, survives, hard) == 1.0


def test_gold_that_the_caller_may_not_see_is_no_exclusion() -> None:
    judged = table_from_mapping({"q1": {"d3": 1.0, "d4": 1.0}, "q2": {"d3": 1.0}})
    may_see = table_from_mapping({"q1": {"d3": 0.0, "d4": 1.0}, "q2": {"d3": 0.0}})
    gold = eligible_gold(judged, may_see)
    assert (gold.ids(), gold.refused) == ([("q1", "d4")], 2)


def test_gold_begins_at_the_registered_grade() -> None:
    judged = table_from_mapping({"q": {"a": 1.0, "b": 2.0, "c": 0.0}})
    assert eligible_gold(judged, None, relevant_from=2).ids() == [("q", "b")]


def test_an_empty_denominator_is_missing_evidence() -> None:
    with pytest.raises(EvidenceError, match="no query has gold"):
        eligible_gold(table_from_mapping({"q": {"d": 1.0}}), table_from_mapping({"q": {"d": 0.0}}))


def test_gold_of_which_nobody_says_who_may_see_it_is_refused() -> None:
    with pytest.raises(DataError, match="query 'q', document 'd'"):
        eligible_gold(table_from_mapping({"q": {"d": 1.0}}), table_from_mapping({"q": {"x": 1.0}}))


def test_part_of_the_gold_lost_is_no_exclusion_of_the_query_and_counts_by_document() -> None:
    gold = eligible_gold(table_from_mapping({"q": {"a": 1.0, "b": 1.0, "c": 1.0}}), None)
    found = exclusion_of(gold, np.array([NO, YES, NO]))
    assert (found.excluded.tolist(), found.documents_removed.tolist()) == ([0.0], [1.0, 0.0, 1.0])


def test_what_was_not_recorded_is_unknown_unless_one_is_known_to_survive() -> None:
    gold = eligible_gold(table_from_mapping({"q1": {"a": 1.0, "b": 1.0}, "q2": {"a": 1.0, "b": 1.0}}), None)
    found = exclusion_of(gold, np.array([UNKNOWN, YES, UNKNOWN, NO]))
    assert (found.is_known.tolist(), found.documents_unknown) == ([True, False], 2)
    hard = lists_of(gold, table_from_mapping({"q1": {"b": 1.0}}), 10)
    assert recall_over_survivors(gold, np.array([UNKNOWN, YES, UNKNOWN, NO]), hard) is None


def test_precision_and_recall_stop_at_the_cutoff() -> None:
    gold = eligible_gold(table_from_mapping({"q": {"a": 1.0, "b": 1.0}, "r": {"c": 1.0}}), None)
    found = lists_of(gold, table_from_mapping({"q": {"a": 3.0, "x": 2.0, "b": 1.0}}), 2)
    assert (found.precision.tolist(), found.recall.tolist(), found.missing) == ([0.5, 0.0], [0.5, 0.0], 1)
    assert (found.shown.tolist(), found.listed.tolist()) == ([True, False, False], [True, True, False])


def test_a_hard_run_that_lists_what_its_predicate_removes_is_refused() -> None:
    gold = eligible_gold(table_from_mapping({"q": {"a": 1.0}}), None)
    hard = lists_of(gold, table_from_mapping({"q": {"x": 2.0, "a": 1.0}}), 1)
    with pytest.raises(DataError, match="lists 1 gold documents that the predicate removes"):
        require_filtered(gold, np.array([NO]), hard)
    require_filtered(gold, np.array([YES]), hard)


def test_leaks_are_counted_at_every_rank_and_in_queries_without_gold_too() -> None:
    run = table_from_mapping({"q1": {"a": 3.0, "b": 2.0}, "q9": {"a": 2.0, "z": 1.0}})
    may_see = table_from_mapping({"q1": {"a": 1.0, "b": 0.0}, "q9": {"a": 0.0}})
    found = leaks_of(run, may_see, 1)
    assert (found.documents, found.unauthorised, found.in_top, found.unknown) == (4, 2, 1, 1)
    assert (found.queries, found.queries_with_leak, found.first) == (2, 2, ("q1", "b"))
