"""Qdrant's engine in process: a graph is what is measured, its settings arrive, and nothing is left behind."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from beleg.adapters.indexes import qdrant_edge_index
from beleg.adapters.indexes.catalogue import builder_named
from beleg.core.errors import CandidateError, UsageError
from beleg.core.nearest import Admitted, BuildRequest, Similarity, VectorIndex
from beleg.metrics.neighbours.exact import exact_neighbours
from beleg.metrics.neighbours.recall import delivered

TOTAL, WIDTH, K = 3_000, 64, 10
CORPUS = np.random.default_rng(1).standard_normal((TOTAL, WIDTH), dtype=np.float32)
QUERIES = np.random.default_rng(2).standard_normal((60, WIDTH), dtype=np.float32)
TENTH = Admitted(5, "tenth", np.arange(0, TOTAL, 10))


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("scratch")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(folder))
        yield folder


@pytest.fixture(scope="module")
def index(scratch: Path) -> Iterator[VectorIndex]:
    built = builder_named("qdrant-edge").build(request_for(CORPUS, m=8, ef_construct=40, filters=(TENTH,)))
    yield built
    built.close()


def request_for(
    corpus: np.ndarray, *, filters: tuple[Admitted, ...] = (), threads: int = 1, **parameters: int
) -> BuildRequest:
    return BuildRequest(
        vectors=corpus, similarity=Similarity.COSINE, parameters=parameters, filters=filters, threads=threads
    )


def recall(index: VectorIndex, admitted: Admitted | None = None, **search: int) -> float:
    rows = None if admitted is None else admitted.rows
    exact = exact_neighbours(CORPUS, QUERIES, K, Similarity.COSINE, admitted=rows)
    found = index.search(QUERIES, K, search, admitted)
    return float(delivered(found, exact, CORPUS, QUERIES, Similarity.COSINE, admitted=rows).recall().mean())


def test_recall_rises_with_the_candidates_and_is_whole_when_every_vector_is_compared(index: VectorIndex) -> None:
    by_width = [recall(index, hnsw_ef=width) for width in (1, 32, 128, TOTAL)]
    # A scan would find all at any width; vectors drawn at random in 64 dimensions are hard for a graph of 8 links.
    assert by_width[0] < 0.6
    assert by_width == sorted(by_width)
    assert by_width[-1] > 0.95
    exact = exact_neighbours(CORPUS, QUERIES, K, Similarity.COSINE)
    assert index.search(QUERIES, K, {"hnsw_ef": 1, "exact": 1}).tolist() == exact.rows.tolist()


def test_under_a_filter_too_the_graph_is_walked_and_an_exact_search_is_exact(index: VectorIndex) -> None:
    narrow, wide = recall(index, TENTH, hnsw_ef=1), recall(index, TENTH, hnsw_ef=300)
    assert narrow < 0.9
    assert narrow < wide
    assert recall(index, TENTH, hnsw_ef=1, exact=1) == 1.0


def test_the_engine_wrote_down_the_settings_that_it_was_given(index: VectorIndex, scratch: Path) -> None:
    (kept,) = scratch.rglob("hnsw_config.json")
    said = json.loads(kept.read_text())
    assert {name: said[name] for name in ("m", "ef_construct", "full_scan_threshold", "max_indexing_threads")} == {
        "m": 8, "ef_construct": 40, "full_scan_threshold": 0, "max_indexing_threads": 1,
    }  # fmt: skip
    assert said["indexed_vector_count"] == TOTAL


def test_what_it_takes_grows_with_its_links(index: VectorIndex) -> None:
    more = builder_named("qdrant-edge").build(request_for(CORPUS, m=32, ef_construct=40, filters=(TENTH,)))
    assert CORPUS.nbytes < index.memory().bytes < more.memory().bytes < 5 * CORPUS.nbytes
    more.close()


def test_two_threads_build_a_graph_over_all_vectors_too(scratch: Path) -> None:
    built = builder_named("qdrant-edge").build(request_for(CORPUS, m=16, ef_construct=60, threads=2))
    assert recall(built, hnsw_ef=TOTAL) > 0.95
    built.close()


def test_vectors_that_get_no_graph_are_refused_and_leave_no_folder(scratch: Path) -> None:
    before = sorted(scratch.iterdir())
    with pytest.raises(UsageError, match="0 of 8 vectors of 16 components in its graph") as caught:
        builder_named("qdrant-edge").build(request_for(CORPUS[:8, :16]))
    assert "less than 1,024 bytes" in str(caught.value.hint)
    assert sorted(scratch.iterdir()) == before


def test_an_engine_that_indexes_a_part_only_is_refused(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qdrant_edge_index, "LEAST_KILOBYTES", 1_000_000)
    with pytest.raises(UsageError, match="0 of 3,000 vectors of 64 components"):
        builder_named("qdrant-edge").build(request_for(CORPUS))


def test_a_folder_is_removed_when_the_index_is_closed(scratch: Path) -> None:
    before = sorted(scratch.iterdir())
    built = builder_named("qdrant-edge").build(request_for(CORPUS[:100]))
    assert len(list(scratch.iterdir())) == len(before) + 1
    built.close()
    built.close()
    assert sorted(scratch.iterdir()) == before


def test_what_the_engine_says_is_told(scratch: Path) -> None:
    built = builder_named("qdrant-edge").build(request_for(CORPUS[:100]))
    with pytest.raises(CandidateError, match=r"qdrant-edge could not answer: .*expected dim: 64, got 3"):
        built.search(QUERIES[:1, :3], K, {})
    built.close()
