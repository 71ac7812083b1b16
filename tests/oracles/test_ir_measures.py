"""Measures of the ir_measures family: its providers run live, and figures that others published.

Where it breaks ties by ascending ids, or drops queries, the runs here have no ties, or those queries are looked at one
by one; what is right there stands in docs/reference/ir-measures.md.
"""

from __future__ import annotations

from pathlib import Path

import ir_measures
import numpy as np
import pytest

from beleg.app.ir.evaluating import evaluate_files
from beleg.metrics.ranking_runs.kernels import evaluate_groups, evaluate_run
from beleg.metrics.ranking_runs.measures import parse_measures
from beleg.metrics.ranking_runs.ranked_groups import GroupedJudgements
from beleg.metrics.ranking_runs.table import table_from_mapping
from unit.metrics.ranking_runs.worked import grouped

Mapping = dict[str, dict[str, float]]
QUERIES = 1_000


def random_run(seed: int, *, lowest: int = 0, ties: bool) -> tuple[Mapping, Mapping]:
    rng = np.random.default_rng(seed)
    judged: Mapping = {}
    run: Mapping = {}
    for number in range(QUERIES):
        pool = rng.permutation(30)[: rng.integers(1, 20)]
        scores = rng.integers(1, 7, len(pool)) / 8 if ties else np.arange(1.0, len(pool) + 1)
        run[str(number)] = {f"d{each}": float(score) for each, score in zip(pool, scores, strict=True)}
        grades = {f"d{each}": int(rng.integers(lowest, 5)) for each in rng.permutation(30)[: rng.integers(1, 12)]}
        judged[str(number)] = grades if max(grades.values()) >= 0 else {"d0": 0}
    return judged, run


def differences(judged: Mapping, run: Mapping, measure: str) -> dict[str, tuple[float, float]]:
    """The queries whose values differ: ours and theirs."""
    theirs = {
        str(each.query_id): float(each.value)
        for each in ir_measures.iter_calc([ir_measures.parse_measure(measure)], judged, run)
    }
    ours = evaluate_run(table_from_mapping(judged), table_from_mapping(run), parse_measures([measure]))
    assert set(theirs) == set(ours.queries)
    # gdeval prints five digits.
    digits = 5.1e-6 if "exp" in measure or "ERR" in measure else 1e-12
    pairs = zip(ours.queries, ours.values[0].tolist(), strict=True)
    return {query: (value, theirs[query]) for query, value in pairs if abs(value - theirs[query]) > digits}


@pytest.mark.parametrize(
    "measure",
    [
        "P@5", "P(rel=2)@3", "RR", "RR(rel=2)", "Rprec", "AP", "AP(rel=2)@5", "nDCG@5", "nDCG",
        "nDCG(gains={1:3,2:9})@5", "R@5", "Bpref", "NumRet", "NumRel", "SetAP", "SetF", "SetP", "SetP(relative=True)",
        "SetR", "Success@5", "infAP", "NumRet(rel=2)", "nDCG(judged_only=True)@5", "AP(judged_only=True)",
        "P(judged_only=True)@3", "nDCG(dcg='exp-log2')@5", "ERR@5", "ERR@20",
    ],
)  # fmt: skip
def test_values_on_lists_with_ties_are_those_of_ir_measures(measure: str) -> None:
    judged, run = random_run(1, ties=True)
    assert differences(judged, run, measure) == {}


@pytest.mark.parametrize("measure", ["RR@5", "RR(rel=2)@10", "Judged@10", "Compat", "Compat(p=0.8,normalize=False)"])
def test_where_ir_measures_turns_ties_around_lists_without_ties_agree(measure: str) -> None:
    judged, run = random_run(2, ties=False, lowest=-2)
    assert differences(judged, run, measure) == {}


