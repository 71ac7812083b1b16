from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

from beleg.core.errors import CandidateError, InvalidOutput
from beleg.core.inference import ChatMessage, JudgeReply, JudgeRequest
from beleg.core.judge_settings import JudgeBudget, JudgeLimits, JudgePrice
from beleg.core.judging import MAX_REPLY_CHARS, JudgeFault
from beleg.core.trace import Usage
from beleg.judges.sending import Sender, Sent
from support.judge_models import FakeTime, Script, ScriptedModel, controls

REPLY = JudgeReply(text="{}", finish_reason="stop", model="m-1", usage=Usage(prompt_tokens=100, completion_tokens=10))
PRICE = JudgePrice(usd_per_million_prompt_tokens=1.0, usd_per_million_completion_tokens=10.0)


def request(text: str = "row") -> JudgeRequest:
    return JudgeRequest(
        messages=(ChatMessage(role="user", content=text),), schema_name="t", schema={"type": "object"}, max_tokens=100
    )


def send(script: Script, text: str = "row", **chosen: Any) -> tuple[Sent, Sender]:
    sender = Sender(ScriptedModel({"t": script}), controls(**chosen))
    return asyncio.run(sender.send(request(text), 1)), sender


def test_a_reply_is_kept_with_model_usage_cost_and_time() -> None:
    sent, sender = send(REPLY, price=PRICE)
    attempt = sent.attempt
    assert (attempt.reply, attempt.model_answered, attempt.finish_reason) == ("{}", "m-1", "stop")
    assert attempt.usage.cost_usd == pytest.approx(0.0002)
    assert attempt.latency_ms is not None
    assert sender.budget.spending.usd == pytest.approx(0.0002)
    assert sender.limiter.in_flight == 0


def test_without_a_price_the_cost_of_a_reply_is_unknown() -> None:
    assert send(REPLY)[0].attempt.usage.cost_usd is None


@pytest.mark.parametrize("fault", [JudgeFault.RATE_LIMITED, JudgeFault.SERVER_ERROR, JudgeFault.REJECTED])
def test_a_fault_keeps_its_own_word(fault: JudgeFault) -> None:
    sent, _ = send(CandidateError("said so", kind=fault.value, retryable=True))
    assert (sent.attempt.fault, sent.attempt.message, sent.may_help) == (fault, "said so", True)


def test_a_fault_without_a_word_of_its_own_is_a_bad_response() -> None:
    assert send(InvalidOutput("odd"))[0].attempt.fault is JudgeFault.BAD_RESPONSE


def test_a_request_that_was_turned_away_used_no_token_and_one_that_broke_off_is_unknown() -> None:
    turned_away, _ = send(CandidateError("429", kind="rate_limited"))
    broken_off, _ = send(CandidateError("gone", kind="unreachable"))
    assert turned_away.attempt.usage.prompt_tokens == 0
    assert broken_off.attempt.usage.prompt_tokens is None


def test_a_judge_that_hangs_is_left_after_the_time_of_a_call() -> None:
    class Hanging(ScriptedModel):
        async def ask(self, request: JudgeRequest) -> JudgeReply:
            await asyncio.sleep(60)
            raise AssertionError

    sender = Sender(Hanging({}), controls(limits=JudgeLimits(call_timeout_s=0.01)))
    sent = asyncio.run(sender.send(request(), 1))
    assert (sent.attempt.fault, sent.attempt.message) == (JudgeFault.TIMEOUT, "no reply within 0.01 s")
    assert sent.may_help


def test_the_end_of_the_run_cuts_a_call_short_and_stops_everything() -> None:
    class Hanging(ScriptedModel):
        async def ask(self, request: JudgeRequest) -> JudgeReply:
            await asyncio.sleep(60)
            raise AssertionError

    sender = Sender(Hanging({}), controls(limits=JudgeLimits(run_timeout_s=0.01)))
    sent = asyncio.run(sender.send(request(), 1))
    assert sent.attempt.fault is JudgeFault.BUDGET
    again = asyncio.run(sender.send(request(), 1))
    assert (again.attempt.fault, again.was_sent) == (JudgeFault.BUDGET, False)


