"""Qdrant's own engine in this process: the graph of a server, without a server."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from beleg.adapters.indexes import qdrant_index
from beleg.adapters.indexes.preparing import settings
from beleg.core.errors import CandidateError, MissingExtra, UsageError
from beleg.core.inference import Vectors
from beleg.core.nearest import (
    ABSENT,
    Admitted,
    BuildRequest,
    IndexKind,
    MemoryReading,
    Rows,
    Similarity,
)

KIND = IndexKind(
    name="qdrant-edge",
    build=qdrant_index.SERVER.build,
    search=qdrant_index.SERVER.search,
    note="The engine of a Qdrant server in this process, with all vectors in one segment; it never compares with every "
    "vector in place of walking the graph. It takes no seed: two builds are two graphs. A search uses one "
    "thread however many the build has.",
)
DISTANCES = {Similarity.COSINE: "Cosine", Similarity.INNER_PRODUCT: "Dot", Similarity.L2: "Euclid"}
BATCH_ROWS = 1_000
QUERIES_AT_ONCE = 100
LEAST_KILOBYTES = 1
"""A segment with fewer kilobytes of vectors gets no graph; 0 would mean that none gets one."""
NEVER = 0
"""So many kilobytes of candidates are compared one by one and not through the graph."""
SEARCH_THREADS = 1
"""The engine gives a segment one thread, and all vectors lie in one; a second thread only adds the way between both."""
DISK_BLOCK = 512
MAX_SAID = 300
SERIALISED = "size on disk: vectors, graph, ids and filters"


class QdrantEdge:
    """Builds a shard in a temporary folder, which is removed when the index is closed."""

    kind = KIND

    def build(self, request: BuildRequest) -> QdrantEdgeIndex:
        """Stores all vectors and has the engine build its graph over them.

        Raises:
            MissingExtra: if qdrant-edge-py is not installed.
            UsageError: if there are too few vectors for the engine to build a graph.
            CandidateError: if the engine fails.
        """
        try:
            import qdrant_edge  # optional, and slow to load
        except ModuleNotFoundError as error:
            raise MissingExtra("a qdrant-edge index", "ann") from error
        chosen = settings(KIND, KIND.build, request.parameters)
        index = QdrantEdgeIndex(qdrant_edge)
        with ExitStack() as on_fault:
            on_fault.callback(index.close)
            index.create(request, chosen)
            index.fill(request)
            index.make_graph(request)
            on_fault.pop_all()
        return index


class QdrantEdgeIndex:
    """One shard and its folder."""

    def __init__(self, qdrant_edge: ModuleType) -> None:
        self._edge = qdrant_edge
        self._folder = tempfile.TemporaryDirectory(prefix="beleg-ann-", ignore_cleanup_errors=True)
        self._shard: Any = None

    def create(self, request: BuildRequest, chosen: Mapping[str, int]) -> None:
        """Creates the shard; one segment, so that the settings are those of one graph over all vectors."""
        edge = self._edge
        distance = getattr(edge.Distance, DISTANCES[request.similarity])
        with _faults("create its shard"):
            config = edge.EdgeConfig(
                vectors=edge.EdgeVectorParams(size=request.vectors.shape[1], distance=distance),
                hnsw_config=edge.HnswIndexConfig(
                    **chosen, full_scan_threshold=NEVER, max_indexing_threads=request.threads
                ),
                optimizers=edge.EdgeOptimizersConfig(indexing_threshold=LEAST_KILOBYTES, default_segment_number=1),
                max_search_threads=SEARCH_THREADS,
                wal_enabled=False,
            )
            self._shard = edge.EdgeShard.create(self._folder.name, config)

    def fill(self, request: BuildRequest) -> None:
        """Stores the vectors, each with the numbers of the filters that admit it."""
        edge, change = self._edge, self._edge.UpdateOperation
        with _faults("take the vectors"):
            if request.filters:
                # Before the graph is built, for the engine adds links between the rows of one filter to it.
                self._shard.update(change.create_field_index(qdrant_index.FILTER_FIELD, edge.PayloadSchemaType.Integer))
            payloads = qdrant_index.payloads(request) if request.filters else None
            for start in range(0, len(request.vectors), BATCH_ROWS):
                some = request.vectors[start : start + BATCH_ROWS].tolist()
                beside = [None] * len(some) if payloads is None else islice(payloads, len(some))
                points = [
                    edge.Point(id=row, vector=vector, payload=payload)
                    for row, (vector, payload) in enumerate(zip(some, beside, strict=True), start)
                ]
                self._shard.update(change.upsert_points(points))

    def make_graph(self, request: BuildRequest) -> None:
        """Has the graph built, and refuses to go on without one.

        Raises:
            UsageError: if the engine keeps the vectors without a graph.
        """
        with _faults("build its graph"):
            self._shard.optimize()
            # What was there before the graph stays on disk until then.
            self._shard.flush()
            told = self._shard.info()
        total, width = request.vectors.shape
        if told.points_count != total:
            raise CandidateError(f"qdrant-edge holds {told.points_count:,} of {total:,} vectors", kind="engine")
        if told.indexed_vectors_count < total:
            raise UsageError(
                f"qdrant-edge has {told.indexed_vectors_count:,} of {total:,} vectors of {width:,} components in its "
                "graph and would compare with every other",
                hint=f"It builds none over less than {LEAST_KILOBYTES * 1024:,} bytes of vectors: so few need no index",
            )

    def search(self, queries: Vectors, k: int, parameters: Mapping[str, int], admitted: Admitted | None = None) -> Rows:
        """Walks the graph with ``hnsw_ef`` candidates, or k where that is more; several queries go as batches."""
        edge = self._edge
        chosen = settings(KIND, KIND.search, parameters)
        how = edge.SearchParams(hnsw_ef=chosen["hnsw_ef"], exact=bool(chosen["exact"]))
        condition = None if admitted is None else self._condition(admitted)
        rows: Rows = np.full((len(queries), k), ABSENT, dtype=np.int64)
        for start in range(0, len(queries), QUERIES_AT_ONCE):
            asked = [
                edge.QueryRequest(limit=k, query=edge.Query.Nearest(query), filter=condition, params=how)
                for query in queries[start : start + QUERIES_AT_ONCE].tolist()
            ]
            with _faults("answer"):
                replies = self._shard.query_batch(edge.QueryBatchRequest(asked))
            for at, reply in enumerate(replies, start):
                found = [point.id for point in reply]
                rows[at, : len(found)] = found
        return rows

    def _condition(self, admitted: Admitted) -> Any:
        edge = self._edge
        match = edge.MatchValue(admitted.number)
        return edge.Filter(must=[edge.FieldCondition(key=qdrant_index.FILTER_FIELD, match=match)])

    def memory(self) -> MemoryReading:
        """What the files of the shard take on disk; the engine sets files aside that are mostly holes."""
        states = (path.stat() for path in Path(self._folder.name).rglob("*") if path.is_file())
        taken = sum(min(state.st_size, state.st_blocks * DISK_BLOCK) for state in states)
        return MemoryReading(bytes=taken, how=SERIALISED)

    def close(self) -> None:
        """Closes the shard and removes its folder."""
        try:
            if self._shard is not None:
                with _faults("close"):
                    self._shard.close()
        finally:
            self._shard = None
            self._folder.cleanup()


@contextmanager
def _faults(doing: str) -> Iterator[None]:
    """Turns what the engine raises, which is a bare ``Exception``, into an error that says what it should have done."""
    try:
        yield
    except Exception as error:
        said = " ".join(str(error).split())[:MAX_SAID]
        raise CandidateError(f"qdrant-edge could not {doing}: {said}", kind="engine") from error
