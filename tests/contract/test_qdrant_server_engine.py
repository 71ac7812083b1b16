"""What is asked of a Qdrant server means the same to Qdrant's own engine: settings, waiting, filters, exactness."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from beleg.adapters.indexes.catalogue import builder_named
from beleg.adapters.indexes.qdrant_index import QdrantServer
from beleg.core.errors import CandidateError
from beleg.core.nearest import Admitted, BuildRequest, Similarity
from beleg.metrics.neighbours.exact import exact_neighbours
from support.engine_server import EngineQdrant
from support.qdrant_server import FakeQdrant, fake_qdrant

TOTAL, WIDTH, K = 2_030, 64, 10
CORPUS = np.random.default_rng(1).standard_normal((TOTAL, WIDTH), dtype=np.float32)
QUERIES = np.random.default_rng(2).standard_normal((40, WIDTH), dtype=np.float32)
THIRD = Admitted(3, "third", np.arange(0, TOTAL, 3))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[FakeQdrant]:
    with fake_qdrant(server=EngineQdrant(tmp_path)) as running:
        yield running


def request_for(corpus: np.ndarray) -> BuildRequest:
    parameters = {"m": 8, "ef_construct": 40}
    return BuildRequest(vectors=corpus, similarity=Similarity.COSINE, parameters=parameters, filters=(THIRD,))


def place(server: FakeQdrant) -> QdrantServer:
    return QdrantServer(url=server.url, poll_s=0.01, settling_s=0.05)


def shared(found: np.ndarray, exact: np.ndarray) -> float:
    return float(np.mean([np.isin(one, other).mean() for one, other in zip(found, exact, strict=True)]))


def test_the_graph_holds_every_vector_and_is_what_answers(server: FakeQdrant) -> None:
    # The last batch has 30 vectors, which the engine would leave without a graph if the others had one by then.
    index = builder_named("qdrant", server=place(server)).build(request_for(CORPUS))
    for admitted in (None, THIRD):
        rows = None if admitted is None else admitted.rows
        exact = exact_neighbours(CORPUS, QUERIES, K, Similarity.COSINE, admitted=rows).rows
        narrow, wide = (index.search(QUERIES, K, {"hnsw_ef": width}, admitted) for width in (1, TOTAL))
        assert shared(narrow, exact) < 0.8
        assert shared(wide, exact) > 0.95
        assert index.search(QUERIES, K, {"hnsw_ef": 1, "exact": 1}, admitted).tolist() == exact.tolist()
    index.close()


def test_vectors_that_the_engine_leaves_out_of_its_graph_end_the_wait(server: FakeQdrant) -> None:
    with pytest.raises(CandidateError, match="leaves 30 of 30 vectors out of its graph"):
        builder_named("qdrant", server=place(server)).build(
            BuildRequest(vectors=CORPUS[:30], similarity=Similarity.L2, parameters={})
        )
    assert not server.collections
