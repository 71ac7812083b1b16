"""Ranks of judged documents: the one order, whatever order the rows come in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.ranking import ranked
from beleg.metrics.ranking_runs import table as module
from beleg.metrics.ranking_runs.matching import Hits, find_hits
from beleg.metrics.ranking_runs.table import Names, table_from_mapping

DOCUMENTS = [*"abcdefgh", "a-long-name-1", "a-long-name-2", "a-long-name-10", "é", "z\0"]
RUNS = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from([0.0, -0.0, 0.5, 1.0, float("inf")]), min_size=1),
)
JUDGED = st.dictionaries(
    st.sampled_from(["q1", "q2", "q4"]), st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-1, 3)), min_size=1
)
Mapping = dict[str, dict[str, float]]


def expected(judged: Mapping, run: Mapping) -> list[tuple[str, int, float]]:
    """By sorting every list whole, in the order of `beleg.core.ranking`."""
    return [
        (query, rank, grades[name])
        for query, grades in judged.items()
        for rank, (name, _) in enumerate(ranked(run.get(query, {})), start=1)
        if name in grades
    ]


def found(judged: Mapping, run: Mapping) -> list[tuple[str, int, float]]:
    hits: Hits = find_hits(table_from_mapping(judged), table_from_mapping(run))
    names = list(judged)
    columns = (hits.query.tolist(), hits.rank.tolist(), hits.grade.tolist())
    return [(names[query], rank, grade) for query, rank, grade in zip(*columns, strict=True)]


@given(JUDGED, RUNS)
def test_ranks_are_those_of_whole_sorted_lists(judged: Mapping, run: Mapping) -> None:
    assert found(judged, run) == expected(judged, run)


@given(JUDGED, RUNS)
def test_lists_in_order_need_no_sorting_and_rank_the_same(judged: Mapping, run: Mapping) -> None:
    in_order = {query: dict(ranked(scores)) for query, scores in run.items()}
    by_score = {query: dict(sorted(scores.items(), key=lambda pair: -pair[1])) for query, scores in run.items()}
    assert found(judged, in_order) == found(judged, by_score) == expected(judged, run)


@pytest.mark.parametrize("block_rows", [1, 3])
def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch, block_rows: int) -> None:
    monkeypatch.setattr(module, "BLOCK_ROWS", block_rows)
    judged: Mapping = {"q2": {"a": 1, "c": 0}, "q1": {"b": 2}}
    run: Mapping = {"q1": {"a": 1.0, "b": 1.0}, "q9": {"a": 1.0}, "q2": {"c": 0.5, "a": 0.25}}
    assert found(judged, run) == expected(judged, run)


def test_equal_fingerprints_do_not_mix_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Names, "fingerprints", lambda self: np.zeros(len(self), dtype=np.uint64))
    judged: Mapping = {"q1": {"b": 2, "x": 1}, "q2": {"a": 1}}
    run: Mapping = {"q1": {"a": 1.0, "b": 1.0, "c": 0.0}, "q2": {"b": 1.0}}
    assert found(judged, run) == expected(judged, run) == [("q1", 1, 2.0)]


def test_extra_queries_and_what_was_returned_are_counted() -> None:
    hits = find_hits(
        table_from_mapping({"q1": {"a": 1}, "q2": {"a": 1}, "q3": {}}),
        table_from_mapping({"q9": {"a": 1.0}, "q1": {"x": 1.0, "y": 0.0}, "q3": {"a": 1.0}}),
    )
    assert hits.extra_queries == 2
    assert hits.returned.tolist() == [2, 0, 0]
