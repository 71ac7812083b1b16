"""Measures of a reader, worked by hand; published figures stand in tests/oracles."""

from __future__ import annotations

import math

import pytest

from beleg.core.errors import DataError
from unit.metrics.ranking_runs.worked import Mapping, listed, mean

GRADED: Mapping = {"q": {"a": 2, "b": 1}}


def test_rank_biased_precision_by_level_and_by_grade() -> None:
    assert mean(GRADED, listed("a", "b"), "RBP(p=0.9)") == pytest.approx(0.1 + 0.09)
    assert mean(GRADED, listed("a", "b"), "RBP(p=0.9,rel=2)") == pytest.approx(0.1)
    assert mean(GRADED, listed("a", "b"), "RBP(p=0.9,gain='grade')") == pytest.approx(0.145)
    assert mean(GRADED, listed("a", "b"), "RBP(p=0.9)@1") == pytest.approx(0.1)


def test_the_residual_is_what_is_left_open() -> None:
    assert mean(GRADED, listed("a", "x", "b"), "RBPResidual(p=0.5)") == pytest.approx(0.25 + 0.125)
    assert mean(GRADED, {"other": {"a": 1.0}}, "RBPResidual(p=0.5)") == 0.0


def test_expected_reciprocal_rank_stops_the_reader() -> None:
    first, second = 3 / 4, 1 / 4
    assert mean(GRADED, listed("a", "b"), "ERR(max_grade=2)") == pytest.approx(first + (1 - first) * second / 2)
    assert mean({"q": {"a": 1}}, listed("a"), "ERR") == 1 / 16
    with pytest.raises(DataError, match="max_grade=2"):
        mean(GRADED, listed("a"), "ERR(max_grade=1)")


def test_the_bejeweled_player_stops_with_enough() -> None:
    judged: Mapping = {"q": {"a": 1, "b": 1}}
    assert mean(judged, listed("x", "a", "y", "b"), "BPM(T=1,max_rel=1)@10") == 1 / 2
    assert mean(judged, listed("x", "a", "y", "b"), "BPM(T=2,max_rel=1)@10") == 2 / 4
    assert mean(judged, listed("x", "a"), "BPM(T=2,max_rel=1)@5") == 1 / 5


def test_scaled_gain_is_one_where_every_rank_is_best() -> None:
    assert mean({"q": {"a": 1, "b": 1}}, listed("a", "b"), "SDCG(max_rel=1)@2") == pytest.approx(1.0)
    assert mean({"q": {"a": 1, "b": 1}}, listed("a", "b"), "SDCG(max_rel=2)@2") == pytest.approx(0.5)


def test_readers_without_a_cutoff_go_a_thousand_ranks() -> None:
    judged: Mapping = {"q": {"a": 1}}
    weights = [4 / (rank + 1) ** 2 for rank in range(1, 1001)]
    assert mean(judged, listed("a"), "INSQ(T=1,max_rel=1)") == pytest.approx(weights[0] / sum(weights))
    assert mean(judged, listed("x", "a"), "NERR8(max_rel=1)@5") == pytest.approx(0.5)
    assert mean(judged, listed("x", "a"), "NERR10(p=0.5,max_rel=1)") == pytest.approx(0.5 / 1.5)


def test_compatibility_is_one_for_the_best_order_and_less_for_others() -> None:
    assert mean(GRADED, listed("a", "b"), "Compat") == pytest.approx(1.0)
    p = 0.95
    depth = [0.0, 1.0]
    best = sum(p**at * 1.0 for at in range(2))
    assert mean(GRADED, listed("b", "a"), "Compat") == pytest.approx(sum(p**at * depth[at] for at in range(2)) / best)
    raw = (1 + p * 0.5 + p * p * (2 / 3)) / (1 + p + p * p)
    assert mean(GRADED, listed("a", "x", "b"), "Compat(normalize=False)") == pytest.approx(raw)
    assert math.isclose(mean({"q": {"a": 0}}, listed("a"), "Compat"), 0.0)


def test_a_grade_above_the_highest_is_refused() -> None:
    with pytest.raises(DataError, match="Write max_rel=2"):
        mean(GRADED, listed("a"), "INST(max_rel=1)")
