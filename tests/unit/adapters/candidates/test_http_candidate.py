"""What an HTTP endpoint may do to us, and what it may not."""

from __future__ import annotations

import asyncio
import gzip
import json
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from email.utils import formatdate
from typing import Any, ClassVar

import pytest
from aiohttp import web
from pydantic import ValidationError

from beleg.adapters.candidates.http_candidate import HttpCandidate
from beleg.adapters.candidates.http_spec import HttpSpec
from beleg.adapters.candidates.outputs import CandidateTimeout
from beleg.core.errors import CandidateError, InvalidOutput
from beleg.core.manifest import Manifest
from beleg.core.trace import Output, Query

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

MANIFEST = Manifest(name="candidate")
QUERY = Query(case_id="c1", text='Why "now"?\n{{query.language}}', language="en")
SECRET = "s3cr3t-canary-81f2"


@asynccontextmanager
async def _served(handle: Handler) -> AsyncIterator[int]:
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


def _ask(handle: Handler, *, host: str = "127.0.0.1", query: Query = QUERY, **changes: Any) -> Output:
    async def scenario() -> Output:
        async with _served(handle) as port:
            fields = {
                "url": f"http://{host}:{port}/ask?v=1",
                "request": {"question": "{{query.text}}"},
                "allowed_hosts": (f"{host}:{port}",),
            }
            spec = HttpSpec(**{**fields, **changes})
            candidate = HttpCandidate(spec, manifest=MANIFEST, environment={"RAG_KEY": SECRET, "BROKEN": "a\nb"})
            try:
                return await candidate.answer(query)
            finally:
                await candidate.close()

    return asyncio.run(scenario())


def _replying(text: str | bytes, status: int = 200, content_type: str = "application/json", **headers: str) -> Handler:
    body = text.encode() if isinstance(text, str) else text

    async def handle(request: web.Request) -> web.Response:
        return web.Response(body=body, status=status, content_type=content_type, headers=headers)

    return handle


def test_an_html_reply_is_named_with_status_and_its_first_words() -> None:
    page = "<html><title>Sign in</title>" + "x" * 500
    with pytest.raises(InvalidOutput) as raised:
        _ask(_replying(page, content_type="text/html"))
    assert "status 200 and text/html" in str(raised.value)
    assert "<html><title>Sign in</title>" in str(raised.value)
    assert len(str(raised.value)) < 350
    assert raised.value.kind == "not_json"


def test_a_reply_of_50_mb_is_stopped_at_the_cap() -> None:
    sent = 0

    async def handle(request: web.Request) -> web.StreamResponse:
        nonlocal sent
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        await response.prepare(request)
        for _ in range(50):
            await response.write(b" " * 1_000_000)
            sent += 1
        return response

    with pytest.raises(InvalidOutput, match="more than 5,242,880 bytes") as raised:
        _ask(handle)
    assert raised.value.kind == "too_large"
    assert sent < 30


def test_a_reply_that_unfolds_beyond_the_cap_is_stopped() -> None:
    bomb = gzip.compress(b" " * 50_000_000, mtime=0)
    assert len(bomb) < 100_000
    with pytest.raises(InvalidOutput, match="more than 5,242,880 bytes"):
        _ask(_replying(bomb, **{"Content-Encoding": "gzip"}))


def test_a_packed_reply_is_read() -> None:
    packed = gzip.compress(b'{"answer": "yes"}', mtime=0)
    assert _ask(_replying(packed, **{"Content-Encoding": "gzip"})).answer == "yes"


@pytest.mark.parametrize(
    ("body", "encoding"),
    [(gzip.compress(b'{"answer": "yes"}', mtime=0)[:-9], "gzip"), (b"no gzip", "gzip"), (b"{}", "br")],
)
def test_a_packed_reply_that_cannot_be_unpacked_is_refused(body: bytes, encoding: str) -> None:
    with pytest.raises(InvalidOutput, match="packed"):
        _ask(_replying(body, **{"Content-Encoding": encoding}))


