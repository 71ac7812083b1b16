"""A local embedding model by fastembed, where a model hub or a model folder is reachable."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from beleg.adapters.network import require_network
from beleg.core.errors import MissingExtra
from beleg.core.inference import Vectors


class _TextEmbedding(Protocol):
    """What is used of ``fastembed.TextEmbedding``."""

    def passage_embed(self, texts: Iterable[str]) -> Iterable[Any]: ...

    def query_embed(self, query: str) -> Iterable[Any]: ...


class FastEmbedEmbeddings:
    """Turns texts into vectors in this process; the work runs in a thread, so that other queries go on."""

    def __init__(self, model_name: str, *, model: _TextEmbedding) -> None:
        self._model_name = model_name
        self._model = model

    @classmethod
    def load(cls, model_name: str, *, cache_folder: Path, threads: int = 1) -> FastEmbedEmbeddings:
        """Loads a model, downloading it into the folder where it is not there yet.

        Raises:
            MissingExtra: if fastembed is not installed.
        """
        try:
            from fastembed import TextEmbedding
        except ImportError as error:
            raise MissingExtra("a local embedding model", "fastembed") from error
        if not cache_folder.exists():
            require_network(None, "a model hub")
        return cls(model_name, model=TextEmbedding(model_name, cache_dir=str(cache_folder), threads=threads))

    @property
    def identity(self) -> str:
        """The name of the model."""
        return f"fastembed({self._model_name})"

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One row per text."""
        return await asyncio.to_thread(lambda: _stacked(self._model.passage_embed(list(texts))))

    async def embed_query(self, text: str) -> Vectors:
        """One vector for a question."""
        rows = await asyncio.to_thread(lambda: _stacked(self._model.query_embed(text)))
        return np.asarray(rows[0], dtype=np.float32)

    async def close(self) -> None:
        """There is nothing to release."""


def _stacked(vectors: Iterable[Any]) -> Vectors:
    rows = [np.asarray(vector, dtype=np.float32) for vector in vectors]
    return np.stack(rows) if rows else np.zeros((0, 0), dtype=np.float32)
