"""Finding out by asking what a judge's server can do, before any row is paid for (J1).

The probe asks for a reply whose shape only the schema tells: a server that passes the schema over in silence cannot
guess its field, and is seen through.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from beleg.adapters.models.judge_dialect import Dialect
from beleg.adapters.models.openai_judge import OpenAiJudge, server_of, spec_of
from beleg.adapters.models.openai_server import OpenAiServer
from beleg.core.errors import CandidateError, shown
from beleg.core.inference import ChatMessage, JudgeReply, JudgeRequest
from beleg.core.judge_settings import JudgeSettings
from beleg.core.judging import JudgeFault, ReplyMode

MODES: tuple[ReplyMode, ...] = ("json_schema", "tools", "json_object", "prompt")
"""From the one that binds a server most to the one that binds it least."""
PROBE_TOKENS = 400
"""Enough for a model that thinks aloud first."""
TRIES = 4
"""How often one probe is sent where the fault may pass."""
TRIES_IN_SILENCE = 2
"""How often where the server says nothing: whoever waits for the probe waits for all of them."""
LONGEST_REQUEST_S = 60.0
"""How long one probe may take, where a request of a run may take longer."""
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0

FIELD, VALUES = "hue_code_17", ("azure", "other")
SCHEMA = {
    "type": "object",
    "properties": {FIELD: {"type": "string", "enum": list(VALUES)}},
    "required": [FIELD],
    "additionalProperties": False,
}
MESSAGES = (
    ChatMessage(role="system", content="Reply with one JSON object and nothing else."),
    ChatMessage(role="user", content="Which colour has a clear sky at noon?"),
)
ABOUT_THE_FORM = frozenset({JudgeFault.REJECTED, JudgeFault.SERVER_ERROR, JudgeFault.BAD_RESPONSE})
"""The faults by which servers answer a form that they do not know; another form may help."""
_LIMIT_REFUSED = re.compile(r"max_completion_tokens")
_LOGPROBS_REFUSED = re.compile(r"logprob", re.IGNORECASE)
_SYSTEM_REFUSED = re.compile(r"system (?:role|message|prompt)|roles? must alternate", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a judge's server was found to do."""

    mode: ReplyMode
    dialect: Dialect
    has_logprobs: bool
    """Whether replies come with the probabilities of their tokens, so that grades can be weighted by them."""
    model_answered: str | None
    """The model that answered, as the server names it."""
    requests: int
    """How many requests the probe took."""
    notes: tuple[str, ...] = ()
    """What the server did not take, in its own words."""


@dataclass(slots=True)
class _Probing:
    server: OpenAiServer
    settings: JudgeSettings
    sleep: Callable[[float], Awaitable[object]]
    dialect: Dialect
    requests: int
    notes: list[str]


