"""A run held as nested mappings is ranked as its table is, and what cannot be ranked is named."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.core.errors import DataError
from beleg.metrics.ranking_runs.mappings import hits_of_mapping
from beleg.metrics.ranking_runs.matching import Hits, find_hits
from beleg.metrics.ranking_runs.table import table_from_mapping
from support.hostile_mappings import Emptying, Lying

Nested = dict[str, dict[str, float]]

NAMES = st.sampled_from(
    ["a", "b", "é", "\U0001f600", "\ue000", "ein-viel-laengerer-name-1", "ein-viel-laengerer-name-2"]
)
SCORES = st.sampled_from([-1.0, 0.0, 0.5, 0.5000000000000001, 1e300, float("inf"), float("-inf")])
RUNS = st.dictionaries(st.sampled_from(["q1", "q2", "q3", "q4"]), st.dictionaries(NAMES, SCORES))
GRADES = st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), st.dictionaries(NAMES, st.sampled_from([-1.0, 0.0, 1.0])))


def require_equal(one: Hits, other: Hits) -> None:
    for name in ("query", "rank", "grade", "returned"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert one.extra_queries == other.extra_queries


@given(GRADES, RUNS)
@settings(max_examples=300, deadline=None)
def test_the_ranks_are_those_of_the_table(judged: Nested, run: Nested) -> None:
    if not any(judged.values()):
        judged["q1"] = {"a": 1.0}
    grades = table_from_mapping(judged)
    require_equal(hits_of_mapping(grades, run), find_hits(grades, table_from_mapping(run)))


def test_long_lists_full_of_ties_and_many_judgements_are_ranked_as_the_table_is() -> None:
    rng = np.random.default_rng(5)
    names = [f"d{number}" for number in range(900)]
    run = {f"q{each}": {name: float(rng.integers(0, 60)) for name in rng.permutation(names)} for each in range(90)}
    judged = {
        query: {str(name): 1.0 for name in rng.choice(names, int(rng.integers(1, 40)), replace=False)} for query in run
    }
    grades = table_from_mapping(judged)
    require_equal(hits_of_mapping(grades, run), find_hits(grades, table_from_mapping(run)))


def rank(document: str, run: Mapping[object, object]) -> list[int]:
    return hits_of_mapping(table_from_mapping({"1": {document: 1}}), {1: run}).rank.tolist()  # type: ignore[dict-item]


def test_whole_numbers_equal_their_decimal_text() -> None:
    assert rank("7", {7: 1, 8: 2}) == [2]
    assert rank("7", {np.int64(7): 1, "8": 2}) == [2]
    assert rank("007", {7: 1}) == []
    # By text "9" stands before "10", as it would in a file.
    assert rank("10", {9: 1.0, 10: 1.0}) == [2]


@pytest.mark.parametrize("score", ["0.9", b"0.9", bytearray(b"0.9"), np.str_("0.9"), np.bytes_(b"0.9"), None])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_text_is_no_score_wherever_it_stands(score: object, place: int) -> None:
    pairs: list[tuple[object, object]] = [("d2", 0.5), ("d3", 1)]
    pairs.insert(place, ("d1", score))
    with pytest.raises(DataError, match="a number is expected, for document 'd1' of query '1'"):
        rank("d1", dict(pairs))


@pytest.mark.parametrize("score", [np.float32(0.5), np.int64(1), Decimal("0.5"), 1, True])
def test_every_kind_of_number_is_a_score(score: object) -> None:
    assert rank("a", {"a": score, "b": -1.0}) == [1]


def test_mappings_of_any_class_are_read_and_left_as_they_are() -> None:
    assert rank("a", MappingProxyType({"a": 1.0, "b": 2.0})) == [2]


def test_a_list_that_changes_while_it_is_read_is_refused() -> None:
    held: dict[object, object] = {"b": 1.0}
    held[Emptying("a", held)] = 1.0
    with pytest.raises(DataError, match="a list changed while it was read"):
        hits_of_mapping(table_from_mapping({"1": {"b": 1, "a": 1}}), {"1": held})  # type: ignore[dict-item]


def test_a_list_that_lies_about_its_length_is_counted() -> None:
    hits = hits_of_mapping(table_from_mapping({"1": {"a": 1}}), {"1": Lying({"a": 1.0, "b": 2.0})})
    assert (hits.rank.tolist(), hits.returned.tolist()) == ([2], [2])


def test_what_a_quicker_way_declines_is_taken_all_the_same() -> None:
    judged = table_from_mapping({"1": {"a": 1}})
    asked: list[object] = []
    hits = hits_of_mapping(judged, {"1": {"a": 1.0}}, take=lambda *each: asked.append(each))
    assert (hits.rank.tolist(), len(asked)) == ([1], 1)


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ({"b": 1.0, "a": float("nan")}, ["not a number", "'a'", "'1'"]),
        ({"a": None}, ["'a'", "'1'", "None"]),
        ({"a": "1.5"}, ["a number is expected", "'1.5'"]),
        ({"b": 1.0, "a": "0,9"}, ["'0,9'"]),
        ({"a": [1.0]}, ["[1.0]"]),
        ({b"a": 1.0}, ["bytes", "'1'"]),
        ({7.0: 1.0}, ["float", "whole numbers"]),
        ({7: 1.0, "7": 2.0}, ["same text", "'7'"]),
    ],
)
def test_what_cannot_be_ranked_is_named_by_query_and_document(run: Mapping[object, object], said: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        rank("a", run)
    assert all(words in str(caught.value) for words in said)


def test_a_query_named_as_text_and_as_a_number_is_refused() -> None:
    judged = table_from_mapping({"1": {"a": 1}})
    with pytest.raises(DataError, match="same text"):
        hits_of_mapping(judged, {1: {"a": 1.0}, "1": {"a": 1.0}})


def test_a_bad_score_is_found_in_a_query_that_nobody_judged_too() -> None:
    with pytest.raises(DataError, match="'x'"):
        hits_of_mapping(table_from_mapping({"1": {"a": 1}}), {"1": {"a": 1.0}, "2": {"x": float("nan")}})
