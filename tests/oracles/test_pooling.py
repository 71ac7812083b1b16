"""Pools, judged@k, sampling and agreement beside what did not come from Beleg."""

from __future__ import annotations

import subprocess
from pathlib import Path

import ir_measures
import numpy as np
import pytest
import pytrec_eval
import scipy.stats

from beleg.app.ir.judgements import compare_judgements
from beleg.metrics.ranking_runs.kernels import evaluate_run
from beleg.metrics.ranking_runs.measures import parse_measures
from beleg.metrics.ranking_runs.pooling import Stratum, pool_of, sample
from beleg.metrics.ranking_runs.table import table_from_mapping
from beleg.stats.agreement import kendall_tau

Mapping = dict[str, dict[str, float]]


def some_run(seed: int, queries: int, documents: int) -> Mapping:
    rng = np.random.default_rng(seed)
    return {
        f"q{query}": {f"d{number}": round(float(score), 6) for number, score in enumerate(rng.random(documents))}
        for query in range(queries)
    }


def test_judged_shares_are_those_of_ir_measures() -> None:
    run, rng = some_run(1, 40, 60), np.random.default_rng(2)
    judged = {
        query: {name: int(rng.integers(0, 2)) for name in row if rng.random() < 0.4} for query, row in run.items()
    }
    asked = ["Judged@5", "Judged@20"]
    theirs = ir_measures.calc_aggregate([ir_measures.parse_measure(name) for name in asked], judged, run)
    ours = evaluate_run(table_from_mapping(judged), table_from_mapping(run), parse_measures(asked)).summary()
    assert dict(zip(asked, ours, strict=True)) == pytest.approx({str(name): value for name, value in theirs.items()})


def test_average_precision_inferred_from_a_sample_is_that_of_all_judgements() -> None:
    """infAP of trec_eval on what `sample` drew; grade -1 marks what stands in the pool and was not drawn."""
    run, rng, documents = some_run(3, 50, 300), np.random.default_rng(4), 300
    full = {
        query: {name: int(rng.random() < 0.7 * score**3) for name, score in row.items()} for query, row in run.items()
    }
    pool = pool_of(None, [table_from_mapping(run)], documents)
    wanted = pool.unjudged(documents, all_queries=True)
    whole = mean_of(pytrec_eval.RelevanceEvaluator(full, {"map"}).evaluate(run), "map")
    inferred = []
    for seed in range(8):
        drawn, _ = sample(pool, wanted, [Stratum(documents, 0.3)], np.random.default_rng(seed))
        kept = {query: dict.fromkeys(row, -1) for query, row in full.items()}
        for query, name in pool.pairs.ids(drawn):
            kept[query][name] = full[query][name]
        inferred.append(mean_of(pytrec_eval.RelevanceEvaluator(kept, {"infAP"}).evaluate(run), "infAP"))
    error = np.std(inferred, ddof=1) / np.sqrt(len(inferred))
    assert np.mean(inferred) == pytest.approx(whole, abs=max(3 * error, 0.01))


def mean_of(found: dict[str, dict[str, float]], name: str) -> float:
    return float(np.mean([row[name] for row in found.values()]))


@pytest.mark.parametrize("seed", range(5))
def test_tau_is_that_of_scipy(seed: int) -> None:
    one, two = np.random.default_rng(seed).integers(0, 6, (2, 15))
    assert kendall_tau(one, two).value == pytest.approx(scipy.stats.kendalltau(one, two).statistic, abs=1e-12)


def test_the_pool_of_two_lists_as_worked_by_hand() -> None:
    """Two runs pooled to depth 3: {A, B, C} and {B, D, A} make {A, B, C, D}."""
    runs = [{"q": {"A": 3.0, "B": 2.0, "C": 1.0, "Z": 0.5}}, {"q": {"B": 3.0, "D": 2.0, "A": 1.0, "Y": 0.5}}]
    pool = pool_of(None, [table_from_mapping(run) for run in runs], 3)
    found = zip(pool.pairs.ids(np.arange(len(pool.pairs))), pool.runs.tolist(), pool.best_rank.tolist(), strict=True)
    assert list(found) == [(("q", "A"), 2, 1), (("q", "B"), 2, 1), (("q", "C"), 1, 3), (("q", "D"), 1, 2)]


@pytest.mark.shared_data
def test_people_and_a_model_on_the_same_passages_of_trec_rag_2025(shared_data: Path) -> None:
    """The table of grades is counted by awk, and kappa from it by its definition."""
    folder = shared_data / "trec_rag" / "qrels"
    people, model = folder / "qrels.rag25.test.txt", folder / "qrels.rag25.test-umbrela2.txt"
    report = compare_judgements(people, model, [], [])
    program = 'NR==FNR{a[$1" "$3]=$4;next} ($1" "$3) in a{c[a[$1" "$3]" "$4]++} END{for(k in c) print k,c[k]}'
    counted = subprocess.run(["awk", program, people, model], capture_output=True, text=True, check=True).stdout
    table = np.zeros((5, 5))
    for old, new, count in (map(int, line.split()) for line in counted.splitlines()):
        table[old, new] = count
    agreement = report.agreement
    assert agreement is not None
    assert agreement.table.counts.tolist() == table.tolist()
    assert (table.sum(), report.counts()["changed"]) == (10_284, 5_747)
    shares = table / table.sum()
    for weights, found in (
        (1 - np.eye(5), agreement.kappa),
        ((np.arange(5)[:, None] - np.arange(5)) ** 2, agreement.quadratic),
    ):
        expected = np.outer(shares.sum(axis=1), shares.sum(axis=0))
        assert found.score.value == pytest.approx(1 - (weights * shares).sum() / (weights * expected).sum(), abs=1e-12)
        assert found.interval is not None
        assert found.interval.lower < (found.score.value or 0) < found.interval.upper
    assert agreement.kappa.score.value == pytest.approx(0.233, abs=5e-4)
