"""One point of a sweep: asks an index every query alone, then all at once, and compares with the exact answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from beleg.app.ir.ann.filters import FilteredQueries
from beleg.app.ir.ann.points import FilteredSearch, Searched
from beleg.app.ir.ann.truth import VectorPair
from beleg.core.inference import Vectors
from beleg.core.nearest import Admitted, Rows, VectorIndex
from beleg.metrics.neighbours.exact import Neighbours
from beleg.metrics.neighbours.recall import delivered
from beleg.metrics.neighbours.scoring import single

WARM_UP = 20
TICK_NS = 300_000_000
"""So often that a person sees it move, so seldom that telling costs nothing beside the calls."""
BATCH_S = 0.2
MAX_BATCHES = 5
MICROSECONDS_KEPT = 4


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Questions:
    """The queries, their exact answers, and how they are asked."""

    pair: VectorPair
    k: int
    rounds: int
    exact: Neighbours
    filtered: tuple[tuple[FilteredQueries, Neighbours], ...] = ()
    tick: Callable[[int], None] = lambda calls: None
    """Is told now and then how many calls were made since."""


def measure(index: VectorIndex, questions: Questions, search: Mapping[str, int]) -> tuple[Searched, float]:
    """Recall and latency without a filter, and queries a second when all are handed over at once."""
    queries = single(questions.pair.queries)
    found, latencies = _one_by_one(index, queries, questions, search, None)
    rate = _at_once(lambda: index.search(queries, questions.k, search), len(queries))
    return _compared(found, latencies, questions.exact, questions.pair, np.arange(len(queries)), None), rate


def measure_filtered(index: VectorIndex, questions: Questions, search: Mapping[str, int]) -> tuple[FilteredSearch, ...]:
    """Recall and latency under each filter."""
    told = []
    for filtered, exact in questions.filtered:
        queries = single(questions.pair.queries[filtered.queries])
        found, latencies = _one_by_one(index, queries, questions, search, filtered.admitted)
        compared = _compared(found, latencies, exact, questions.pair, filtered.queries, filtered.admitted)
        told.append(
            FilteredSearch(name=filtered.admitted.name, share=filtered.share, bucket=filtered.bucket, found=compared)
        )
    return tuple(told)


def _one_by_one(
    index: VectorIndex,
    queries: Vectors,
    questions: Questions,
    search: Mapping[str, int],
    admitted: Admitted | None,
) -> tuple[Rows, tuple[float, ...]]:
    """The rows of each query, and what each call took; the first calls warm up and are not counted."""
    alone = [queries[at : at + 1] for at in range(len(queries))]
    for query in alone[:WARM_UP]:
        index.search(query, questions.k, search, admitted)
    found: list[Rows] = []
    nanoseconds = []
    told, untold = time.perf_counter_ns(), 0
    for _ in range(questions.rounds):
        found = []
        for query in alone:
            began = time.perf_counter_ns()
            rows = index.search(query, questions.k, search, admitted)
            nanoseconds.append(time.perf_counter_ns() - began)
            found.append(rows)
            untold += 1
            if began > told + TICK_NS:
                questions.tick(untold)
                told, untold = began, 0
    questions.tick(untold)
    return np.concatenate(found), tuple(round(each / 1e6, MICROSECONDS_KEPT) for each in nanoseconds)


def _at_once(search: Callable[[], Rows], queries: int) -> float:
    """Queries a second, by the quickest of a few calls."""
    quickest, spent = float("inf"), 0.0
    for _ in range(MAX_BATCHES):
        began = time.perf_counter()
        search()
        seconds = time.perf_counter() - began
        quickest, spent = min(quickest, seconds), spent + seconds
        if spent >= BATCH_S:
            break
    return queries / max(quickest, 1e-9)


def _compared(
    found: Rows,
    latencies: tuple[float, ...],
    exact: Neighbours,
    pair: VectorPair,
    which: Rows,
    admitted: Admitted | None,
) -> Searched:
    rows = None if admitted is None else admitted.rows
    counts = delivered(found, exact, pair.corpus, pair.queries[which], pair.similarity, admitted=rows)
    return Searched(
        wanted=counts.wanted,
        hits=tuple(counts.hits.tolist()),
        hits_by_id=tuple(counts.hits_by_id.tolist()),
        missing=int(counts.missing.sum()),
        repeated=int(counts.repeated.sum()),
        foreign=int(counts.foreign.sum()),
        latencies_ms=latencies,
    )
