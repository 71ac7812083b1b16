"""From what a server sent back to a judge's reply, or to the fault that it shows (J1, J6)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from beleg.adapters.models.openai_server import ServerResponse, json_object
from beleg.core.errors import CandidateError, InvalidOutput, shown
from beleg.core.inference import JudgeReply, TokenChoice
from beleg.core.judging import JudgeFault
from beleg.core.trace import Usage

MAX_EXCERPT_CHARS = 500

QUOTA_CODES = frozenset(
    {"insufficient_quota", "quota_exceeded", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance"}
    | {"insufficient_credits", "credit_balance_too_low"}
)
_QUOTA_WORDS = re.compile(
    r"insufficient_quota|quota|billing|insufficient (?:balance|credit)|credit balance", re.IGNORECASE
)
_TOO_LONG = re.compile(
    r"context_length_exceeded|context (?:length|size|window)|maximum context|too many tokens", re.IGNORECASE
)


def reply_of(response: ServerResponse) -> JudgeReply:
    """The reply in a response.

    Raises:
        CandidateError: if the response tells of a fault or holds no chat completion; ``kind`` is a word of
            `JudgeFault`.
    """
    if response.status != 200:
        raise _fault(response, response.status, None)
    if response.content_type != "application/json" and not response.content_type.endswith("+json"):
        raise _bad(f"{response.place} answered with {shown(response.content_type)}, not JSON: {response.excerpt}")
    try:
        body = json_object(response)
    except InvalidOutput as fault:
        raise _bad(fault.message) from None
    error = body.get("error")
    if error and not body.get("choices"):
        # Some gateways report the fault of the provider behind them with status 200.
        code = error.get("code") if isinstance(error, dict) else None
        raise _fault(response, code if isinstance(code, int) else 500, error)
    return _completion(response.place, body)


def embedding_body(response: ServerResponse) -> dict[str, Any]:
    """The body of a response to a request for embeddings.

    Raises:
        CandidateError: if the response tells of a fault or is no JSON object; ``kind`` is a word of `JudgeFault`.
    """
    if response.status != 200:
        raise _fault(response, response.status, None)
    try:
        return json_object(response)
    except InvalidOutput as fault:
        raise _bad(fault.message) from None


def _completion(place: str, body: Mapping[str, Any]) -> JudgeReply:
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and len(choices) == 1 else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise _bad(f"{place} sent no chat completion with one choice: {shown(choices)}")
    finish = _text_or_none(choice.get("finish_reason"))
    refusal = _text_or_none(message.get("refusal"))
    is_filtered = finish == "content_filter"
    return JudgeReply(
        text=refusal if refusal is not None else _text(message),
        finish_reason=finish,
        model=_text_or_none(body.get("model")),
        usage=usage_of(body.get("usage")),
        tokens=_tokens(choice.get("logprobs")),
        is_refusal=refusal is not None or is_filtered,
    )


def _text(message: Mapping[str, Any]) -> str:
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls:
        functions = [call.get("function") if isinstance(call, dict) else None for call in calls]
        arguments = [function.get("arguments") if isinstance(function, dict) else None for function in functions]
        # Two calls are two answers: put together they are no JSON, and none of them is picked.
        return "\n".join(argument for argument in arguments if isinstance(argument, str))
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _tokens(logprobs: object) -> tuple[TokenChoice, ...] | None:
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    if not isinstance(content, list) or not content:
        return None
    tokens = []
    for position in content:
        if not isinstance(position, dict) or not isinstance(position.get("token"), str):
            return None
        given = position.get("top_logprobs")
        alternatives: dict[str, Any] = {position["token"]: position.get("logprob")}
        for other in given if isinstance(given, list) else ():
            if isinstance(other, dict) and isinstance(other.get("token"), str):
                alternatives.setdefault(other["token"], other.get("logprob"))
        known = {token: value for token, value in alternatives.items() if _is_logprob(value)}
        tokens.append(TokenChoice(token=position["token"], alternatives=known))
    return tuple(tokens)


def _is_logprob(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    # Rounding may leave a hair above 0.
    return is_number and math.isfinite(value) and value <= 1e-6


def usage_of(usage: object) -> Usage:
    """The tokens that a server says it used; what it does not say is unknown."""
    counts = usage if isinstance(usage, dict) else {}
    return Usage(
        prompt_tokens=_count(counts.get("prompt_tokens")), completion_tokens=_count(counts.get("completion_tokens"))
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 10**12 else None


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _bad(message: str) -> CandidateError:
    return CandidateError(message, kind=JudgeFault.BAD_RESPONSE.value, retryable=True)


def _fault(response: ServerResponse, status: int, error: object) -> CandidateError:
    """The fault that a status and the words with it tell of."""
    said = response.data[: 8 * MAX_EXCERPT_CHARS].decode("utf-8", "replace")
    code = _code_of(response if error is None else error)
    fault = _word_for(status, code, said, response.retry_after_s)
    retryable = fault in {JudgeFault.RATE_LIMITED, JudgeFault.SERVER_ERROR, JudgeFault.TIMEOUT}
    return CandidateError(
        f"{response.place} answered with status {status}: {_one_line(said)}",
        kind=fault.value,
        retryable=retryable,
        retry_after_s=response.retry_after_s if retryable else None,
    )


def _word_for(status: int, code: str, said: str, retry_after: float | None) -> JudgeFault:
    if status in {402, 403, 429}:
        # A limit that passes may speak of a quota too, and then says when to come back.
        has_quota_words = retry_after is None and _QUOTA_WORDS.search(said) is not None
        if status == 402 or code in QUOTA_CODES or has_quota_words:
            return JudgeFault.QUOTA_EXHAUSTED
    if status == 429:
        return JudgeFault.RATE_LIMITED
    if status == 413 or (status == 400 and _TOO_LONG.search(f"{code} {said}")):
        return JudgeFault.TOO_LARGE
    if status in {408, 504}:
        return JudgeFault.TIMEOUT
    return JudgeFault.SERVER_ERROR if status >= 500 else JudgeFault.REJECTED


def _code_of(source: object) -> str:
    error = source
    if isinstance(source, ServerResponse):
        try:
            body = json_object(source)
        except InvalidOutput:
            return ""
        error = body.get("error", body)
    if not isinstance(error, dict):
        return ""
    named = [value for value in (error.get("code"), error.get("type")) if isinstance(value, str)]
    return next((value for value in named if value in QUOTA_CODES), named[0] if named else "")


def _one_line(said: str) -> str:
    words = " ".join(said.split())
    printable = "".join(character if character.isprintable() else "�" for character in words)
    return printable[:MAX_EXCERPT_CHARS] or "nothing"
