"""An embedding model behind an OpenAI-compatible server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from beleg.adapters.models.judge_responses import embedding_body, usage_of
from beleg.adapters.models.openai_server import OpenAiServer, ServerSettings
from beleg.core.errors import InvalidOutput
from beleg.core.inference import EmbeddingKind, EmbeddingReply, Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingSettings:
    """The model and how texts are given to it."""

    model: str
    batch_size: int = 64
    query_prefix: str = ""
    """What the model wants in front of a question, such as ``"query: "`` for the E5 family."""
    passage_prefix: str = ""


class OpenAiEmbeddings:
    """Turns texts into vectors by ``/embeddings``, in batches."""

    def __init__(self, server: ServerSettings, settings: EmbeddingSettings) -> None:
        self._server = OpenAiServer(server)
        self._settings = settings

    @property
    def identity(self) -> str:
        """Address, model and prefixes."""
        chosen = self._settings
        prefixes = f"query_prefix={chosen.query_prefix!r}, passage_prefix={chosen.passage_prefix!r}"
        return f"openai-embeddings({self._server.settings.place}, {chosen.model}, {prefixes})"

    @property
    def batch_size(self) -> int:
        """How many texts one request may hold."""
        return self._settings.batch_size

    async def request(self, texts: Sequence[str], kind: EmbeddingKind) -> EmbeddingReply:
        """Sends one request once, with whatever the model wants in front of texts of this kind.

        Raises:
            CandidateError: if the server cannot be reached or reports a fault; ``kind`` is a word of `JudgeFault`.
            InvalidOutput: if the reply does not hold one finite vector per text, all of one length.
        """
        chosen = self._settings
        prefix = chosen.query_prefix if kind == "query" else chosen.passage_prefix
        reply = embedding_body(await self._server.exchange("embeddings", self._body([prefix + text for text in texts])))
        told = usage_of(reply.get("usage"))
        # Nothing is written, so that what a server does not say here is none.
        usage = told if told.prompt_tokens is None else told.model_copy(update={"completion_tokens": 0})
        return EmbeddingReply(vectors=_vectors(reply, texts), usage=usage)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One row per text.

        Raises:
            CandidateError: if the server cannot be reached or reports a fault.
            InvalidOutput: if the reply does not hold one finite vector per text, all of one length.
        """
        size = self._settings.batch_size
        prefixed = [f"{self._settings.passage_prefix}{text}" for text in texts]
        batches = [await self._batch(prefixed[at : at + size]) for at in range(0, len(prefixed), size)]
        if not batches:
            return np.zeros((0, 0), dtype=np.float32)
        widths = {batch.shape[1] for batch in batches}
        if len(widths) != 1:
            raise InvalidOutput(f"the embedding model gave vectors of {len(widths)} lengths: {sorted(widths)}")
        return np.concatenate(batches)

    async def embed_query(self, text: str) -> Vectors:
        """One vector for a question.

        Raises:
            CandidateError: if the server cannot be reached or reports a fault.
            InvalidOutput: if the reply does not hold one finite vector.
        """
        return np.asarray((await self._batch([f"{self._settings.query_prefix}{text}"]))[0], dtype=np.float32)

    async def close(self) -> None:
        """Closes the connections."""
        await self._server.close()

    async def _batch(self, texts: Sequence[str]) -> Vectors:
        return _vectors(await self._server.post("embeddings", self._body(texts)), texts)

    def _body(self, texts: Sequence[str]) -> dict[str, Any]:
        return {"model": self._settings.model, "input": list(texts), "encoding_format": "float"}


def _vectors(reply: Mapping[str, Any], texts: Sequence[str]) -> Vectors:
    rows = reply.get("data")
    if not isinstance(rows, list) or len(rows) != len(texts):
        found = len(rows) if isinstance(rows, list) else "no"
        raise InvalidOutput(f"the embedding model gave {found} vectors for {len(texts)} texts")
    return _matrix(rows)


def _matrix(rows: Sequence[Any]) -> Vectors:
    """The vectors in the order of the texts, whatever the order of the reply."""
    by_index = {row.get("index"): row.get("embedding") for row in rows if isinstance(row, dict)}
    if set(by_index) != set(range(len(rows))):
        raise InvalidOutput("the embedding model did not number its vectors from 0, each once")
    try:
        matrix = np.array([by_index[at] for at in range(len(rows))], dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise InvalidOutput("the embedding model gave vectors that are not lists of numbers of one length") from error
    if matrix.ndim != 2 or matrix.shape[1] == 0 or not np.isfinite(matrix).all():
        raise InvalidOutput("the embedding model gave vectors that are empty or not finite")
    return matrix
