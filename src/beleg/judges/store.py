"""Where calls are kept: what was answered is never asked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from beleg.core.errors import CandidateError
from beleg.core.inference import JudgeReply, JudgeRequest, Vectors
from beleg.core.judging import Call, JudgeFault, JudgeSpec


class CallStore(Protocol):
    """Keeps calls by their key. Only a call with a reply is ever given back: errors are never cached."""

    def get(self, key: str) -> Call | None:
        """The call with this key that has a reply, or ``None``."""
        ...

    def put(self, call: Call) -> None:
        """Keeps a call, with or without a reply; it is on disk when this returns."""
        ...


class VectorStore(Protocol):
    """Keeps the vectors of texts by their key; what failed is never put into it."""

    @property
    def is_read_only(self) -> bool:
        """Whether nothing may be put."""
        ...

    def vectors(self, keys: Sequence[str]) -> dict[str, Vectors]:
        """The vectors that are known, by key."""
        ...

    def put_vectors(self, found: Mapping[str, Vectors]) -> None:
        """Keeps vectors; the first one with a key stays."""
        ...


class MemoryVectors:
    """Keeps vectors as long as the process lives."""

    is_read_only = False

    def __init__(self) -> None:
        self._known: dict[str, Vectors] = {}

    def vectors(self, keys: Sequence[str]) -> dict[str, Vectors]:
        """The vectors that are known, by key."""
        return {key: self._known[key] for key in keys if key in self._known}

    def put_vectors(self, found: Mapping[str, Vectors]) -> None:
        """Keeps vectors; the first one with a key stays."""
        for key, vector in found.items():
            self._known.setdefault(key, vector)


class MemoryStore:
    """Keeps calls as long as the process lives."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._answered: dict[str, Call] = {}

    def get(self, key: str) -> Call | None:
        """The call with this key that has a reply, or ``None``."""
        return self._answered.get(key)

    def put(self, call: Call) -> None:
        """Keeps a call; the first reply to a question stays."""
        self.calls.append(call)
        if call.reply is not None:
            self._answered.setdefault(call.key, call)


class LayeredStore:
    """The record of a run with a cache behind it that runs share.

    What the cache knows is copied into the record, so that the record alone is enough to replay the run. What was
    answered goes into both; what failed stays in the record.

    Args:
        record: of the run.
        cache: shared with other runs.
        is_cache_read_only: whether the cache is only read.
    """

    def __init__(self, record: CallStore, cache: CallStore, *, is_cache_read_only: bool = False) -> None:
        self._record = record
        self._cache = cache
        self._is_cache_read_only = is_cache_read_only

    def get(self, key: str) -> Call | None:
        """The call with this key that has a reply, or ``None``."""
        known = self._record.get(key)
        if known is None:
            known = self._cache.get(key)
            if known is not None:
                self._record.put(known)
        return known

    def put(self, call: Call) -> None:
        """Keeps a call."""
        self._record.put(call)
        if call.reply is not None and not self._is_cache_read_only:
            self._cache.put(call)


class ReplayStore:
    """A record that is only read: nothing is added when a run is replayed.

    Args:
        records: of the run, and of caches that it shared; the first that knows a call gives it.
    """

    def __init__(self, *records: CallStore) -> None:
        self._records = records

    def get(self, key: str) -> Call | None:
        """The call with this key that has a reply, or ``None``."""
        found = (record.get(key) for record in self._records)
        return next((call for call in found if call is not None), None)

    def put(self, call: Call) -> None:
        """Keeps nothing: what is not in the record was not asked."""


class ReplayModel:
    """Stands in for the judge when a run is replayed: it has no connection, so that nothing can be asked.

    Args:
        spec: the judge that gave the recorded replies.
    """

    def __init__(self, spec: JudgeSpec) -> None:
        self._spec = spec

    @property
    def spec(self) -> JudgeSpec:
        """The judge that gave the recorded replies."""
        return self._spec

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        """Gives no reply.

        Raises:
            CandidateError: always; the kind is ``not_recorded``.
        """
        raise CandidateError(
            f"no record holds this call of {request.schema_name}, and a replay asks nobody",
            kind=JudgeFault.NOT_RECORDED.value,
        )

    async def close(self) -> None:
        """There is nothing to release."""


class ReplayEmbedder:
    """Stands in for an embedding model on a server in a plan, where nobody is asked and only its identity is wanted.

    Args:
        identity: of the model that it stands for.
    """

    def __init__(self, identity: str) -> None:
        self._identity = identity

    @property
    def identity(self) -> str:
        """The model that it stands for."""
        return self._identity

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Gives no vectors.

        Raises:
            CandidateError: always; the kind is ``not_recorded``.
        """
        raise CandidateError(
            f"no record holds the vectors of {len(texts)} texts, and a plan asks nobody",
            kind=JudgeFault.NOT_RECORDED.value,
        )

    async def embed_query(self, text: str) -> Vectors:
        """Gives no vector.

        Raises:
            CandidateError: always; the kind is ``not_recorded``.
        """
        return await self.embed_passages([text])

    async def close(self) -> None:
        """There is nothing to release."""
