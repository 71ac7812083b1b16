"""Rank-biased overlap by hand."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from beleg.core.errors import DataError, UsageError
from beleg.metrics.ranking_runs.rank_overlap import TIES, overlap_of_runs, rank_overlap
from beleg.metrics.ranking_runs.table import IntArray, Table, table_from_mapping
from unit.metrics.ranking_runs.worked import Mapping


def single(names: str) -> list[list[str]]:
    return [[name] for name in names]


@pytest.mark.parametrize("ties", TIES)
def test_a_ranking_agrees_with_itself_and_not_with_a_strange_one(ties: str) -> None:
    way = next(each for each in TIES if str(each) == ties)
    same = rank_overlap(single("abcd"), single("abcd"), ties=way)
    assert same.extrapolated == pytest.approx(1.0)
    assert same.most == pytest.approx(1.0)
    assert same.least == pytest.approx(1 - same.residual)
    strange = rank_overlap(single("abcd"), single("wxyz"), ties=way)
    assert (strange.extrapolated, strange.least) == (0.0, 0.0)
    assert 0 < strange.most < 1


def test_the_sum_by_hand() -> None:
    # Shares 0, 1 and 1 at the three depths, then 1 for ever.
    found = rank_overlap(single("abc"), single("bac"), p=0.5)
    assert found.extrapolated == pytest.approx(0.5 * (0 + 0.5 + 0.25) + 0.125)


def test_the_order_of_the_two_does_not_matter() -> None:
    one, two = [["a", "b"], ["c"]], [["c"], ["x", "a"], ["d"], ["e"]]
    for ties in TIES:
        assert rank_overlap(one, two, ties=ties) == rank_overlap(two, one, ties=ties)


def runs(*scores: dict[str, float]) -> tuple[Table, ...]:
    return tuple(table_from_mapping({"q": each}) for each in scores)


def test_runs_are_compared_by_their_scores_and_equal_scores_are_ties() -> None:
    first, second = runs({"b": 1.0, "a": 1.0, "c": 0.5}, {"c": 9.0, "a": 8.0, "x": 8.0})
    found = overlap_of_runs(first, second)
    assert found.overlaps[0] == rank_overlap([["a", "b"], ["c"]], [["c"], ["a", "x"]])
    assert found.mean() == found.overlaps[0]
    cut = overlap_of_runs(first, second, depth=1)
    assert cut.overlaps[0] == rank_overlap([["b"]], [["c"]])


def test_only_common_queries_count() -> None:
    first: Mapping = {"q2": {"a": 1.0}, "q10": {"a": 1.0}, "q3": {"a": 1.0}}
    second: Mapping = {"q10": {"a": 1.0}, "q2": {"b": 1.0}}
    found = overlap_of_runs(table_from_mapping(first), table_from_mapping(second))
    assert found.queries == ("q10", "q2")
    assert (found.only_first, found.only_second) == (1, 0)
    assert found.mean().extrapolated == pytest.approx(0.5)


def test_names_with_one_fingerprint_are_told_apart() -> None:
    first, second = runs({"a": 2.0, "b": 1.0}, {"c": 2.0, "b": 1.0})
    same = [
        Table(each.queries, each.offsets, each.documents, each.fingerprint * 0, each.value) for each in (first, second)
    ]
    assert overlap_of_runs(*same).overlaps == overlap_of_runs(first, second).overlaps


def test_what_cannot_be_compared_is_refused() -> None:
    first, second = runs({"a": 1.0}, {"a": 1.0})
    for p in (0.0, 1.0, float("nan")):
        with pytest.raises(UsageError, match="p is"):
            overlap_of_runs(first, second, p=p)
    with pytest.raises(UsageError, match="the depth is 0"):
        overlap_of_runs(first, second, depth=0)
    with pytest.raises(DataError, match="no query in common"):
        overlap_of_runs(first, table_from_mapping({"p": {"a": 1.0}}))
    with pytest.raises(DataError, match="is empty"):
        rank_overlap([], single("a"))
    with pytest.raises(DataError, match="twice"):
        rank_overlap(single("aa"), single("a"))
    with pytest.raises(UsageError, match="ties are"):
        rank_overlap(single("a"), single("a"), ties="x")  # type: ignore[arg-type]


def test_a_list_of_one_score_has_its_closed_form_in_little_memory() -> None:
    count, p = 6_000, 0.999
    table = table_from_mapping({"q": {f"d{number}": 1.0 for number in range(count)}})
    tracemalloc.start()
    (found,) = overlap_of_runs(table, table, p=p).overlaps
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # Down to d both hold d² / n of the documents in the mean over all orders, a share of d / n.
    depth = np.arange(1, count + 1)
    assert found.extrapolated == pytest.approx(float(((1 - p) * p ** (depth - 1.0) * depth / count).sum()) + p**count)
    assert peak < 32 * 2**20


@pytest.mark.parametrize("seed", range(5))
def test_ties_are_counted_document_by_document(seed: int) -> None:
    rng, count, p = np.random.default_rng(seed), 40, 0.9
    scores = [rng.integers(0, 2 + 8 * seed, count) for _ in range(2)]
    runs = [table_from_mapping({"q": {f"d{n}": float(each[n]) for n in range(count)}}) for each in scores]
    (found,) = overlap_of_runs(runs[0], runs[1], p=p).overlaps

    def held(score: IntArray, document: int, depth: int) -> float:
        above, tied = int((score > score[document]).sum()), int((score == score[document]).sum())
        return min(max((depth - above) / tied, 0.0), 1.0)

    shares = [
        sum(held(scores[0], document, depth) * held(scores[1], document, depth) for document in range(count)) / depth
        for depth in range(1, count + 1)
    ]
    expected = sum((1 - p) * p**place * share for place, share in enumerate(shares)) + p**count * shares[-1]
    assert found.extrapolated == pytest.approx(expected, abs=1e-12)
