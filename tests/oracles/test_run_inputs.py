"""Inputs of run evaluation: figures by pytrec_eval, folding and budgets by pandas, files by other libraries."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
import pytrec_eval

from beleg import ir
from beleg.app.ir.reading import read_run

NAMES = ("map", "recip_rank", "P", "recall", "ndcg", "ndcg_cut", "Rprec", "bpref", "set_F", "num_ret")
Nested = dict[str, dict[str, float]]


def random_passages(seed: int, queries: int = 400) -> tuple[dict[str, dict[str, int]], pd.DataFrame]:
    """Scores are eighths, which single precision holds, and often equal."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"q{query}", f"doc{rng.integers(0, 12)}#{part}", float(rng.integers(0, 40)) / 8)
        for query in range(queries)
        for part in range(int(rng.integers(1, 40)))
    ]
    judged = {
        f"q{query}": {f"doc{each}": int(rng.integers(0, 3)) for each in rng.permutation(14)[: rng.integers(1, 8)]}
        for query in range(queries)
    }
    return judged, pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])


def nested(frame: pd.DataFrame, document: str = "doc_id") -> Nested:
    return {
        str(query): dict(zip(rows[document], rows["score"], strict=True)) for query, rows in frame.groupby("query_id")
    }


def require_same(judged: dict[str, dict[str, int]], run: Nested, report: ir.RunReport) -> None:
    theirs = pytrec_eval.RelevanceEvaluator(judged, set(NAMES)).evaluate(run)
    ours = report.per_query()
    compared = 0
    for query, row in theirs.items():
        for name, value in row.items():
            if name in ours[query]:
                assert ours[query][name] == value, (query, name)
                compared += 1
    assert compared > 20 * len(theirs)


@pytest.mark.parametrize("seed", [1, 2])
def test_figures_of_a_mapping_are_those_of_trec_eval_to_the_last_bit(seed: int) -> None:
    judged, frame = random_passages(seed)
    passages = {
        query: {f"{name}#{part}": grade for name, grade in held.items() for part in range(9)}
        for query, held in judged.items()
    }
    require_same(passages, nested(frame), ir.evaluate(passages, nested(frame), NAMES))


@pytest.mark.parametrize(("fold", "how"), [("best", "max"), ("sum", "sum")])
def test_folding_is_that_of_grouping_by_document(fold: str, how: str) -> None:
    judged, frame = random_passages(3)
    grouped = frame.assign(parent=frame["doc_id"].str.rpartition("#")[0]).groupby(["query_id", "parent"])["score"]
    expected = nested(grouped.agg(how).reset_index(), "parent")
    require_same(judged, expected, ir.evaluate(judged, frame, NAMES, shape=ir.Shape(fold=fold, parent_separator="#")))


def test_a_budget_is_that_of_a_running_sum_over_the_sorted_list() -> None:
    judged, frame = random_passages(4)
    rng = np.random.default_rng(4)
    tokens = {name: int(rng.integers(0, 300)) for name in frame["doc_id"].unique()}
    ordered = frame.sort_values(["query_id", "score", "doc_id"], ascending=[True, False, False])
    spent = ordered["doc_id"].map(tokens).groupby(ordered["query_id"]).cumsum()
    passages = {
        query: {f"{name}#{part}": grade for name, grade in held.items() for part in range(9)}
        for query, held in judged.items()
    }
    shape = ir.Shape(tokens=tokens, budget_tokens=800)
    require_same(passages, nested(ordered[spent <= 800]), ir.evaluate(passages, frame, NAMES, shape=shape))


def read_text(path: Path, separator: str) -> pd.DataFrame:
    """Numbers by Python, which rounds them right."""
    frame = pd.read_csv(path, sep=separator, dtype=str)
    return frame.assign(score=frame["score"].map(float))


def test_files_hold_what_other_libraries_find_in_them(tmp_path: Path) -> None:
    _, frame = random_passages(5, queries=50)
    frame["doc_id"] = frame["doc_id"].str.replace("doc1#", 'a "quoted", id\n#')
    frame["score"] = np.random.default_rng(5).normal(size=len(frame)) * 10.0 ** np.arange(len(frame)).clip(0, 30)
    frame.to_csv(tmp_path / "r.csv", index=False)
    frame.to_csv(tmp_path / "r.tsv", index=False, sep="\t")
    frame.to_json(tmp_path / "r.jsonl", orient="records", lines=True, double_precision=15)
    frame.to_parquet(tmp_path / "r.parquet")
    pl.from_pandas(frame).write_parquet(tmp_path / "p.parquet")
    (tmp_path / "r.json").write_text(json.dumps(nested(frame)))
    expected = {
        "r.csv": read_text(tmp_path / "r.csv", ","),
        "r.tsv": read_text(tmp_path / "r.tsv", "\t"),
        "r.jsonl": pd.DataFrame(json.loads(line) for line in io.StringIO((tmp_path / "r.jsonl").read_text())),
        "r.parquet": frame,
        "p.parquet": frame,
        "r.json": frame,
    }
    for name, theirs in expected.items():
        table = read_run(tmp_path / name).table
        ours = zip(table.query().tolist(), table.documents.texts(), table.value.tolist(), strict=True)
        found: Nested = {query: {} for query in table.queries}
        for query, document, value in ours:
            found[table.queries[query]][document] = value
        assert found == nested(theirs), name
