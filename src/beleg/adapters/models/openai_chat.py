"""A chat model behind an OpenAI-compatible server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from beleg.adapters.models.openai_server import OpenAiServer, ServerSettings
from beleg.core.errors import InvalidOutput, shown
from beleg.core.inference import ChatMessage, ChatReply
from beleg.core.trace import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSettings:
    """The model and the parameters that can change its replies."""

    model: str
    temperature: float = 0.0
    max_tokens: int = 600
    seed: int | None = None


class OpenAiChat:
    """Continues a conversation by ``/chat/completions``."""

    def __init__(self, server: ServerSettings, settings: ChatSettings) -> None:
        self._server = OpenAiServer(server)
        self._settings = settings

    @property
    def identity(self) -> str:
        """Address, model and parameters."""
        chosen = self._settings
        parameters = f"temperature={chosen.temperature:g}, max_tokens={chosen.max_tokens}, seed={chosen.seed}"
        return f"openai-chat({self._server.settings.place}, {chosen.model}, {parameters})"

    async def complete(self, messages: Sequence[ChatMessage]) -> ChatReply:
        """Answers a conversation.

        Raises:
            CandidateError: if the server cannot be reached or reports a fault.
            InvalidOutput: if the reply holds no text or was cut off at the token limit.
        """
        body: dict[str, Any] = {
            "model": self._settings.model,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "temperature": self._settings.temperature,
            "max_tokens": self._settings.max_tokens,
        }
        if self._settings.seed is not None:
            body["seed"] = self._settings.seed
        reply = await self._server.post("chat/completions", body)
        return ChatReply(text=self._text(reply), model=_name(reply.get("model")), usage=_usage(reply.get("usage")))

    async def close(self) -> None:
        """Closes the connections."""
        await self._server.close()

    def _text(self, reply: dict[str, Any]) -> str:
        choices = reply.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, dict) else None
        text = message.get("content") if isinstance(message, dict) else None
        if not isinstance(choice, dict) or not isinstance(text, str) or not text.strip():
            raise InvalidOutput(f"the chat model gave no text: {shown(choices)}")
        if choice.get("finish_reason") == "length":
            raise InvalidOutput(
                f"the chat model was cut off at {self._settings.max_tokens} tokens", hint="Raise max_tokens"
            )
        return text


def _name(model: object) -> str | None:
    return model if isinstance(model, str) and model else None


def _usage(usage: object) -> Usage:
    counts = usage if isinstance(usage, dict) else {}
    return Usage(
        prompt_tokens=_count(counts.get("prompt_tokens")), completion_tokens=_count(counts.get("completion_tokens"))
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
