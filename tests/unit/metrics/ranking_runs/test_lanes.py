"""Runs side by side hold every pair once, whatever the order of queries and rows."""

from __future__ import annotations

from collections.abc import Sequence
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.metrics.ranking_runs import lanes as module
from beleg.metrics.ranking_runs.lanes import Lanes, join_lanes
from beleg.metrics.ranking_runs.table import Names, Table, table_from_mapping

Run = dict[str, dict[str, float]]

NAMES = ["a", "b", "c", "eight-by", "eight-bytes-and-more", "eight-bytes-and-less", "\u00e9"]
RUNS = st.lists(
    st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), st.dictionaries(st.sampled_from(NAMES), st.floats(0, 1))),
    min_size=1,
    max_size=4,
)


def pairs(table: Table) -> list[tuple[str, str]]:
    names = [table.documents[row].decode() for row in range(len(table.value))]
    return [(table.queries[number], name) for number, name in zip(table.query(), names, strict=True)]


def tables(runs: Sequence[Run]) -> list[Table]:
    return [table_from_mapping(run) for run in runs]


def require_whole(joined: Lanes, runs: Sequence[Run]) -> None:
    union = pairs(joined.table(np.zeros(len(joined))))
    assert len(set(union)) == len(union)
    assert set(union) == {(query, name) for run in runs for query, scores in run.items() for name in scores}
    assert joined.queries == tuple(dict.fromkeys(query for run in runs for query in run))
    for run, table, rows in zip(runs, joined.tables, joined.rows, strict=True):
        found = dict(zip([union[row] for row in rows.tolist()], table.value.tolist(), strict=True))
        assert found == {(query, name): score for query, scores in run.items() for name, score in scores.items()}


@given(RUNS)
def test_the_union_holds_every_pair_once_and_every_lane_finds_its_own(runs: list[Run]) -> None:
    require_whole(join_lanes(tables(runs)), runs)


@given(RUNS)
def test_how_many_lanes_hold_a_pair_and_which_queries_a_lane_lacks(runs: list[Run]) -> None:
    joined = join_lanes(tables(runs))
    union = pairs(joined.table(np.zeros(len(joined))))
    assert joined.held().tolist() == [sum(name in run.get(query, {}) for run in runs) for query, name in union]
    assert list(joined.absent) == [sum(not run.get(query) for query in joined.queries) for run in runs]


def test_rows_stand_by_query_and_in_the_order_in_which_they_are_first_named() -> None:
    runs: list[Run] = [{"q1": {"b": 1.0, "a": 2.0}}, {"q2": {"z": 1.0}, "q1": {"c": 1.0, "a": 1.0}}]
    joined = join_lanes(tables(runs))
    assert pairs(joined.table(np.zeros(4))) == [("q1", "b"), ("q1", "a"), ("q1", "c"), ("q2", "z")]


@pytest.mark.parametrize("hashed", ["all alike", "by length"])
def test_different_names_with_one_fingerprint_stay_different(hashed: str) -> None:
    def alike(names: Names) -> object:
        return (names.length if hashed == "by length" else np.ones(len(names))).astype(np.uint64)

    runs: list[Run] = [{"q1": {"a": 1.0, "b": 2.0}, "q2": {"a": 1.0}}, {"q2": {"bb": 1.0, "a": 3.0}, "q1": {"b": 1.0}}]
    with mock.patch.object(Names, "fingerprints", alike):
        require_whole(join_lanes(tables(runs)), runs)


@given(st.lists(st.sampled_from([0, 1, 1 << 60, 3 << 60, (3 << 60) + 1, 7 << 61]), max_size=40))
def test_keys_that_share_their_lower_bits_are_told_apart(keys: list[int]) -> None:
    found = module._first_alike(np.array(keys, dtype=np.uint64))
    assert found.tolist() == [keys.index(key) for key in keys]


def test_lists_that_fill_several_blocks() -> None:
    runs: list[Run] = [
        {f"q{number}": {f"d{document}": 1.0 for document in range(step, 9, step)} for number in range(20)}
        for step in (1, 2, 3)
    ]
    with mock.patch.object(module, "BLOCK_ROWS", 7):
        require_whole(join_lanes(tables(runs)), runs)
