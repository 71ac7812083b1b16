"""Runs over real collections: every figure of every query is that of the outside libraries."""

from __future__ import annotations

import gzip
from pathlib import Path

import ir_measures
import numpy as np
import pytest
import pytrec_eval

from beleg.app.ir.evaluating import RunReport, evaluate_files
from beleg.metrics.ranking_runs.trec_names import trec_name
from support.real_collections import bm25_run, cranfield, scifact, write_run

pytestmark = pytest.mark.shared_data

TREC_NAMES = (
    "map", "map_cut", "gm_map", "Rprec", "bpref", "recip_rank", "P", "recall", "ndcg", "ndcg_cut", "success", "set_P",
    "set_recall", "set_F", "num_ret", "num_rel", "num_rel_ret",
)  # fmt: skip
IR_MEASURES = ("nDCG@10", "AP", "RR", "P@5", "R@100", "R@1000", "Rprec", "Bpref", "Success@5", "SetF", "AP(rel=2)@100")
Run = dict[str, dict[str, float]]


def judgements(path: Path) -> dict[str, dict[str, int]]:
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text("utf-8")
    found: dict[str, dict[str, int]] = {}
    for line in text.splitlines():
        query, _, name, grade = line.split()
        found.setdefault(query, {})[name] = int(grade)
    return found


def report(qrels: Path, run: Path, measures: tuple[str, ...]) -> RunReport:
    (found,) = evaluate_files(qrels, [run], measures)
    return found


def require_equal_to_trec_eval(qrels: Path, path: Path, run: Run) -> int:
    """Compares every value of every query that the oracle gives; how many that were."""
    theirs = pytrec_eval.RelevanceEvaluator(judgements(qrels), set(TREC_NAMES)).evaluate(run)
    values = report(qrels, path, TREC_NAMES).values
    compared = 0
    for measure, row in zip(values.measures, values.values.tolist(), strict=True):
        for query, value in zip(values.queries, row, strict=True):
            if query in theirs:
                assert value == theirs[query][trec_name(measure)], (query, str(measure))
                compared += 1
    return compared


def require_equal_to_ir_measures(qrels: Path, path: Path) -> None:
    """Means over judged queries; sums may be added in another order."""
    asked = [ir_measures.parse_measure(name) for name in IR_MEASURES]
    theirs = ir_measures.calc_aggregate(
        asked, ir_measures.read_trec_qrels(str(qrels)), ir_measures.read_trec_run(str(path))
    )
    ours = report(qrels, path, IR_MEASURES).summary()
    for name, measure in zip(IR_MEASURES, asked, strict=True):
        assert ours[name] == pytest.approx(theirs[measure], rel=1e-12), name


def test_bm25_over_scifact(shared_data: Path, tmp_path: Path) -> None:
    qrels = shared_data / "scifact" / "qrels" / "test.trec"
    run = bm25_run(*scifact(shared_data / "scifact"))
    path = write_run(tmp_path / "bm25.run", run)
    assert require_equal_to_trec_eval(qrels, path, run) == 300 * len(report(qrels, path, TREC_NAMES).values.measures)
    require_equal_to_ir_measures(qrels, path)
    # BEIR publishes 0.665 for its own BM25 with another tokeniser.
    assert report(qrels, path, ("nDCG@10",)).summary()["nDCG@10"] == pytest.approx(0.665, abs=0.03)


def test_bm25_over_cranfield(shared_data: Path, tmp_path: Path) -> None:
    qrels = shared_data / "cranfield" / "cranqrel.trec.txt"
    run = bm25_run(*cranfield(shared_data / "cranfield"))
    path = write_run(tmp_path / "bm25.run", run)
    assert len(judgements(qrels)) == 225
    assert require_equal_to_trec_eval(qrels, path, run) > 200 * len(TREC_NAMES)
    require_equal_to_ir_measures(qrels, path)


@pytest.mark.parametrize(
    "name",
    ["qrels.rag24.test.txt.gz", "qrels.rag25.test.txt", "qrels.rag25.test-umbrela2.txt", "qrels.dl19-passage.txt"],
)
def test_judgements_of_trec_rag_with_runs_full_of_ties(shared_data: Path, tmp_path: Path, name: str) -> None:
    qrels = shared_data / "trec_rag" / "qrels" / name
    rng = np.random.default_rng(24)
    run: Run = {}
    for query, grades in judgements(qrels).items():
        pool = [*grades, *(f"unjudged-{number}" for number in range(50))]
        listed = [pool[place] for place in rng.permutation(len(pool))[:400]]
        run[query] = {document: float(rng.integers(0, 80)) / 8 for document in listed}
    path = write_run(tmp_path / "random.run", run)
    assert require_equal_to_trec_eval(qrels, path, run) > 30 * len(run)
    require_equal_to_ir_measures(qrels, path)
