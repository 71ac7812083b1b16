from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from beleg.core.errors import CandidateError
from beleg.core.inference import JudgeReply, JudgeRequest, TokenChoice
from beleg.core.judge_settings import JudgeLimits
from beleg.core.judging import JudgeFault
from beleg.core.score import ScoreStatus
from beleg.judges.engine import RECORDED_IN_A_ROW, AnyTask, Judged, JudgeEngine
from beleg.judges.store import MemoryStore
from beleg.judges.tasks.claims import (
    CLAIM_EXTRACTION,
    CLAIM_VERIFICATION,
    AnswerToSplit,
    ClaimsReply,
    ClaimsToVerify,
    VerdictsReply,
)
from support.judge_models import Script, ScriptedModel, controls, spec

ASKED = AnswerToSplit(question="?", answer="Yes.")
GOOD = {"claims": ["a"]}


def ask(script: Script, *, attempts: int = 3) -> tuple[Judged[ClaimsReply], ScriptedModel]:
    model = ScriptedModel({"claim_extraction": script})
    engine = JudgeEngine(model, MemoryStore(), attempts=attempts)
    return asyncio.run(engine.ask(CLAIM_EXTRACTION, ASKED)), model


def test_a_reply_that_is_not_whole_is_asked_for_again_and_both_are_kept() -> None:
    found, model = ask(["prose", GOOD])
    assert found.reply == ClaimsReply(claims=["a"])
    assert [attempt.fault for attempt in found.call.attempts] == [JudgeFault.NOT_JSON, None]
    assert [attempt.reply for attempt in found.call.attempts] == ["prose", '{"claims": ["a"]}']
    assert len(model.requests) == 2


def test_a_judge_that_never_gives_a_whole_reply_gives_no_score() -> None:
    found, model = ask("prose", attempts=3)
    assert found.reply is None
    assert len(model.requests) == 3
    assert found.score_without().status is ScoreStatus.INVALID


def test_a_fault_that_will_not_pass_is_not_asked_again() -> None:
    found, model = ask(CandidateError("wrong key", kind="rejected", retryable=False))
    assert len(model.requests) == 1
    assert found.fault is JudgeFault.REJECTED
    assert found.score_without().status is ScoreStatus.JUDGE_ERROR


def test_a_reply_that_was_cut_off_is_no_reply_even_where_it_reads_as_json() -> None:
    found, _ = ask(JudgeReply(text='{"claims": ["a"]}', finish_reason="length"), attempts=1)
    assert found.fault is JudgeFault.TRUNCATED


def test_what_was_answered_is_not_asked_again() -> None:
    model, store = ScriptedModel({"claim_extraction": GOOD}), MemoryStore()

    async def twice() -> Judged[ClaimsReply]:
        engine = JudgeEngine(model, store)
        await engine.ask(CLAIM_EXTRACTION, ASKED)
        return await engine.ask(CLAIM_EXTRACTION, ASKED)

    again = asyncio.run(twice())
    assert again.is_recorded
    assert again.reply == ClaimsReply(claims=["a"])
    assert len(model.requests) == 1


def engine(model: ScriptedModel, store: MemoryStore | None = None, **chosen: Any) -> JudgeEngine:
    attempts = chosen.pop("attempts", None)
    return JudgeEngine(model, store or MemoryStore(), controls=controls(**chosen), attempts=attempts)


def test_every_fault_takes_from_one_budget_of_attempts() -> None:
    busy = CandidateError("busy", kind="rate_limited", retryable=True)
    model = ScriptedModel({"claim_extraction": [busy, "prose", busy, GOOD]})
    store = MemoryStore()
    found = asyncio.run(engine(model, store, attempts=3).ask(CLAIM_EXTRACTION, ASKED))
    assert [attempt.fault for attempt in found.call.attempts] == [
        JudgeFault.RATE_LIMITED,
        JudgeFault.NOT_JSON,
        JudgeFault.RATE_LIMITED,
    ]
    assert store.calls == [found.call]
    assert found.score_without().detail == "claim_extraction: rate_limited, asked 3 times: busy"


