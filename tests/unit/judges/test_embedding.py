from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from beleg.adapters.stores.sqlite_file import SqliteFile
from beleg.adapters.stores.sqlite_vectors import SqliteVectorStore
from beleg.core.errors import CandidateError
from beleg.core.inference import EmbeddingKind, EmbeddingReply
from beleg.core.judge_settings import JudgeBudget, JudgeLimits
from beleg.core.judging import JudgeFault
from beleg.core.trace import Usage
from beleg.judges.embedding import RecordedEmbedder, vector_key
from beleg.judges.sending import Gateway, Sender
from beleg.judges.store import MemoryVectors, VectorStore
from support.judge_models import ScriptedModel, controls


class CountingServer:
    """Gives every text its length as a vector, after the faults that a test wants."""

    batch_size = 2

    def __init__(self, identity: str = "e", faults: Sequence[CandidateError] = (), width: int = 2) -> None:
        self.identity = identity
        self.requests: list[tuple[str, tuple[str, ...]]] = []
        self._faults = list(faults)
        self._width = width

    async def request(self, texts: Sequence[str], kind: EmbeddingKind) -> EmbeddingReply:
        self.requests.append((kind, tuple(texts)))
        if self._faults:
            raise self._faults.pop(0)
        rows = [[float(len(text))] * self._width for text in texts]
        return EmbeddingReply(
            vectors=np.array(rows, dtype=np.float32), usage=Usage(prompt_tokens=10, completion_tokens=0)
        )

    async def close(self) -> None:
        return


def judge_gateway(**chosen: Any) -> Gateway:
    return Sender(ScriptedModel({}), controls(**chosen))


def embed(server: CountingServer, store: VectorStore, texts: list[str], **chosen: Any) -> list[float]:
    embedder = RecordedEmbedder(server, judge_gateway(**chosen), [store])
    return [float(value) for value in asyncio.run(embedder.embed_passages(texts))[:, 0]]


def test_texts_are_asked_for_once_in_batches_and_given_in_their_order() -> None:
    server, store = CountingServer(), MemoryVectors()
    assert embed(server, store, ["bb", "a", "bb", "ccc"]) == [2, 1, 2, 3]
    assert server.requests == [("passage", ("bb", "a")), ("passage", ("ccc",))]
    assert embed(server, store, ["ccc", "a"]) == [3, 1]
    assert len(server.requests) == 2


def test_another_model_another_kind_and_another_text_are_asked_anew() -> None:
    store = MemoryVectors()
    embed(CountingServer(), store, ["a"])
    for identity, texts in (("e with a prefix", ["a"]), ("e", ["a "])):
        other = CountingServer(identity)
        embed(other, store, texts)
        assert len(other.requests) == 1
    same = CountingServer()
    assert asyncio.run(RecordedEmbedder(same, judge_gateway(), [store]).embed_query("a")).tolist() == [1, 1]
    assert same.requests == [("query", ("a",))]


def test_a_key_keeps_its_parts_apart() -> None:
    assert vector_key("ab", "query", "c") != vector_key("a", "query", "bc")
    assert vector_key("a", "query", "\ud800").startswith("sha256:")


def test_requests_and_tokens_count_in_the_budget_of_the_judge() -> None:
    gateway = judge_gateway()
    asyncio.run(RecordedEmbedder(CountingServer(), gateway.beside(), [MemoryVectors()]).embed_passages(["a", "b", "c"]))
    assert (gateway.budget.spending.calls, gateway.budget.spending.prompt_tokens) == (2, 20)
    assert gateway.limiter.in_flight == 0


def test_a_budget_that_is_used_up_stops_embeddings_too_and_keeps_what_was_paid() -> None:
    server, store = CountingServer(), MemoryVectors()
    with pytest.raises(CandidateError, match="budget of 1 calls") as caught:
        embed(server, store, ["a", "b", "c"], budget=JudgeBudget(max_calls=1))
    assert caught.value.kind == JudgeFault.BUDGET
    assert len(store.vectors([vector_key("e", "passage", text) for text in "abc"])) == 2


def test_a_passing_fault_is_asked_again_and_a_lasting_one_is_never_kept() -> None:
    passing = CandidateError("slow down", kind="rate_limited", retryable=True)
    assert embed(CountingServer(faults=[passing, passing]), MemoryVectors(), ["a"]) == [1]
    store, lasting = MemoryVectors(), CountingServer(faults=[CandidateError("no", kind="rejected")])
    with pytest.raises(CandidateError) as caught:
        embed(lasting, store, ["a"])
    assert (caught.value.kind, len(lasting.requests)) == (JudgeFault.REJECTED, 1)
    assert store.vectors([vector_key("e", "passage", "a")]) == {}
    with pytest.raises(CandidateError):
        embed(CountingServer(faults=[passing] * 3), store, ["a"], limits=JudgeLimits(attempts=2))


def test_a_replay_reads_what_is_kept_and_asks_nobody() -> None:
    server, store = CountingServer(), MemoryVectors()
    embed(server, store, ["a"])
    assert embed(server, store, ["a"], is_replay=True) == [1]
    with pytest.raises(CandidateError) as caught:
        embed(server, store, ["b"], is_replay=True)
    assert (caught.value.kind, len(server.requests)) == (JudgeFault.NOT_RECORDED, 1)


def test_what_a_cache_knows_is_copied_into_the_record() -> None:
    server, record, cache = CountingServer(), MemoryVectors(), MemoryVectors()
    embed(server, cache, ["a"])
    shared = RecordedEmbedder(server, judge_gateway(), [record, cache])
    asyncio.run(shared.embed_passages(["a", "b"]))
    assert [texts for _, texts in server.requests] == [("a",), ("b",)]
    keys = [vector_key("e", "passage", text) for text in "ab"]
    assert set(record.vectors(keys)) == set(cache.vectors(keys)) == set(keys)


def test_a_model_that_changed_under_its_name_is_found_out() -> None:
    store = MemoryVectors()
    embed(CountingServer(), store, ["a"])
    with pytest.raises(CandidateError, match="the model under this name changed"):
        embed(CountingServer(width=3), store, ["a", "b"])


def test_vectors_that_are_not_finite_are_no_answer() -> None:
    class Broken(CountingServer):
        async def request(self, texts: Sequence[str], kind: EmbeddingKind) -> EmbeddingReply:
            await super().request(texts, kind)
            return EmbeddingReply(vectors=np.full((len(texts), 2), np.nan, dtype=np.float32))

    server, store = Broken(), MemoryVectors()
    with pytest.raises(CandidateError, match="no usable vectors"):
        embed(server, store, ["a"], limits=JudgeLimits(attempts=2))
    assert len(server.requests) == 2
    assert store.vectors([vector_key("e", "passage", "a")]) == {}


def test_no_texts_need_nobody() -> None:
    server = CountingServer()
    embedder = RecordedEmbedder(server, judge_gateway(), [MemoryVectors()])
    assert asyncio.run(embedder.embed_passages([])).shape == (0, 0)
    assert server.requests == []


def test_vectors_in_a_file_outlive_the_process(tmp_path: Path) -> None:
    server = CountingServer()
    for _ in range(2):
        with SqliteFile(tmp_path / "calls.db") as file:
            assert embed(server, SqliteVectorStore(file), ["a", "bb"]) == [1, 2]
    assert len(server.requests) == 1
