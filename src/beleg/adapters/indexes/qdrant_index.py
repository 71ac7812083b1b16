"""Qdrant: its in-process mode, which compares with every vector, and a server with an HNSW graph."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from beleg.adapters.indexes.preparing import settings
from beleg.adapters.network import require_network
from beleg.core.errors import CandidateError, MissingExtra, UsageError, shown
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

LOCAL = IndexKind(
    name="qdrant-local",
    note="The in-process mode of the client compares with every vector in numpy: its recall is 1 and says nothing "
    "about the graph of a server.",
)
SERVER = IndexKind(
    name="qdrant",
    build=(
        Parameter(name="m", default=16, least=2, most=256),
        Parameter(name="ef_construct", default=100, least=4, most=10_000),
    ),
    search=(
        Parameter(name="hnsw_ef", default=64, most=100_000),
        Parameter(name="exact", default=0, least=0, most=1),
    ),
    note="Latency holds the way to the server and back. Below its full_scan_threshold a server compares with every "
    "vector; it is set to the least here, so that the graph is what is measured.",
)
FILTER_FIELD = "filter"
BATCH_ROWS = 500
QUERIES_AT_ONCE = 100
LEAST_KILOBYTES = 10
NO_GRAPH_YET = 0
"""As threshold: a server then builds no graph."""
MAX_SAID = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class QdrantServer:
    """Where a server is, and how long to wait for it."""

    url: str
    api_key: str | None = None
    request_timeout_s: int = 120
    indexing_timeout_s: float = 3_600.0
    poll_s: float = 1.0
    settling_s: float = 30.0
    """How long a server may rest, with vectors outside its graph, before that counts as its last word."""


class Qdrant:
    """Builds a collection: in this process, or on a server under a fresh name that is dropped at the end."""

    def __init__(self, server: QdrantServer | None = None) -> None:
        self._server = server

    @property
    def kind(self) -> IndexKind:
        """The in-process mode has no settings."""
        return LOCAL if self._server is None else SERVER

    def build(self, request: BuildRequest) -> QdrantIndex:
        """Uploads all vectors and waits until the server has indexed them.

        Raises:
            MissingExtra: if the client is not installed.
            UsageError: if the address of the server cannot be read.
            CandidateError: if the server cannot be reached or does not finish its index in time.
        """
        try:
            from qdrant_client import QdrantClient  # optional, and slow to load
        except ModuleNotFoundError as error:
            raise MissingExtra("a Qdrant index", "ann") from error
        chosen = settings(self.kind, self.kind.build, request.parameters)
        server = self._server
        client = QdrantClient(":memory:") if server is None else _client(QdrantClient, server)
        place = "in this process" if server is None else server.url
        index = QdrantIndex(client, self.kind, place, len(request.vectors))
        try:
            index.fill(request, chosen)
            if server is not None:
                index.make_graph(server)
        except CandidateError as error:
            index.abandon(error)
            raise
        return index


def _client(make: Callable[..., Any], server: QdrantServer) -> Any:
    require_network(server.url, "Qdrant")
    try:
        return make(url=server.url, api_key=server.api_key, timeout=server.request_timeout_s, check_compatibility=False)
    except ValueError as error:
        said = " ".join(str(error).split())[:MAX_SAID]
        raise UsageError(f"{shown(server.url)} is no address of a Qdrant server: {said}") from error


class QdrantIndex:
    """One collection."""

    def __init__(self, client: Any, kind: IndexKind, place: str, total: int) -> None:
        self._client, self._kind, self._place, self._total = client, kind, place, total
        self._collection = f"beleg-ann-{uuid.uuid4().hex}"
        self._created = False

    def fill(self, request: BuildRequest, chosen: Mapping[str, int]) -> None:
        """Creates the collection and uploads vectors, each with the numbers of the filters that admit it."""
        from qdrant_client import models

        distance = {
            Similarity.COSINE: models.Distance.COSINE,
            Similarity.INNER_PRODUCT: models.Distance.DOT,
            Similarity.L2: models.Distance.EUCLID,
        }[request.similarity]
        graph = models.HnswConfigDiff(**chosen, full_scan_threshold=LEAST_KILOBYTES) if chosen else None
        optimizers = models.OptimizersConfigDiff(indexing_threshold=NO_GRAPH_YET) if chosen else None
        with self._faults("create the collection"):
            self._client.create_collection(
                self._collection,
                vectors_config=models.VectorParams(size=request.vectors.shape[1], distance=distance),
                hnsw_config=graph,
                optimizers_config=optimizers,
            )
        self._created = True
        with self._faults("take the vectors"):
            if request.filters and chosen:
                self._client.create_payload_index(
                    self._collection, field_name=FILTER_FIELD, field_schema=models.PayloadSchemaType.INTEGER
                )
            self._client.upload_collection(
                self._collection,
                vectors=request.vectors,
                ids=range(self._total),
                payload=payloads(request),
                batch_size=BATCH_ROWS,
                wait=True,
            )

    def make_graph(self, server: QdrantServer) -> None:
        """Has the server build its graph, and waits until it says that every vector is in it.

        It is built when all vectors are there: a server leaves out what comes in small numbers after a graph is built.

        Raises:
            CandidateError: if that takes too long, or the server leaves vectors out.
        """
        from qdrant_client import models

        with self._faults("build its graph"):
            self._client.update_collection(
                self._collection,
                optimizers_config=models.OptimizersConfigDiff(indexing_threshold=LEAST_KILOBYTES),
            )
        began = changed = time.monotonic()
        before = 0
        while True:
            indexed, at_rest = self._state()
            if at_rest and indexed >= self._total:
                return
            now = time.monotonic()
            if indexed != before or not at_rest:
                before, changed = indexed, now
            if now - changed > server.settling_s:
                raise CandidateError(
                    f"the Qdrant server leaves {self._total - indexed:,} of {self._total:,} vectors out of its graph",
                    hint=f"It builds none over less than {LEAST_KILOBYTES} kB of vectors in one of its segments",
                    kind="no_graph",
                )
            if now - began > server.indexing_timeout_s:
                raise CandidateError(
                    f"the Qdrant server had {indexed:,} of {self._total:,} vectors in its graph "
                    f"after {server.indexing_timeout_s:g} s",
                    kind="timeout",
                )
            time.sleep(server.poll_s)

    def _state(self) -> tuple[int, bool]:
        """How many vectors are in the graph, and whether the server has nothing more to do."""
        with self._faults("tell its state"):
            state = self._client.get_collection(self._collection)
        return state.indexed_vectors_count or 0, str(getattr(state.status, "value", state.status)) == "green"

    def search(self, queries: Vectors, k: int, parameters: Mapping[str, int], admitted: Admitted | None = None) -> Rows:
        """Asks for every query; several at once go as batches."""
        from qdrant_client import models

        chosen = settings(self._kind, self._kind.search, parameters)
        how = models.SearchParams(hnsw_ef=chosen["hnsw_ef"], exact=bool(chosen["exact"])) if chosen else None
        condition = None
        if admitted is not None:
            match = models.MatchValue(value=admitted.number)
            condition = models.Filter(must=[models.FieldCondition(key=FILTER_FIELD, match=match)])
        rows: Rows = np.full((len(queries), k), ABSENT, dtype=np.int64)
        asked = [
            models.QueryRequest(query=query.tolist(), filter=condition, limit=k, params=how, with_payload=False)
            for query in queries
        ]
        for start in range(0, len(asked), QUERIES_AT_ONCE):
            some = asked[start : start + QUERIES_AT_ONCE]
            with self._faults("answer"):
                replies = self._client.query_batch_points(self._collection, requests=some)
            for at, reply in enumerate(replies, start):
                found = [int(point.id) for point in reply.points]
                rows[at, : len(found)] = found
        return rows

    def memory(self) -> MemoryReading | None:
        """Not told: neither mode says what the collection takes."""
        return None

    def close(self) -> None:
        """Drops the collection, if it was created here, and the connection."""
        try:
            if self._created:
                with self._faults("drop the collection"):
                    self._client.delete_collection(self._collection)
        finally:
            self._created = False
            self._client.close()

    def abandon(self, cause: CandidateError) -> None:
        """Closes after a fault; if the collection stays behind, the fault says so."""
        try:
            self.close()
        except CandidateError as error:
            cause.add_note(f"the collection {self._collection} stays on the server: {error.message}")

    @contextmanager
    def _faults(self, doing: str) -> Iterator[None]:
        """Turns what the client raises into an error that names the server and what it should have done."""
        from qdrant_client.http.exceptions import ApiException

        try:
            yield
        except ApiException as error:
            said = " ".join(str(error).split())[:MAX_SAID]
            raise CandidateError(f"Qdrant at {self._place} could not {doing}: {said}", kind="server") from error


def payloads(request: BuildRequest) -> Iterator[dict[str, list[int]]]:
    """For every row the numbers of the filters that admit it."""
    flags = np.zeros((len(request.vectors), len(request.filters)), dtype=np.bool_)
    for at, admitted in enumerate(request.filters):
        flags[admitted.rows, at] = True
    numbers = np.array([admitted.number for admitted in request.filters], dtype=np.int64)
    return ({FILTER_FIELD: numbers[row].tolist()} for row in flags)
