from __future__ import annotations

from typing import Any

import pytest

from beleg.core.inference import ChatMessage
from beleg.core.judging import JudgeSpec, TaskReference
from beleg.judges.keys import call_key

SPEC: dict[str, Any] = {
    "provider": "openai",
    "base_url": "http://a/v1",
    "model": "m",
    "temperature": 0.0,
    "top_p": 0.5,
    "seed": 1,
    "max_tokens": 100,
    "mode": "json_schema",
    "extra": {"reasoning_effort": "low"},
}
TASK: dict[str, Any] = {"task": "t", "version": "1", "language": "en", "prompt_digest": "p", "schema_digest": "s"}
OTHER_SPEC: dict[str, Any] = {
    "provider": "other",
    "base_url": "http://b/v1",
    "model": "m2",
    "temperature": 0.1,
    "top_p": 0.6,
    "seed": 2,
    "max_tokens": 101,
    "mode": "tools",
    "extra": {"reasoning_effort": "high"},
}
OTHER_TASK: dict[str, Any] = {"task": "u", "version": "2", "language": "de", "prompt_digest": "q", "schema_digest": "z"}


def key(
    spec: dict[str, Any] | None = None,
    task: dict[str, Any] | None = None,
    *,
    texts: tuple[str, ...] = ("judge", "row"),
    sample: int = 0,
) -> str:
    messages = tuple(
        ChatMessage(role=role, content=text) for role, text in zip(("system", "user", "user"), texts, strict=False)
    )
    return call_key(JudgeSpec(**SPEC | (spec or {})), TaskReference(**TASK | (task or {})), messages, sample)


def test_the_fields_that_are_changed_are_all_there_are() -> None:
    assert set(OTHER_SPEC) == set(JudgeSpec.model_fields)
    assert set(OTHER_TASK) == set(TaskReference.model_fields)


@pytest.mark.parametrize("field", OTHER_SPEC)
def test_another_judge_makes_a_miss(field: str) -> None:
    assert key({field: OTHER_SPEC[field]}) != key()


@pytest.mark.parametrize("field", ["base_url", "top_p", "seed", "extra"])
def test_a_parameter_that_is_left_out_makes_a_miss(field: str) -> None:
    assert key({field: {} if field == "extra" else None}) != key()


@pytest.mark.parametrize("field", OTHER_TASK)
def test_another_task_makes_a_miss(field: str) -> None:
    assert key(task={field: OTHER_TASK[field]}) != key()


@pytest.mark.parametrize("texts", [("judge!", "row"), ("judge", "row!"), ("judge",), ("judge", "row", "")])
def test_another_byte_sent_makes_a_miss(texts: tuple[str, ...]) -> None:
    assert key(texts=texts) != key()


def test_text_that_moves_from_one_message_to_the_next_makes_a_miss() -> None:
    assert key(texts=("ab", "c")) != key(texts=("a", "bc"))
    assert key(texts=("a\n1:b", "c")) != key(texts=("a", "b\n1:c"))


def test_another_repetition_makes_a_miss() -> None:
    assert len({key(sample=sample) for sample in range(20)}) == 20


def test_the_same_question_has_the_same_key_always() -> None:
    # Written down, so that a change of the form of keys cannot pass unseen: it empties every cache.
    assert key() == "sha256:2d8bd8cbb55655da1afa58e842a97338b006662f84bda8e5e2c2fd3e59ce2078"
