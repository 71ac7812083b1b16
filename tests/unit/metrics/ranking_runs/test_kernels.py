"""Measures worked by hand; the live comparison with trec_eval stands in tests/oracles."""

from __future__ import annotations

import math

import pytest

from beleg.core.errors import DataError, UsageError
from beleg.metrics.ranking_runs.kernels import RunValues, evaluate_hits, evaluate_run
from beleg.metrics.ranking_runs.matching import find_hits
from beleg.metrics.ranking_runs.measures import parse_measures
from beleg.metrics.ranking_runs.table import table_from_mapping

Mapping = dict[str, dict[str, float]]


def evaluate(judged: Mapping, run: Mapping, measures: str) -> RunValues:
    return evaluate_run(table_from_mapping(judged), table_from_mapping(run), parse_measures([measures]))


def mean(judged: Mapping, run: Mapping, measure: str) -> float:
    return evaluate(judged, run, measure).summary()[0]


def listed(*names: str) -> Mapping:
    return {"q": {name: -float(rank) for rank, name in enumerate(names)}}


def test_graded_gain_linear_and_exponential() -> None:
    judged: Mapping = {"q": {"a": 3, "b": 2}}
    run = listed("b", "a")
    log3 = math.log2(3)
    assert mean(judged, run, "nDCG@10") == pytest.approx((2 + 3 / log3) / (3 + 2 / log3), abs=1e-15)
    assert mean(judged, run, "nDCG(dcg='exp-log2')@10") == pytest.approx((3 + 7 / log3) / (7 + 3 / log3), abs=1e-15)


def test_a_cutoff_cuts_the_ideal_list_too() -> None:
    assert mean({"q": {"a": 1, "b": 1, "c": 1}}, listed("a"), "nDCG@1") == 1.0


def test_precision_divides_by_the_cutoff_and_judged_by_what_is_there() -> None:
    judged: Mapping = {"q": {"a": 1, "b": 0}}
    assert mean(judged, listed("a", "x"), "P@5") == 0.2
    assert mean(judged, listed("a", "x"), "Judged@5") == 0.5
    assert mean(judged, listed("a", "x", "b"), "Judged@2") == 0.5


def test_average_precision_at_a_cutoff_divides_by_all_relevant() -> None:
    assert mean({"q": {"1": 1, "2": 1, "3": 1}}, listed("1", "9", "8", "7"), "AP@4") == 1 / 3


def test_fractional_gains_are_never_cut() -> None:
    judged: Mapping = {"q": {"a": 0.5, "b": 1.5}}
    expected = (0.5 + 1.5 / math.log2(3)) / (1.5 + 0.5 / math.log2(3))
    assert mean(judged, listed("a", "b"), "nDCG") == pytest.approx(expected, abs=1e-15)
    assert mean(judged, listed("a", "b"), "RR") == 0.5


def test_a_missing_query_counts_zero_and_an_extra_one_not_at_all() -> None:
    judged: Mapping = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 0}, "q4": {}}
    found = evaluate(judged, {"q1": {"a": 1.0}, "q8": {"a": 1.0}}, "AP NumRel NumQ Judged@5")
    assert found.queries == ("q1", "q2", "q3")
    assert found.summary() == (1 / 3, 2.0, 3.0, 1 / 3)
    counts = found.counts
    assert (counts.queries, counts.missing, counts.without_relevant) == (3, 2, 1)
    assert (counts.without_judgements, counts.extra) == (1, 1)


def test_queries_ascend_by_bytes() -> None:
    judged: Mapping = {name: {"a": 1} for name in ("q2", "q10", "é", "z")}
    assert evaluate(judged, {}, "AP").queries == ("q10", "q2", "z", "é")


def test_geometric_mean_with_its_floor() -> None:
    judged: Mapping = {"q1": {"a": 1}, "q2": {"a": 1}}
    assert mean(judged, {"q1": {"a": 1.0}}, "GMAP") == pytest.approx(math.sqrt(1e-5), rel=1e-12)


def test_interpolated_precision_is_the_best_from_there_on() -> None:
    judged: Mapping = {"q": {"a": 1, "b": 1, "c": 1, "d": 1}}
    run = listed("x", "a", "b", "c")
    assert [mean(judged, run, f"IPrec@{level}") for level in (0, 0.25, 0.75, 1)] == [0.75, 0.75, 0.75, 0.0]


def test_no_judgement_at_all_is_refused() -> None:
    for judged in ({}, {"q": {}}):
        with pytest.raises(DataError, match="no query is judged"):
            evaluate(judged, {"q": {"a": 1.0}}, "AP")


def test_inputs_are_not_changed() -> None:
    judged, run = table_from_mapping({"q": {"a": 1}}), table_from_mapping({"q": {"b": 1.0, "a": 1.0}})
    evaluate_run(judged, run, parse_measures(["official nDCG"]))
    assert (judged.value.tolist(), run.value.tolist(), run.documents[0]) == ([1.0], [1.0, 1.0], b"b")


def test_grades_beyond_all_measure_are_refused_and_give_no_nan() -> None:
    for grade, measure in ((5_000.0, "nDCG(dcg='exp-log2')@10"), (1e308, "nDCG"), (math.inf, "G")):
        with pytest.raises(DataError, match="a grade"):
            mean({"q": {"a": grade, "b": grade, "c": grade}}, listed("a"), measure)


def test_hits_that_are_found_already_are_evaluated_as_they_are() -> None:
    judged, run = table_from_mapping({"q": {"a": 1}}), table_from_mapping(listed("x", "a"))
    found = evaluate_hits(judged, find_hits(judged, run), parse_measures(["RR"]))
    assert found.summary() == (0.5,)


def test_measures_that_need_other_judgements_are_refused() -> None:
    with pytest.raises(UsageError, match="needs judgements by subtopic"):
        mean({"q": {"a": 1}}, listed("a"), "alpha_nDCG@5")
    with pytest.raises(UsageError, match="the depth is 0"):
        evaluate_run(
            table_from_mapping({"q": {"a": 1}}), table_from_mapping(listed("a")), parse_measures(["RR"]), depth=0
        )


def test_queries_with_a_relevant_document_can_be_seen_alone() -> None:
    found = evaluate({"q1": {"a": 1}, "q2": {"a": 0}}, {"q1": {"a": 1.0}, "q2": {"a": 1.0}}, "RR relstring")
    assert found.summary() == (0.5,)
    assert found.with_relevant().summary() == (1.0,)
    assert found.with_relevant().queries == ("q1",)
    assert found.with_relevant().texts[0][1] == ("1",)
    with pytest.raises(DataError, match="no query has a relevant document"):
        evaluate({"q2": {"a": 0}}, {"q2": {"a": 1.0}}, "RR").with_relevant()
