"""faiss IndexHNSWFlat: a layered graph of neighbours over whole vectors."""

from __future__ import annotations

from collections.abc import Mapping

from beleg.adapters.indexes import faiss_runtime
from beleg.adapters.indexes.preparing import prepared, settings
from beleg.core.inference import Vectors
from beleg.core.nearest import Admitted, BuildRequest, IndexKind, Parameter, Rows

KIND = IndexKind(
    name="faiss-hnsw",
    build=(
        Parameter(name="M", default=32, least=2, most=256),
        Parameter(name="efConstruction", default=100, most=10_000),
    ),
    search=(Parameter(name="efSearch", default=64, most=100_000),),
    note="A filter is applied while the graph is walked; a narrow one may leave places empty.",
)


class FaissHnsw:
    """Builds HNSW graphs with faiss."""

    kind = KIND

    def build(self, request: BuildRequest) -> FaissHnswIndex:
        """Adds all vectors; with one thread the same seed gives the same graph.

        Raises:
            MissingExtra: if faiss is not installed.
        """
        faiss = faiss_runtime.load()
        chosen = settings(KIND, KIND.build, request.parameters)
        metric = faiss_runtime.metric_of(faiss, request.similarity)
        with faiss_runtime.threads_of(faiss, request.threads):
            index = faiss.IndexHNSWFlat(request.vectors.shape[1], chosen["M"], metric)
            index.hnsw.efConstruction = chosen["efConstruction"]
            index.hnsw.rng = faiss.RandomGenerator(request.seed)
            index.add(prepared(request.vectors, request.similarity))
        return FaissHnswIndex(faiss, index, request.similarity, request.threads)


class FaissHnswIndex(faiss_runtime.FaissIndex):
    """A built graph."""

    def search(self, queries: Vectors, k: int, parameters: Mapping[str, int], admitted: Admitted | None = None) -> Rows:
        """Walks the graph with ``efSearch`` candidates."""
        chosen = settings(KIND, KIND.search, parameters)
        asked = self.faiss.SearchParametersHNSW(efSearch=chosen["efSearch"])
        return self.found(prepared(queries, self._similarity), k, asked, admitted)