def test_a_prompt_that_is_too_large_is_not_sent() -> None:
    sent, sender = send(REPLY, "x" * 1_001, limits=JudgeLimits(max_prompt_chars=1_000))
    assert sent.attempt.fault is JudgeFault.TOO_LARGE
    assert sent.attempt.message == "not asked: 1,001 characters, 1,000 are allowed"
    assert sender.budget.spending.calls == 0


def test_once_the_budget_is_used_up_nothing_is_sent() -> None:
    model = ScriptedModel({"t": REPLY})
    sender = Sender(model, controls(budget=JudgeBudget(max_calls=2)))

    async def work() -> list[Sent]:
        return await asyncio.gather(*(sender.send(request(), 1) for _ in range(10)))

    sent = asyncio.run(work())
    assert sum(each.was_sent for each in sent) == len(model.requests) == 2
    assert {each.attempt.fault for each in sent if not each.was_sent} == {JudgeFault.BUDGET}


def test_an_account_that_is_used_up_stops_everything() -> None:
    model = ScriptedModel({"t": CandidateError("no credit", kind="quota_exhausted")})
    sender = Sender(model, controls(limits=JudgeLimits(in_flight=1)))

    async def work() -> list[Sent]:
        return await asyncio.gather(*(sender.send(request(), 1) for _ in range(10)))

    sent = asyncio.run(work())
    assert len(model.requests) == 1
    assert {each.attempt.fault for each in sent} == {JudgeFault.QUOTA_EXHAUSTED}


def test_a_call_that_is_cancelled_gives_its_place_back() -> None:
    class Hanging(ScriptedModel):
        async def ask(self, request: JudgeRequest) -> JudgeReply:
            await asyncio.sleep(60)
            raise AssertionError

    async def work() -> Sender:
        sender = Sender(Hanging({}), controls())
        asking = asyncio.create_task(sender.send(request(), 1))
        await asyncio.sleep(0.01)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        return sender

    sender = asyncio.run(work())
    assert sender.limiter.in_flight == 0
    assert sender.budget.spending.calls == 1


def test_a_replay_sends_nothing() -> None:
    sent, sender = send(REPLY, is_replay=True)
    assert (sent.attempt.fault, sent.was_sent) == (JudgeFault.NOT_RECORDED, False)
    assert sender.budget.spending.calls == 0


def test_pauses_grow_are_bounded_and_come_from_the_generator_that_is_passed_in() -> None:
    def pauses(seed: int) -> list[float]:
        sender = Sender(ScriptedModel({}), controls(jitter=np.random.default_rng(seed)))
        return [sender.backoff_s(number) for number in range(1, 12)]

    assert pauses(1) == pauses(1) != pauses(2)
    for number, pause in enumerate(pauses(1)):
        longest = min(30.0, 0.5 * 2**number)
        assert longest / 2 <= pause <= longest


def test_whatever_a_server_calls_itself_can_be_stored() -> None:
    odd = JudgeReply(text="\ud800" + "x" * (MAX_REPLY_CHARS + 5), model="m\n" + "y" * 900, finish_reason="")
    attempt = send(odd)[0].attempt
    assert attempt.reply is not None
    assert len(attempt.reply) == MAX_REPLY_CHARS
    assert attempt.model_answered is not None
    assert len(attempt.model_answered) == 512
    assert "\n" not in attempt.model_answered
    assert attempt.finish_reason is None
    type(attempt).model_validate_json(attempt.model_dump_json())


def test_time_is_that_of_the_clock_that_is_passed_in() -> None:
    time = FakeTime()

    def late(_request: JudgeRequest) -> JudgeReply:
        time.now += 2.5
        return REPLY

    sender = Sender(ScriptedModel({"t": late}), controls(time))
    assert asyncio.run(sender.send(request(), 1)).attempt.latency_ms == pytest.approx(2_500.0)
