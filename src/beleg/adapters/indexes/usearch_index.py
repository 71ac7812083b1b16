"""usearch: HNSW with its own kernels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from beleg.adapters.indexes.preparing import settings
from beleg.core.errors import MissingExtra, UsageError
from beleg.core.inference import Vectors
from beleg.core.nearest import (
    ABSENT,
    Admitted,
    BuildRequest,
    IndexKind,
    MemoryReading,
    Parameter,
    Rows,
    Similarity,
)

KIND = IndexKind(
    name="usearch",
    build=(
        Parameter(name="connectivity", default=32, least=2, most=256),
        Parameter(name="expansion_add", default=100, most=10_000),
    ),
    search=(Parameter(name="expansion_search", default=64, most=100_000),),
    filters=False,
    note="Its Python package has no filters and no seed.",
)
METRICS = {Similarity.COSINE: "cos", Similarity.INNER_PRODUCT: "ip", Similarity.L2: "l2sq"}


class Usearch:
    """Builds HNSW graphs with usearch."""

    kind = KIND

    def build(self, request: BuildRequest) -> UsearchIndex:
        """Adds all vectors in single precision.

        Raises:
            MissingExtra: if usearch is not installed.
        """
        try:
            from usearch.index import Index  # optional
        except ModuleNotFoundError as error:
            raise MissingExtra("a usearch index", "ann") from error
        chosen = settings(KIND, KIND.build, request.parameters)
        total, width = request.vectors.shape
        index = Index(
            ndim=width,
            metric=METRICS[request.similarity],
            dtype="f32",
            connectivity=chosen["connectivity"],
            expansion_add=chosen["expansion_add"],
        )
        index.add(np.arange(total), np.ascontiguousarray(request.vectors), threads=request.threads)
        return UsearchIndex(index, request.threads)


class UsearchIndex:
    """A built graph."""

    def __init__(self, index: Any, threads: int) -> None:
        self._index, self._threads = index, threads

    def search(self, queries: Vectors, k: int, parameters: Mapping[str, int], admitted: Admitted | None = None) -> Rows:
        """Walks the graph with ``expansion_search`` candidates.

        Raises:
            UsageError: if a filter is given.
        """
        if admitted is not None:
            raise UsageError("usearch has no filters in Python")
        self._index.expansion_search = settings(KIND, KIND.search, parameters)["expansion_search"]
        rows: Rows = np.full((len(queries), k), ABSENT, dtype=np.int64)
        found = self._index.search(np.ascontiguousarray(queries), k, threads=self._threads)
        keys = np.asarray(found.keys, dtype=np.int64).reshape(len(queries), -1)
        counts = np.asarray(getattr(found, "counts", [keys.shape[1]])).reshape(-1, 1)
        rows[:, : keys.shape[1]] = np.where(np.arange(keys.shape[1]) < counts, keys, ABSENT)
        return rows

    def memory(self) -> MemoryReading:
        """The bytes of the index file."""
        return MemoryReading(
            bytes=int(self._index.serialized_length), how="size of the index written out, vectors included"
        )

    def close(self) -> None:
        """Releases the index."""
        self._index.reset()