def test_a_reply_that_was_cut_off_is_asked_again_with_room_for_up_to_four_times_as_much() -> None:
    cut = JudgeReply(text='{"claims": ["a', finish_reason="length")
    model = ScriptedModel({"claim_extraction": cut}, spec(max_tokens=100))
    found = asyncio.run(engine(model, attempts=9).ask(CLAIM_EXTRACTION, ASKED))
    assert [request.max_tokens for request in model.requests] == [100, 200, 400]
    assert found.fault is JudgeFault.TRUNCATED
    assert found.call.attempts[-1].message == "the reply was cut off at the limit of 400 tokens"


def test_equal_questions_under_way_are_asked_once() -> None:
    model = ScriptedModel({"claim_extraction": GOOD})

    async def work() -> list[Judged[ClaimsReply]]:
        asked = engine(model)
        return await asyncio.gather(*(asked.ask(CLAIM_EXTRACTION, ASKED) for _ in range(20)))

    found = asyncio.run(work())
    assert len(model.requests) == 1
    assert [judged.reply for judged in found] == [ClaimsReply(claims=["a"])] * 20
    assert [judged.is_recorded for judged in found].count(False) == 1


def test_who_waits_for_an_equal_question_asks_itself_when_that_one_is_cancelled() -> None:
    started = asyncio.Event()

    class Slow(ScriptedModel):
        async def ask(self, request: JudgeRequest) -> JudgeReply:
            if not self.requests:
                self.requests.append(request)
                started.set()
                await asyncio.sleep(60)
            return await super().ask(request)

    async def work() -> Judged[ClaimsReply]:
        asked = engine(Slow({"claim_extraction": GOOD}))
        first = asyncio.create_task(asked.ask(CLAIM_EXTRACTION, ASKED))
        await started.wait()
        second = asyncio.create_task(asked.ask(CLAIM_EXTRACTION, ASKED))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        return await second

    assert asyncio.run(work()).reply == ClaimsReply(claims=["a"])


def test_each_repetition_is_asked_and_kept_by_itself_with_a_seed_of_its_own() -> None:
    model = ScriptedModel({"claim_extraction": GOOD}, spec(seed=5))

    async def work() -> set[str]:
        asked = engine(model)
        return {(await asked.ask(CLAIM_EXTRACTION, ASKED, sample=sample)).call.key for sample in (0, 1, 1, 2)}

    assert len(asyncio.run(work())) == 3
    assert [request.seed for request in model.requests] == [5, 6, 7]


def test_a_null_in_a_reply_is_there_again_when_it_is_read_from_the_store() -> None:
    verdict = {"claim_id": "1", "passage_id": None, "quote": None, "reason": "r", "verdict": "not_in_context"}
    model, store = ScriptedModel({"claim_verification": {"verdicts": [verdict]}}), MemoryStore()
    question = ClaimsToVerify(claims=(("1", "a"),), passages=(("1", "b"),))

    async def work() -> list[Judged[VerdictsReply]]:
        return [await engine(model, store).ask(CLAIM_VERIFICATION, question) for _ in range(2)]

    first, second = asyncio.run(work())
    assert first.reply == second.reply
    assert second.is_recorded


@pytest.mark.parametrize("reply", [{"claims": [" "]}, {"claims": 7}, {}])
def test_a_recorded_reply_that_does_not_hold_is_no_record(reply: dict[str, Any]) -> None:
    model, store = ScriptedModel({"claim_extraction": GOOD}), MemoryStore()
    asked = engine(model, store)
    call = asyncio.run(asked.ask(CLAIM_EXTRACTION, ASKED)).call
    store = MemoryStore()
    store.put(call.model_copy(update={"reply": reply}))
    assert asyncio.run(engine(model, store).ask(CLAIM_EXTRACTION, ASKED)).reply == ClaimsReply(claims=["a"])
    assert len(model.requests) == 2


