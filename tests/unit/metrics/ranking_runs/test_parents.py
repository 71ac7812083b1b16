"""Passages are folded to their documents by a named policy, as a loop over the list folds them."""

from __future__ import annotations

import numpy as np
import pytest

from beleg.core.errors import DataError, UsageError
from beleg.core.ranking import fold_to_parents as fold_one
from beleg.core.ranking import ranked
from beleg.metrics.ranking_runs.kernels import evaluate_run
from beleg.metrics.ranking_runs.measures import parse_measures
from beleg.metrics.ranking_runs.order import ranking
from beleg.metrics.ranking_runs.parents import (
    POLICIES,
    Policy,
    fold_to_parents,
    parents_by_mapping,
    parents_by_separator,
)
from beleg.metrics.ranking_runs.table import Names, Table, table_from_mapping

RUN = {"q1": {"d1#1": 1.0, "d2#1": 4.0, "d1#2": 3.5, "d3#1": 2.0}, "q2": {"d1#9": 1.0}, "q3": {}}


def folded(run: dict[str, dict[str, float]], policy: Policy) -> dict[str, list[tuple[str, float]]]:
    table = table_from_mapping(run)
    found = fold_to_parents(table, parents_by_separator(table.documents, "#"), policy)
    rows = ranking(found)
    lists: dict[str, list[tuple[str, float]]] = {name: [] for name in found.queries}
    for query, document, value in zip(
        found.query()[rows], found.documents.take(rows).texts(), found.value[rows].tolist(), strict=True
    ):
        lists[found.queries[query]].append((document, value))
    return lists


def test_the_best_passage_and_the_sum_by_hand() -> None:
    assert folded(RUN, "best") == {"q1": [("d2", 4.0), ("d1", 3.5), ("d3", 2.0)], "q2": [("d1", 1.0)], "q3": []}
    assert folded(RUN, "sum")["q1"] == [("d1", 4.5), ("d2", 4.0), ("d3", 2.0)]


def test_best_and_first_differ_where_scores_are_equal() -> None:
    run = {"q": {"a#2": 1.0, "b#1": 1.0, "a#1": 1.0, "b#0": 1.0}}
    # By passage: b#1, b#0, a#2, a#1; by document: b, a. Here both agree, and below they do not.
    assert [name for name, _ in folded(run, "first")["q"]] == ["b", "a"]
    run = {"q": {"a": 1.0, "a!#1": 1.0}}
    assert [name for name, _ in folded(run, "first")["q"]] == ["a!", "a"]
    run = {"q": {"a#1": 1.0, "a!": 1.0}}
    assert [name for name, _ in folded(run, "first")["q"]] == ["a", "a!"]
    assert [name for name, _ in folded(run, "best")["q"]] == ["a!", "a"]


@pytest.mark.parametrize("policy", ["best", "first", "sum"])
def test_folding_is_that_of_a_loop_over_each_list(policy: Policy) -> None:
    rng = np.random.default_rng(8)
    run = {
        f"q{number}": {
            f"doc-{rng.integers(0, 9)}#{part}": float(rng.integers(0, 5)) / 4 for part in range(rng.integers(1, 25))
        }
        for number in range(80)
    }
    found = folded(run, policy)
    for query, scores in run.items():
        order = ranked(scores)
        parents = [name.rpartition("#")[0] for name, _ in order]
        if policy == "first":
            assert [name for name, _ in found[query]] == fold_one(parents)
            continue
        expected: dict[str, float] = {}
        for parent, (_, score) in zip(parents, order, strict=True):
            expected[parent] = expected.get(parent, 0.0) + score if policy == "sum" else expected.get(parent, score)
        assert found[query] == ranked(expected)


def test_two_passages_of_a_document_are_refused_where_that_is_asked() -> None:
    with pytest.raises(DataError, match="query 'q1'") as caught:
        folded(RUN, "refuse")
    assert "'d1'" in str(caught.value)
    assert folded({"q": {"d1#1": 1.0, "d2#1": 2.0}}, "refuse")["q"] == [("d2", 2.0), ("d1", 1.0)]


def test_figures_of_a_folded_run_count_documents() -> None:
    table = table_from_mapping(RUN)
    judged = table_from_mapping({"q1": {"d1": 1}, "q2": {"d1": 1}})
    found = fold_to_parents(table, parents_by_separator(table.documents, "#"), "best")
    assert evaluate_run(judged, found, parse_measures(["RR", "NumRet"])).summary() == (0.75, 4.0)


def texts(separator: str, *names: str) -> list[str]:
    return parents_by_separator(Names.of(names), separator).texts()


def test_a_separator_counts_where_it_stands_last() -> None:
    assert texts("#", "a#b#c", "plain", "ä#1", "a#") == ["a#b", "plain", "ä", "a"]
    assert texts("::", "a::1", "a:1", "a:::1") == ["a", "a:1", "a:"]
    assert texts("¶", "doc¶7") == ["doc"]


def test_a_separator_is_not_found_across_two_ids() -> None:
    assert texts("##", "a#", "#b") == ["a#", "#b"]


@pytest.mark.parametrize("policy", POLICIES)
def test_an_empty_run_stays_empty(policy: Policy) -> None:
    table: Table = table_from_mapping({"q": {}})
    assert len(fold_to_parents(table, table.documents, policy).value) == 0


def test_what_names_no_document_is_refused() -> None:
    with pytest.raises(DataError, match="'#1'"):
        texts("#", "a#1", "#1")
    with pytest.raises(UsageError, match="separator"):
        texts("", "a#1")


def test_passages_without_a_parent_are_named() -> None:
    passages = Names.of(["p9", "p1", "p8", "p9", "p7", "p6"])
    with pytest.raises(DataError, match=r"'p9', 'p8', 'p7' and 1 more"):
        parents_by_mapping(passages, Names.of(["p1"]), Names.of(["d1"]))


def test_scores_that_have_no_sum_are_refused() -> None:
    run = table_from_mapping({"q": {"d1#1": 1.0, "d2#1": float("inf"), "d2#2": float("-inf")}})
    parents = parents_by_separator(run.documents, "#")
    with pytest.raises(DataError, match=r"have no sum, for query 'q'.*'d2'"):
        fold_to_parents(run, parents, "sum")
    assert fold_to_parents(run, parents, "best").value.tolist() == [float("inf"), 1.0]
