"""Names of trec_eval."""

from __future__ import annotations

from beleg.metrics.ranking_runs.measures import parse_measure, parse_measures
from beleg.metrics.ranking_runs.registry import KINDS
from beleg.metrics.ranking_runs.trec_names import NICKNAMES, TREC_ORDER, trec_name, trec_place, trec_stem


def test_every_name_has_a_place_in_the_output() -> None:
    names = {name for kind in KINDS.values() for name in (kind.plain, kind.at_cut) if name}
    assert names == set(TREC_ORDER)
    assert set().union(*NICKNAMES.values()) == set(TREC_ORDER)


def test_a_measure_with_its_own_level_or_gain_has_no_name_there() -> None:
    for written in ("AP(rel=2)", "nDCG(dcg='exp-log2')", "RR@10", "RBP", "Compat"):
        (measure,) = parse_measure(written)
        assert trec_stem(measure) is None
        assert trec_name(measure) == written
        assert trec_place(measure)[0] == len(TREC_ORDER)


def test_measures_are_printed_in_the_order_of_trec_eval() -> None:
    asked = parse_measures(["P.10,5", "ndcg", "map", "num_q"])
    assert [trec_name(each) for each in sorted(asked, key=trec_place)] == ["num_q", "map", "P_5", "P_10", "ndcg"]
