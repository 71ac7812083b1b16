"""Binary measures worked by hand; trec_eval and ir_measures stand in tests/oracles."""

from __future__ import annotations

import pytest

from beleg.metrics.ranking_runs.kernels import evaluate_run
from beleg.metrics.ranking_runs.measures import parse_measures
from beleg.metrics.ranking_runs.table import table_from_mapping
from unit.metrics.ranking_runs.worked import Mapping, listed, mean

THREE: Mapping = {"q": {"a": 1, "b": 1, "c": 1, "n": 0}}


def test_precision_at_a_share_of_the_relevant_documents() -> None:
    assert mean(THREE, listed("a", "n", "b"), "RprecMult@1") == 2 / 3
    assert mean(THREE, listed("a", "n", "b"), "RprecMult@2") == 2 / 6
    assert mean(THREE, listed("a", "n", "b"), "RprecMult@0.3") == 1.0


def test_relative_precision_divides_by_what_could_be_reached() -> None:
    assert mean(THREE, listed("a", "n", "b"), "RelP@10") == 2 / 3
    assert mean(THREE, listed("a", "n", "b"), "RelP@2") == 1 / 2


def test_inferred_average_precision_is_average_precision_where_all_is_judged() -> None:
    run = listed("a", "n", "b", "c")
    assert mean(THREE, run, "infAP") == pytest.approx(mean(THREE, run, "AP"), abs=1e-4)


def test_inferred_average_precision_guesses_what_a_pooled_document_is() -> None:
    judged: Mapping = {"q": {"a": 1, "b": 1, "u": -1}}
    run = listed("a", "u", "b")
    # Above b both are pooled, and the one that is judged is relevant: 1/3 + 2/3 · 2/2 · 1.
    assert mean(judged, run, "infAP") == pytest.approx(1.0, abs=1e-4)
    assert mean(judged, run, "AP") == pytest.approx((1 + 2 / 3) / 2)


def test_accuracy_counts_pairs_in_the_right_order() -> None:
    assert mean(THREE, listed("a", "n", "b", "x"), "Accuracy") == 0.75
    assert mean(THREE, listed("a", "n", "b", "x"), "Accuracy@3") == 0.5
    assert mean(THREE, listed("a", "b"), "Accuracy") == 1.0
    assert mean(THREE, listed("x", "n"), "Accuracy") == 0.0


def test_documents_without_a_judgement_and_in_the_pool_only() -> None:
    judged: Mapping = {"q": {"a": 1, "u": -1}}
    assert mean(judged, listed("x", "u", "a"), "Unjudged@4") == 0.5
    assert mean(judged, listed("x", "u", "a"), "Judged@4") == 2 / 3


def test_grades_as_characters() -> None:
    judged: Mapping = {"q": {"a": 1, "b": 12, "u": -1, "v": -7, "n": 0}}
    table = table_from_mapping(judged)
    found = evaluate_run(
        table, table_from_mapping(listed("a", "x", "b", "u", "v", "n")), parse_measures(["RelString@5"])
    )
    assert [texts for _, texts in found.texts] == [("1->.<",)]
    assert found.values.shape == (0, 1)


def test_the_mean_over_recall_levels() -> None:
    run = listed("a", "n", "b", "c")
    of_levels = [mean(THREE, run, f"IPrec@{level}") for level in (0.2, 0.8)]
    assert mean(THREE, run, "IAP(levels=[0.2,0.8])") == pytest.approx(sum(of_levels) / 2)


def test_judged_not_relevant_documents_are_counted_by_level() -> None:
    judged: Mapping = {"q": {"a": 2, "b": 1, "n": 0, "u": -1}}
    assert mean(judged, listed("a", "b", "n", "u", "x"), "NumNonRelRet") == 1
    assert mean(judged, listed("a", "b", "n", "u", "x"), "NumNonRelRet(rel=2)") == 2
