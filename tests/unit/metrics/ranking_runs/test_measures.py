"""Measures as printable values, in three notations."""

from __future__ import annotations

import pytest

from beleg.core.errors import UsageError
from beleg.metrics.ranking_runs.measures import KINDS, parse_measure, parse_measures, require_higher_is_better
from beleg.metrics.ranking_runs.trec_names import trec_name


@pytest.mark.parametrize(
    ("written", "printed", "in_trec_eval"),
    [
        ("nDCG@10", "nDCG@10", "ndcg_cut_10"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@10"),
        ("nDCG(dcg='log2')@10", "nDCG@10", "ndcg_cut_10"),
        ("nDCG(gains={2:9, 1:3})@10", "nDCG(gains={1:3,2:9})@10", "nDCG(gains={1:3,2:9})@10"),
        ("RR", "RR", "recip_rank"),
        ("RR(rel=2)@10", "RR(rel=2)@10", "RR(rel=2)@10"),
        ("RR@10", "RR@10", "RR@10"),
        ("AP", "AP", "map"),
        ("AP@100", "AP@100", "map_cut_100"),
        ("IPrec@0.1", "IPrec@0.1", "iprec_at_recall_0.10"),
        ("RBP", "RBP", "RBP"),
        ("RBP(p=0.8)", "RBP", "RBP"),
        ("RBP(p=0.9,gain='grade')", "RBP(p=0.9,gain='grade')", "rbp"),
        ("ERR(max_grade=4)@20", "ERR@20", "ERR@20"),
        ("ERR(max_grade=2)@20", "ERR(max_grade=2)@20", "ERR(max_grade=2)@20"),
        ("alpha_nDCG(alpha=0.25)@20", "alpha_nDCG(alpha=0.25)@20", "alpha_nDCG(alpha=0.25)@20"),
        ("α_nDCG@20", "alpha_nDCG@20", "alpha_nDCG@20"),
        ("INST(T=2,max_rel=1)", "INST(T=2,max_rel=1)", "INST(T=2,max_rel=1)"),
        ("Compat(p=0.8,normalize=False)", "Compat(p=0.8,normalize=False)", "Compat(p=0.8,normalize=False)"),
        ("SetF(beta=2)", "SetF(beta=2)", "SetF(beta=2)"),
        ("MAP_IA", "AP_IA", "AP_IA"),
        ("NumRet(rel=1)", "NumRelRet", "NumRelRet"),
        ("nDCG(judged_only=True)@5", "nDCG(judged_only=True)@5", "nDCG(judged_only=True)@5"),
        ("Judged@10", "Judged@10", "Judged@10"),
        ("ndcg_cut.10", "nDCG@10", "ndcg_cut_10"),
        ("ndcg_cut_10", "nDCG@10", "ndcg_cut_10"),
        ("ndcg_cut.23.4", "nDCG@23", "ndcg_cut_23"),
        ("ndcg.1=3,2=9,4=4.5", "nDCG(gains={1:3,2:9,4:4.5})", "ndcg_1=3,2=9,4=4.5"),
        ("map", "AP", "map"),
        ("P.5", "P@5", "P_5"),
        ("iprec_at_recall..10", "IPrec@0.1", "iprec_at_recall_0.10"),
        ("Rprec_mult.5.0", "RprecMult@5", "Rprec_mult_5.00"),
        ("utility.2,-1,0,0", "Utility(weights=[2,-1,0,0])", "utility_2,-1,0,0"),
        ("11pt_avg..25,.5,.75", "IAP(levels=[0.25,0.5,0.75])", "11pt_avg_.25,.5,.75"),
        ("rbp", "RBP(p=0.9,gain='grade')", "rbp"),
        ("set_F.4", "SetF(weight=4)", "set_F_4"),
        ("relstring", "RelString@10", "relstring"),
        ("relstring.20", "RelString@20", "relstring_20"),
        ("map_avgjg", "AP_JG", "map_avgjg"),
        ("prefs_avgjg_Rnonrel_ret", "PrefsGroupBalancedRet", "prefs_avgjg_Rnonrel_ret"),
    ],
)
def test_every_notation_names_the_measure(written: str, printed: str, in_trec_eval: str) -> None:
    (found,) = parse_measure(written)
    assert str(found) == printed
    assert trec_name(found) == in_trec_eval
    assert parse_measure(printed) == (found,)


def test_a_name_of_trec_eval_stands_for_all_that_it_prints() -> None:
    assert [each.label for each in parse_measure("P.5,7")] == ["P_5", "P_7"]
    assert [each.cut for each in parse_measure("P")] == [5, 10, 15, 20, 30, 100, 200, 500, 1000]
    assert [each.cut for each in parse_measure("success")] == [1, 5, 10]
    assert len(parse_measure("iprec_at_recall")) == 11
    assert len(parse_measure("official")) == 30
    assert [each.label for each in parse_measure("set")][:3] == ["runid", "num_q", "num_ret"]


def test_a_name_with_its_own_cutoffs_takes_the_place_of_those_of_a_short_name() -> None:
    found = [each.label for each in parse_measures(["all_trec", "relstring.20", "P.7"])]
    assert "relstring_20" in found
    assert "relstring" not in found
    assert [name for name in found if name.startswith("P_")] == ["P_7"]


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
        ("nDCG(dcg='other')", "'log2' or 'exp-log2'"), ("AP(rel='a')", "whole number"), ("AP(rel=0)", "grade 0"),
        ("AP(rel=1,rel=2)", "cannot be read"), ("AP(rel)", "cannot be read"), ("AP(cutoff=3)", "does not take"),
        ("ndgc@10", "no measure"), ("", "no measure"), ("nDCG@10@5", "no measure"), ("RR(rel=٢)", "cannot be read"),
        ("RBP(p=1)", "from 0 to"), ("RBP(p=nan)", "from 0 to"), ("RBP(p=1e-3)", "from 0 to"), ("INST", "max_rel"),
        ("BPM(max_rel=1,min_rel=1)@5", "not below"), ("utility.1,-1,0,0.5", "collection"), ("utility.1,2", "4 numbers"),
        ("nDCG(gains={1:3,1:4})", "grades and gains"), ("nDCG(gains={a:3})", "grades and gains"),
        ("11pt_avg.2", "shares from 0 to 1"), ("ERR(max_grade=0)", "whole number"), ("x" * 500, "no measure"),
        ("alpha_nDCG(alpha=1)@5", "below 1"),
        ("BPM(max_rel=1)@999999999", "too deep"), ("alpha_DCG@10001", "too deep"), ("ERR(max_grade=99)", "to 60"),
        ("Compat(normalize=no)", "True or False"),
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


def test_only_what_speaks_for_a_run_is_better_where_it_is_higher() -> None:
    others = {name: kind.direction for name, kind in KINDS.items() if kind.direction != "higher"}
    about_lists_and_labels = (
        "RunId", "NumQ", "NumRet", "NumRel", "RelString", "Judged", "Unjudged", "RBPResidual", "PrefsPossible",
    )  # fmt: skip
    assert others == {"NumNonRelRet": "lower", **dict.fromkeys(about_lists_and_labels, "neither")}
    require_higher_is_better(parse_measures(["AP nDCG@10 NumRelRet"]))
    with pytest.raises(UsageError, match=r"Judged@10 does not say which run is better"):
        require_higher_is_better(parse_measures(["AP", "Judged@10"]))
