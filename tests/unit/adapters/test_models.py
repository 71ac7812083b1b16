from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aiohttp import web

from beleg.adapters.models.fastembed_embeddings import FastEmbedEmbeddings
from beleg.adapters.models.openai_chat import ChatSettings, OpenAiChat
from beleg.adapters.models.openai_embeddings import EmbeddingSettings, OpenAiEmbeddings
from beleg.adapters.models.openai_server import ServerSettings
from beleg.core.errors import CandidateError, ConfigError, InvalidOutput, MissingExtra
from beleg.core.inference import ChatMessage, ChatModel, ChatReply, Embedder

KEY = "sk-very-secret"
ASKED = (ChatMessage(role="system", content="Be brief."), ChatMessage(role="user", content="Hello"))
GOOD = {
    "model": "m-1",
    "choices": [{"message": {"role": "assistant", "content": "Hi."}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 5, "completion_tokens": 2},
}
Reply = Callable[[dict[str, Any]], web.StreamResponse]


class Recorder:
    """A server on the loopback that plays replies and keeps what it was sent."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.paths: list[str] = []

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.bodies.append(body)
        self.keys.append(request.headers.get("Authorization"))
        self.paths.append(request.path)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return reply(body)

    def run(self, work: Callable[[str], Awaitable[Any]]) -> Any:
        async def served() -> Any:
            app = web.Application()
            app.router.add_post("/{tail:.*}", self.handle)
            runner = web.AppRunner(app)
            await runner.setup()
            site = web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            port = runner.addresses[0][1]
            try:
                return await work(f"http://127.0.0.1:{port}/v1")
            finally:
                await runner.cleanup()

        return asyncio.run(served())


def says(data: Any, status: int = 200, **headers: str) -> Reply:
    return lambda _body: web.json_response(data, status=status, headers=headers)


def chatted(recorder: Recorder, *, seed: int | None = None, **server: Any) -> ChatReply:
    async def work(url: str) -> ChatReply:
        chat: ChatModel = OpenAiChat(
            ServerSettings(base_url=url, api_key=KEY, **server), ChatSettings(model="m", seed=seed)
        )
        try:
            return await chat.complete(ASKED)
        finally:
            await chat.close()

    return recorder.run(work)


def test_a_chat_request_holds_model_messages_and_parameters_and_the_reply_is_read() -> None:
    recorder = Recorder(says(GOOD))
    reply = chatted(recorder, seed=7)
    assert recorder.paths == ["/v1/chat/completions"]
    assert recorder.keys == [f"Bearer {KEY}"]
    assert recorder.bodies == [
        {
            "model": "m",
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"}],
            "temperature": 0.0,
            "max_tokens": 600,
            "seed": 7,
        }
    ]
    assert (reply.text, reply.model, reply.usage.prompt_tokens, reply.usage.completion_tokens) == ("Hi.", "m-1", 5, 2)


def test_usage_that_is_not_told_stays_unknown() -> None:
    reply = chatted(Recorder(says({"choices": GOOD["choices"], "usage": {"prompt_tokens": -1}})))
    assert (reply.model, reply.usage.prompt_tokens, reply.usage.completion_tokens) == (None, None, None)


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (says({}), "gave no text"),
        (says({"choices": []}), "gave no text"),
        (says({"choices": [{"message": {"content": " "}}]}), "gave no text"),
        (says({"choices": [{"message": {"content": "Hi"}, "finish_reason": "length"}]}), "cut off at 600 tokens"),
        (says([1]), "not an object"),
        (lambda _body: web.Response(text="<html>"), "no JSON"),
        (lambda _body: web.Response(text='{"a": NaN}'), "no JSON"),
        (lambda _body: web.Response(body=b" " * 2_000), "more than 1000 bytes"),
    ],
)
def test_a_reply_that_cannot_be_used_is_named(reply: Reply, message: str) -> None:
    with pytest.raises(InvalidOutput, match=message):
        chatted(Recorder(reply), max_reply_bytes=1_000)


def test_a_fault_that_may_pass_is_asked_again() -> None:
    busy = says({"error": "busy"}, status=429, **{"Retry-After": "0"})
    recorder = Recorder(busy, busy, says(GOOD))
    assert chatted(recorder).text == "Hi."
    assert len(recorder.bodies) == 3


def test_a_fault_that_stays_is_reported_with_its_status_and_without_the_key() -> None:
    recorder = Recorder(says({"error": f"bad key {KEY}"}, status=401))
    with pytest.raises(CandidateError, match="status 401") as caught:
        chatted(recorder)
    assert KEY not in str(caught.value)
    assert (caught.value.kind, caught.value.retryable, len(recorder.bodies)) == ("http_401", False, 1)


def test_attempts_end() -> None:
    recorder = Recorder(says({}, status=503, **{"Retry-After": "0"}))
    with pytest.raises(CandidateError, match="status 503") as caught:
        chatted(recorder, attempts=2)
    assert (caught.value.retryable, caught.value.retry_after_s, len(recorder.bodies)) == (True, 0.0, 2)


def test_a_redirect_is_not_followed() -> None:
    recorder = Recorder(says({}, status=307, Location="/elsewhere"))
    with pytest.raises(CandidateError, match="status 307"):
        chatted(recorder)
    assert recorder.paths == ["/v1/chat/completions"]


def test_a_server_that_is_not_there_is_unreachable() -> None:
    async def work() -> None:
        # Port 9 (discard) is served nowhere.
        chat = OpenAiChat(ServerSettings(base_url="http://127.0.0.1:9/v1", attempts=1), ChatSettings(model="m"))
        try:
            await chat.complete(ASKED)
        finally:
            await chat.close()

    with pytest.raises(CandidateError, match="cannot be reached") as caught:
        asyncio.run(work())
    assert caught.value.retryable


def test_a_slow_server_is_a_timeout() -> None:
    class Slow(Recorder):
        async def handle(self, request: web.Request) -> web.StreamResponse:
            await asyncio.sleep(0.5)
            return await super().handle(request)

    with pytest.raises(CandidateError, match=r"no reply within 0\.05 s") as caught:
        chatted(Slow(says(GOOD)), timeout_s=0.05, attempts=1)
    assert caught.value.kind == "timeout"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "host/v1",
        "ftp://host/v1",
        "http://user:pw@host/v1",
        "http://host/v1?key=x",
        "http://[::1/v1",
        "http://host:99999/v1",
        "http://host/v1#x",
        "http://:pw@host/v1",
    ],
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="is no address of a server"):
        ServerSettings(base_url=url)


def test_a_password_in_an_address_is_not_shown() -> None:
    with pytest.raises(ConfigError) as caught:
        ServerSettings(base_url="http://user:hunter2@host/v1")
    assert "hunter2" not in caught.value.diagnostics()


@pytest.mark.parametrize("key", [f"{KEY}\n", f"{KEY}\udcff"])
def test_a_key_that_no_header_can_hold_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(ConfigError, match="cannot be sent in a header") as caught:
        ServerSettings(base_url="http://host/v1", api_key=key)
    assert KEY not in caught.value.diagnostics()


def test_the_key_stands_in_no_representation_and_no_identity() -> None:
    server = ServerSettings(base_url="http://host/v1", api_key=KEY)
    assert KEY not in repr(server)
    assert OpenAiChat(server, ChatSettings(model="m", seed=3)).identity == (
        "openai-chat(http://host/v1, m, temperature=0, max_tokens=600, seed=3)"
    )


def embedded(recorder: Recorder, texts: list[str], **chosen: Any) -> np.ndarray:
    async def work(url: str) -> np.ndarray:
        embedder: Embedder = OpenAiEmbeddings(ServerSettings(base_url=url), EmbeddingSettings(model="e", **chosen))
        try:
            return await embedder.embed_passages(texts)
        finally:
            await embedder.close()

    return recorder.run(work)


def vectors(body: dict[str, Any]) -> web.StreamResponse:
    rows = [{"index": at, "embedding": [float(len(text)), 1.0]} for at, text in enumerate(body["input"])]
    return web.json_response({"data": rows[::-1]})


def test_texts_are_sent_in_batches_and_vectors_put_in_their_order() -> None:
    recorder = Recorder(vectors)
    found = embedded(recorder, ["a", "bb", "ccc"], batch_size=2, passage_prefix="p: ")
    assert [body["input"] for body in recorder.bodies] == [["p: a", "p: bb"], ["p: ccc"]]
    assert found.dtype == np.float32
    assert found.tolist() == [[4.0, 1.0], [5.0, 1.0], [6.0, 1.0]]


def test_a_question_has_its_own_prefix() -> None:
    recorder = Recorder(vectors)

    async def work(url: str) -> np.ndarray:
        embedder = OpenAiEmbeddings(ServerSettings(base_url=url), EmbeddingSettings(model="e", query_prefix="q: "))
        try:
            return await embedder.embed_query("a")
        finally:
            await embedder.close()

    assert recorder.run(work).tolist() == [4.0, 1.0]
    assert recorder.bodies[0]["input"] == ["q: a"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (None, "gave no vectors for 2 texts"),
        ([{"index": 0, "embedding": [1.0]}], "gave 1 vectors for 2 texts"),
        ([{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}], "did not number"),
        ([{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}], "not lists of numbers"),
        ([{"index": 0, "embedding": []}, {"index": 1, "embedding": []}], "empty or not finite"),
        ([{"index": 0, "embedding": [1e300]}, {"index": 1, "embedding": [1.0]}], "empty or not finite"),
        ([7, 8], "did not number"),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
def test_vectors_that_cannot_be_used_are_named(rows: Any, message: str) -> None:
    with pytest.raises(InvalidOutput, match=message):
        embedded(Recorder(says({"data": rows})), ["a", "b"])


def test_batches_of_different_lengths_are_refused() -> None:
    recorder = Recorder(
        says({"data": [{"index": 0, "embedding": [1.0]}]}), says({"data": [{"index": 0, "embedding": [1.0, 2.0]}]})
    )
    with pytest.raises(InvalidOutput, match="vectors of 2 lengths"):
        embedded(recorder, ["a", "b"], batch_size=1)


def test_no_texts_need_no_request() -> None:
    recorder = Recorder(vectors)
    assert embedded(recorder, []).shape == (0, 0)
    assert recorder.bodies == []


class StubModel:
    """What is used of fastembed."""

    def passage_embed(self, texts: Iterable[str]) -> Iterable[Any]:
        return (np.array([len(text), 0.0]) for text in texts)

    def query_embed(self, query: str) -> Iterable[Any]:
        return iter([np.array([len(query), 1.0])])


def test_fastembed_embeds_passages_and_questions_apart() -> None:
    embedder: Embedder = FastEmbedEmbeddings("stub", model=StubModel())
    assert embedder.identity == "fastembed(stub)"
    assert asyncio.run(embedder.embed_passages(["a", "bb"])).tolist() == [[1.0, 0.0], [2.0, 0.0]]
    assert asyncio.run(embedder.embed_query("abc")).tolist() == [3.0, 1.0]
    assert asyncio.run(embedder.embed_passages([])).shape == (0, 0)


def test_without_fastembed_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "fastembed", None)
    with pytest.raises(MissingExtra) as caught:
        FastEmbedEmbeddings.load("m", cache_folder=tmp_path)
    assert "beleg[fastembed]" in caught.value.diagnostics()