@pytest.mark.parametrize("measure", ["Accuracy", "Accuracy@5", "Accuracy(rel=2)@5"])
def test_accuracy_where_ir_measures_has_one(measure: str) -> None:
    judged, run = random_run(3, ties=False)
    ours = evaluate_run(table_from_mapping(judged), table_from_mapping(run), parse_measures([measure]))
    compared = 0
    for query, value in zip(ours.queries[:300], ours.values[0].tolist(), strict=False):
        try:
            found = list(
                ir_measures.iter_calc([ir_measures.parse_measure(measure)], {query: judged[query]}, {query: run[query]})
            )
        except ZeroDivisionError:
            assert value == 1.0
            continue
        # A query without a relevant document in the list is left out there, and 0 here.
        assert value == pytest.approx(float(found[0].value) if found else 0.0, abs=1e-12)
        compared += len(found)
    assert compared > 50


PUBLISHED_BY_CWL = {
    "AP": (0.7087, 0.7438, 0.3068), "BPM(T=1,max_rel=1)@20": (1.0, 1.0, 0.1667),
    "BPM(T=2,max_rel=1)@10": (0.6667, 1.0, 0.2857), "INSQ(T=1,max_rel=1)": (0.5872, 0.6629, 0.0880),
    "INSQ(T=2,max_rel=1)": (0.4513, 0.5068, 0.1292), "INST(T=1,max_rel=1)": (0.7934, 0.9226, 0.0888),
    "INST(T=2,max_rel=1)": (0.5994, 0.6924, 0.1397), "SDCG(max_rel=1)@10": (0.5645, 0.6531, 0.2848),
    "NERR8(max_rel=1)@10": (1.0, 1.0, 0.1667), "NERR9(max_rel=1)@10": (1.0, 1.0, 0.0680),
    "NERR10(p=0.8,max_rel=1)": (1.0, 1.0, 0.0888), "NERR11(T=2,max_rel=1)": (1.0, 1.0, 0.0691),
    "P@10": (0.5, 0.6, 0.4), "RBP(p=0.9)": (0.3501, 0.3996, 0.1988), "RR": (1.0, 1.0, 0.1667),
}  # fmt: skip
"""What cwl_eval gives for the run that ir_measures ships with its tests."""


@pytest.mark.shared_data
def test_readers_reach_the_figures_that_cwl_eval_prints(shared_data: Path) -> None:
    folder = shared_data / "ir_vectors" / "ir_measures"
    (report,) = evaluate_files(folder / "cwl.qrels", [folder / "cwl.run"], list(PUBLISHED_BY_CWL))
    assert report.values.queries == ("T1", "T2", "T3")
    for (name, published), values in zip(PUBLISHED_BY_CWL.items(), report.values.values.tolist(), strict=True):
        assert values == pytest.approx(published, abs=5.1e-5), name


@pytest.mark.shared_data
def test_compatibility_of_a_run_of_its_authors(shared_data: Path) -> None:
    folder = shared_data / "ir_vectors" / "ir_measures"
    (report,) = evaluate_files(folder / "compat.qrels", [folder / "compat.run"], ["Compat(p=0.95)", "Compat(p=0.8)"])
    qrels = list(ir_measures.read_trec_qrels(str(folder / "compat.qrels")))
    run = list(ir_measures.read_trec_run(str(folder / "compat.run")))
    for row, p in enumerate((0.95, 0.8)):
        measure = ir_measures.Compat(p=p)
        theirs = {each.query_id: each.value for each in ir_measures.iter_calc([measure], qrels, run)}
        ours = dict(zip(report.values.queries, report.values.values[row].tolist(), strict=True))
        assert ours == pytest.approx(theirs, abs=1e-12)


def test_gdeval_as_published() -> None:
    judged: Mapping = {"0": {"D0": 0, "D1": 1, "D2": 1, "D3": 2, "D4": 0}, "1": {"D0": 1, "D3": 2, "D5": 2}}
    published = {
        "nDCG(dcg='exp-log2')@20": (0.6201, 0.35099), "nDCG(dcg='exp-log2')@2": (0.17377, 0.38685),
        "ERR@20": (0.10175, 0.09375), "ERR@2": (0.03125, 0.09375),
    }  # fmt: skip
    found = evaluate_run(table_from_mapping(judged), table_from_mapping(DIVERSE_RUN), parse_measures(published))
    for (name, values), ours in zip(published.items(), found.values.tolist(), strict=True):
        assert ours == pytest.approx(values, abs=5.1e-6), name


