"""Every way of reaching a system under test behaves the same towards a run."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from beleg.adapters.candidates.callable_candidate import CallableCandidate
from beleg.adapters.candidates.http_candidate import HttpCandidate
from beleg.adapters.candidates.http_spec import HttpSpec
from beleg.adapters.candidates.recorded import load_traces
from beleg.core.errors import CandidateError, DataError, InvalidOutput
from beleg.core.manifest import Manifest
from beleg.core.protocols import Candidate
from beleg.core.trace import Output, Query

MANIFEST = Manifest(name="candidate")
QUERY = Query(case_id="c1", text="Wie lange ist die Frist?", language="de")
SCRIPT = "<script>alert(1)</script>"
PASSAGE = {"passage_id": "p1", "document_id": "d1", "score": 0.5, "text": SCRIPT}
FULL = {"retrieved": [PASSAGE], "answer": f"30 Tage {SCRIPT}", "abstained": False, "usage": {"prompt_tokens": 7}}

Opened = AbstractAsyncContextManager[Candidate]
Opener = Callable[[Path, str], Opened]
"""Opens a candidate that replies with a JSON text."""


@asynccontextmanager
async def _async_callable(_: Path, reply: str) -> AsyncIterator[Candidate]:
    async def answer(query: Query) -> object:
        return json.loads(reply)

    candidate = CallableCandidate(answer, manifest=MANIFEST)
    yield candidate
    await candidate.close()


@asynccontextmanager
async def _blocking_callable(_: Path, reply: str) -> AsyncIterator[Candidate]:
    candidate = CallableCandidate(lambda query: json.loads(reply), manifest=MANIFEST, concurrency=2)
    yield candidate
    await candidate.close()


@asynccontextmanager
async def _http(_: Path, reply: str) -> AsyncIterator[Candidate]:
    async def handle(request: web.Request) -> web.Response:
        return web.Response(text=reply, content_type="application/json")

    async with _served(handle) as port:
        candidate = HttpCandidate(_spec(port), manifest=MANIFEST)
        async with _closing(candidate):
            yield candidate


@asynccontextmanager
async def _recorded(folder: Path, reply: str) -> AsyncIterator[Candidate]:
    path = folder / "traces.jsonl"
    path.write_text(f'{{"case_id": "c1", "output": {reply}}}\n')
    yield load_traces(path, manifest=MANIFEST)


@asynccontextmanager
async def _served(handle: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> AsyncIterator[int]:
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


@asynccontextmanager
async def _closing(candidate: Candidate) -> AsyncIterator[Candidate]:
    try:
        yield candidate
    finally:
        await candidate.close()


def _spec(port: int, **changes: Any) -> HttpSpec:
    fields = {
        "url": f"http://127.0.0.1:{port}/ask",
        "request": {"question": "{{query.text}}"},
        "allowed_hosts": (f"127.0.0.1:{port}",),
    }
    return HttpSpec(**{**fields, **changes})


OPENERS: dict[str, Opener] = {
    "async callable": _async_callable,
    "blocking callable": _blocking_callable,
    "http": _http,
    "recorded": _recorded,
}

every_candidate = pytest.mark.parametrize("opener", OPENERS.values(), ids=OPENERS.keys())


def _ask(opener: Opener, folder: Path, reply: object, query: Query = QUERY) -> Output:
    async def scenario() -> Output:
        text = reply if isinstance(reply, str) else json.dumps(reply)
        async with opener(folder, text) as candidate:
            assert isinstance(candidate, Candidate)
            assert candidate.manifest == MANIFEST
            assert candidate.inventory() is None
            return await candidate.answer(query)

    return asyncio.run(scenario())


@every_candidate
def test_a_full_output_arrives_as_it_was_sent(opener: Opener, tmp_path: Path) -> None:
    output = _ask(opener, tmp_path, FULL)
    assert output == Output.model_validate_json(json.dumps(FULL))


@every_candidate
def test_markup_is_kept_as_data(opener: Opener, tmp_path: Path) -> None:
    output = _ask(opener, tmp_path, FULL)
    assert output.retrieved[0].text == SCRIPT
    assert output.answer == f"30 Tage {SCRIPT}"


@every_candidate
def test_retrieval_alone_has_no_answer(opener: Opener, tmp_path: Path) -> None:
    query = QUERY.model_copy(update={"retrieve_only": True})
    output = _ask(opener, tmp_path, {"retrieved": [PASSAGE]}, query)
    assert output.answer is None
    assert [passage.passage_id for passage in output.retrieved] == ["p1"]


@every_candidate
def test_a_passage_that_stands_twice_is_refused(opener: Opener, tmp_path: Path) -> None:
    with pytest.raises(InvalidOutput, match=r"reranked\[1\].passage_id.*reranked\[0\].*'p1'") as raised:
        _ask(opener, tmp_path, {**FULL, "reranked": [PASSAGE, PASSAGE]})
    assert raised.value.kind == "duplicate_passage"


@every_candidate
@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_a_score_that_is_no_number_is_refused(opener: Opener, tmp_path: Path, number: str) -> None:
    reply = json.dumps(FULL).replace("0.5", number)
    with pytest.raises((InvalidOutput, DataError), match="finite"):
        _ask(opener, tmp_path, reply)


@every_candidate
def test_an_unknown_field_is_refused_by_name(opener: Opener, tmp_path: Path) -> None:
    with pytest.raises((InvalidOutput, DataError), match=r"retreived.*Did you mean 'retrieved'"):
        _ask(opener, tmp_path, {"retreived": [PASSAGE]})


@every_candidate
def test_a_wrong_type_is_refused_by_field(opener: Opener, tmp_path: Path) -> None:
    with pytest.raises((InvalidOutput, DataError), match=r"retrieved\[0\].score.*Write 0.5 instead of '0.5'"):
        _ask(opener, tmp_path, {"retrieved": [{**PASSAGE, "score": "0.5"}]})


@asynccontextmanager
async def _failing_async(_: Path, __: str) -> AsyncIterator[Candidate]:
    async def answer(query: Query) -> object:
        raise RuntimeError("index is down")

    yield CallableCandidate(answer, manifest=MANIFEST)


@asynccontextmanager
async def _failing_blocking(_: Path, __: str) -> AsyncIterator[Candidate]:
    def answer(query: Query) -> object:
        raise RuntimeError("index is down")

    yield CallableCandidate(answer, manifest=MANIFEST)


@asynccontextmanager
async def _failing_http(_: Path, __: str) -> AsyncIterator[Candidate]:
    async def handle(request: web.Request) -> web.Response:
        return web.json_response({"error": "index is down"}, status=500)

    async with _served(handle) as port:
        candidate = HttpCandidate(_spec(port), manifest=MANIFEST)
        async with _closing(candidate):
            yield candidate


@asynccontextmanager
async def _failing_recorded(folder: Path, _: str) -> AsyncIterator[Candidate]:
    path = folder / "traces.jsonl"
    path.write_text('{"case_id": "c1", "error": "index is down"}\n')
    yield load_traces(path, manifest=MANIFEST)


@pytest.mark.parametrize("opener", [_failing_async, _failing_blocking, _failing_http, _failing_recorded])
def test_a_fault_of_the_system_is_a_candidate_error_with_its_words(opener: Opener, tmp_path: Path) -> None:
    with pytest.raises(CandidateError, match="index is down") as raised:
        _ask(opener, tmp_path, FULL)
    assert not isinstance(raised.value, InvalidOutput)
    assert not raised.value.retryable


@asynccontextmanager
async def _slow_async(_: Path, __: str) -> AsyncIterator[Candidate]:
    async def answer(query: Query) -> str:
        await asyncio.sleep(30 if query.text == "slow" else 0)
        return "done"

    yield CallableCandidate(answer, manifest=MANIFEST, concurrency=1)


@asynccontextmanager
async def _slow_blocking(_: Path, __: str) -> AsyncIterator[Candidate]:
    def answer(query: Query) -> str:
        time.sleep(0.6 if query.text == "slow" else 0)
        return "done"

    yield CallableCandidate(answer, manifest=MANIFEST, concurrency=1)


@asynccontextmanager
async def _slow_http(_: Path, __: str) -> AsyncIterator[Candidate]:
    async def handle(request: web.Request) -> web.Response:
        question = (await request.json())["question"]
        await asyncio.sleep(30 if question == "slow" else 0)
        return web.json_response({"answer": "done"})

    async with _served(handle) as port:
        candidate = HttpCandidate(_spec(port), manifest=MANIFEST, concurrency=1)
        async with _closing(candidate):
            yield candidate


@pytest.mark.parametrize("opener", [_slow_async, _slow_blocking, _slow_http])
def test_a_call_that_is_given_up_leaves_room_for_the_next(opener: Opener, tmp_path: Path) -> None:
    async def scenario() -> str | None:
        async with opener(tmp_path, "") as candidate:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await candidate.answer(QUERY.model_copy(update={"text": "slow"}))
            async with asyncio.timeout(0.4):
                return (await candidate.answer(QUERY)).answer

    assert asyncio.run(scenario()) == "done"
