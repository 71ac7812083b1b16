"""hnswlib: the reference implementation of HNSW."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from beleg.adapters.indexes.preparing import settings
from beleg.core.errors import UsageError
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
    name="hnswlib",
    build=(
        Parameter(name="M", default=32, least=2, most=256),
        Parameter(name="efConstruction", default=100, most=10_000),
    ),
    search=(Parameter(name="efSearch", default=64, most=100_000),),
    note="A filter is a Python function, called for every row met: filtered latency is not that of the library.",
)
SPACES = {Similarity.COSINE: "cosine", Similarity.INNER_PRODUCT: "ip", Similarity.L2: "l2"}


def not_installed() -> UsageError:
    """The error for a missing package, which no extra of ours brings."""
    return UsageError("hnswlib is not installed", hint="Install it with: pip install hnswlib (needs a C++ compiler)")


class Hnswlib:
    """Builds HNSW graphs with hnswlib."""

    kind = KIND

    def build(self, request: BuildRequest) -> HnswlibIndex:
        """Adds all vectors; with one thread the same seed gives the same graph.

        Raises:
            UsageError: if hnswlib is not installed.
        """
        try:
            import hnswlib  # optional: it has to be compiled
        except ModuleNotFoundError as error:
            raise not_installed() from error
        chosen = settings(KIND, KIND.build, request.parameters)
        total, width = request.vectors.shape
        index = hnswlib.Index(space=SPACES[request.similarity], dim=width)
        index.init_index(
            max_elements=total, M=chosen["M"], ef_construction=chosen["efConstruction"], random_seed=request.seed
        )
        index.set_num_threads(request.threads)
        index.add_items(request.vectors, np.arange(total), num_threads=request.threads)
        return HnswlibIndex(index, request.threads)


class HnswlibIndex:
    """A built graph."""

    def __init__(self, index: Any, threads: int) -> None:
        self._index, self._threads = index, threads
        self._admits: dict[int, set[int]] = {}

    def search(self, queries: Vectors, k: int, parameters: Mapping[str, int], admitted: Admitted | None = None) -> Rows:
        """Walks the graph with ``efSearch`` candidates, or k where that is more."""
        chosen = settings(KIND, KIND.search, parameters)
        self._index.set_ef(max(chosen["efSearch"], k))
        wanted = min(k, self._index.get_current_count() if admitted is None else len(admitted.rows))
        rows: Rows = np.full((len(queries), k), ABSENT, dtype=np.int64)
        together = self._found(queries, wanted, admitted)
        if together is not None:
            rows[:, :wanted] = together
            return rows
        for number in range(len(queries)):
            self._fill(rows[number], queries[number : number + 1], wanted, admitted)
        return rows

    def _found(self, queries: Vectors, count: int, admitted: Admitted | None) -> Rows | None:
        """What hnswlib finds; ``None`` where one query finds fewer than asked for, which fails the whole call."""
        # A Python filter from several threads only waits for the interpreter.
        threads = self._threads if admitted is None else 1
        accepts = None if admitted is None else self._accepts(admitted)
        try:
            rows, _ = self._index.knn_query(queries, k=count, num_threads=threads, filter=accepts)
        except RuntimeError:
            return None
        return np.asarray(rows, dtype=np.int64)

    def _accepts(self, admitted: Admitted) -> Callable[[int], bool]:
        if admitted.number not in self._admits:
            self._admits[admitted.number] = set(admitted.rows.tolist())
        return self._admits[admitted.number].__contains__

    def _fill(self, row: Rows, query: Vectors, wanted: int, admitted: Admitted | None) -> None:
        """Takes as many neighbours as the graph gives."""
        for count in range(wanted, 0, -1):
            found = self._found(query, count, admitted)
            if found is not None:
                row[:count] = found[0]
                return

    def memory(self) -> MemoryReading:
        """The bytes of the index file."""
        return MemoryReading(
            bytes=int(self._index.index_file_size()), how="size of the index written out, vectors included"
        )

    def close(self) -> None:
        """Releases the index."""
        self._index = None
