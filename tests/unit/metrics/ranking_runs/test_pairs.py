"""Pairs are numbered once, whatever tables they come from, and never by their fingerprint alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError
from beleg.core.ranking import ranked
from beleg.metrics.ranking_runs.pairs import Rows, head_of, pairs_of
from beleg.metrics.ranking_runs.table import Names, table_from_mapping, table_of

DOCUMENTS = ["a", "b", "a-long-name-1", "a-long-name-10", "\u00e9", "z\0", "z", ""]
TABLES = st.lists(
    st.dictionaries(
        st.sampled_from(["q1", "q2", "\u00fc"]),
        st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from([0.0, 1.0, 2.0])),
    ),
    min_size=1,
    max_size=3,
)
Tables = list[dict[str, dict[str, float]]]


def expected(tables: Tables) -> list[tuple[str, str]]:
    found = {(query, name) for table in tables for query, row in table.items() for name in row}
    return sorted(found, key=lambda pair: (pair[0].encode(), pair[1].encode()))


@given(TABLES)
def test_distinct_pairs_stand_in_the_order_of_their_bytes(tables: Tables) -> None:
    found = pairs_of([Rows.all_of(table_from_mapping(table)) for table in tables])
    assert list(found.ids(np.arange(len(found)))) == expected(tables)


@given(TABLES)
def test_each_row_knows_its_pair(tables: Tables) -> None:
    found = pairs_of([Rows.all_of(table_from_mapping(table)) for table in tables])
    for part, table in zip(found.parts, tables, strict=True):
        assert list(found.ids(part)) == [(query, name) for query, row in table.items() for name in row]


@given(TABLES)
def test_equal_fingerprints_do_not_make_two_pairs_one(tables: Tables) -> None:
    parts = [Rows.all_of(table_from_mapping(table)) for table in tables]
    rows = sum(len(part.rows) for part in parts)
    collided, usual = pairs_of(parts, keys=np.zeros(rows, dtype=np.uint64)), pairs_of(parts)
    assert list(collided.ids(np.arange(len(collided)))) == list(usual.ids(np.arange(len(usual))))
    assert [part.tolist() for part in collided.parts] == [part.tolist() for part in usual.parts]


def test_the_best_rows_follow_the_one_order() -> None:
    table = table_from_mapping({"q": {"d1": 1.0, "d2": 1.0, "d3": 0.5}, "r": {"d9": 0.0}})
    best = Rows.best_of(table, 1)
    assert [table.documents[row] for row in best.rows.tolist()] == [b"d2", b"d9"]
    assert best.rank.tolist() == [1, 1]


@given(
    run=st.dictionaries(
        st.sampled_from(["q1", "q2"]), st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from([0.0, 0.5, 1.0]))
    ),
    depth=st.integers(1, 9),
    in_order=st.booleans(),
)
def test_a_head_is_the_begin_of_the_whole_ranking(run: dict[str, dict[str, float]], depth: int, in_order: bool) -> None:
    if in_order:
        run = {query: dict(sorted(row.items(), key=lambda item: -item[1])) for query, row in run.items()}
    head = head_of(table_from_mapping(run), depth)
    expected = [name for row in run.values() for name, _ in ranked(row)[:depth]]
    assert [head.documents[row].decode() for row in range(len(head.value))] == expected
    assert np.diff(head.offsets).tolist() == [min(len(row), depth) for row in run.values()]
    best = Rows.best_of(table_from_mapping(run), depth)
    assert [best.table.documents[row].decode() for row in best.rows.tolist()] == expected


def test_values_go_to_their_pairs() -> None:
    judged, run = table_from_mapping({"q": {"d2": 3.0}}), table_from_mapping({"q": {"d1": 9.0}})
    found = pairs_of([Rows.all_of(judged), Rows.all_of(run)])
    value, times = found.values(0, judged.value)
    assert (value.tolist(), times.tolist()) == ([0.0, 3.0], [0, 1])


def test_ids_that_are_no_text_are_found_before_they_are_written() -> None:
    names = Names.of(["plain", "\u00e9t\u00e9", "\udcff"])
    broken = Names(np.frombuffer(b"ok\xff" + bytes(16), np.uint8), np.array([0, 2]), np.array([2, 1], dtype=np.int32))
    table = table_of(("q",), np.zeros(3, dtype=np.int32), names, np.zeros(3))
    whole = pairs_of([Rows.all_of(table)])
    whole.require_text(np.arange(3))
    found = pairs_of([Rows.all_of(table_of(("q",), np.zeros(2, dtype=np.int32), broken, np.zeros(2)))])
    found.require_text(np.array([0]))
    with pytest.raises(DataError, match="not UTF-8"):
        found.require_text(np.arange(2))
