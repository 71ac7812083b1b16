"""Novelty and diversity by hand; published figures stand in tests/oracles."""

from __future__ import annotations

import math
import time

import pytest

from unit.metrics.ranking_runs.worked import grouped, listed, mean_of_groups

THREE = grouped(("q", "1", "0", "a", 1), ("q", "2", "0", "b", 1), ("q", "2", "0", "c", 1), ("q", "3", "0", "n", 0))


def test_subtopics_without_a_relevant_document_do_not_count() -> None:
    assert mean_of_groups(THREE, listed("b", "c", "a"), "StRecall@2") == 0.5
    assert mean_of_groups(THREE, listed("b", "c", "a"), "P_IA@2") == (0 + 1) / 2
    assert mean_of_groups(THREE, listed("b", "c", "a"), "AP_IA") == (1 / 3 + 1) / 2


def test_a_second_document_of_a_subtopic_gains_less() -> None:
    found = mean_of_groups(THREE, listed("b", "c"), "alpha_nDCG(alpha=0.25)@2")
    best = 1 + 1 / math.log2(3)
    assert found == pytest.approx((1 + 0.75 / math.log2(3)) / best)
    most = 2 * (1 + 0.75 / 2)
    assert mean_of_groups(THREE, listed("b", "c"), "ERR_IA(alpha=0.25)@2") == pytest.approx((1 + 0.75 / 2) / most)


def test_the_greedy_order_is_best_where_it_is_simple() -> None:
    for name in ("alpha_nDCG@5", "nERR_IA@5", "nNRBP", "nNRBP(beta=0.9)"):
        assert mean_of_groups(THREE, listed("b", "a", "c"), name) == pytest.approx(1.0)
        assert mean_of_groups(THREE, listed("n"), name) == 0.0


def test_measures_of_judges_count_every_judge() -> None:
    two = grouped(("q", "ann", "0", "a", 1), ("q", "bob", "0", "a", 0), ("q", "bob", "0", "b", 0))
    assert mean_of_groups(two, listed("a"), "AP_JG") == 0.5
    assert mean_of_groups(two, listed("a"), "P_JG@2") == 0.25
    assert mean_of_groups(two, listed("a"), "RprecMult_JG@1") == 0.5


@pytest.mark.parametrize("beta", [0.0, 0.5, 0.9])
def test_the_best_order_of_many_documents_ends_where_nothing_is_left_to_gain(beta: float) -> None:
    # Of one subtopic, the document at rank i gains (1 - alpha)^(i - 1) · beta^(i - 1) in the best order.
    count, alpha = 3_000, 0.01
    own = grouped(*(("q", "1", "0", f"d{number}", 1) for number in range(count)))
    best = sum(((1 - alpha) * beta) ** place for place in range(count))
    began = time.process_time()
    found = mean_of_groups(own, listed("d7"), f"nNRBP(alpha={alpha},beta={beta})")
    assert found == pytest.approx(1 / best, rel=1e-11)
    assert time.process_time() - began < 2.0


def test_the_best_order_ends_where_every_subtopic_is_used_up() -> None:
    own = grouped(*(("q", "1", "0", f"d{number}", 1) for number in range(3_000)))
    best = sum((0.5 * 0.999) ** place for place in range(100))
    assert mean_of_groups(own, listed("d7"), "nNRBP(beta=0.999)") == pytest.approx(1 / best, rel=1e-11)
