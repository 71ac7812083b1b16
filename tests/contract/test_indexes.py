"""Every index keeps one contract: nearest first, absent where there is none, filters kept, one seed one answer.

The server kind of Qdrant answers here through a small server on loopback that speaks as much of its protocol as the
client uses; it compares with every vector. `test_qdrant_server_engine` puts Qdrant's own engine behind that server.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import pytest

from beleg.adapters.indexes import catalogue, qdrant_index
from beleg.adapters.indexes.catalogue import BUILDERS, builder_named, is_installed, kind_named, kinds, require_usable
from beleg.core.errors import CandidateError, MissingExtra, UsageError
from beleg.core.nearest import ABSENT, Admitted, BuildRequest, IndexBuilder, Similarity
from beleg.metrics.neighbours.exact import exact_neighbours
from beleg.metrics.neighbours.recall import delivered
from support.qdrant_server import FakeQdrant, fake_qdrant

TOTAL, WIDTH, K = 600, 16, 5


UNSEEDED = {"qdrant-edge"}
"""Its engine draws the layers of the graph by a generator that nobody can set."""

# hnswlib has no wheel and must be compiled; it is under the contract wherever it is there.
HERE = [name for name in (*BUILDERS, "qdrant") if name != "hnswlib" or is_installed(name)]


@pytest.fixture(params=HERE)
def builder(request: pytest.FixtureRequest) -> Iterator[IndexBuilder]:
    if request.param != "qdrant":
        yield builder_named(request.param)
        return
    with fake_qdrant() as server:
        yield builder_named("qdrant", server=qdrant_index.QdrantServer(url=server.url, poll_s=0.01))
        assert not server.collections, "a collection was left behind"


def vectors(total: int = TOTAL, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((total, WIDTH), dtype=np.float32)


def request_for(corpus: np.ndarray, similarity: Similarity = Similarity.COSINE, **more: object) -> BuildRequest:
    cells = {"nlist": 8} if more.pop("cells", False) else {}
    return BuildRequest(vectors=corpus, similarity=similarity, parameters=cells, **more)


def asked(builder: IndexBuilder, corpus: np.ndarray, **more: object) -> BuildRequest:
    return request_for(corpus, cells=builder.kind.name == "faiss-ivf", **more)


@pytest.mark.parametrize("similarity", Similarity)
def test_what_it_finds_is_near(builder: IndexBuilder, similarity: Similarity) -> None:
    corpus, queries = vectors(), vectors(20, seed=2)
    index = builder.build(asked(builder, corpus, similarity=similarity))
    wide = {parameter.name: 200 for parameter in builder.kind.search if parameter.name != "exact"}
    found = index.search(queries, K, wide)
    assert found.shape == (20, K)
    assert found.dtype == np.int64
    exact = exact_neighbours(corpus, queries, K, similarity)
    counts = delivered(found, exact, corpus, queries, similarity)
    # A graph that is built over inner products is not bound to hold the nearest; a full search is.
    assert counts.recall().mean() > (0.9 if similarity is Similarity.INNER_PRODUCT else 0.98)
    assert not counts.foreign.any()
    assert not counts.repeated.any()
    index.close()


def test_one_query_gets_what_it_gets_among_others(builder: IndexBuilder) -> None:
    corpus, queries = vectors(), vectors(7, seed=3)
    index = builder.build(asked(builder, corpus))
    together = index.search(queries, K, {})
    alone = [index.search(queries[at : at + 1], K, {})[0].tolist() for at in range(7)]
    assert together.tolist() == alone
    index.close()


def test_the_same_seed_and_one_thread_give_the_same_answers(builder: IndexBuilder) -> None:
    if builder.kind.name in UNSEEDED:
        assert "no seed" in builder.kind.note
        return
    corpus, queries = vectors(), vectors(20, seed=4)
    answers = []
    for _ in range(2):
        index = builder.build(asked(builder, corpus, seed=7))
        answers.append(index.search(queries, K, {}).tolist())
        index.close()
    assert answers[0] == answers[1]


def test_a_filter_is_kept(builder: IndexBuilder) -> None:
    corpus, queries = vectors(), vectors(20, seed=5)
    third, few = Admitted(1, "third", np.arange(0, TOTAL, 3)), Admitted(2, "few", np.array([4, 9]))
    index = builder.build(asked(builder, corpus, filters=(third, few)))
    if not builder.kind.filters:
        with pytest.raises(UsageError, match="no filters"):
            index.search(queries, K, {}, third)
        return
    wide = {parameter.name: 300 for parameter in builder.kind.search if parameter.name != "exact"}
    for admitted in (third, few):
        found = index.search(queries, K, wide, admitted)
        assert set(np.unique(found).tolist()) <= {*admitted.rows.tolist(), ABSENT}
        exact = exact_neighbours(corpus, queries, K, Similarity.COSINE, admitted=admitted.rows)
        counts = delivered(found, exact, corpus, queries, Similarity.COSINE, admitted=admitted.rows)
        assert counts.recall().mean() > 0.9
    assert index.search(queries, K, wide).tolist() != index.search(queries, K, wide, third).tolist()
    index.close()


def test_where_fewer_rows_exist_than_are_wanted_the_rest_is_absent(builder: IndexBuilder) -> None:
    corpus = vectors(40)
    index = builder.build(asked(builder, corpus))
    wide = {parameter.name: 50 for parameter in builder.kind.search if parameter.name != "exact"}
    found = index.search(corpus[:2], 44, wide)
    assert found.shape == (2, 44)
    assert sorted(found[0].tolist()) == [ABSENT] * 4 + list(range(40))
    assert found[0, 0] == 0
    index.close()


def test_it_says_what_it_takes_and_how_that_was_found_out(builder: IndexBuilder) -> None:
    corpus = vectors()
    index = builder.build(asked(builder, corpus))
    told = index.memory()
    if builder.kind.name in ("qdrant", "qdrant-local"):
        assert told is None
    else:
        assert told is not None
        assert corpus.nbytes < told.bytes < 10 * corpus.nbytes
        assert told.how
    index.close()


def test_a_setting_that_it_does_not_have_is_refused(builder: IndexBuilder) -> None:
    corpus = vectors(50)
    with pytest.raises(UsageError, match="no setting 'depth'"):
        builder.build(BuildRequest(vectors=corpus, similarity=Similarity.L2, parameters={"depth": 3}))
    index = builder.build(asked(builder, corpus))
    with pytest.raises(UsageError, match="no setting 'depth'"):
        index.search(corpus[:1], 1, {"depth": 3})
    index.close()


@pytest.mark.parametrize("name", [kind.name for kind in kinds() if kind.build])
def test_a_setting_out_of_its_limits_is_refused(name: str) -> None:
    first = kind_named(name).build[0]
    with pytest.raises(UsageError, match=f"{first.name} must lie between"):
        first.require(first.most + 1)


def test_more_cells_than_vectors_are_refused() -> None:
    with pytest.raises(UsageError, match="256 cells of 50 vectors"):
        builder_named("faiss-ivf").build(request_for(vectors(50)))


def test_an_unknown_kind_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="no index called 'fais-hnsw'") as caught:
        kind_named("fais-hnsw")
    assert caught.value.hint == "Did you mean faiss-hnsw?"


@pytest.mark.parametrize(("name", "package"), [(name, package) for name, (_, package) in BUILDERS.items()])
def test_a_package_that_is_not_installed_is_named(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setitem(sys.modules, f"{package}.index", None)
    with pytest.raises((MissingExtra, UsageError), match="not installed"):
        builder_named(name).build(request_for(vectors(50)))


def test_a_qdrant_server_needs_an_address_and_an_answer() -> None:
    with pytest.raises(UsageError, match="needs a server"):
        builder_named("qdrant")
    nowhere = qdrant_index.QdrantServer(url="http://127.0.0.1:9", request_timeout_s=1)
    with pytest.raises(CandidateError, match=r"Qdrant at http://127\.0\.0\.1:9 could not create the collection"):
        builder_named("qdrant", server=nowhere).build(request_for(vectors(50)))


def test_a_qdrant_server_is_given_the_settings_and_waited_for() -> None:
    with fake_qdrant(polls_until_indexed=2) as server:
        place = qdrant_index.QdrantServer(url=server.url, poll_s=0.01)
        parameters = {"m": 24, "ef_construct": 77}
        corpus = vectors(50)
        index = builder_named("qdrant", server=place).build(
            BuildRequest(vectors=corpus, similarity=Similarity.L2, parameters=parameters)
        )
        index.search(corpus[:1], 3, {"hnsw_ef": 99, "exact": 1})
        assert told_graph(server) == {"m": 24, "ef_construct": 77, "full_scan_threshold": 10}
        assert server.polls == 3
        assert server.last_query["params"] == {"hnsw_ef": 99, "exact": True}
        index.close()


def told_graph(server: FakeQdrant) -> object:
    (settings,) = server.settings.values()
    return settings["hnsw_config"]


def test_a_qdrant_server_that_never_finishes_is_left_and_cleaned() -> None:
    with fake_qdrant(polls_until_indexed=10**9) as server:
        place = qdrant_index.QdrantServer(url=server.url, poll_s=0.01, indexing_timeout_s=0.05)
        with pytest.raises(CandidateError, match="0 of 50 vectors in its graph"):
            builder_named("qdrant", server=place).build(request_for(vectors(50)))
        assert not server.collections


def test_a_kind_that_cannot_be_built_is_refused_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    require_usable("faiss-hnsw")
    monkeypatch.setattr(catalogue, "is_installed", lambda name: False)
    with pytest.raises(MissingExtra, match="the index usearch needs packages"):
        require_usable("usearch")
    with pytest.raises(UsageError, match="hnswlib is not installed"):
        require_usable("hnswlib")
    with pytest.raises(UsageError, match="needs a server"):
        require_usable("qdrant")
