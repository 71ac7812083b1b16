"""Measures a reranker: the same candidates for every one, the time of every query, and no reply taken on trust."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from pathlib import Path
from typing import SupportsIndex, TypeAlias

from beleg.adapters.formats.atomic import write_text
from beleg.adapters.formats.trec_writing import write_trec_run
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.core.rerank import RerankMode, RerankRecord
from beleg.metrics.ranking_runs.order import best_first
from beleg.metrics.ranking_runs.table import Table, table_from_mapping

Score: TypeAlias = Callable[[str, Sequence[str]], Iterable[float]]
"""Gives one score for every passage; higher is better."""
Order: TypeAlias = Callable[[str, Sequence[str]], Iterable[SupportsIndex]]
"""Gives the places of the passages, from 0, best first: each exactly once."""
Clock: TypeAlias = Callable[[], float]
"""Seconds that only go forward."""

PLACES_SHOWN = 5

_Scored: TypeAlias = "list[float] | str"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RerankTask:
    """What every reranker is given alike."""

    first_stage: Table
    queries: Mapping[str, str]
    """The text of every query by id; those without a list in the first stage are passed over."""
    passages: Mapping[str, str]
    """The text of every document by id."""
    depth: int
    """How many candidates of each query are reranked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankerFacts:
    """What the record of the run says beside the figures."""

    model: str
    hardware: str
    batch_size: int = 1
    """How many passages go into one call of a pointwise reranker; a listwise one sees the whole list."""
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reranked:
    """The reranked run, its record, and which replies could not be used."""

    table: Table
    record: RerankRecord
    failures: dict[str, str]
    """By query, why it has no list."""

    def write(self, path: Path, *, tag: str) -> Path:
        """Writes the run, and beside it the record as ``NAME.record.json``, whose path is returned."""
        write_trec_run(path, self.table, tag)
        beside = path.with_name(f"{path.name}.record.json")
        write_text(beside, self.record.model_dump_json(indent=2, exclude_none=True) + "\n")
        return beside


def rerank_pointwise(
    task: RerankTask, score: Score, facts: RerankerFacts, *, clock: Clock = time.perf_counter
) -> Reranked:
    """Reranks by a score for each passage.

    The candidates of a query go to ``score`` in batches of ``facts.batch_size``, in the order of the first stage. A
    reply that has not one finite number for each passage makes the query a failure: it has a reason and no list.

    Args:
        task: the candidates and their texts.
        score: the reranker.
        facts: for the record.
        clock: seconds.

    Returns:
        The run in the one order; the record holds the milliseconds of every query asked, failures too.

    Raises:
        UsageError: if depth or batch size are below 1.
        DataError: if the text of a query or candidate is not there.

    Example:
        >>> task = RerankTask(
        ...     first_stage=table_from_mapping({"q": {"a": 2.0, "b": 1.0}}),
        ...     queries={"q": "red"}, passages={"a": "blue", "b": "red red"}, depth=2,
        ... )
        >>> counting = lambda query, passages: [passage.split().count(query) for passage in passages]
        >>> found = rerank_pointwise(task, counting, RerankerFacts(model="counting", hardware="any"))
        >>> found.table.documents[0], found.failures
        (b'b', {})
    """
    if facts.batch_size < 1:
        raise UsageError(f"the batch size is {facts.batch_size}", hint="Give 1 or more")

    def scored(query: str, passages: Sequence[str]) -> _Scored:
        found: list[float] = []
        for low in range(0, len(passages), facts.batch_size):
            batch = passages[low : low + facts.batch_size]
            reply = _scores(score(query, batch), len(batch))
            if isinstance(reply, str):
                return reply
            found += reply
        return found

    return _reranked(task, scored, facts, RerankMode.POINTWISE, clock)


