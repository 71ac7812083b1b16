"""Columns of runs and judgements: names as spans, repeats, rows that stand apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError
from beleg.metrics.ranking_runs import table as module
from beleg.metrics.ranking_runs.table import Names, Table, table_from_mapping, table_of

TEXTS = st.lists(st.text(st.characters(codec="utf-8"), max_size=30), max_size=30)


def scattered(pairs: list[tuple[str, str]], values: list[float] | None = None) -> Table:
    queries = list(dict.fromkeys(query for query, _ in pairs))
    codes = np.array([queries.index(query) for query, _ in pairs], dtype=np.int32)
    given_values = np.array(values if values is not None else range(len(pairs)), dtype=np.float64)
    return table_of(queries, codes, Names.of(name for _, name in pairs), given_values)


@given(TEXTS)
def test_names_come_back(texts: list[str]) -> None:
    names = Names.of(texts)
    assert [names[row] for row in range(len(names))] == [text.encode() for text in texts]


@given(TEXTS)
def test_equal_names_have_equal_fingerprints_and_others_differ(texts: list[str]) -> None:
    found = Names.of(texts).fingerprints().tolist()
    assert len(set(found)) == len(set(texts))
    assert dict(zip(texts, found, strict=True)) == {text: found[texts.index(text)] for text in texts}


@given(TEXTS)
def test_descending_is_the_order_of_bytes(texts: list[str]) -> None:
    names = Names.of(texts)
    order = names.descending(np.zeros(len(texts), dtype=np.int64))
    assert [names[row] for row in order.tolist()] == sorted((text.encode() for text in texts), reverse=True)


def test_a_name_that_begins_like_another_or_ends_in_nul_is_another() -> None:
    one, other = Names.of(["a", "a\0", "d" * 16]), Names.of(["a", "a", "d" * 16])
    assert not one.equal_to(other)
    assert one.equal_to(Names.of(["a", "a\0", "d" * 16]))
    assert not Names.of(["d" * 15 + "x"]).equal_to(Names.of(["d" * 15 + "y"]))


def test_rows_that_stand_apart_are_brought_together_and_know_where_they_stood() -> None:
    table = scattered([("q1", "a"), ("q2", "b"), ("q1", "c")])
    assert [table.documents[row] for row in range(3)] == [b"a", b"c", b"b"]
    assert [table.source_row(row) for row in range(3)] == [0, 2, 1]
    assert table.query().tolist() == [0, 0, 1]


def test_repeats_are_found_in_their_query_only(monkeypatch: pytest.MonkeyPatch) -> None:
    table = scattered([("q1", "a"), ("q1", "b"), ("q2", "a"), ("q2", "a"), ("q1", "b"), ("q2", "c"), ("q2", "a")])
    repeated = table.repeats().tolist()
    assert [table.source_row(row) for row in repeated] == [4, 3, 6]
    kept = table.without(table.repeats())
    assert [kept.source_row(row) for row in range(4)] == [0, 1, 2, 5]
    assert kept.offsets.tolist() == [0, 2, 4]
    assert not len(kept.repeats())
    monkeypatch.setattr(module, "BLOCK_ROWS", 1)
    assert table.repeats().tolist() == repeated


def test_equal_fingerprints_are_no_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Names, "fingerprints", lambda self: np.zeros(len(self), dtype=np.uint64))
    assert not len(scattered([("q1", "a"), ("q1", "b"), ("q1", "c")]).repeats())
    assert scattered([("q1", "a"), ("q1", "b"), ("q1", "a")]).repeats().tolist() == [2]


def test_blocks_are_whole_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK_ROWS", 4)
    table = table_from_mapping({f"q{n}": {f"d{i}": 1.0 for i in range(size)} for n, size in enumerate([2, 2, 9, 0, 1])})
    assert [(block.start, block.stop) for block in table.blocks()] == [(0, 2), (2, 3), (3, 5)]


def test_nothing_is_a_table_too() -> None:
    table = table_from_mapping({})
    assert table.offsets.tolist() == [0]
    assert not len(table.repeats())


def test_a_value_that_is_no_number_is_refused() -> None:
    with pytest.raises(DataError, match=r"q1.*not a number"):
        table_from_mapping({"q1": {"d1": float("nan")}})
