from __future__ import annotations

import asyncio

import pytest

from beleg.core.errors import CandidateError
from beleg.core.inference import Embedder, JudgeRequest
from beleg.core.judging import Attempt, Call, JudgeFault, TaskReference
from beleg.judges.store import MemoryStore, ReplayEmbedder, ReplayModel
from support.judge_models import spec

REQUEST = JudgeRequest(messages=(), schema_name="t", schema={}, max_tokens=1)
TASK = TaskReference(task="t", version="1", language="en", prompt_digest="p", schema_digest="s")


def test_a_fault_is_kept_and_never_given_back() -> None:
    store = MemoryStore()
    failed = Call(
        key="k", judge=spec(), task=TASK, messages=(), attempts=(Attempt(number=1, fault=JudgeFault.NOT_JSON),)
    )
    store.put(failed)
    assert store.get("k") is None
    assert store.calls == [failed]
    done = failed.model_copy(update={"reply": {"a": 1}})
    store.put(done)
    assert store.get("k") == done


def test_a_replay_has_no_vectors_and_says_so() -> None:
    embedder: Embedder = ReplayEmbedder("e")
    assert embedder.identity == "e"
    for asked in (embedder.embed_passages(["a"]), embedder.embed_query("a"), ReplayModel(spec()).ask(REQUEST)):
        with pytest.raises(CandidateError) as caught:
            asyncio.run(asked)  # type: ignore[arg-type]
        assert caught.value.kind == JudgeFault.NOT_RECORDED
    asyncio.run(embedder.close())
