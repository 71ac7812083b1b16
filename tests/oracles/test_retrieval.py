"""Ranked measures against trec_eval (pytrec-eval-terrier, which wraps version 9)."""

from __future__ import annotations

import numpy as np
import pytest
import pytrec_eval

from beleg.core.ranking import ranked
from beleg.core.suite import RelevanceUnit
from beleg.core.trace import Passage
from beleg.metrics.batch import Batch
from beleg.metrics.catalogue import compute
from beleg.metrics.retrieval import ranked as single
from unit.metrics.building import case, gold, trace

QUERIES = 3_000
CUTS = (1, 3, 5, 10)
PAIRS = {
    **{f"recall@{k}": f"recall_{k}" for k in CUTS},
    **{f"precision@{k}": f"P_{k}" for k in CUTS},
    **{f"ndcg@{k}": f"ndcg_cut_{k}" for k in CUTS},
    **{f"hit@{k}": f"success_{k}" for k in CUTS},
    **{f"map@{k}": f"map_cut_{k}" for k in CUTS},
    "map": "map",
    "mrr": "recip_rank",
    "r_precision": "Rprec",
    "ndcg@1000": "ndcg",
}
MEASURES = {"recall", "P", "ndcg_cut", "success", "map", "map_cut", "recip_rank", "Rprec", "ndcg"}
Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, int]]


def random_run(seed: int) -> tuple[Run, Qrels]:
    """Small runs full of ties; scores are eighths, which the oracle's float32 holds exactly.

    No list has one score for all of its documents: trec_eval orders such a list by id, Beleg keeps it as delivered.
    """
    rng = np.random.default_rng(seed)
    run: Run = {}
    qrels: Qrels = {}
    for number in range(QUERIES):
        pool = [f"d{name}" for name in rng.permutation(30)]
        run[f"q{number}"] = {name: float(rng.integers(0, 6)) / 8 for name in pool[: rng.integers(1, 16)]}
        run[f"q{number}"][pool[0]] = 0.75
        judged = rng.permutation(30)[: rng.integers(1, 9)]
        qrels[f"q{number}"] = {f"d{name}": int(rng.integers(1, 5)) for name in judged}
    return run, qrels


def oracle(run: Run, qrels: Qrels) -> dict[str, dict[str, float]]:
    cuts = ",".join(map(str, CUTS))
    wanted = {
        f"{name}.{cuts}" if name in {"recall", "P", "ndcg_cut", "success", "map_cut"} else name for name in MEASURES
    }
    return pytrec_eval.RelevanceEvaluator(qrels, wanted).evaluate(run)


def batch(run: Run, qrels: Qrels, unit: RelevanceUnit) -> Batch:
    """The run as traces: every document is one passage, listed best first, ties in an order of no meaning."""
    cases = [
        case(*(gold(name, grade=grade) for name, grade in grades.items()), case_id=query)
        for query, grades in qrels.items()
    ]
    traces = []
    for query in qrels:
        listing = sorted(run[query].items(), key=lambda pair: -pair[1])
        passages = tuple(Passage(passage_id=name, document_id=name, score=score) for name, score in listing)
        traces.append(trace(query, retrieved=passages))
    return Batch.of(cases, traces, unit=unit)


@pytest.mark.parametrize("unit", list(RelevanceUnit))
def test_whole_runs_give_the_figures_of_trec_eval(unit: RelevanceUnit) -> None:
    run, qrels = random_run(11)
    expected = oracle(run, qrels)
    columns = compute(PAIRS, batch(run, qrels, unit))
    for ours, theirs in PAIRS.items():
        wanted = [expected[query][theirs] for query in qrels]
        np.testing.assert_array_equal(columns[ours].values, wanted, err_msg=ours)


def test_single_lists_give_the_figures_of_trec_eval() -> None:
    run, qrels = random_run(12)
    expected = oracle(run, qrels)
    for query, grades in qrels.items():
        ids = [name for name, _ in ranked(run[query])]
        found = {
            "recall_5": single.recall(ids, grades, 5),
            "P_5": single.precision(ids, grades, 5),
            "ndcg_cut_5": single.ndcg(ids, grades, 5),
            "success_5": single.hit(ids, grades, 5),
            "map": single.average_precision(ids, grades),
            "recip_rank": single.reciprocal_rank(ids, grades),
            "Rprec": single.r_precision(ids, grades),
        }
        for theirs, score in found.items():
            assert score.value == pytest.approx(expected[query][theirs], abs=1e-12), theirs


def test_the_figures_of_the_article_come_out_of_trec_eval_too() -> None:
    lists = {
        "q1": "d8 d3 d1 d4 d2 d9 d6 d10 d12 d13",
        "q2": "d2 d6 d4 d7 d1 d3 d8 d11 d5 d9",
        "q3": "d11 d2 d3 d4 d1 d6 d7 d8 d10 d12",
        "q4": "d1 d2 d3 d6 d8 d9 d10 d12 d13 d14",
    }
    qrels: Qrels = {"q1": {"d3": 1}, "q2": {"d7": 1, "d2": 1}, "q3": {"d11": 1}, "q4": {"d5": 1}}
    run = {query: {name: float(-rank) for rank, name in enumerate(names.split())} for query, names in lists.items()}
    expected = oracle(run, qrels)
    columns = compute(["recall@5", "mrr", "ndcg@5"], batch(run, qrels, RelevanceUnit.DOCUMENT))
    theirs = [np.mean([expected[query][name] for query in qrels]) for name in ("recall_5", "recip_rank", "ndcg_cut_5")]
    assert [round(float(column.values.mean()), 3) for column in columns.values()] == [0.750, 0.625, 0.627]
    assert [float(column.values.mean()) for column in columns.values()] == pytest.approx(theirs, abs=1e-12)


def test_scores_that_differ_only_beyond_float32_keep_their_order_here_and_not_in_trec_eval() -> None:
    # A known difference: the oracle stores float32, sees a tie, and puts the higher id first.
    run: Run = {"q": {"d1": 0.800000001, "d2": 0.8}}
    qrels: Qrels = {"q": {"d1": 1}}
    assert oracle(run, qrels)["q"]["recip_rank"] == 0.5
    assert compute(["mrr"], batch(run, qrels, RelevanceUnit.DOCUMENT))["mrr"].values.tolist() == [1.0]
