from __future__ import annotations

from beleg.core.judging import FAULT_STATUS, Attempt, Call, JudgeFault, JudgeSpec, TaskReference
from beleg.core.score import FAILED_STATUSES
from beleg.core.trace import Usage

TASK = TaskReference(task="t", version="1", language="en", prompt_digest="p", schema_digest="s")


def call(*attempts: Attempt, **fields: object) -> Call:
    judge = JudgeSpec(provider="openai", model="m")
    return Call.model_validate(
        {"key": "k", "judge": judge, "task": TASK, "messages": (), "attempts": attempts} | fields
    )


def test_every_fault_gives_a_reason_that_keeps_the_row_in_the_denominator() -> None:
    assert set(FAULT_STATUS) == set(JudgeFault)
    assert set(FAULT_STATUS.values()) <= FAILED_STATUSES


def test_a_judge_of_other_parameters_is_another_judge() -> None:
    first = JudgeSpec(provider="openai", model="m", base_url="http://a/v1")
    others = [
        first.model_copy(update=change)
        for change in (
            {"model": "n"},
            {"base_url": "http://b/v1"},
            {"temperature": 0.5},
            {"top_p": 0.5},
            {"seed": 1},
            {"max_tokens": 5},
            {"mode": "tools"},
            {"extra": {"reasoning_effort": "low"}},
            {"provider": "other"},
        )
    ]
    assert len({judge.digest for judge in [first, *others]}) == 1 + len(others)


def test_a_call_without_a_reply_names_the_fault_of_its_last_attempt() -> None:
    first, last = (
        Attempt(number=1, fault=JudgeFault.NOT_JSON),
        Attempt(number=2, fault=JudgeFault.TRUNCATED),
    )
    assert call(first, last).fault is JudgeFault.TRUNCATED
    assert call().fault is JudgeFault.NOT_RECORDED
    assert call(first, Attempt(number=2), reply={}).fault is None


def test_what_a_call_used_is_unknown_where_one_attempt_did_not_tell() -> None:
    told = Attempt(number=1, usage=Usage(prompt_tokens=10, completion_tokens=2, cost_usd=0.5))
    assert call(told, told).usage == Usage(prompt_tokens=20, completion_tokens=4, cost_usd=1.0)
    assert call(told, Attempt(number=2)).usage == Usage()
    assert call().usage == Usage()
