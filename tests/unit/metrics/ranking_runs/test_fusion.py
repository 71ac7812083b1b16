"""Fusion: the worked example, each formula by hand, missing documents and queries, weights, and one order."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError, UsageError
from beleg.metrics.ranking_runs.fusion import METHODS, RRF_K, Fusion, Method, fuse
from beleg.metrics.ranking_runs.table import Table, table_from_mapping

Run = dict[str, dict[str, float]]

DENSE = ["d3", "d7", "d1", "d4", "d2", "d9", "d10"]
SPARSE = ["d2", "d3", "d8", "d1", "d11", "d4", "d6"]


def of_ranks(*names: str) -> Run:
    return {"q": {name: float(-rank) for rank, name in enumerate(names)}}


def lists(table: Table) -> dict[str, list[tuple[str, float]]]:
    names = [table.documents[row].decode() for row in range(len(table.value))]
    rows = list(zip(names, table.value.tolist(), strict=True))
    return {
        query: rows[low:high]
        for query, low, high in zip(table.queries, table.offsets[:-1], table.offsets[1:], strict=True)
    }


def fused(*runs: Run, depth: int | None = None, **settings: object) -> dict[str, list[tuple[str, float]]]:
    found, _ = fuse([table_from_mapping(run) for run in runs], Fusion(**settings), depth=depth)  # type: ignore[arg-type]
    return lists(found)


def test_the_worked_example_of_the_seed_article_comes_out() -> None:
    found = fused(of_ranks(*DENSE), of_ranks(*SPARSE))["q"]
    assert [name for name, _ in found[:3]] == ["d3", "d2", "d1"]
    assert [f"{score:.5f}" for _, score in found[:3]] == ["0.03252", "0.03178", "0.03150"]
    assert {name for name, _ in found[:4]} == set(DENSE) & set(SPARSE)
    assert found[4][0] == "d7"
    assert RRF_K == 60


def test_rrf_adds_nothing_for_a_document_that_a_lane_did_not_return() -> None:
    found = dict(fused(of_ranks("a", "b"), of_ranks("b", "c"), k=1)["q"])
    assert found == {"a": 1 / 2, "b": 1 / 3 + 1 / 2, "c": 1 / 3}


def test_ranks_within_a_lane_follow_the_one_order() -> None:
    found = dict(fused({"q": {"a": 1.0, "b": 1.0}}, {"q": {"a": 5.0}}, k=1)["q"])
    assert found == {"b": 1 / 2, "a": 1 / 3 + 1 / 2}


def test_weights_scale_what_a_lane_gives() -> None:
    found = dict(fused(of_ranks("a", "b"), of_ranks("b"), method="weighted-rrf", weights=(2.0, 0.5), k=1)["q"])
    assert found == {"a": 2 / 2, "b": 2 / 3 + 0.5 / 2}


def test_a_convex_combination_by_hand() -> None:
    dense: Run = {"q": {"a": 0.9, "b": 0.7, "c": 0.5}}
    sparse: Run = {"q": {"c": 30.0, "d": 10.0}}
    found = dict(fused(dense, sparse, method="convex", weights=(0.75, 0.25))["q"])
    assert found == pytest.approx({"a": 0.75, "b": 0.375, "c": 0.25, "d": 0.0}, abs=1e-15)


def test_the_weights_of_a_convex_combination_are_brought_to_a_sum_of_one() -> None:
    one, two = of_ranks("a", "b"), of_ranks("b", "c")
    assert fused(one, two, method="convex", weights=(3.0, 1.0)) == fused(
        one, two, method="convex", weights=(0.75, 0.25)
    )
    assert fused(one, two, method="convex") == fused(one, two, method="convex", weights=(0.5, 0.5))


def test_z_scores_put_a_document_that_a_lane_lacks_at_its_end_unless_told_otherwise() -> None:
    one: Run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    other: Run = {"q": {"x": 1.0}}
    assert [name for name, _ in fused(one, other, method="convex", norm="zscore", weights=(0.9, 0.1))["q"]] == [
        "a", "b", "x", "c",
    ]  # fmt: skip
    loose = fused(one, other, method="convex", norm="zscore", missing="zero", weights=(0.9, 0.1))["q"]
    assert [name for name, _ in loose] == ["a", "x", "b", "c"]


def test_combsum_and_combmnz_by_hand() -> None:
    one: Run = {"q": {"a": 2.0, "b": 1.0}}
    two: Run = {"q": {"b": 4.0, "c": 1.0}}
    assert dict(fused(one, two, method="combsum", norm="none")["q"]) == {"a": 2.0, "b": 5.0, "c": 1.0}
    assert dict(fused(one, two, method="combmnz", norm="none")["q"]) == {"a": 2.0, "b": 10.0, "c": 1.0}


def test_borda_shares_the_points_that_a_lane_has_left() -> None:
    found = dict(fused(of_ranks("a", "b"), of_ranks("c", "a", "d"), method="borda")["q"])
    assert found == {"a": 4 + 3, "b": 3 + 1, "c": 1.5 + 4, "d": 1.5 + 2}


@pytest.mark.parametrize("norm", ["minmax", "zscore", "max", "sum"])
def test_a_document_that_is_alone_in_its_list_does_not_vanish(norm: str) -> None:
    one: Run = {"q": {"gold": 0.4}}
    two: Run = {"q": {"x": 9.0, "y": 5.0, "z": 1.0}}
    names = [name for name, _ in fused(one, two, method="convex", norm=norm, weights=(0.6, 0.4))["q"]]
    assert names.index("gold") < names.index("z")


def test_a_query_that_a_lane_lacks_takes_what_the_others_have_and_is_counted() -> None:
    one, two = {"q1": {"a": 1.0}}, {"q2": {"b": 1.0, "c": 0.5}, "q1": {"b": 1.0}}
    table, lanes = fuse([table_from_mapping(one), table_from_mapping(two)], Fusion())
    assert table.queries == ("q1", "q2")
    assert [name for name, _ in lists(table)["q2"]] == ["b", "c"]
    assert lanes.absent == (1, 0)


@pytest.mark.parametrize("method", METHODS)
def test_a_lane_without_the_query_leaves_the_order_of_the_others(method: Method) -> None:
    found = fused({"q1": {"x": 1.0}}, {"q2": {"b": 3.0, "c": 2.0, "a": 1.0}}, method=method)
    assert [name for name, _ in found["q2"]] == ["b", "c", "a"]


@pytest.mark.parametrize("method", ["weighted-rrf", "convex"])
def test_a_lane_of_weight_zero_is_left_out_with_all_that_only_it_returned(method: str) -> None:
    one, two = of_ranks("a", "z", "b"), of_ranks("x", "a")
    found = fused(one, two, method=method, weights=(1.0, 0.0))["q"]
    assert [name for name, _ in found] == ["a", "z", "b"]


def test_ties_stand_by_id_descending_and_lists_are_cut_after_them() -> None:
    assert [name for name, _ in fused(of_ranks("a"), of_ranks("b"), of_ranks("c"), depth=2)["q"]] == ["c", "b"]


@given(st.tuples(st.permutations("abcde"), st.permutations("bcef"), st.permutations("af")))
def test_the_order_of_the_lanes_changes_nothing(names: tuple[list[str], ...]) -> None:
    runs = [of_ranks(*each) for each in names]
    assert all(fused(*order) == fused(*runs) for order in itertools.permutations(runs))


@given(st.lists(st.permutations(list("abcdef")), min_size=2, max_size=5))
def test_rrf_is_the_rounded_exact_sum(names: list[list[str]]) -> None:
    for name, score in fused(*(of_ranks(*each) for each in names))["q"]:
        # What a lane gives is rounded once, the sum of these once more.
        assert score == float(sum((Fraction(1 / (60 + each.index(name) + 1)) for each in names), Fraction(0)))


def test_infinite_scores_are_ranked_and_not_normalised() -> None:
    one, two = {"q": {"a": math.inf, "b": 1.0}}, {"q": {"b": 1.0}}
    assert [name for name, _ in fused(one, two, k=1)["q"]] == ["b", "a"]
    with pytest.raises(DataError, match="infinite score in lane 1"):
        fused(one, two, method="convex")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"method": "best"}, "no method 'best'"),
        ({"k": 0}, "rank constant is 0"),
        ({"norm": "minmax"}, "knows no scores"),
        ({"method": "convex", "norm": "l2"}, "no norm 'l2'"),
        ({"method": "convex", "missing": "mean"}, "no missing 'mean'"),
        ({"method": "combmnz", "norm": "zscore"}, "no score may be below 0"),
        ({"weights": (1.0, 2.0)}, "rrf takes no weights"),
        ({"method": "convex", "weights": (1.0, -2.0)}, "a weight is not between 0 and"),
        ({"method": "convex", "weights": (1.0, math.nan)}, "a weight is not between 0 and"),
        ({"method": "convex", "weights": (0.0, 0.0)}, "all weights are 0"),
        ({"method": "convex", "weights": (1.0,)}, "2 runs need 2 weights"),
    ],
)
def test_a_setting_without_meaning_is_refused(settings: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        fused(of_ranks("a"), of_ranks("b"), **settings)


def test_one_run_alone_and_a_depth_of_nothing_are_refused() -> None:
    with pytest.raises(UsageError, match="1 run was given"):
        fused(of_ranks("a"))
    with pytest.raises(UsageError, match="the depth is 0"):
        fused(of_ranks("a"), of_ranks("b"), depth=0)


def test_the_greatest_rank_constant_and_weights_keep_the_formula() -> None:
    k = 1_000_000_000
    assert fused(of_ranks("a", "b"), of_ranks("b"), k=k)["q"][0] == ("b", pytest.approx(1 / (k + 2) + 1 / (k + 1)))
    one, two = of_ranks("a", "b"), of_ranks("b")
    assert fused(one, two, method="convex", weights=(1e9, 1e9)) == fused(one, two, method="convex")