def test_a_redirect_is_not_followed() -> None:
    asked: list[str] = []

    async def handle(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.Response(status=302, headers={"Location": "/elsewhere"})

    with pytest.raises(CandidateError, match="redirect") as raised:
        _ask(handle)
    assert raised.value.kind == "redirect"
    assert asked == ["/ask"]


def test_a_slow_reply_is_a_timeout() -> None:
    async def handle(request: web.Request) -> web.Response:
        await asyncio.sleep(30)
        return web.Response()

    with pytest.raises(CandidateTimeout, match=r"no reply within 0.2 s"):
        _ask(handle, timeout_s=0.2)


def test_a_fault_of_the_server_is_not_asked_again() -> None:
    with pytest.raises(CandidateError, match=r"status 500.*boom") as raised:
        _ask(_replying('{"error": "boom"}', status=500))
    assert (raised.value.kind, raised.value.retryable, raised.value.retry_after_s) == ("http_500", False, None)


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_says_when_to_ask_again(status: int) -> None:
    with pytest.raises(CandidateError) as raised:
        _ask(_replying("{}", status=status, **{"Retry-After": "7"}))
    assert (raised.value.retryable, raised.value.retry_after_s) == (True, 7.0)


def test_the_time_to_ask_again_may_be_a_date() -> None:
    with pytest.raises(CandidateError) as raised:
        _ask(_replying("{}", status=503, **{"Retry-After": formatdate(time.time() + 60, usegmt=True)}))
    assert raised.value.retry_after_s == pytest.approx(60, abs=5)


def test_a_time_that_cannot_be_read_is_left_to_the_caller() -> None:
    with pytest.raises(CandidateError) as raised:
        _ask(_replying("{}", status=503, **{"Retry-After": "soon"}))
    assert (raised.value.retryable, raised.value.retry_after_s) == (True, None)


def test_a_closed_port_is_unreachable_and_worth_another_try() -> None:
    async def scenario() -> None:
        spec = HttpSpec(url="http://127.0.0.1:1/", request={}, allowed_hosts=("127.0.0.1:1",))
        candidate = HttpCandidate(spec, manifest=MANIFEST)
        try:
            await candidate.answer(QUERY)
        finally:
            await candidate.close()

    with pytest.raises(CandidateError) as raised:
        asyncio.run(scenario())
    assert (raised.value.kind, raised.value.retryable) == ("unreachable", True)


@pytest.mark.parametrize("reply", ["{", '{"answer": "a", "answer": "b"}', "[1]", b'{"answer": "\xff"}'])
def test_a_reply_that_is_no_sound_json_object_is_refused(reply: str | bytes) -> None:
    with pytest.raises(InvalidOutput):
        _ask(_replying(reply))


def test_the_question_cannot_leave_its_string_nor_bring_variables() -> None:
    received: list[Any] = []

    async def handle(request: web.Request) -> web.Response:
        received.append(await request.json())
        return web.json_response({"answer": "ok"})

    _ask(handle, request={"q": "{{query.text}}", "in": "<{{ query.text }}>", "who": "{{query.principal.tenant}}"})
    assert received == [{"q": QUERY.text, "in": f"<{QUERY.text}>", "who": None}]


def test_with_get_the_request_becomes_parameters() -> None:
    received: list[dict[str, str]] = []

    async def handle(request: web.Request) -> web.Response:
        received.append(dict(request.query))
        return web.json_response({"answer": "ok"})

    _ask(handle, method="GET", request={"q": "{{query.text}}", "k": 5, "raw": True, "t": "{{query.principal.tenant}}"})
    assert received == [{"v": "1", "q": QUERY.text, "k": "5", "raw": "true"}]


class TestSecrets:
    HEADERS: ClassVar = {"Authorization": "Bearer ${ENV:RAG_KEY}"}

    def test_are_sent(self) -> None:
        seen: list[str] = []

        async def handle(request: web.Request) -> web.Response:
            seen.append(request.headers["Authorization"])
            return web.json_response({"answer": "ok"})

        _ask(handle, headers=self.HEADERS)
        assert seen == [f"Bearer {SECRET}"]

    @pytest.mark.parametrize("status", [200, 302, 401, 500, 503])
    def test_stay_out_of_errors_that_echo_them(self, status: int) -> None:
        echo = f"{'x' * 190} {SECRET} refused"
        with pytest.raises(CandidateError) as raised:
            _ask(_replying(echo, status=status, content_type="text/plain"), headers=self.HEADERS)
        told = "".join(traceback.format_exception(raised.value)) + repr(raised.value) + raised.value.diagnostics()
        assert SECRET[:6] not in told

    def test_stay_out_of_outputs_that_echo_them(self) -> None:
        output = _ask(_replying(json.dumps({"answer": f"key {SECRET}"})), headers=self.HEADERS)
        assert output.answer == "key [removed]"

    def test_stay_out_of_the_printed_spec(self) -> None:
        spec = HttpSpec(url="http://a.example/", request={}, headers=self.HEADERS, allowed_hosts=("a.example",))
        assert "Authorization" not in repr(spec)
        assert SECRET not in repr(spec)
        assert SECRET not in spec.model_dump_json()

    @pytest.mark.parametrize("variable", ["NOT_SET", "BROKEN"])
    def test_that_cannot_be_used_are_named_by_their_variable(self, variable: str) -> None:
        with pytest.raises(CandidateError, match=f"environment variable {variable}"):
            _ask(_replying("{}"), headers={"X-Key": f"${{ENV:{variable}}}"})

    def test_are_never_written_into_the_file(self) -> None:
        with pytest.raises(ValidationError, match=r"write it as \$\{ENV:NAME\}") as raised:
            HttpSpec(url="http://a.example/", request={}, headers={"X-Api-Key": SECRET}, allowed_hosts=("a.example",))
        assert SECRET not in str(raised.value)


class TestHosts:
    @pytest.mark.parametrize("host", ["127.1", "2130706433", "0x7f000001", "0177.0.0.1", "017700000001"])
    def test_that_are_addresses_in_disguise_are_refused(self, host: str) -> None:
        for listed in ("127.0.0.1:80", "localhost:80"):
            with pytest.raises(ValidationError, match=r"disguise|not in allowed_hosts"):
                HttpSpec(url=f"http://{host}/", request={}, allowed_hosts=(listed,))
        with pytest.raises(ValidationError, match="write the name, or the address"):
            HttpSpec(url=f"http://{host}/", request={}, allowed_hosts=(host,))

    @pytest.mark.parametrize(
        ("url", "listed"),
        [
            ("http://b.example/", "a.example"),
            ("http://a.example:8080/", "a.example"),
            ("https://a.example/", "a.example:80"),
            ("http://a.example.evil.example/", "a.example"),
            ("http://a.example@b.example/", "a.example"),
            ("http://[::1]/", "127.0.0.1"),
            ("file:///etc/hostname", "a.example"),
            ("http://a.example/?api_key=1", "a.example"),
        ],
    )
    def test_that_are_not_listed_exactly_are_refused(self, url: str, listed: str) -> None:
        with pytest.raises(ValidationError):
            HttpSpec(url=url, request={}, allowed_hosts=(listed,))

    @pytest.mark.parametrize("address", ["169.254.169.254", "[::ffff:169.254.169.254]", "[fd00:ec2::254]"])
    def test_of_metadata_services_are_refused_even_when_listed(self, address: str) -> None:
        with pytest.raises(ValidationError, match="never reached"):
            HttpSpec(url=f"http://{address}/", request={}, allowed_hosts=(address, address.strip("[]")))

    def test_whose_name_leads_to_loopback_are_refused_at_connect_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._rebind(monkeypatch)
        with pytest.raises(CandidateError, match=r"127\.0\.0\.1 is not public") as raised:
            _ask(_replying('{"answer": "inside"}'), host="rag.example")
        assert raised.value.kind == "refused_address"

    def test_whose_name_leads_into_an_allowed_network_are_reached(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._rebind(monkeypatch)
        output = _ask(_replying('{"answer": "ok"}'), host="rag.example", allowed_networks=("127.0.0.0/8",))
        assert output.answer == "ok"

    def test_localhost_is_reached_when_it_is_listed(self) -> None:
        assert _ask(_replying('{"answer": "ok"}'), host="localhost").answer == "ok"

    def _rebind(self, monkeypatch: pytest.MonkeyPatch) -> None:
        resolve = asyncio.BaseEventLoop.getaddrinfo

        async def rebound(loop: asyncio.BaseEventLoop, host: Any, port: Any, **options: Any) -> Any:
            return await resolve(loop, "127.0.0.1" if host == "rag.example" else host, port, **options)

        monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", rebound)


class TestMapping:
    RESPONSE: ClassVar = {
        "passages": "$.hits[*].source",
        "passage": {
            "id": "$.id",
            "document_id": "$.doc",
            "score": "$.rank.score",
            "text": "$.body",
            "metadata": "$.meta",
        },
        "answer": "$.choices[0]['message text']",
        "citations": "$.refs",
        "stage_ms": {"retrieval": "$.timing.search"},
        "prompt_tokens": "$.usage.in",
    }
    REPLY: ClassVar = {
        "hits": [{"source": {"id": 5, "doc": "d", "rank": {"score": 0.5}, "body": "t", "meta": {"a": 1, "b": [1]}}}],
        "choices": [{"message text": "yes"}],
        "refs": [5],
        "timing": {"search": 12},
        "usage": {"in": 3},
        "other": "ignored",
    }

    def _read(self, reply: object, **changes: Any) -> Output:
        response = HttpSpec.model_validate_json(
            json.dumps({"url": "http://a/", "request": {}, "allowed_hosts": ["a"], "response": self.RESPONSE})
        ).response
        return _ask(_replying(json.dumps(reply)), response=response, **changes)

    def test_takes_what_is_mapped_and_nothing_else(self) -> None:
        output = self._read(self.REPLY)
        expected = {
            "retrieved": [{"passage_id": "5", "document_id": "d", "score": 0.5, "text": "t", "metadata": {"a": 1}}],
            "answer": "yes",
            "citations": [{"marker": "5", "passage_id": "5"}],
            "stage_ms": {"retrieval": 12},
            "usage": {"prompt_tokens": 3},
        }
        assert output == Output.model_validate_json(json.dumps(expected))

    def test_an_empty_list_is_no_hits_and_a_missing_one_is_a_fault(self) -> None:
        assert self._read({**self.REPLY, "hits": []}).retrieved == ()
        with pytest.raises(InvalidOutput, match=r"nothing at \$.hits\[\*\].source"):
            self._read({"choices": self.REPLY["choices"]})
        with pytest.raises(InvalidOutput, match=r"nothing at \$.hits\[\*\].source"):
            self._read({**self.REPLY, "hits": [*self.REPLY["hits"], {"id": 6}]})

    def test_the_answer_must_be_there_unless_only_retrieval_was_asked_for(self) -> None:
        reply = {"hits": []}
        with pytest.raises(InvalidOutput, match=r"nothing at \$.choices"):
            self._read(reply)
        assert self._read(reply, query=QUERY.model_copy(update={"retrieve_only": True})).answer is None

    def test_a_score_that_is_text_is_refused_by_field(self) -> None:
        hit = {"source": {"id": "a", "doc": "d", "rank": {"score": "high"}}}
        with pytest.raises(InvalidOutput, match=r"retrieved\[0\].score"):
            self._read({**self.REPLY, "hits": [hit]})


@pytest.mark.parametrize("template", ["{{query.txt}}", "a {{query.turns}}", "{{query.text", "{{}}"])
def test_a_template_that_cannot_be_filled_is_refused(template: str) -> None:
    with pytest.raises(ValidationError):
        HttpSpec(url="http://a/", request={"q": [template]}, allowed_hosts=("a",))
