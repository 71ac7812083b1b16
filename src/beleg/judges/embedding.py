"""Embeddings that are asked for once: kept like a judge's calls, and within the same limits and budget (J2, J6)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from beleg.core.errors import CandidateError
from beleg.core.inference import EmbeddingKind, EmbeddingReply, EmbeddingServer, Vectors
from beleg.core.judging import JudgeFault
from beleg.judges.budget import Need, TokenEstimate
from beleg.judges.sending import Ended, Errand, Gateway
from beleg.judges.store import VectorStore

KEY_LAYOUT = "1"
"""Raised whenever the form of the key changes."""


def vector_key(identity: str, kind: EmbeddingKind, text: str) -> str:
    """The content address of a vector, as ``sha256:<hex>``: the model with its prefixes, the kind and the text.

    Example:
        >>> vector_key("e", "query", "a") == vector_key("e", "passage", "a")
        False
    """
    hashed = hashlib.sha256(KEY_LAYOUT.encode())
    for field in (identity, kind, text):
        data = field.encode("utf-8", "backslashreplace")
        # The length in front keeps two texts from running into each other.
        hashed.update(b"\n%d:" % len(data))
        hashed.update(data)
    return f"sha256:{hashed.hexdigest()}"


class RecordedEmbedder:
    """An embedding model behind a server whose vectors are looked up before they are asked for.

    Each request takes one permit of the judge's limiter, counts in the same budget, and is sent again by the same rule
    as a judge's. What a server got wrong is never kept. In a replay nothing is sent.

    Args:
        server: the model.
        gateway: to its server, within the judge's limits and budget.
        stores: the record first, then caches; what a cache knows is copied into the record.
    """

    def __init__(self, server: EmbeddingServer, gateway: Gateway, stores: Sequence[VectorStore]) -> None:
        self._server = server
        self._gateway = gateway
        self._stores = tuple(stores)
        self._estimate = TokenEstimate()

    @property
    def identity(self) -> str:
        """The model that gives the vectors."""
        return self._server.identity

    @property
    def stopped(self) -> tuple[JudgeFault, str] | None:
        """Why nothing more is asked."""
        return self._gateway.stopped

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One row per text.

        Raises:
            CandidateError: if the model gives no vectors, the budget is used up, or a replay holds no record;
                ``kind`` is a word of `JudgeFault`.
            EvidenceError: if the store cannot be read or written.
        """
        return await self._embedded(texts, "passage")

    async def embed_query(self, text: str) -> Vectors:
        """One vector for a question.

        Raises:
            CandidateError: as for passages.
            EvidenceError: if the store cannot be read or written.
        """
        return np.asarray((await self._embedded([text], "query"))[0], dtype=np.float32)

    async def close(self) -> None:
        """Closes the connections of the model."""
        await self._server.close()

    async def _embedded(self, texts: Sequence[str], kind: EmbeddingKind) -> Vectors:
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        by_key = {vector_key(self.identity, kind, text): text for text in texts}
        known = self._known(list(by_key))
        missing = [key for key in by_key if key not in known]
        for at in range(0, len(missing), self._server.batch_size):
            keys = missing[at : at + self._server.batch_size]
            vectors = await self._asked([by_key[key] for key in keys], kind)
            found = dict(zip(keys, vectors, strict=True))
            self._keep(found)
            known |= found
        widths = {len(vector) for vector in known.values()}
        if len(widths) != 1:
            message = f"the vectors are of {len(widths)} lengths, {sorted(widths)}: the model under this name changed"
            raise CandidateError(message, kind=JudgeFault.BAD_RESPONSE.value)
        return np.stack([known[vector_key(self.identity, kind, text)] for text in texts])

    def _known(self, keys: Sequence[str]) -> dict[str, Vectors]:
        known: dict[str, Vectors] = {}
        for place, store in enumerate(self._stores):
            found = store.vectors([key for key in keys if key not in known])
            if place and found and not self._stores[0].is_read_only:
                self._stores[0].put_vectors(found)
            known |= found
        return known

    def _keep(self, found: dict[str, Vectors]) -> None:
        for store in self._stores:
            if not store.is_read_only:
                store.put_vectors(found)

    async def _asked(self, texts: Sequence[str], kind: EmbeddingKind) -> Vectors:
        size = sum(len(text.encode("utf-8", "backslashreplace")) for text in texts)
        errand = Errand(
            ask=lambda: self._whole(texts, kind),
            usage_of=lambda reply: reply.usage,
            need=Need(self._estimate.of(size, len(texts)), 0),
        )
        for number in range(1, self._gateway.attempts + 1):
            ended = await self._gateway.carry(errand, number)
            if ended.answer is not None:
                self._estimate.learn(size, ended.answer.usage)
                return ended.answer.vectors
            if not ended.may_help or number == self._gateway.attempts:
                break
            await self._gateway.pause(number)
        raise _fault_of(ended)

    async def _whole(self, texts: Sequence[str], kind: EmbeddingKind) -> EmbeddingReply:
        reply = await self._server.request(texts, kind)
        vectors = np.asarray(reply.vectors, dtype=np.float32)
        if vectors.ndim != 2 or len(vectors) != len(texts) or not vectors.shape[1] or not np.isfinite(vectors).all():
            message = f"the embedding model gave no usable vectors for {len(texts)} texts"
            raise CandidateError(message, kind=JudgeFault.BAD_RESPONSE.value, retryable=True)
        return EmbeddingReply(vectors=vectors, usage=reply.usage)


def _fault_of(ended: Ended[EmbeddingReply]) -> CandidateError:
    fault = ended.attempt.fault or JudgeFault.BAD_RESPONSE
    return CandidateError(ended.attempt.message or fault.value, kind=fault.value)
