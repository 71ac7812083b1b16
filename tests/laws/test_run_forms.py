"""A run gives the same figures in whatever form Python holds it, to the last bit, and is left as it was."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from beleg import ir
from beleg.core.errors import DataError, UsageError

MEASURES = "nDCG@10 nDCG AP RR R@5 P@3 Bpref Rprec SetF Judged@10 NumRet NumRel IPrec@0.5"
Nested = dict[str, dict[str, float]]


def random_pair(seed: int) -> tuple[Nested, Nested]:
    """Numbered documents with fractional grades, ties, missing and extra queries."""
    rng = np.random.default_rng(seed)
    judged: Nested = {}
    run: Nested = {}
    for number in range(60):
        if number % 7:
            judged[str(number)] = {
                str(each): float(rng.integers(-1, 5)) / 2 for each in rng.permutation(40)[: rng.integers(1, 9)]
            }
        if number % 5:
            # Every list is equally long, so that an array can hold all of them.
            run[str(number)] = {str(each): float(rng.integers(0, 9)) / 8 for each in rng.permutation(40)[:20]}
    return judged, run


def columns(nested: Nested, value: str) -> dict[str, list[Any]]:
    rows = [(query, document, number) for query, held in nested.items() for document, number in held.items()]
    return dict(zip(("query_id", "doc_id", value), map(list, zip(*rows, strict=True)), strict=True))


class Scored(NamedTuple):
    query_id: str
    doc_id: str
    score: float


def rows(run: Nested) -> Iterator[Scored]:
    return (Scored(query, document, score) for query, held in run.items() for document, score in held.items())


def as_polars(run: Nested) -> pl.DataFrame:
    return pl.DataFrame(columns(run, "score"))


def as_pandas(run: Nested) -> pd.DataFrame:
    return pd.DataFrame(columns(run, "score"))


def numbered(run: Nested, kind: Callable[[str], Any], score: Callable[[float], Any] = float) -> dict[Any, Any]:
    return {kind(query): {kind(name): score(each) for name, each in held.items()} for query, held in run.items()}


FORMS: dict[str, Callable[[Nested], Any]] = {
    "whole numbers as ids": lambda run: numbered(run, int),
    "numpy numbers": lambda run: numbered(run, np.int64, np.float32),
    "pairs": lambda run: {query: list(held.items()) for query, held in run.items()},
    "rows of an iterator": rows,
    "triples": lambda run: [tuple(row) for row in rows(run)],
    "lists as columns": lambda run: columns(run, "score"),
    "arrays as columns": lambda run: {name: np.array(held) for name, held in columns(run, "score").items()},
    "numbered arrays as columns": lambda run: {
        name: np.array(held, dtype=np.float32 if name == "score" else np.int32)
        for name, held in columns(run, "score").items()
    },
    "arrays of objects": lambda run: {n: np.array(h, dtype=object) for n, h in columns(run, "score").items()},
    "polars": as_polars,
    "polars, shuffled": lambda run: as_polars(run).sample(fraction=1.0, shuffle=True, seed=1),
    "polars categories": lambda run: as_polars(run).cast({"query_id": pl.Categorical, "doc_id": pl.Categorical}),
    "polars numbers": lambda run: as_polars(run).cast({"query_id": pl.UInt16, "doc_id": pl.Int64, "score": pl.Float32}),
    "polars series": lambda run: as_polars(run).to_dict(as_series=True),
    "polars in parts": lambda run: pl.concat([as_polars(run)[:7], as_polars(run)[7:]], rechunk=False),
    "pandas": as_pandas,
    "pandas objects": lambda run: as_pandas(run).astype({"query_id": object, "doc_id": object}),
    "pandas categories": lambda run: as_pandas(run).astype({"query_id": "category", "doc_id": "category"}),
    "pandas numbers": lambda run: as_pandas(run).astype({"query_id": int, "doc_id": "int32", "score": "float32"}),
    "pandas series": lambda run: dict(as_pandas(run).items()),
    "pyarrow": lambda run: as_polars(run).to_arrow(),
    "pyarrow large text": lambda run: as_polars(run).to_arrow(compat_level=pl.CompatLevel.oldest()),
    "pyarrow text": lambda run: pa.table(columns(run, "score")),
    "pyarrow slice": lambda run: pa.concat_tables([t := pa.table(columns(run, "score")), t]).slice(t.num_rows),
    "pyarrow arrays": lambda run: {name: pa.array(held) for name, held in columns(run, "score").items()},
    "pyarrow stream": lambda run: pa.table(columns(run, "score")).to_reader(max_chunksize=11),
    "duckdb": lambda run: duckdb.from_arrow(pa.table(columns(run, "score"))),
    "other names": lambda run: as_polars(run).select(
        rank=pl.lit(1), qid="query_id", docno="doc_id", query=pl.lit("the text"), Score="score"
    ),
    "arrays of ids with scores": lambda run: ir.ranked_lists(
        np.array([list(held) for held in run.values()]).astype(int),
        np.array([list(held.values()) for held in run.values()], dtype=np.float32),
        [int(query) for query in run],
    ),
    "ranked ids": lambda run: {query: ordered(held) for query, held in run.items()},
    "arrays of ranked ids": lambda run: ir.ranked_lists(
        [list(map(int, ordered(h))) for h in run.values()], queries=list(run)
    ),
}


def ordered(held: dict[str, float]) -> list[str]:
    return sorted(sorted(held, reverse=True), key=held.__getitem__, reverse=True)


def figures(judged: Any, run: Any) -> dict[str, dict[str, float]]:
    return ir.evaluate(judged, run, MEASURES).per_query()


@pytest.fixture(scope="module")
def pair() -> tuple[Nested, Nested]:
    return random_pair(1)


@pytest.fixture(scope="module")
def expected(pair: tuple[Nested, Nested], tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, float]]:
    """From files, which the oracles of trec_eval cover."""
    judged, run = pair
    folder = tmp_path_factory.mktemp("files")
    (folder / "qrels").write_text("".join(f"{q} 0 {d} {g}\n" for q, held in judged.items() for d, g in held.items()))
    (folder / "run").write_text("".join(f"{q} Q0 {d} 1 {s} x\n" for q, held in run.items() for d, s in held.items()))
    return figures(str(folder / "qrels"), Path(folder / "run"))


@pytest.mark.parametrize("form", FORMS)
def test_the_form_of_a_run_does_not_move_a_figure(
    pair: tuple[Nested, Nested], expected: dict[str, dict[str, float]], form: str
) -> None:
    judged, run = pair
    assert figures(judged, FORMS[form](run)) == expected


OF_RUNS_ALONE = ("rank", "arrays of ids", "rows of an iterator", "pairs")
"""Forms that mean ranks or scores: rows of judgements name a relevance, and a list names relevant documents."""


@pytest.mark.parametrize("form", [form for form in FORMS if not any(part in form for part in OF_RUNS_ALONE)])
def test_the_form_of_judgements_does_not_move_a_figure(
    pair: tuple[Nested, Nested], expected: dict[str, dict[str, float]], form: str
) -> None:
    judged, run = pair
    assert figures(FORMS[form](judged), run) == expected


def test_nothing_that_is_given_is_changed(pair: tuple[Nested, Nested]) -> None:
    judged, run = copy.deepcopy(pair)
    frame = as_pandas(run)
    before = frame.copy(deep=True)
    figures(judged, run)
    figures(judged, frame)
    assert (judged, run) == pair
    pd.testing.assert_frame_equal(frame, before)


def test_relevant_documents_may_stand_in_a_set() -> None:
    assert ir.evaluate({"q": {"a", "b"}}, {"q": ["c", "a"]}, "R@5 RR").summary() == {"R@5": 0.5, "RR": 0.5}


@pytest.mark.parametrize("queries", ["q", 5])
def test_the_queries_of_an_array_are_a_list(queries: Any) -> None:
    with pytest.raises(UsageError, match="the queries are"):
        ir.ranked_lists([[1]], queries=queries)


@pytest.mark.parametrize("held", [{"a", "b"}, frozenset({"a", "b"})])
def test_a_set_is_no_ranked_list(held: Any) -> None:
    with pytest.raises(DataError, match="'q' stand in a set, which has no order"):
        ir.evaluate({"q": {"a": 1}}, {"q": held}, "RR")


@pytest.mark.parametrize("held", [{"c": 0, "a": 1}.keys(), {("a", 0.5), ("c", 0.9)}, {"a": 0.5, "c": 0.9}.items()])
def test_what_has_an_order_or_scores_is_a_ranked_list(held: Any) -> None:
    assert ir.evaluate({"q": {"a": 1}}, {"q": held}, "RR").summary() == {"RR": 0.5}


def test_of_two_columns_of_one_name_the_first_counts() -> None:
    columns = [pa.array(each) for each in (["q", "q"], ["a", "c"], [0.9, 0.5], [0.1, 0.5], ["b", "b"])]
    table = pa.table(columns, names=["query_id", "doc_id", "score", "score", "doc_id"])
    assert ir.evaluate({"q": {"a": 1}}, table, "RR").summary() == {"RR": 1.0}


def test_the_row_of_an_array_is_the_query() -> None:
    assert ir.evaluate({1: {7: 1}}, np.array([[7, 8], [8, 7]]), "RR").summary() == {"RR": 0.5}


@pytest.mark.parametrize(
    ("qrels", "run", "said"),
    [
        ({"q": {"a": 1}}, {"q": {"a": float("nan")}}, ["'q'", "'a'", "not a number"]),
        ({"q": {"a": float("nan")}}, {"q": {"a": 1}}, ["'q'", "'a'", "not a number"]),
        ({"q": {"a": float("inf")}}, {"q": {"a": 1}}, ["'q'", "'a'", "finite"]),
        ({"q": {"a": "1"}}, {"q": {"a": 1}}, ["'q'", "'a'", "number"]),
        ({}, {"q": {"a": 1}}, ["no query is judged"]),
        ({"q": {"a": 1}}, {}, ["no query of the run"]),
        ({"q": {"a": 1}}, {"p": {"a": 1}}, ["no query of the run", "'p'", "'q'"]),
        ({"q": {"a": 1}}, {"q": ["a", "b", "a"]}, ["twice", "'q'", "'a'"]),
        ({"q": {"a": 1}}, {"q": "a"}, ["holds no documents"]),
        ({"q": {"a": 1}}, 5, ["type int", "mapping"]),
        ({"q": {"a": 1}}, ["a"], ["row 0", "'a'"]),
        ({"q": {"a": 1}}, pl.LazyFrame({"query_id": ["q"]}), ["ollect"]),
        ({"q": {"a": 1}}, pl.DataFrame({"query_id": ["q"], "text": ["a"]}), ["document and the score", "text"]),
        ({"q": {"a": 1}}, pl.DataFrame({"qid": ["q"], "docno": [None], "score": [1.0]}), ["docno", "row 0"]),
        ({"q": {"a": 1}}, pl.DataFrame({"qid": ["q"], "docno": ["a"], "score": ["1"]}), ["numbers are expected"]),
        ({"q": {"a": 1}}, pl.DataFrame({"qid": ["q", "q"], "docno": ["a", "a"], "score": [1, 2]}), ["row 1", "twice"]),
        ({"q": {"a": 1}}, pd.DataFrame({"qid": ["q"], "docno": [1.0], "score": [1.0]}), ["float"]),
        ({"q": {"a": 1}}, pd.DataFrame({"qid": ["q"], "docno": ["a"], "score": [np.nan]}), ["'q'", "'a'"]),
        ({"q": {"a": 1}}, {"qid": ["q"], "docno": ["a", "b"], "score": [1.0]}, ["differ in length"]),
        ({"q": {"a": 1}}, {"qid": ["q"], "docno": [None], "score": [1.0]}, ["row 0 has no value"]),
        ({"q": {"a": 1}}, {"qid": ["q"], "docno": ["a"], "score": np.ma.array([1.0], mask=[1])}, ["score", "row 0"]),
        ({"q": {"a": 1}}, {"qid": ["q"], "docno": np.ma.array([7], mask=[1]), "score": [1.0]}, ["docno", "row 0"]),
    ],
)
def test_what_cannot_be_evaluated_is_named(qrels: Any, run: Any, said: list[str]) -> None:
    with pytest.raises((DataError, UsageError)) as caught:
        ir.evaluate(qrels, run, "AP")
    assert all(words in caught.value.diagnostics() for words in said), caught.value.diagnostics()
