from __future__ import annotations

import asyncio

from beleg.core.errors import CandidateError
from beleg.core.inference import JudgeReply
from beleg.core.judging import JudgeFault
from beleg.core.score import ScoreStatus
from beleg.judges.engine import Judged, JudgeEngine
from beleg.judges.store import MemoryStore
from beleg.judges.tasks.claims import (
    CLAIM_EXTRACTION,
    CLAIM_VERIFICATION,
    AnswerToSplit,
    ClaimsReply,
    ClaimsToVerify,
    VerdictsReply,
)
from support.judge_models import Script, ScriptedModel

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


def test_a_kept_reply_keeps_what_is_null_in_it() -> None:
    verdict = {"claim_id": "1", "passage_id": None, "quote": None, "reason": "so", "verdict": "not_in_context"}
    model, store = ScriptedModel({"claim_verification": {"verdicts": [verdict]}}), MemoryStore()
    asked = ClaimsToVerify(claims=(("1", "c"),), passages=(("1", "p"),))

    async def twice() -> Judged[VerdictsReply]:
        engine = JudgeEngine(model, store)
        await engine.ask(CLAIM_VERIFICATION, asked)
        return await engine.ask(CLAIM_VERIFICATION, asked)

    again = asyncio.run(twice())
    assert again.is_recorded
    assert again.reply is not None
    assert again.reply.verdicts[0].quote is None
