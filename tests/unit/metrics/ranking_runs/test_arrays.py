"""Ranked lists in arrays are ranked as their table is, and what cannot be ranked is named."""

from __future__ import annotations

import numpy as np
import pytest

from beleg.core.errors import DataError
from beleg.metrics.ranking_runs.arrays import Lists, hits_of_lists, lists_of
from beleg.metrics.ranking_runs.matching import find_hits
from beleg.metrics.ranking_runs.table import table_from_mapping


@pytest.mark.parametrize("scored", [False, True])
def test_the_ranks_are_those_of_the_table(scored: bool) -> None:
    rng = np.random.default_rng(3)
    queries = [f"q{number}" for number in range(200)]
    documents = np.array([rng.permutation(60)[:40] for _ in queries])
    documents[rng.random(documents.shape) < 0.1] = -1
    scores = rng.integers(0, 12, documents.shape).astype(np.float32) if scored else None
    judged = {
        query: {str(number): float(rng.integers(-1, 3)) for number in rng.permutation(80)[: rng.integers(1, 20)]}
        for query in [*queries[:150], "absent"]
    }
    judged["q1"] = {"words": 1.0, "007": 1.0, str(2**70): 1.0}
    falling = -np.arange(documents.shape[1], dtype=np.float64)
    run = {
        query: {
            str(name): float(score)
            for name, score in zip(documents[row], falling if scores is None else scores[row], strict=True)
            if name >= 0
        }
        for row, query in enumerate(queries)
    }
    grades = table_from_mapping(judged)
    found = hits_of_lists(grades, lists_of(documents, scores, queries))
    expected = find_hits(grades, table_from_mapping(run))
    for name in ("query", "rank", "grade", "returned"):
        assert np.array_equal(getattr(found, name), getattr(expected, name)), name
    assert found.extra_queries == expected.extra_queries == 50


def test_a_row_without_a_name_is_named_by_its_number() -> None:
    assert lists_of(np.array([[1], [2]])).queries == ("0", "1")


def test_lists_may_be_empty() -> None:
    assert lists_of([[], []], [[], []]).documents.shape == (2, 0)


def test_equal_scores_are_ordered_by_the_text_of_the_ids() -> None:
    judged = table_from_mapping({"0": {"9": 1, "10": 1}})
    found = hits_of_lists(judged, lists_of(np.array([[10, 9]]), np.array([[1.0, 1.0]])))
    assert dict(zip(found.rank.tolist(), found.grade.tolist(), strict=True)).keys() == {1, 2}
    only = table_from_mapping({"0": {"10": 1}})
    assert hits_of_lists(only, lists_of(np.array([[10, 9]]), np.array([[1.0, 1.0]]))).rank.tolist() == [2]


@pytest.mark.parametrize(
    ("lists", "said"),
    [
        (lambda: lists_of(np.array([[1, 2], [3, 3]])), ["stands twice", "'1'", "3"]),
        (lambda: lists_of(np.array([[1]]), np.array([[np.nan]])), ["not a number", "'0'", "1"]),
        (lambda: lists_of(np.array([[1, 2]]), np.array([[1.0]])), ["do not fit", "(1, 2)", "(1, 1)"]),
        (lambda: lists_of(np.array([1, 2])), ["do not fit"]),
        (lambda: lists_of(5), ["do not fit", "()"]),
        (lambda: lists_of([["007", "3"]]), ["whole numbers", "<U3"]),
        (lambda: lists_of([[3.7, 2]]), ["whole numbers", "float64"]),
        (lambda: lists_of([[True, False]]), ["whole numbers", "bool"]),
        (lambda: lists_of([[None, 2]]), ["whole numbers", "object"]),
        (lambda: lists_of([[2**70]]), ["whole numbers", "object"]),
        (lambda: lists_of([[1, 2], [3]]), ["whole numbers", "inhomogeneous"]),
        (lambda: lists_of(np.ma.masked_equal([[1, 2]], 2)), ["masked"]),
        (lambda: lists_of([[1]], [[1j]]), ["table of numbers", "complex128"]),
        (lambda: lists_of([[1]], [["0.5"]]), ["table of numbers", "<U3"]),
        (lambda: lists_of([[1]], [[None]]), ["table of numbers", "object"]),
        (lambda: lists_of([[1, 2]], [[1.0, 2.0], [3.0]]), ["table of numbers"]),
        (lambda: lists_of([[1, 2]], [[True, False]]), ["table of numbers", "bool"]),
        (lambda: lists_of(np.array([[1], [2]]), queries=["a", "a"]), ["twice"]),
        (lambda: lists_of(np.array([[2**63]], dtype=np.uint64)), ["2^63"]),
    ],
)
def test_what_cannot_be_ranked_is_named(lists: object, said: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        lists()  # type: ignore[operator]
    assert all(words in str(caught.value) for words in said)


def test_the_score_of_an_empty_place_is_not_looked_at() -> None:
    lists = Lists(("0",), np.array([[5, -1]]), np.array([[1.0, np.nan]]))
    lists.require_sound()
    assert hits_of_lists(table_from_mapping({"0": {"5": 1}}), lists).rank.tolist() == [1]