def rerank_listwise(
    task: RerankTask, order: Order, facts: RerankerFacts, *, clock: Clock = time.perf_counter
) -> Reranked:
    """Reranks by an order of the whole list.

    A reply that does not name every place exactly once makes the query a failure: it has a reason and no list.

    Args:
        task: the candidates and their texts.
        order: the reranker.
        facts: for the record; the batch size recorded is the depth.
        clock: seconds.

    Returns:
        As `rerank_pointwise`; the scores count down from the length of the list.

    Raises:
        UsageError: if the depth is below 1.
        DataError: if the text of a query or candidate is not there.
    """

    def scored(query: str, passages: Sequence[str]) -> _Scored:
        places = _places(order(query, passages), len(passages))
        if isinstance(places, str):
            return places
        found = [0.0] * len(places)
        for rank, place in enumerate(places):
            found[place] = float(len(places) - rank)
        return found

    return _reranked(task, scored, facts, RerankMode.LISTWISE, clock)


def _reranked(
    task: RerankTask, scored: Callable[[str, Sequence[str]], _Scored], facts: RerankerFacts, mode: RerankMode,
    clock: Clock,
) -> Reranked:  # fmt: skip
    if task.depth < 1:
        raise UsageError(f"the depth is {task.depth}", hint="Give 1 or more")
    candidates = _candidates(task)
    _require_texts(task, candidates)
    lists: dict[str, dict[str, float]] = {}
    failures: dict[str, str] = {}
    latency_ms: list[float] = []
    for query, documents in candidates.items():
        passages = [task.passages[document] for document in documents]
        began = clock()
        reply = scored(task.queries[query], passages)
        latency_ms.append(1_000.0 * (clock() - began))
        if isinstance(reply, str):
            failures[query] = reply
        else:
            lists[query] = dict(zip(documents, reply, strict=True))
    record = RerankRecord(
        model=facts.model,
        mode=mode,
        depth=task.depth,
        batch_size=facts.batch_size if mode is RerankMode.POINTWISE else task.depth,
        hardware=facts.hardware,
        latency_ms=tuple(latency_ms) or None,
        cost_usd=facts.cost_usd,
    )
    return Reranked(table=best_first(table_from_mapping(lists)), record=record, failures=failures)


def _candidates(task: RerankTask) -> dict[str, list[str]]:
    """The first of every list, in the one order."""
    cut = best_first(task.first_stage, depth=task.depth)
    names = [cut.documents[row].decode("utf-8", "replace") for row in range(len(cut.value))]
    bounds = cut.offsets.tolist()
    return {
        query: names[low:high]
        for query, low, high in zip(cut.queries, bounds[:-1], bounds[1:], strict=True)
        if high > low
    }


def _require_texts(task: RerankTask, candidates: Mapping[str, Sequence[str]]) -> None:
    for query, documents in candidates.items():
        if query not in task.queries:
            raise _without_text("query", query, "Give the text of every query that the first stage has a list for")
        for document in documents:
            if document not in task.passages:
                raise _without_text("document", document, "Give the text of every candidate")


def _without_text(kind: str, name: str, remedy: str) -> DataError:
    return DataError(Problem(message=f"a {kind} has no text", field=kind, value=shown(name), remedy=remedy))


def _scores(reply: Iterable[float], expected: int) -> _Scored:
    found = list(reply)
    if len(found) != expected:
        return f"{len(found)} scores for {expected} passages"
    try:
        numbers = [float(value) for value in found]
    except (TypeError, ValueError):
        return f"a score that is no number: {shown(next(each for each in found if not _is_number(each)))}"
    if not all(math.isfinite(number) for number in numbers):
        return f"a score that is not finite: {next(each for each in numbers if not math.isfinite(each))}"
    return numbers


def _is_number(value: object) -> bool:
    try:
        float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return True


def _places(reply: Iterable[object], expected: int) -> list[int] | str:
    """The places, or what keeps them from being a complete order."""
    places: list[int] = []
    for place in reply:
        if isinstance(place, bool) or not isinstance(place, SupportsIndex):
            return f"a place that is no whole number: {shown(place)}"
        places.append(index(place))
    outside = [place for place in places if not 0 <= place < expected]
    if outside:
        return f"a place outside 0 to {expected - 1}: {outside[0]}"
    times = Counter(places)
    faults = {
        "named twice": sorted(place for place, count in times.items() if count > 1),
        "missing": sorted(set(range(expected)) - set(times)),
    }
    said = [f"{what}: {', '.join(map(str, found[:PLACES_SHOWN]))}" for what, found in faults.items() if found]
    return f"places {'; '.join(said)}" if said else places
