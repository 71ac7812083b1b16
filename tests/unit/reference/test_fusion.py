from __future__ import annotations

import pytest

from beleg.core.errors import DataError
from beleg.reference.fusion import reciprocal_rank_fusion

DENSE = ["d3", "d7", "d1", "d4", "d2", "d9", "d10"]
SPARSE = ["d2", "d3", "d8", "d1", "d11", "d4", "d6"]


def test_the_worked_example_of_the_seed_article_comes_out() -> None:
    fused = reciprocal_rank_fusion([DENSE, SPARSE])
    assert [name for name, _ in fused[:3]] == ["d3", "d2", "d1"]
    assert dict(fused)["d3"] == pytest.approx(1 / 61 + 1 / 62, abs=1e-15)
    assert dict(fused)["d2"] == pytest.approx(1 / 65 + 1 / 61, abs=1e-15)


def test_ties_are_ordered_by_id_descending_whatever_the_order_of_the_lanes() -> None:
    assert [name for name, _ in reciprocal_rank_fusion([["a"], ["b"]])] == ["b", "a"]
    assert [name for name, _ in reciprocal_rank_fusion([["b"], ["a"]])] == ["b", "a"]


def test_mirrored_ranks_in_three_lanes_tie_exactly() -> None:
    fused = dict(reciprocal_rank_fusion([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]]))
    assert len(set(fused.values())) == 1


def test_an_id_that_stands_twice_in_a_lane_is_refused() -> None:
    with pytest.raises(DataError, match="same id twice"):
        reciprocal_rank_fusion([["a", "a"]])


def test_one_lane_keeps_its_order() -> None:
    assert [name for name, _ in reciprocal_rank_fusion([DENSE])] == DENSE


def test_no_lane_gives_nothing() -> None:
    assert reciprocal_rank_fusion([]) == []