DIVERSE_RUN: Mapping = {
    "0": {"D0": 0.8, "D2": 0.7, "D1": 0.3, "D3": 0.4, "D4": 0.1},
    "1": {"D1": 0.8, "D3": 0.7, "D4": 0.3, "D2": 0.4},
}


def values_of(judged: GroupedJudgements, run: Mapping, names: list[str]) -> list[list[float]]:
    return evaluate_groups(judged, table_from_mapping(run), parse_measures(names)).values.tolist()


def test_diversity_as_pyndeval_publishes_it() -> None:
    judged = grouped(
        ("0", "a", "0", "A", 1), ("0", "b", "0", "B", 1), ("0", "b", "0", "D", 1), ("0", "c", "0", "C", 1)
    )  # fmt: skip
    run: Mapping = {"0": {"A": 9.3, "D": 8.4, "E": 8.1, "B": 7.6}}
    published = {
        "ERR_IA@5": 0.3933, "ERR_IA@10": 0.3907, "ERR_IA@20": 0.3907, "nERR_IA@5": 0.8297, "nERR_IA@20": 0.8297,
        "alpha_DCG@5": 0.4052, "alpha_DCG@10": 0.3998, "alpha_DCG@20": 0.3997, "alpha_nDCG@5": 0.7868,
        "alpha_nDCG@20": 0.7868, "NRBP": 0.3906, "nNRBP": 0.8620, "AP_IA": 0.5, "P_IA@5": 0.2, "P_IA@10": 0.1,
        "P_IA@20": 0.05, "StRecall@5": 0.6666, "StRecall@20": 0.6666,
    }  # fmt: skip
    for name, (value,) in zip(published, values_of(judged, run, list(published)), strict=True):
        assert value == pytest.approx(published[name], abs=1e-4), name


def test_intent_aware_reciprocal_rank_as_ir_measures_publishes_it() -> None:
    judged = grouped(
        ("0", "0", "0", "D0", 0), ("0", "0", "0", "D1", 1), ("0", "0", "0", "D2", 1), ("0", "1", "0", "D2", 1),
        ("0", "1", "0", "D3", 2), ("0", "0", "0", "D4", 0), ("1", "0", "0", "D0", 1), ("1", "0", "0", "D3", 2),
        ("1", "1", "0", "D5", 2),
    )  # fmt: skip
    (values,) = values_of(judged, DIVERSE_RUN, ["ERR_IA@20"])
    assert values == pytest.approx([0.4659, 0.1803], abs=5e-5)


@pytest.mark.slow
def test_ranx_agrees_where_it_means_the_same() -> None:
    ranx = pytest.importorskip("ranx")
    judged, run = random_run(2, ties=False)
    positive = {query: {name: max(grade, 0) for name, grade in grades.items()} for query, grades in judged.items()}
    binary = {query: {name: min(grade, 1) for name, grade in grades.items()} for query, grades in positive.items()}
    theirs, their_run = ranx.Qrels(binary), ranx.Run(run)
    names = {"RBP(p=0.8)": "rbp.80", "nDCG(dcg='exp-log2')@5": "ndcg_burges@5", "DCG@5": "dcg@5"}
    ours = evaluate_run(table_from_mapping(binary), table_from_mapping(run), parse_measures(names))
    for row, name in enumerate(names.values()):
        values = dict(zip(sorted(binary), ranx.evaluate(theirs, their_run, name, return_mean=False), strict=True))
        assert dict(zip(ours.queries, ours.values[row].tolist(), strict=True)) == pytest.approx(values, abs=1e-9), name