async def open_judge(
    settings: JudgeSettings,
    *,
    api_key: str | None,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> tuple[OpenAiJudge, Capabilities]:
    """Connects to a judge and finds out what its server can do; one request where the server can do all.

    Args:
        settings: the judge; with a mode other than ``probe`` only that mode is tried.
        api_key: the key, if one is needed.
        sleep: waits where the server asks for it.

    Raises:
        CandidateError: if the judge cannot be used; the message says what the server said.
        ConfigError: if the address is none, or ``extra`` sets a parameter that the judge itself sends.
    """
    server = server_of(settings, api_key)
    found = None
    try:
        found = await probe(server, settings, sleep=sleep)
    finally:
        if found is None:
            await server.close()
    return OpenAiJudge(server, spec_of(settings, found.mode), found.dialect), found


async def probe(
    server: OpenAiServer, settings: JudgeSettings, *, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
) -> Capabilities:
    """Finds out how JSON is had from a server, and whether it gives log probabilities.

    Raises:
        CandidateError: if no way was found, or the server cannot be used at all; the message says what it said.
        ConfigError: if ``extra`` sets a parameter that the judge itself sends.
    """
    probing = _Probing(server, settings, sleep, Dialect(), 0, [])
    for mode in MODES if settings.mode == "probe" else (settings.mode,):
        reply = await _tried(probing, mode)
        if reply is None:
            continue
        has_logprobs = reply.tokens is not None
        dialect = probing.dialect if has_logprobs else replace(probing.dialect, top_logprobs=0)
        return Capabilities(
            mode=mode,
            dialect=dialect,
            has_logprobs=has_logprobs,
            model_answered=reply.model,
            requests=probing.requests,
            notes=tuple(probing.notes),
        )
    raise CandidateError(
        f"the judge {settings.name} gives no JSON in any way that was tried: {'; '.join(probing.notes)}",
        kind=JudgeFault.REJECTED.value,
        hint="Choose another model, or a server that can hold its model to a JSON Schema",
    )


async def _tried(probing: _Probing, mode: ReplyMode) -> JudgeReply | None:
    """The reply in a mode where it is honoured; what the server refuses on the way is taken into the dialect."""
    while True:
        try:
            reply = await _asked(probing, mode)
        except CandidateError as error:
            if error.kind not in ABOUT_THE_FORM or _is_final(error.message):
                raise CandidateError(
                    f"the judge {probing.settings.name} cannot be used: {error.message}",
                    kind=error.kind,
                    hint="Check the address, the model and the key of the judge",
                ) from None
            simpler = _simpler(probing.dialect, error.message)
            probing.notes.append(f"{mode}: {error.message}")
            if simpler is None:
                return None
            probing.dialect = simpler
            continue
        flaw = _flaw_of(reply)
        if flaw is None:
            return reply
        probing.notes.append(f"{mode}: {flaw}")
        return None


async def _asked(probing: _Probing, mode: ReplyMode) -> JudgeReply:
    judge = OpenAiJudge(probing.server, spec_of(probing.settings, mode), probing.dialect)
    request = JudgeRequest(
        messages=MESSAGES,
        schema_name="probe",
        schema=SCHEMA,
        max_tokens=max(PROBE_TOKENS, probing.settings.max_tokens),
        seed=probing.settings.seed,
        top_logprobs=probing.dialect.top_logprobs,
    )
    turn = 0
    while True:
        turn += 1
        probing.requests += 1
        try:
            return await _in_time(judge, request, probing.settings)
        except CandidateError as error:
            is_silent = error.kind == JudgeFault.TIMEOUT.value
            if is_silent and turn >= TRIES_IN_SILENCE:
                raise CandidateError(f"{error.message}, asked {turn} times", kind=error.kind) from None
            if not error.retryable or turn >= TRIES:
                raise
            wait_s = FIRST_PAUSE_S * 2 ** (turn - 1) if error.retry_after_s is None else error.retry_after_s
            await probing.sleep(min(wait_s, LONGEST_PAUSE_S))


async def _in_time(judge: OpenAiJudge, request: JudgeRequest, settings: JudgeSettings) -> JudgeReply:
    allowed_s = min(settings.limits.call_timeout_s, LONGEST_REQUEST_S)
    try:
        async with asyncio.timeout(allowed_s):
            return await judge.ask(request)
    except TimeoutError:
        message = f"no reply to a tiny question within {allowed_s:g} s"
        raise CandidateError(message, kind=JudgeFault.TIMEOUT.value, retryable=True) from None


def _is_final(message: str) -> bool:
    """Whether a refusal has nothing to do with the form of the request: another form will not help."""
    return re.search(r"status (?:401|403|404)\b", message) is not None


def _simpler(dialect: Dialect, message: str) -> Dialect | None:
    """The dialect without what the server refused; ``None`` where its words name nothing that can be left out."""
    if dialect.limit_name == "max_tokens" and _LIMIT_REFUSED.search(message):
        return replace(dialect, limit_name="max_completion_tokens")
    if dialect.top_logprobs and _LOGPROBS_REFUSED.search(message):
        return replace(dialect, top_logprobs=5 if dialect.top_logprobs > 5 else 0)
    if dialect.takes_system and _SYSTEM_REFUSED.search(message):
        return replace(dialect, takes_system=False)
    return None


def _flaw_of(reply: JudgeReply) -> str | None:
    if reply.is_refusal:
        return f"the model declined: {shown(reply.text)}"
    try:
        data = json.loads(reply.text)
    except (ValueError, RecursionError):
        return f"the reply is no JSON: {shown(reply.text)}"
    if isinstance(data, dict) and set(data) == {FIELD} and data[FIELD] in VALUES:
        return None
    return f"the reply does not follow the schema: {shown(reply.text)}"
