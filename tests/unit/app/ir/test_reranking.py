"""Rerankers are asked about identical candidates, timed by a clock that is passed in, and believed in nothing."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from beleg.adapters.formats.models import load_document
from beleg.app.ir.reading import read_run
from beleg.app.ir.reranking import Reranked, RerankerFacts, RerankTask, rerank_listwise, rerank_pointwise
from beleg.core.errors import DataError, UsageError
from beleg.core.rerank import RerankMode, RerankRecord
from beleg.metrics.ranking_runs.table import table_from_mapping

FIRST = {"q1": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}, "q2": {"b": 1.0, "c": 1.0}}
QUERIES = {"q1": "one", "q2": "two"}
PASSAGES = {name: f"text {name}" for name in "abcd"}
FACTS = RerankerFacts(model="test", hardware="paper", batch_size=2)


def task(**changed: Any) -> RerankTask:
    whole = {"first_stage": table_from_mapping(FIRST), "queries": QUERIES, "passages": PASSAGES, "depth": 3}
    return RerankTask(**whole | changed)


def ticking(step_s: float) -> Callable[[], float]:
    ticks = itertools.count()
    return lambda: next(ticks) * step_s


def lists(found: Reranked) -> dict[str, list[str]]:
    table = found.table
    names = [table.documents[row].decode() for row in range(len(table.value))]
    bounds = zip(table.queries, table.offsets[:-1].tolist(), table.offsets[1:].tolist(), strict=True)
    return {query: names[low:high] for query, low, high in bounds}


def later_is_better(query: str, passages: Sequence[str]) -> list[float]:
    return [float(ord(passage[-1])) for passage in passages]


def test_passages_go_in_batches_in_the_order_of_the_first_stage_cut_at_the_depth() -> None:
    asked: list[tuple[str, list[str]]] = []

    def score(query: str, passages: Sequence[str]) -> list[float]:
        asked.append((query, list(passages)))
        return later_is_better(query, passages)

    found = rerank_pointwise(task(), score, FACTS, clock=ticking(0.25))
    assert asked == [("one", ["text a", "text b"]), ("one", ["text c"]), ("two", ["text c", "text b"])]
    assert lists(found) == {"q1": ["c", "b", "a"], "q2": ["c", "b"]}
    assert found.record == RerankRecord(
        model="test", mode=RerankMode.POINTWISE, depth=3, batch_size=2, hardware="paper", latency_ms=(250.0, 250.0)
    )
    assert found.failures == {}


def test_an_order_of_the_whole_list_becomes_scores_that_count_down() -> None:
    found = rerank_listwise(
        task(), lambda _, passages: np.argsort([1, 0, 2][: len(passages)]), FACTS, clock=ticking(1.0)
    )
    assert lists(found) == {"q1": ["b", "a", "c"], "q2": ["b", "c"]}
    assert found.table.value.tolist() == [3.0, 2.0, 1.0, 2.0, 1.0]
    assert (found.record.mode, found.record.batch_size) == (RerankMode.LISTWISE, 3)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ([1.0], "1 scores for 2 passages"),
        ([1.0, 2.0, 3.0], "3 scores for 2 passages"),
        ([1.0, math.nan], "a score that is not finite: nan"),
        ([math.inf, 1.0], "a score that is not finite: inf"),
        ([1.0, "high"], "a score that is no number: 'high'"),
        ([None, 1.0], "a score that is no number: None"),
    ],
)
def test_a_reply_without_one_finite_score_for_each_passage_has_a_reason_and_no_list(
    reply: Iterable[Any], reason: str
) -> None:
    found = rerank_pointwise(
        task(), lambda query, passages: reply if query == "two" else later_is_better(query, passages), FACTS,
        clock=ticking(0.5),
    )  # fmt: skip
    assert found.failures == {"q2": reason}
    assert list(lists(found)) == ["q1"]
    assert found.record.latency_ms == (500.0, 500.0)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ([0, 1], "places missing: 2"),
        ([0, 1, 1], "places named twice: 1; missing: 2"),
        ([0, 1, 2, 2], "places named twice: 2"),
        ([1, 2, 3], "a place outside 0 to 2: 3"),
        ([0, 1, -1], "a place outside 0 to 2: -1"),
        ([0, 1, 2.0], "a place that is no whole number: 2.0"),
        ([0, 1, True], "a place that is no whole number: True"),
        (["0", 1, 2], "a place that is no whole number: '0'"),
        ([], "places missing: 0, 1, 2"),
    ],
)
def test_a_reply_that_is_no_complete_order_has_a_reason_and_no_list(reply: list[Any], reason: str) -> None:
    def order(query: str, passages: Sequence[str]) -> Iterable[int]:
        return reply if query == "one" else range(len(passages))

    found = rerank_listwise(task(), order, FACTS, clock=ticking(1.0))
    assert found.failures == {"q1": reason}
    assert lists(found) == {"q2": ["c", "b"]}


def test_texts_that_are_not_there_and_sizes_without_meaning_are_refused_before_anything_is_asked() -> None:
    def never(query: str, passages: Sequence[str]) -> list[float]:
        raise AssertionError

    with pytest.raises(DataError, match=r"a document has no text .*'b'"):
        rerank_pointwise(task(passages={"a": ""}), never, FACTS)
    with pytest.raises(DataError, match=r"a query has no text .*'q2'"):
        rerank_pointwise(task(queries={"q1": "one"}), never, FACTS)
    with pytest.raises(UsageError, match="the depth is 0"):
        rerank_pointwise(task(depth=0), never, FACTS)
    with pytest.raises(UsageError, match="the batch size is 0"):
        rerank_pointwise(task(), never, RerankerFacts(model="m", hardware="h", batch_size=0))


def test_what_a_reranker_raises_reaches_the_caller() -> None:
    def broken(query: str, passages: Sequence[str]) -> list[float]:
        raise RuntimeError("out of memory")

    with pytest.raises(RuntimeError, match="out of memory"):
        rerank_pointwise(task(), broken, FACTS)


def test_run_and_record_are_written_side_by_side_and_read_again(tmp_path: Path) -> None:
    found = rerank_pointwise(task(), later_is_better, FACTS, clock=ticking(0.001))
    beside = found.write(tmp_path / "out.run", tag="test")
    assert beside == tmp_path / "out.run.record.json"
    assert load_document(RerankRecord, beside) == found.record
    assert "cost_usd" not in json.loads(beside.read_text())
    assert read_run(tmp_path / "out.run").table.value.tolist() == found.table.value.tolist()
