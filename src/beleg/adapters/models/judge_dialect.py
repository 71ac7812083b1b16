"""How a request to a judge is written down for one server: what it understands is told by a probe, never looked up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from beleg.core.digest import canonical_json
from beleg.core.errors import ConfigError, Problem
from beleg.core.inference import JudgeRequest
from beleg.core.judging import JudgeSpec

RESERVED = frozenset(
    {"model", "messages", "temperature", "top_p", "seed", "max_tokens", "max_completion_tokens", "response_format"}
    | {"tools", "tool_choice", "logprobs", "top_logprobs", "stream", "n", "functions", "function_call"}
)
"""Parameters that the judge itself sends; ``extra`` may not set them past it."""

CHECKED_ON_THE_REPLY = frozenset(
    {"title", "default", "pattern", "format", "uniqueItems", "multipleOf", "minItems", "maxItems"}
    | {"minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
)
"""Words of a schema that not every server takes; they are left out, and every reply is checked for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What one server understands beyond the mode."""

    limit_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """What it calls the longest reply."""
    top_logprobs: int = 20
    """How many alternatives it gives at a position; 0 where it gives none."""
    takes_system: bool = True
    """Whether its chat template knows a system message; else that goes in front of the first user message."""


def require_free(extra: Mapping[str, Any]) -> None:
    """Refuses further parameters that would change what the judge itself sends.

    Raises:
        ConfigError: naming the parameter.
    """
    taken = sorted(RESERVED & extra.keys())
    if taken:
        remedy = "Remove it; the other fields of the judge say this"
        raise ConfigError(
            [Problem(field=f"extra.{name}", message="is sent by the judge itself", remedy=remedy) for name in taken]
        )


class BodyWriter:
    """Writes the bodies of chat requests; the schema of a task is brought into form once.

    Args:
        spec: the judge.
        dialect: what its server understands.
    """

    def __init__(self, spec: JudgeSpec, dialect: Dialect) -> None:
        self._spec = spec
        self._dialect = dialect
        self._plain: dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {}

    def body_of(self, request: JudgeRequest) -> dict[str, Any]:
        """The body of one request."""
        given, plain = self._plain.get(request.schema_name, (None, {}))
        if given is not request.schema:
            plain = plain_schema(request.schema)
            self._plain[request.schema_name] = (request.schema, plain)
        return _body_of(self._spec, self._dialect, request, plain)


def _body_of(spec: JudgeSpec, dialect: Dialect, request: JudgeRequest, schema: Mapping[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": spec.model,
        "messages": _messages(spec, dialect, request, schema),
        "temperature": spec.temperature,
        dialect.limit_name: request.max_tokens,
    }
    if spec.top_p is not None:
        body["top_p"] = spec.top_p
    if request.seed is not None:
        body["seed"] = request.seed
    wanted = min(request.top_logprobs, dialect.top_logprobs)
    if wanted > 0:
        body |= {"logprobs": True, "top_logprobs": wanted}
    return body | _form(spec, request.schema_name, schema) | spec.extra


def plain_schema(schema: Any) -> Any:
    """A schema in the words that every server understands; the others are checked on the reply.

    Example:
        >>> plain_schema({"type": "array", "items": {"type": "string", "minLength": 1}, "maxItems": 9, "title": "Many"})
        {'type': 'array', 'items': {'type': 'string'}}
    """
    if isinstance(schema, list):
        return [plain_schema(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {}
    for word, value in schema.items():
        if word in {"properties", "$defs"}:
            # Their keys are names, not words of the schema: a field may well be called "title".
            plain[word] = {name: plain_schema(inner) for name, inner in value.items()}
        elif word in {"enum", "const", "required"}:
            plain[word] = value
        elif word not in CHECKED_ON_THE_REPLY:
            plain[word] = plain_schema(value)
    return plain


def _form(spec: JudgeSpec, name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    if spec.mode == "json_schema":
        named = {"name": name, "strict": True, "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": named}}
    if spec.mode == "tools":
        function = {"name": name, "strict": True, "parameters": schema}
        return {
            "tools": [{"type": "function", "function": function}],
            "tool_choice": {"type": "function", "function": {"name": name}},
        }
    return {"response_format": {"type": "json_object"}} if spec.mode == "json_object" else {}


def _is_shown(request: JudgeRequest) -> bool:
    """Whether the messages hold the schema already, as those of the engine do: it is paid for once."""
    whole = canonical_json(dict(request.schema)).decode()
    return bool(request.messages) and whole in request.messages[0].content


def _messages(
    spec: JudgeSpec, dialect: Dialect, request: JudgeRequest, schema: Mapping[str, Any]
) -> list[dict[str, str]]:
    messages = [{"role": message.role, "content": message.content} for message in request.messages]
    if spec.mode in {"json_object", "prompt"} and not _is_shown(request):
        # Behind the fixed part and before the row, so that it belongs to what a provider's prompt cache holds.
        shown = f"JSON Schema: {json.dumps(schema, ensure_ascii=False, separators=(',', ':'))}"
        if messages and messages[0]["role"] == "system":
            messages[0]["content"] += f"\n\n{shown}"
        else:
            messages.insert(0, {"role": "system", "content": shown})
    if not dialect.takes_system and len(messages) > 1 and messages[0]["role"] == "system":
        system = messages.pop(0)
        messages[0]["content"] = f"{system['content']}\n\n{messages[0]['content']}"
    return messages
