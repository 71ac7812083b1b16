"""Measures as printable values, in three notations."""

from __future__ import annotations

import pytest

from beleg.core.errors import UsageError
from beleg.metrics.ranking_runs.measures import KINDS, Measure, parse_measure, parse_measures


@pytest.mark.parametrize(
    ("written", "measure", "trec_name"),
    [
        ("nDCG@10", Measure("nDCG", 10), "ndcg_cut_10"),
        ("nDCG", Measure("nDCG"), "ndcg"),
        ("nDCG(dcg='exp-log2')@10", Measure("nDCG", 10, exponential=True), "nDCG(dcg='exp-log2')@10"),
        ("nDCG(dcg='log2')@10", Measure("nDCG", 10), "ndcg_cut_10"),
        ("RR", Measure("RR"), "recip_rank"),
        ("RR(rel=2)@10", Measure("RR", 10, rel=2), "RR(rel=2)@10"),
        ("RR@10", Measure("RR", 10), "RR@10"),
        ("AP", Measure("AP"), "map"),
        ("AP@100", Measure("AP", 100), "map_cut_100"),
        ("P@5", Measure("P", 5), "P_5"),
        ("R@1000", Measure("R", 1000), "recall_1000"),
        ("Success@10", Measure("Success", 10), "success_10"),
        ("Bpref", Measure("Bpref"), "bpref"),
        ("Rprec", Measure("Rprec"), "Rprec"),
        ("IPrec@0.1", Measure("IPrec", level=0.1), "iprec_at_recall_0.10"),
        ("Judged@10", Measure("Judged", 10), "Judged@10"),
        ("NumRelRet", Measure("NumRelRet"), "num_rel_ret"),
        ("SetF", Measure("SetF"), "set_F"),
        ("ndcg_cut.10", Measure("nDCG", 10), "ndcg_cut_10"),
        ("ndcg_cut_10", Measure("nDCG", 10), "ndcg_cut_10"),
        ("map", Measure("AP"), "map"),
        ("recip_rank", Measure("RR"), "recip_rank"),
        ("P.5", Measure("P", 5), "P_5"),
        ("recall.1000", Measure("R", 1000), "recall_1000"),
        ("success.10", Measure("Success", 10), "success_10"),
        ("bpref", Measure("Bpref"), "bpref"),
        ("iprec_at_recall.0.10", Measure("IPrec", level=0.1), "iprec_at_recall_0.10"),
        ("iprec_at_recall_0.10", Measure("IPrec", level=0.1), "iprec_at_recall_0.10"),
        ("iprec_at_recall..10", Measure("IPrec", level=0.1), "iprec_at_recall_0.10"),
        ("num_ret", Measure("NumRet"), "num_ret"),
        ("set_P", Measure("SetP"), "set_P"),
        ("set_recall", Measure("SetR"), "set_recall"),
    ],
)
def test_every_notation_names_the_measure(written: str, measure: Measure, trec_name: str) -> None:
    (found,) = parse_measure(written)
    assert found == measure
    assert found.trec_name == trec_name
    assert parse_measure(str(found)) == (found,)


def test_a_name_of_trec_eval_stands_for_all_that_it_prints() -> None:
    assert [each.label for each in parse_measure("P.5,7")] == ["P_5", "P_7"]
    assert [each.cut for each in parse_measure("P")] == [5, 10, 15, 20, 30, 100, 200, 500, 1000]
    assert [each.cut for each in parse_measure("success")] == [1, 5, 10]
    assert len(parse_measure("iprec_at_recall")) == 11
    assert len(parse_measure("official")) == 29


def test_the_label_is_what_was_asked_for_and_each_is_computed_once() -> None:
    found = parse_measures(["nDCG@10 ndcg_cut.10", "MRR", "nDCG@10"])
    assert [each.label for each in found] == ["nDCG@10", "ndcg_cut_10", "MRR"]
    assert found[0] == found[1]


def test_the_lowest_relevant_grade_holds_where_none_is_named_and_never_for_ndcg() -> None:
    assert [each.rel for each in parse_measures(["AP P(rel=3)@5 nDCG@5 map"], min_rel=2)] == [2, 3, 1, 2]


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("P@0", "1 or more"), ("ndcg_cut.0", "1 or more"), ("P@-1", "no measure"), ("P@5.5", "1 or more"),
        ("P@99999999999", "1 or more"), ("R@", "no measure"), ("Judged", "needs a cutoff"), ("Bpref@10", "takes none"),
        ("IPrec@1.5", "from 0 to 1"), ("nDCG(rel=2)@5", "does not take"), ("AP(dcg='exp-log2')", "does not take"),
        ("nDCG(dcg='other')", "unknown gain"), ("AP(rel='a')", "whole number"), ("AP(rel=0)", "grade 0"),
        ("AP(rel=1,rel=2)", "cannot be read"), ("AP(rel)", "cannot be read"), ("AP(cutoff=3)", "does not take"),
        ("ndgc@10", "no measure"), ("", "no measure"), ("nDCG@10@5", "no measure"), ("RR(rel=٢)", "cannot be read"),
    ],
)  # fmt: skip
def test_what_is_no_measure_is_refused_with_a_hint(written: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_measure(written)
    assert words in caught.value.diagnostics()
    assert caught.value.hint


def test_a_near_name_is_offered() -> None:
    with pytest.raises(UsageError) as caught:
        parse_measures(["nDGC@10"])
    assert caught.value.hint == "Did you mean nDCG?"


def test_nothing_asked_and_a_level_of_zero_are_refused() -> None:
    with pytest.raises(UsageError, match="no measure"):
        parse_measures([" "])
    with pytest.raises(UsageError, match="lowest relevant grade"):
        parse_measures(["AP"], min_rel=0)


def test_every_kind_can_be_asked_for() -> None:
    for name, kind in KINDS.items():
        cut = {"none": "", "may": "", "must": "@0.5" if name == "IPrec" else "@5"}[kind.cut]
        assert str(parse_measure(name + cut)[0]) == name + cut
