"""Candidates, reranked lists and judgements side by side, document by document."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import UsageError
from beleg.core.ranking import ranked
from beleg.metrics.ranking_runs.table import table_from_mapping
from beleg.metrics.ranking_runs.uplift import Reranking, gold_moves, lay_side_by_side

Run = dict[str, dict[str, float]]

FIRST: Run = {"q1": {"a": 5.0, "b": 4.0, "c": 3.0, "d": 2.0}, "q2": {"a": 1.0}, "q9": {"a": 1.0}}
THEN: Run = {"q1": {"c": 9.0, "a": 8.0, "b": 7.0}, "q2": {"a": 1.0}, "q9": {"z": 1.0}}
JUDGED: Run = {"q1": {"c": 1, "b": 2, "d": 1, "x": 1, "a": 0}, "q2": {"b": 1}, "q3": {"a": 1}}

LISTS = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([0.0, 1.0, 2.0]), min_size=1),
    min_size=1,
)


def side_by_side(first: Run, then: Run, judged: Run, depth: int) -> Reranking:
    return lay_side_by_side(*(table_from_mapping(each) for each in (judged, first, then)), depth=depth)


def places(found: Reranking) -> dict[tuple[str, str], tuple[int, int, float]]:
    return {
        (found.queries[found.query[row]], found.documents[row].decode()): (
            int(found.before[row]), int(found.after[row]), float(found.grade[row]),
        )
        for row in range(len(found.query))
    }  # fmt: skip


def test_every_document_has_its_place_before_and_after_and_its_grade() -> None:
    assert places(side_by_side(FIRST, THEN, JUDGED, 3)) == {
        ("q1", "a"): (1, 2, 0.0),
        ("q1", "b"): (2, 3, 2.0),
        ("q1", "c"): (3, 1, 1.0),
        ("q1", "d"): (0, 0, 1.0),
        ("q1", "x"): (0, 0, 1.0),
        ("q2", "a"): (1, 1, 0.0),
        ("q2", "b"): (0, 0, 1.0),
        ("q3", "a"): (0, 0, 1.0),
    }


@given(LISTS, LISTS, LISTS, st.integers(1, 4))
def test_places_are_those_of_the_one_order(first: Run, then: Run, judged: Run, depth: int) -> None:
    found = places(side_by_side(first, then, judged, depth))
    for query in judged:
        before = [name for name, _ in ranked(first.get(query, {}))][:depth]
        after = [name for name, _ in ranked(then.get(query, {}))]
        assert {name for of, name in found if of == query} == {*before, *after, *judged[query]}
        for name in {*before, *after}:
            rank_before, rank_after, grade = found[query, name]
            assert rank_before == (before.index(name) + 1 if name in before else 0)
            assert rank_after == (after.index(name) + 1 if name in after else 0)
            assert grade == judged[query].get(name, 0.0)


def test_what_is_missing_and_what_is_no_candidate() -> None:
    found = side_by_side(FIRST, THEN | {"q2": {"b": 1.0, "c": 1.0}}, JUDGED, 4)
    assert found.queries == ("q1", "q2", "q3")
    assert found.per_query(found.missing).tolist() == [1, 1, 0]
    assert found.per_query(found.extra).tolist() == [0, 2, 0]


def test_the_best_order_of_the_candidates_is_by_grade() -> None:
    best = side_by_side(FIRST, THEN, JUDGED, 3).best_order
    scores = dict(zip([best.documents[row].decode() for row in range(3)], best.value[:3].tolist(), strict=True))
    assert scores == {"a": 0.0, "b": 2.0, "c": 1.0}
    assert np.diff(best.offsets).tolist() == [3, 1, 0]


def test_how_the_relevant_documents_moved_by_hand() -> None:
    moves = gold_moves(side_by_side(FIRST, THEN, JUDGED, 4), cuts=(1, 2))
    assert (moves.relevant, moves.available, moves.queries_without) == (6, 3, 2)
    assert (moves.up, moves.down, moves.same, moves.lost) == (1, 1, 0, 1)
    assert moves.into == {1: 1, 2: 1}
    assert moves.out_of == {1: 0, 2: 1}


def test_a_relevance_level_and_chosen_queries() -> None:
    found = side_by_side(FIRST, THEN, JUDGED, 4)
    assert gold_moves(found, min_rel=2).relevant == 1
    assert gold_moves(found, only=np.array([False, True, True])).relevant == 2


@given(LISTS, LISTS, LISTS, st.integers(1, 6))
def test_every_relevant_candidate_moved_in_one_way(first: Run, then: Run, judged: Run, depth: int) -> None:
    moves = gold_moves(side_by_side(first, then, judged, depth))
    assert moves.up + moves.down + moves.same + moves.lost == moves.available <= moves.relevant


def test_a_depth_of_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="the depth is 0"):
        side_by_side(FIRST, THEN, JUDGED, 0)
