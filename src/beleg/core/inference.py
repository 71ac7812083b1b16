"""The seams for models that are called over a network or in process: chat and embeddings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from beleg.core.trace import Usage

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message of a chat request."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """What a chat model answered, and what it cost."""

    text: str
    model: str | None = None
    usage: Usage = field(default_factory=Usage)


class ChatModel(Protocol):
    """A model that continues a conversation."""

    @property
    def identity(self) -> str:
        """Names provider, model and parameters: everything that can change a reply."""
        ...

    async def complete(self, messages: Sequence[ChatMessage]) -> ChatReply:
        """Answers a conversation.

        Raises:
            CandidateError: if the model cannot be reached or its reply is not usable.
        """
        ...

    async def close(self) -> None:
        """Releases connections."""
        ...


class Embedder(Protocol):
    """A model that turns texts into vectors of one fixed length."""

    @property
    def identity(self) -> str:
        """Names provider, model and parameters: everything that can change a vector."""
        ...

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One row per text.

        Raises:
            CandidateError: if the model cannot be reached or its reply is not usable.
        """
        ...

    async def embed_query(self, text: str) -> Vectors:
        """One vector for a question.

        Raises:
            CandidateError: if the model cannot be reached or its reply is not usable.
        """
        ...

    async def close(self) -> None:
        """Releases connections."""
        ...
