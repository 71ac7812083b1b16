"""What measures share."""

from __future__ import annotations

import numpy as np

from beleg.metrics.ranking_runs.matching import find_hits
from beleg.metrics.ranking_runs.ranked import Ranked, divided, restricted, running, running_sum, turns, within
from beleg.metrics.ranking_runs.table import table_from_mapping

QUERY = np.array([0, 0, 0, 2, 2, 5])


def test_running_sums_begin_anew_with_every_query() -> None:
    assert running(QUERY, np.array([1, 2, 3, 4, 5, 6])).tolist() == [1, 3, 6, 4, 9, 6]
    assert running_sum(QUERY, np.array([0.1, 0.2, 0.3, 1.0, 1.0, 2.0])).tolist() == [
        0.1, 0.1 + 0.2, 0.1 + 0.2 + 0.3, 1.0, 2.0, 2.0,
    ]  # fmt: skip


def test_turns_give_the_second_rows_then_the_third() -> None:
    assert [(rows.tolist(), before.tolist()) for rows, before in turns(QUERY)] == [([1, 4], [0, 3]), ([2], [1])]
    assert list(turns(np.empty(0, dtype=np.int64))) == []


def test_a_quotient_over_nothing_is_zero() -> None:
    assert divided(np.array([1, 2]), np.array([0, 4])).tolist() == [0.0, 0.5]
    assert within(None, np.array([1, 9])).tolist() == [True, True]


def test_lists_end_at_a_depth_after_documents_without_a_judgement_are_gone() -> None:
    judged = table_from_mapping({"q": {"a": 1, "b": 0, "u": -1}})
    hits = find_hits(judged, table_from_mapping({"q": {"x": 5.0, "u": 4.0, "b": 3.0, "y": 2.0, "a": 1.0}}))
    only = restricted(hits, judged_only=True)
    assert (only.rank.tolist(), only.returned.tolist()) == ([1, 2], [2])
    cut = restricted(hits, depth=3)
    assert (cut.rank.tolist(), cut.grade.tolist(), cut.returned.tolist()) == ([2, 3], [-1.0, 0.0], [3])
    both = restricted(hits, depth=1, judged_only=True)
    assert (both.rank.tolist(), both.grade.tolist(), both.returned.tolist()) == ([1], [0.0], [1])


def test_the_ideal_order_and_the_highest_grade() -> None:
    judged = table_from_mapping({"p": {"a": 1, "b": 3, "c": 0}, "q": {"d": -1}})
    ranked = Ranked(2, judged.query(), judged.value, find_hits(judged, table_from_mapping({"p": {"a": 1.0}})))
    query, rank, grade = ranked.best_first
    assert (query.tolist(), rank.tolist(), grade.tolist()) == ([0, 0], [1, 2], [3.0, 1.0])
    assert ranked.highest_grade.tolist() == [3.0, 0.0]
    assert ranked.binary(2).total.tolist() == [1, 0]
