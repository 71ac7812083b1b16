"""faiss IndexIVFFlat: k-means cells, of which the nearest are searched whole."""

from __future__ import annotations

from collections.abc import Mapping

from beleg.adapters.indexes import faiss_runtime
from beleg.adapters.indexes.preparing import prepared, settings
from beleg.core.errors import UsageError
from beleg.core.inference import Vectors
from beleg.core.nearest import Admitted, BuildRequest, IndexKind, Parameter, Rows, Similarity

KIND = IndexKind(
    name="faiss-ivf",
    build=(Parameter(name="nlist", default=256, most=1_000_000),),
    search=(Parameter(name="nprobe", default=16, most=1_000_000),),
    note="A filter is applied inside the cells that are searched.",
)


class FaissIvf:
    """Builds inverted files with faiss."""

    kind = KIND

    def build(self, request: BuildRequest) -> FaissIvfIndex:
        """Trains the cells on the vectors and adds all of them; the seed is that of the k-means.

        Raises:
            MissingExtra: if faiss is not installed.
            UsageError: if there are more cells than vectors.
        """
        faiss = faiss_runtime.load()
        cells = settings(KIND, KIND.build, request.parameters)["nlist"]
        total, width = request.vectors.shape
        if cells > total:
            raise UsageError(f"{KIND.name} cannot make {cells:,} cells of {total:,} vectors", hint="Lower nlist")
        is_l2 = request.similarity is Similarity.L2
        with faiss_runtime.threads_of(faiss, request.threads):
            quantizer = faiss.IndexFlatL2(width) if is_l2 else faiss.IndexFlatIP(width)
            index = faiss.IndexIVFFlat(quantizer, width, cells, faiss_runtime.metric_of(faiss, request.similarity))
            index.cp.seed = request.seed
            # Few vectors a cell are the user's choice, and its recall tells; faiss would only print a warning.
            index.cp.min_points_per_centroid = 1
            vectors = prepared(request.vectors, request.similarity)
            index.train(vectors)
            index.add(vectors)
        return FaissIvfIndex(faiss, index, request.similarity, request.threads)


class FaissIvfIndex(faiss_runtime.FaissIndex):
    """A built inverted file."""

    def search(self, queries: Vectors, k: int, parameters: Mapping[str, int], admitted: Admitted | None = None) -> Rows:
        """Searches the ``nprobe`` nearest cells."""
        chosen = settings(KIND, KIND.search, parameters)
        asked = self.faiss.SearchParametersIVF(nprobe=chosen["nprobe"])
        return self.found(prepared(queries, self._similarity), k, asked, admitted)
