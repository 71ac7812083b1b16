from __future__ import annotations

from beleg.core.judging import Attempt, Call, JudgeFault, TaskReference
from beleg.judges.store import MemoryStore
from support.judge_models import spec

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