def test_a_replay_gives_what_is_recorded_and_asks_nobody() -> None:
    model, store = ScriptedModel({"claim_extraction": GOOD}), MemoryStore()
    asyncio.run(engine(model, store).ask(CLAIM_EXTRACTION, ASKED))
    replay = JudgeEngine.replaying(model.spec, store)
    assert asyncio.run(replay.ask(CLAIM_EXTRACTION, ASKED)).reply == ClaimsReply(claims=["a"])
    other = asyncio.run(replay.ask(CLAIM_EXTRACTION, AnswerToSplit(question="?", answer="No.")))
    assert other.fault is JudgeFault.NOT_RECORDED
    assert other.score_without().status is ScoreStatus.MISSING
    assert len(model.requests) == len(store.calls) == 1


def test_what_was_never_sent_leaves_no_record() -> None:
    store = MemoryStore()
    model = ScriptedModel({"claim_extraction": GOOD})
    asked = AnswerToSplit(question="?", answer="x" * 10_000)
    found = asyncio.run(engine(model, store, limits=JudgeLimits(max_prompt_chars=5_000)).ask(CLAIM_EXTRACTION, asked))
    assert found.fault is JudgeFault.TOO_LARGE
    assert store.calls == model.requests == []


def test_an_outage_ends_every_question_and_stops_asking() -> None:
    model = ScriptedModel({"claim_extraction": CandidateError("refused", kind="unreachable", retryable=True)})
    asked = engine(model, limits=JudgeLimits(in_flight=8))

    async def work() -> list[Judged[ClaimsReply]]:
        questions = [AnswerToSplit(question="?", answer=f"Answer {number}.") for number in range(2_000)]
        return await asyncio.gather(*(asked.ask(CLAIM_EXTRACTION, question) for question in questions))

    found = asyncio.run(work())
    assert {judged.score_without().status for judged in found} == {ScoreStatus.JUDGE_ERROR}
    assert len(model.requests) < 600
    assert "not asked" in (found[-1].score_without().detail or "")
    assert asked.tally.unanswered == {JudgeFault.UNREACHABLE: 2_000}
    assert asked.stopped is not None


def test_a_graded_reply_with_log_probabilities_carries_the_distribution_of_its_grades() -> None:
    graded = replace(CLAIM_EXTRACTION, graded_field="claims")
    tokens = (TokenChoice(token="4", alternatives={"4": -0.1}),)
    reply = JudgeReply(text='{"claims": []}', finish_reason="stop", tokens=tokens)
    model = ScriptedModel({"claim_extraction": reply})

    def weights(given: JudgeReply, task: AnyTask) -> dict[str, float]:
        assert given.tokens == tokens
        assert task.graded_field == "claims"
        return {"4": 1.0}

    asked = JudgeEngine(model, MemoryStore(), distribution=weights)
    assert asyncio.run(asked.ask(graded, ASKED)).call.distribution == {"4": 1.0}
    assert model.requests[0].top_logprobs == 20
    assert asyncio.run(JudgeEngine(model, MemoryStore()).ask(graded, ASKED)).call.distribution is None


def test_a_tally_tells_how_far_it_is() -> None:
    model = ScriptedModel({"claim_extraction": ["prose", GOOD]})

    async def work() -> JudgeEngine:
        asked = engine(model)
        for _ in range(3):
            await asked.ask(CLAIM_EXTRACTION, ASKED)
        return asked

    tally = asyncio.run(work()).tally
    assert (tally.questions, tally.recorded, tally.repeats) == (3, 2, {JudgeFault.NOT_JSON: 1})


def test_others_have_their_turn_while_many_recorded_replies_are_given() -> None:
    async def turns() -> tuple[int, int]:
        asked = engine(ScriptedModel({"claim_extraction": GOOD}))
        await asked.ask(CLAIM_EXTRACTION, ASKED)
        turned = 0

        async def other() -> None:
            nonlocal turned
            while True:
                turned += 1
                await asyncio.sleep(0)

        beside = asyncio.ensure_future(other())
        before = asked.tally.recorded
        for _ in range(4 * RECORDED_IN_A_ROW):
            await asked.ask(CLAIM_EXTRACTION, ASKED)
        beside.cancel()
        return turned, asked.tally.recorded - before

    turned, recorded = asyncio.run(turns())
    assert recorded == 4 * RECORDED_IN_A_ROW
    assert turned >= 4
