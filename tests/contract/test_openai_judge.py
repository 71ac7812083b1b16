"""What a judge behind the OpenAI protocol sends, reads, and makes of every fault, over a real connection."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from aiohttp import web

from beleg.adapters.models.judge_dialect import Dialect, plain_schema
from beleg.adapters.models.judge_probe import Capabilities, open_judge
from beleg.adapters.models.openai_judge import OpenAiJudge, server_of, spec_of
from beleg.adapters.models.openai_server import retry_after_s
from beleg.core.errors import CandidateError, ConfigError
from beleg.core.inference import ChatMessage, JudgeReply, JudgeRequest
from beleg.core.judge_settings import JudgeLimits, JudgeSettings
from beleg.core.judging import JudgeFault, ReplyMode
from support.mock_judge import MockJudge, served

KEY = "sk-canary-0123456789"
SCHEMA = {
    "type": "object",
    "title": "T",
    "properties": {"title": {"type": "string", "minLength": 1, "title": "Title"}},
    "required": ["title"],
    "additionalProperties": False,
}
PLAIN = {
    "type": "object",
    "properties": {"title": {"type": "string"}},
    "required": ["title"],
    "additionalProperties": False,
}
MESSAGES = (ChatMessage(role="system", content="Judge."), ChatMessage(role="user", content="row"))
CHOICE = {"message": {"role": "assistant", "content": "{}"}, "finish_reason": "stop"}
GOOD = {"model": "m-1", "choices": [CHOICE], "usage": {"prompt_tokens": 5, "completion_tokens": 2}}


def settings(url: str, **chosen: Any) -> JudgeSettings:
    return JudgeSettings(**{"name": "j", "base_url": url, "model": "m", **chosen})


def request(**chosen: Any) -> JudgeRequest:
    return JudgeRequest(
        **{"messages": MESSAGES, "schema_name": "t", "schema": SCHEMA, "max_tokens": 100, "seed": 7, **chosen}
    )


class Played:
    """A server that plays one response and keeps what it was sent."""

    def __init__(self, data: Any = None, **response: Any) -> None:
        self.bodies: list[dict[str, Any]] = []
        self._data, self._response = data, response

    async def handle(self, asked: web.Request) -> web.StreamResponse:
        self.bodies.append(await asked.json())
        if self._response.get("body") is not None or "text" in self._response:
            return web.Response(**self._response)
        return web.json_response(self._data, **self._response)

    def run(self, work: Callable[[str], Awaitable[Any]]) -> Any:
        async def served_once() -> Any:
            app = web.Application(client_max_size=2**30)
            app.router.add_post("/v1/chat/completions", self.handle)
            runner = web.AppRunner(app)
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            try:
                return await work(f"http://127.0.0.1:{runner.addresses[0][1]}/v1")
            finally:
                await runner.cleanup()

        return asyncio.run(served_once())


def asked(played: Played, mode: ReplyMode = "json_schema", dialect: Dialect | None = None, **chosen: Any) -> JudgeReply:
    sent = {name: chosen.pop(name) for name in list(chosen) if name in JudgeRequest.__slots__}

    async def work(url: str) -> JudgeReply:
        made = settings(url, **chosen)
        judge = OpenAiJudge(server_of(made, KEY), spec_of(made, mode), dialect)
        try:
            return await judge.ask(request(**sent))
        finally:
            await judge.close()

    found: JudgeReply = played.run(work)
    return found


def test_a_request_holds_everything_that_can_change_a_reply() -> None:
    played = Played(GOOD)
    asked(played, top_p=0.5, temperature=0.2, extra={"reasoning_effort": "low"}, top_logprobs=20)
    assert played.bodies == [
        {
            "model": "m",
            "messages": [{"role": "system", "content": "Judge."}, {"role": "user", "content": "row"}],
            "temperature": 0.2,
            "top_p": 0.5,
            "seed": 7,
            "max_tokens": 100,
            "logprobs": True,
            "top_logprobs": 20,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "t", "strict": True, "schema": PLAIN},
            },
            "reasoning_effort": "low",
        }
    ]


def test_a_tool_is_called_by_force() -> None:
    played = Played(GOOD)
    asked(played, "tools")
    body = played.bodies[0]
    assert body["tools"] == [{"type": "function", "function": {"name": "t", "strict": True, "parameters": PLAIN}}]
    assert body["tool_choice"] == {"type": "function", "function": {"name": "t"}}
    assert "response_format" not in body
    assert "logprobs" not in body


@pytest.mark.parametrize("mode", ["json_object", "prompt"])
def test_where_the_server_does_not_know_the_schema_it_stands_behind_the_fixed_part(mode: ReplyMode) -> None:
    played = Played(GOOD)
    asked(played, mode)
    system, row = (message["content"] for message in played.bodies[0]["messages"])
    assert system.startswith("Judge.\n\nJSON Schema: {")
    assert row == "row"
    assert ("response_format" in played.bodies[0]) is (mode == "json_object")


def test_a_dialect_renames_the_limit_leaves_log_probabilities_out_and_knows_no_system_message() -> None:
    played = Played(GOOD)
    dialect = Dialect(limit_name="max_completion_tokens", top_logprobs=0, takes_system=False)
    asked(played, dialect=dialect, top_logprobs=20)
    body = played.bodies[0]
    assert (body["max_completion_tokens"], "max_tokens" in body, "logprobs" in body) == (100, False, False)
    assert body["messages"] == [{"role": "user", "content": "Judge.\n\nrow"}]


def test_a_field_that_is_called_like_a_word_of_a_schema_stays_one() -> None:
    assert plain_schema({"properties": {"default": {"type": "string", "default": "x"}}}) == {
        "properties": {"default": {"type": "string"}}
    }


@pytest.mark.parametrize("name", ["stream", "n", "messages", "response_format", "temperature"])
def test_extra_may_not_set_what_the_judge_sends_itself(name: str) -> None:
    made = settings("http://h/v1", extra={name: 1})
    with pytest.raises(ConfigError, match=rf"extra\.{name}"):
        OpenAiJudge(server_of(made, None), spec_of(made, "prompt"))


def choice(content: Any = "{}", finish: str | None = "stop", **message: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}]}


def call(*arguments: str) -> list[dict[str, Any]]:
    return [{"type": "function", "function": {"name": "t", "arguments": text}} for text in arguments]


@pytest.mark.parametrize(
    ("body", "text", "finish", "is_refusal"),
    [
        (choice('{"a": 1}'), '{"a": 1}', "stop", False),
        (choice(None, "tool_calls", tool_calls=call('{"a": 2}')), '{"a": 2}', "tool_calls", False),
        (choice(None, tool_calls=call("{}", "{}")), "{}\n{}", "stop", False),
        (choice([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]), "ab", "stop", False),
        (choice(None), "", "stop", False),
        (choice(7, None), "", None, False),
        (choice("half", "length"), "half", "length", False),
        (choice(None, refusal="I will not."), "I will not.", "stop", True),
        (choice("", "content_filter"), "", "content_filter", True),
    ],
)
def test_a_reply_is_read_as_it_came(body: Any, text: str, finish: str | None, *, is_refusal: bool) -> None:
    reply = asked(Played(body))
    assert (reply.text, reply.finish_reason, reply.is_refusal) == (text, finish, is_refusal)


def test_model_and_usage_are_read_and_what_is_not_told_stays_unknown() -> None:
    reply = asked(Played(GOOD))
    assert (reply.model, reply.usage.prompt_tokens, reply.usage.completion_tokens) == ("m-1", 5, 2)
    silent = asked(Played(choice() | {"usage": {"prompt_tokens": True, "completion_tokens": -3}}))
    assert (silent.model, silent.usage.prompt_tokens, silent.usage.completion_tokens) == (None, None, None)


def test_log_probabilities_become_the_choices_at_each_position() -> None:
    top = [{"token": "4", "logprob": -0.2}, {"token": "5", "logprob": -1.7}, {"token": "x", "logprob": None}]
    content = [{"token": "4", "logprob": -0.2, "top_logprobs": top}, {"token": "}", "logprob": 0.0}]
    body = {"choices": [{**choice()["choices"][0], "logprobs": {"content": content}}]}
    tokens = asked(Played(body)).tokens
    assert tokens is not None
    assert [(each.token, dict(each.alternatives)) for each in tokens] == [
        ("4", {"4": -0.2, "5": -1.7}),
        ("}", {"}": 0.0}),
    ]


@pytest.mark.parametrize("logprobs", [None, {}, {"content": []}, {"content": [7]}, {"content": "x"}, "x"])
def test_without_log_probabilities_there_are_no_tokens(logprobs: Any) -> None:
    assert asked(Played({"choices": [{**choice()["choices"][0], "logprobs": logprobs}]})).tokens is None


QUOTA = {"error": {"message": "You exceeded your current quota, please check your plan", "code": "insufficient_quota"}}
FAULTS: list[tuple[Any, dict[str, Any], JudgeFault, bool]] = [
    ({"error": "slow down"}, {"status": 429}, JudgeFault.RATE_LIMITED, True),
    ({"error": "quota per minute"}, {"status": 429, "headers": {"Retry-After": "9"}}, JudgeFault.RATE_LIMITED, True),
    (QUOTA, {"status": 429}, JudgeFault.QUOTA_EXHAUSTED, False),
    (QUOTA, {"status": 429, "headers": {"Retry-After": "9"}}, JudgeFault.QUOTA_EXHAUSTED, False),
    ({"error": {"message": "billing is not active"}}, {"status": 429}, JudgeFault.QUOTA_EXHAUSTED, False),
    ({}, {"status": 402}, JudgeFault.QUOTA_EXHAUSTED, False),
    (QUOTA, {"status": 403}, JudgeFault.QUOTA_EXHAUSTED, False),
    ({"error": "forbidden"}, {"status": 403}, JudgeFault.REJECTED, False),
    ({"error": "bad key"}, {"status": 401}, JudgeFault.REJECTED, False),
    ({"error": "no such model"}, {"status": 404}, JudgeFault.REJECTED, False),
    ({"error": "what?"}, {"status": 400}, JudgeFault.REJECTED, False),
    ({}, {"status": 307, "headers": {"Location": "http://elsewhere/"}}, JudgeFault.REJECTED, False),
    ({"error": {"code": "context_length_exceeded"}}, {"status": 400}, JudgeFault.TOO_LARGE, False),
    ({}, {"status": 413}, JudgeFault.TOO_LARGE, False),
    ({}, {"status": 500}, JudgeFault.SERVER_ERROR, True),
    ({}, {"status": 503}, JudgeFault.SERVER_ERROR, True),
    ({}, {"status": 529}, JudgeFault.SERVER_ERROR, True),
    ({}, {"status": 408}, JudgeFault.TIMEOUT, True),
    (None, {"text": "<html>", "content_type": "text/html"}, JudgeFault.BAD_RESPONSE, True),
    (None, {"text": '{"choices": []}', "content_type": "text/plain"}, JudgeFault.BAD_RESPONSE, True),
    (None, {"text": "data: {}", "content_type": "text/event-stream"}, JudgeFault.BAD_RESPONSE, True),
    (None, {"text": '{"a": NaN}', "content_type": "application/json"}, JudgeFault.BAD_RESPONSE, True),
    (None, {"text": "", "content_type": "application/json"}, JudgeFault.BAD_RESPONSE, True),
    ([], {}, JudgeFault.BAD_RESPONSE, True),
    ({}, {}, JudgeFault.BAD_RESPONSE, True),
    ({"choices": [CHOICE, CHOICE]}, {}, JudgeFault.BAD_RESPONSE, True),
    ({"choices": [{"message": None}]}, {}, JudgeFault.BAD_RESPONSE, True),
    ({"error": {"code": 429, "message": "slow down"}}, {}, JudgeFault.RATE_LIMITED, True),
    ({"error": {"message": "provider fell over"}}, {}, JudgeFault.SERVER_ERROR, True),
]


@pytest.mark.parametrize(("data", "response", "fault", "is_retryable"), FAULTS)
def test_every_fault_has_its_word(
    data: Any, response: dict[str, Any], fault: JudgeFault, *, is_retryable: bool
) -> None:
    with pytest.raises(CandidateError) as caught:
        asked(Played(data, **response))
    assert (JudgeFault(caught.value.kind), caught.value.retryable) == (fault, is_retryable)


def test_a_fault_says_what_the_server_said_and_when_to_come_back() -> None:
    with pytest.raises(CandidateError, match=r"status 429: .*slow down") as caught:
        asked(Played({"error": "slow down"}, status=429, headers={"Retry-After": "7"}))
    assert caught.value.retry_after_s == 7.0


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({}, None),
        ({"Retry-After": "0"}, 0.0),
        ({"Retry-After": "1.5"}, 1.5),
        ({"Retry-After": " 12 "}, 12.0),
        ({"retry-after-ms": "250", "Retry-After": "1"}, 0.25),
        ({"Retry-After": "Mon, 30 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"Retry-After": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": "-5"}, None),
        ({"Retry-After": "tomorrow"}, None),
        ({"Retry-After": "9" * 400}, None),
    ],
)
def test_when_to_come_back_is_read_as_seconds_or_as_a_date(headers: dict[str, str], wait: float | None) -> None:
    assert retry_after_s(headers, now=datetime(2026, 11, 30, 12, tzinfo=UTC)) == wait


def test_a_server_that_is_not_there_and_one_that_hangs_are_told_apart() -> None:
    async def ask(url: str) -> None:
        made = settings(url, limits=JudgeLimits(call_timeout_s=0.05))
        judge = OpenAiJudge(server_of(made, None), spec_of(made, "prompt"))
        try:
            await judge.ask(request())
        finally:
            await judge.close()

    async def unreachable() -> None:
        await ask("http://127.0.0.1:9/v1")  # port 9 is served nowhere

    async def hanging() -> None:
        async with served(p_hang=1.0) as (_, url):
            await ask(url)

    for work, kind in ((unreachable, JudgeFault.UNREACHABLE), (hanging, JudgeFault.TIMEOUT)):
        with pytest.raises(CandidateError) as caught:
            asyncio.run(work())
        assert (caught.value.kind, caught.value.retryable) == (kind, True)


def test_a_reply_without_end_is_cut_and_refused() -> None:
    with pytest.raises(CandidateError, match="more than 16000000 bytes") as caught:
        asked(Played(body=b" " * 17_000_000, content_type="application/json"))
    assert caught.value.kind == JudgeFault.BAD_RESPONSE


@pytest.mark.parametrize("status", [200, 401, 429, 500])
def test_the_key_stands_in_no_reply_and_no_fault_even_where_the_server_repeats_it(status: int) -> None:
    body = choice(f"your key is {KEY}") | {"error": f"your key is {KEY}" if status != 200 else None}
    try:
        said = repr(asked(Played(body, status=status)))
    except CandidateError as error:
        said = f"{error!r} {error.message} {error.__cause__} {error.__context__}"
    assert "***" in said
    assert KEY not in said


def test_a_key_written_in_escapes_is_found_too() -> None:
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
    text = '{"choices": [{"message": {"content": "' + escaped + '"}, "finish_reason": "stop"}]}'
    assert asked(Played(text=text, content_type="application/json")).text == "***"


@pytest.mark.parametrize("times", [2, 3])
def test_a_key_that_was_escaped_more_than_once_is_found_too(times: int) -> None:
    escaped = "".join(f"\\u{ord(letter):04X}" for letter in KEY)
    for _ in range(times - 1):
        escaped = json.dumps(escaped)[1:-1]
    text = '{"model": "' + escaped + '", "choices": [{"message": {"content": "' + escaped + '"}}]}'
    reply = asked(Played(text=text, content_type="application/json"))
    assert (reply.text, reply.model) == ("***", "***")


def test_all_requests_share_one_session_that_keeps_its_connections() -> None:
    async def work() -> MockJudge:
        async with served() as (mock, url):
            made = settings(url)
            judge = OpenAiJudge(server_of(made, None), spec_of(made, "json_schema"))
            for _ in range(10):
                await judge.ask(request())
            await asyncio.gather(*(judge.ask(request()) for _ in range(40)))
            await judge.close()
            return mock

    stats = asyncio.run(work()).stats
    assert stats.answered == 50
    assert stats.connections <= 40


def probed(**behaviour: Any) -> tuple[Capabilities, MockJudge]:
    chosen = behaviour.pop("chosen", {})

    async def work() -> tuple[Capabilities, MockJudge]:
        async with served(**behaviour) as (mock, url):

            async def no_pause(_seconds: float) -> None:
                return

            judge, found = await open_judge(settings(url, **chosen), api_key=KEY, sleep=no_pause)
            assert judge.spec.mode == found.mode
            await judge.close()
            return found, mock

    return asyncio.run(work())


def test_a_server_that_can_do_all_is_probed_with_one_request() -> None:
    found, _ = probed()
    assert (found.mode, found.has_logprobs, found.requests, found.notes) == ("json_schema", True, 1, ())
    assert found.model_answered == "mock-judge-1"


@pytest.mark.parametrize(
    ("behaviour", "mode"),
    [
        ({"refuses": ("json_schema",)}, "tools"),
        ({"ignores": ("json_schema",)}, "tools"),
        ({"ignores": ("json_schema", "tools")}, "json_object"),
        ({"refuses": ("tools", "json_schema")}, "json_object"),
        ({"refuses": ("response_format", "tools")}, "prompt"),
        ({"chosen": {"mode": "tools"}}, "tools"),
    ],
)
def test_what_a_server_refuses_or_passes_over_in_silence_is_seen_through(behaviour: Any, mode: str) -> None:
    found, _ = probed(**behaviour)
    assert found.mode == mode
    assert bool(found.notes) is ("chosen" not in behaviour)


def test_a_server_without_log_probabilities_is_not_asked_for_them_again() -> None:
    refused, _ = probed(refuses=("logprobs",))
    silent, _ = probed(ignores=("logprobs",))
    for found in (refused, silent):
        assert (found.mode, found.has_logprobs, found.dialect.top_logprobs) == ("json_schema", False, 0)


def test_a_server_that_calls_the_limit_otherwise_is_spoken_to_in_its_own_words() -> None:
    found, _ = probed(refuses=("max_tokens",))
    assert (found.mode, found.dialect.limit_name, found.requests) == ("json_schema", "max_completion_tokens", 2)


def test_a_chat_template_without_a_system_message_gets_none() -> None:
    found, _ = probed(refuses=("system",))
    assert (found.mode, found.dialect.takes_system) == ("json_schema", False)


def test_passing_faults_are_waited_out() -> None:
    found, mock = probed(p500=0.4, p429=0.2, seed=3)
    assert found.requests == mock.stats.requests > 1


@pytest.mark.parametrize(
    ("behaviour", "kind", "said"),
    [
        ({"refuses": ("model",), "echoes_key": True}, "rejected", "Unsupported parameter: 'model'"),
        ({"quota_after": 0, "echoes_key": True}, "quota_exhausted", "exceeded your current quota"),
        ({"is_down": True, "echoes_key": True}, "rejected", "status 503"),
        ({"ignores": ("response_format", "tools"), "chosen": {"mode": "json_schema"}}, "rejected", "no JSON"),
    ],
)
def test_a_judge_that_cannot_be_used_is_named_with_what_the_server_said(behaviour: Any, kind: str, said: str) -> None:
    with pytest.raises(CandidateError, match=said) as caught:
        probed(**behaviour)
    assert caught.value.kind == kind
    assert "the judge j" in caught.value.message
    assert KEY not in caught.value.diagnostics()


def test_a_wrong_key_is_not_tried_in_other_ways() -> None:
    played = Played({"error": "wrong key"}, status=401)

    async def work(url: str) -> None:
        await open_judge(settings(url), api_key=KEY)

    with pytest.raises(CandidateError, match="wrong key"):
        played.run(work)
    assert len(played.bodies) == 1


def test_a_judge_that_says_nothing_is_asked_twice_in_a_time_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beleg.adapters.models.judge_probe.LONGEST_REQUEST_S", 0.05)

    async def work() -> int:
        async with served(p_hang=1.0) as (mock, url):
            with pytest.raises(CandidateError, match=r"within 0\.05 s, asked 2 times") as caught:
                await open_judge(settings(url), api_key=None)
            assert caught.value.kind == "timeout"
            return mock.stats.requests

    assert asyncio.run(work()) == 2
