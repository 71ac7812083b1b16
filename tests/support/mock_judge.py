"""A small server on the loopback that judges like a well-behaved model, or as badly as a test wants.

It speaks the chat protocol of OpenAI: constrained output, tool calls, JSON mode and plain prompts. Replies to the tasks
on claims and on new nuggets are whole: claims and nuggets are the sentences of a text, and each claim is found in the
passage that holds it. Every other schema gets the smallest value that fits it.

    python tests/support/mock_judge.py --port 8765 --latency-ms 200 --p429 0.1
    GET /stats    what was asked so far
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import TracebackType
from typing import Any

MODEL = "mock-judge-1"
_FENCED = re.compile(r'<(\w+)(?: id="([^"]*)")? mark="(\w+)">\n(.*?)\n</\1 mark="\3">', re.DOTALL)
_SCHEMA = re.compile(r"JSON.Schema:\s*(\{.*\})", re.DOTALL)
_SENTENCE = re.compile(r"[^.!?]+[.!?]?")


@dataclass(frozen=True, kw_only=True)
class Behaviour:
    """How the server behaves; rates are shares of the requests."""

    latency_ms: float = 0.0
    seed: int = 1
    p429: float = 0.0
    p500: float = 0.0
    p_hang: float = 0.0
    p_prose: float = 0.0
    """Prose in place of JSON."""
    p_truncated: float = 0.0
    p_missing: float = 0.0
    """One verdict fewer than asked."""
    p_duplicate: float = 0.0
    """One verdict twice."""
    p_html: float = 0.0
    """A page in place of JSON, with status 200."""
    p_twice: float = 0.0
    """The whole reply twice, one behind the other."""
    is_reversed: bool = False
    """Verdicts in another order than asked."""
    is_down: bool = False
    """Every request ends with status 503."""
    retry_after_s: float | None = 0.05
    refuses: tuple[str, ...] = ()
    """Fields of a request that are refused with status 400, such as ``logprobs``."""
    ignores: tuple[str, ...] = ()
    """Fields that are passed over in silence, such as ``response_format``."""
    quota_after: int | None = None
    """After how many requests the account is used up."""
    items: int = 0
    """How many entries a list has in a reply that is made from its schema alone."""
    echoes_key: bool = False
    """Whether faults and replies repeat the key that was sent."""


@dataclass
class Stats:
    """What was asked so far."""

    requests: int = 0
    answered: int = 0
    in_flight: int = 0
    max_in_flight: int = 0
    connections: int = 0
    bytes_in: int = 0
    faults: dict[str, int] = field(default_factory=Counter)
    tasks: dict[str, int] = field(default_factory=Counter)
    digests: dict[str, int] = field(default_factory=Counter)
    """How often each request was answered, by a hash of its messages."""


class MockJudge:
    """The server; one event loop, one connection a protocol."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.stats = Stats()
        self.chance = random.Random(behaviour.seed)
        self.bodies: list[dict[str, Any]] = []

    def respond(self, body: dict[str, Any], key: str) -> tuple[int, dict[str, str], bytes] | None:
        """Status, headers and body; ``None`` where the server says nothing for ever."""
        chosen, stats = self.behaviour, self.stats
        said = f" for key {key}" if chosen.echoes_key else ""
        if chosen.quota_after is not None and stats.requests > chosen.quota_after:
            stats.faults["quota"] += 1
            error = {"message": f"You exceeded your current quota{said}", "code": "insufficient_quota"}
            return 429, {}, _json({"error": error})
        if chosen.is_down:
            return 503, {}, _json({"error": {"message": f"down{said}"}})
        if isinstance(body.get("input"), list):
            return 200, {}, _json(_embeddings(body["input"]))
        refused = next((name for name in chosen.refuses if name in _used(body)), None)
        if refused is not None:
            stats.faults["refused"] += 1
            words = f"Unsupported parameter: '{refused}'{said}"
            if refused == "max_tokens":
                words += ". Use 'max_completion_tokens' instead"
            if refused == "system":
                words = "System role not supported"
            return 400, {}, _json({"error": {"message": words}})
        fault = self._drawn(("p_hang", "p429", "p500", "p_html"))
        if fault == "p_hang":
            return None
        return self._failed(fault, said) or (200, {}, _json(self._completion(body, said)))

    def _failed(self, fault: str | None, said: str) -> tuple[int, dict[str, str], bytes] | None:
        wait_s = self.behaviour.retry_after_s
        if fault == "p429":
            headers = {} if wait_s is None else {"retry-after": f"{wait_s:g}"}
            return 429, headers, _json({"error": {"message": f"Rate limit reached{said}"}})
        if fault == "p500":
            return 500, {}, _json({"error": {"message": f"internal fault{said}"}})
        return (200, {"content-type": "text/html"}, b"<html>Gateway</html>") if fault == "p_html" else None

    def _drawn(self, names: tuple[str, ...]) -> str | None:
        """At most one of some faults, each with its own rate."""
        drawn = self.chance.random()
        for name in names:
            drawn -= getattr(self.behaviour, name)
            if drawn < 0:
                self.stats.faults[name] += 1
                return name
        return None

    def _completion(self, body: dict[str, Any], said: str) -> dict[str, Any]:
        name, schema, is_tool = _wanted(body, self.behaviour.ignores)
        sent = "\n".join(message["content"] for message in body["messages"])
        self.stats.tasks[name] += 1
        self.stats.answered += 1
        fault = self._drawn(("p_prose", "p_truncated", "p_missing", "p_duplicate", "p_twice"))
        data = _answer(schema, sent, self.behaviour.items)
        if isinstance(data, dict):
            _spoil(data, fault, is_reversed=self.behaviour.is_reversed)
        text = json.dumps(data, ensure_ascii=False) if schema is not None else f"The sky is blue.{said}"
        finish = "stop"
        if fault == "p_prose":
            text = "Gladly! All claims are well supported."
        elif fault == "p_twice":
            text = f"{text}\n{text}"
        elif fault == "p_truncated":
            text, finish = text[: len(text) // 2], "length"
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if is_tool:
            function = {"name": name, "arguments": text}
            message |= {"content": None, "tool_calls": [{"id": "1", "type": "function", "function": function}]}
        logprobs = None
        if body.get("logprobs") and "logprobs" not in self.behaviour.ignores and not is_tool:
            logprobs = {"content": [_position(token) for token in re.findall(r"\d|\w+|\W", text)]}
        choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": logprobs}
        usage = {"prompt_tokens": len(sent) // 4, "completion_tokens": max(1, len(text) // 4)}
        return {"object": "chat.completion", "model": MODEL, "choices": [choice], "usage": usage}


def _used(body: dict[str, Any]) -> set[str]:
    """What of the protocol a request uses: its fields, the kind of its response format, the roles of its messages."""
    roles = {message["role"] for message in body["messages"]}
    return body.keys() | {(body.get("response_format") or {}).get("type", "")} | roles


def _wanted(body: dict[str, Any], ignores: tuple[str, ...]) -> tuple[str, dict[str, Any] | None, bool]:
    """Name and schema of the reply that is wanted, and whether as a tool call."""
    if body.get("tools") and "tools" not in ignores:
        function = body["tools"][0]["function"]
        return function["name"], function["parameters"], True
    form = body.get("response_format") or {}
    if form.get("type") == "json_schema" and "response_format" not in ignores and "json_schema" not in ignores:
        return form["json_schema"]["name"], form["json_schema"]["schema"], False
    shown = next(filter(None, (_SCHEMA.search(message["content"]) for message in body["messages"])), None)
    if shown is None:
        return "plain", None, False
    return "shown", json.JSONDecoder().raw_decode(shown[1])[0], False


def _answer(schema: dict[str, Any] | None, sent: str, items: int) -> Any:
    if schema is None:
        return None
    names = set(schema.get("properties", {}))
    found = [(match[1], match[2], match[4]) for match in _FENCED.finditer(sent)]
    if names == {"claims"} and found:
        answer = next((text for name, _, text in found if name == "answer"), "")
        claims = [sentence.strip() for sentence in _SENTENCE.findall(answer)]
        return {"claims": [claim for claim in claims if claim]}
    if names == {"verdicts"} and any(name == "claim" for name, _, _ in found):
        passages = [(label, text) for name, label, text in found if name == "passage"]
        return {"verdicts": [_verdict(label, text, passages) for name, label, text in found if name == "claim"]}
    if names == {"nuggets"} and any(name == "passage" for name, _, _ in found):
        return {"nuggets": list(_nuggets([(label, text) for name, label, text in found if name == "passage"]))}
    return _made(schema, schema, items, "")


def _nuggets(passages: list[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    """Every sentence of the passages, each once; the first is vital."""
    seen: set[str] = set()
    for label, text in passages:
        for sentence in filter(None, (each.strip() for each in _SENTENCE.findall(text))):
            if sentence not in seen:
                importance = "okay" if seen else "vital"
                seen.add(sentence)
                yield {
                    "passage_id": label,
                    "quote": sentence,
                    "text": sentence,
                    "reason": "It is said.",
                    "importance": importance,
                }


def _verdict(label: str, claim: str, passages: list[tuple[str, str]]) -> dict[str, Any]:
    passage = next((name for name, text in passages if claim in text), None)
    verdict = "not_in_context" if passage is None else "supported"
    quote = None if passage is None else claim
    return {"claim_id": label, "passage_id": passage, "quote": quote, "reason": "It is said.", "verdict": verdict}


def _made(schema: dict[str, Any], root: dict[str, Any], items: int, name: str) -> Any:
    """A value that fits a schema and says yes wherever it is asked for a verdict."""
    if "$ref" in schema:
        return _made(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root, items, name)
    if "anyOf" in schema:
        return _made(schema["anyOf"][0], root, items, name)
    if "enum" in schema or "const" in schema:
        return schema["enum"][0] if "enum" in schema else schema["const"]
    kind = schema.get("type", "string")
    if kind == "object":
        return {field: _made(inner, root, items, field) for field, inner in schema.get("properties", {}).items()}
    if kind == "array":
        return [_made(schema.get("items", {}), root, items, name) for _ in range(items)]
    simple = {"integer": 1, "number": 1.0, "boolean": True, "null": None}
    return simple.get(kind, "yes" if name == "verdict" else "It was signed on 4 March.")


def _spoil(data: dict[str, Any], fault: str | None, *, is_reversed: bool) -> None:
    verdicts = data.get("verdicts")
    if not isinstance(verdicts, list) or not verdicts:
        return
    if is_reversed:
        verdicts.reverse()
    if fault == "p_missing":
        verdicts.pop()
    elif fault == "p_duplicate":
        verdicts.append(verdicts[0])


def _position(token: str) -> dict[str, Any]:
    others = [{"token": token, "logprob": -0.1}, {"token": "2" if token != "2" else "3", "logprob": -2.4}]
    return {"token": token, "logprob": -0.1, "top_logprobs": others}


def _embeddings(texts: list[str]) -> dict[str, Any]:
    rows = [{"index": at, "embedding": [float(len(text)), 1.0]} for at, text in enumerate(texts)]
    return {"data": rows, "usage": {"prompt_tokens": sum(len(text) for text in texts)}}


def _json(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode()


class _Connection(asyncio.Protocol):
    """One connection; requests on it are answered in order."""

    def __init__(self, judge: MockJudge) -> None:
        self.judge = judge
        self.buffer = bytearray()
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]
        self.judge.stats.connections += 1

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end].decode("latin-1")
            length = re.search(r"(?i)\r\ncontent-length: *(\d+)", head)
            size = int(length[1]) if length else 0
            if len(self.buffer) < end + 4 + size:
                return
            body = bytes(self.buffer[end + 4 : end + 4 + size])
            del self.buffer[: end + 4 + size]
            self.handle(head, body)

    def handle(self, head: str, body: bytes) -> None:
        if head.startswith("GET"):
            self.send(200, {}, _json(vars(self.judge.stats)))
            return
        stats, behaviour = self.judge.stats, self.judge.behaviour
        stats.requests += 1
        stats.bytes_in += len(body)
        stats.in_flight += 1
        stats.max_in_flight = max(stats.max_in_flight, stats.in_flight)
        key = re.search(r"(?i)\r\nauthorization: *bearer (\S+)", head)
        asked = json.loads(body)
        for message in asked.get("messages", ()):
            if isinstance(message["content"], list):
                message["content"] = "".join(part.get("text", "") for part in message["content"])
        response = self.judge.respond(asked, key[1] if key else "")
        if response is not None and response[0] == 200:
            stats.digests[str(hash(json.dumps(asked.get("messages", asked.get("input")))))] += 1
        loop = asyncio.get_running_loop()
        if response is not None:
            loop.call_later(behaviour.latency_ms / 1_000, self.finish, *response)

    def finish(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.judge.stats.in_flight -= 1
        self.send(status, headers, body)

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None

    def send(self, status: int, headers: dict[str, str], body: bytes) -> None:
        if self.transport is None:
            return
        lines = {"content-type": "application/json", **headers, "content-length": str(len(body))}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self.transport.write(f"HTTP/1.1 {status} X\r\n{head}\r\n".encode() + body)


async def serve(judge: MockJudge, port: int = 0) -> asyncio.Server:
    """Starts the server on the loopback; port 0 takes a free one."""
    loop = asyncio.get_running_loop()
    return await loop.create_server(lambda: _Connection(judge), "127.0.0.1", port, backlog=512)


class served:
    """The server inside the event loop of a test: ``async with served(p429=0.1) as (judge, url)``."""

    def __init__(self, **behaviour: Any) -> None:
        self.judge = MockJudge(Behaviour(**behaviour))

    async def __aenter__(self) -> tuple[MockJudge, str]:
        self.server = await serve(self.judge)
        return self.judge, f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}/v1"

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.close()
        await asyncio.sleep(0)


@contextmanager
def served_apart(**behaviour: Any) -> Iterator[str]:
    """The server in a process of its own, for programs that are killed and for benchmarks; gives its address."""
    options = [f"--{name.replace('_', '-')}={value}" for name, value in behaviour.items()]
    with subprocess.Popen(
        [sys.executable, str(Path(__file__)), *options], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            if process.stdout is None:
                raise RuntimeError("the server has no output")
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def stats_of(url: str) -> dict[str, Any]:
    """What a server was asked so far."""
    with urllib.request.urlopen(f"{url}/stats", timeout=10) as response:  # noqa: S310
        found: dict[str, Any] = json.load(response)
        return found


async def _main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    for each in fields(Behaviour):
        kind = {
            "float": float,
            "int": int,
            "bool": lambda text: text == "True",
            "float | None": float,
            "int | None": int,
            "tuple[str, ...]": lambda text: tuple(text.split(",")),
        }.get(each.type)  # type: ignore[call-overload]
        if kind is not None:
            parser.add_argument(f"--{each.name.replace('_', '-')}", type=kind, default=each.default)
    chosen = vars(parser.parse_args())
    server = await serve(
        MockJudge(Behaviour(**{name: value for name, value in chosen.items() if name != "port"})), chosen["port"]
    )
    sys.stdout.write(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_main())
