"""The seams for models that are called over a network or in process: chat and embeddings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from beleg.core.judging import JudgeSpec
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


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRequest:
    """One request to a judge: the messages, and the schema that the reply must follow."""

    messages: tuple[ChatMessage, ...]
    """The fixed part first and the row last, so that a provider's prompt cache can hold the fixed part."""
    schema_name: str
    schema: Mapping[str, Any]
    """JSON Schema of the reply."""
    max_tokens: int
    seed: int | None = None
    top_logprobs: int = 0
    """How many alternatives are asked for at each position; 0 asks for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenChoice:
    """One position of a reply: the token that was chosen, and the alternatives with their log probabilities."""

    token: str
    alternatives: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeReply:
    """What a judge answered, raw."""

    text: str
    finish_reason: str | None = None
    model: str | None = None
    usage: Usage = field(default_factory=Usage)
    tokens: tuple[TokenChoice, ...] | None = None
    """``None`` where the server gave no log probabilities."""
    is_refusal: bool = False
    """Whether the server marked the reply as a refusal."""


class JudgeModel(Protocol):
    """A model that judges. ``ask`` sends one request once; trying again is the engine's business."""

    @property
    def spec(self) -> JudgeSpec:
        """Everything that can change a verdict."""
        ...

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        """Sends one request once.

        Raises:
            CandidateError: if the model cannot be reached or reports a fault; ``kind`` is a word of `JudgeFault`.
        """
        ...

    async def close(self) -> None:
        """Releases connections."""
        ...


class SupportModel(Protocol):
    """A dedicated verifier: how far a premise carries a hypothesis (NLI cross-encoder, HHEM)."""

    @property
    def spec(self) -> JudgeSpec:
        """Everything that can change a verdict."""
        ...

    def support(self, pairs: Sequence[tuple[str, str]]) -> Vectors:
        """For each pair of premise and hypothesis the probability, from 0 to 1, that the premise carries it."""
        ...


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


EmbeddingKind = Literal["query", "passage"]
"""How a text is meant; a model may want another prefix for each."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EmbeddingReply:
    """What an embedding model sent back for one request."""

    vectors: Vectors
    """One row per text, shape (texts, dimensions)."""
    usage: Usage = field(default_factory=Usage)


class EmbeddingServer(Protocol):
    """An embedding model that is paid or shared. ``request`` sends one request once, as a judge's ``ask`` does."""

    @property
    def identity(self) -> str:
        """Names provider, model, prefixes and parameters: everything that can change a vector."""
        ...

    @property
    def batch_size(self) -> int:
        """How many texts one request may hold."""
        ...

    async def request(self, texts: Sequence[str], kind: EmbeddingKind) -> EmbeddingReply:
        """Sends one request once.

        Raises:
            CandidateError: if the model cannot be reached or reports a fault; ``kind`` is a word of `JudgeFault`.
        """
        ...

    async def close(self) -> None:
        """Releases connections."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TokenVectors:
    """The tokens of one text with a vector for each, special tokens left out."""

    tokens: tuple[str, ...]
    vectors: Vectors
    """One row per token, shape (tokens, dimensions)."""


@runtime_checkable
class TokenEmbedder(Protocol):
    """A model that gives a vector for every token of a text, such as BERTScore needs."""

    @property
    def identity(self) -> str:
        """Names provider, model and parameters: everything that can change a vector."""
        ...

    async def embed_tokens(self, texts: Sequence[str]) -> Sequence[TokenVectors]:
        """The tokens of each text with their vectors.

        Raises:
            CandidateError: if the model cannot be reached or its reply is not usable.
        """
        ...
