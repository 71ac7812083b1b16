"""Differences carry an interval by the rule of the gate, or the reason why there is none."""

from __future__ import annotations

import numpy as np
import pytest

from beleg.app.ir.differences import paired_difference
from beleg.metrics.ranking_runs.measures import Measure, parse_measures
from beleg.stats.paired import non_inferiority

NDCG, COUNT, GMAP = parse_measures(["nDCG@10", "NumRelRet", "gm_map"])


def test_the_interval_is_that_of_the_gate_with_the_error_rate_on_both_sides() -> None:
    rng = np.random.default_rng(2)
    new, old = rng.random(80), rng.random(80)
    found = paired_difference(NDCG, new, old)
    by_gate = non_inferiority(new, old, margin=0.01, alpha=0.025)
    assert (found.lower, found.upper, found.method) == (by_gate.lower, by_gate.upper, "adjusted_t")
    assert found.estimate == pytest.approx((new - old).mean())
    assert (found.better, found.worse, found.n) == (int((new > old).sum()), int((new < old).sum()), 80)


def test_queries_of_one_topic_are_not_taken_as_independent() -> None:
    gap = np.repeat([0.3, -0.1, 0.2, 0.05], 20)
    found = paired_difference(NDCG, 0.5 + gap, np.full(80, 0.5), groups=np.repeat(np.arange(4), 20))
    alone = paired_difference(NDCG, 0.5 + gap, np.full(80, 0.5))
    assert found.clusters == 4
    assert alone.excludes_zero
    assert not found.excludes_zero


@pytest.mark.parametrize(
    ("measure", "values", "reason"),
    [
        (COUNT, [1.0, 5.0], "not a mean over queries"),
        (GMAP, [-3.0, -1.0], "not a mean over queries"),
        (NDCG, [0.5, 1.5], "not between 0 and 1"),
    ],
)
def test_a_measure_without_known_bounds_has_a_reason_in_place_of_an_interval(
    measure: Measure, values: list[float], reason: str
) -> None:
    found = paired_difference(measure, np.array(values), np.zeros(2))
    assert found.reason == reason
    assert "lower" not in found.to_json()
    assert not found.excludes_zero
