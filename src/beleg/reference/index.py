"""Builds the index of a corpus and searches its lanes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from beleg.core.digest import digest_of
from beleg.core.errors import CandidateError, UsageError
from beleg.core.inference import Embedder, Vectors
from beleg.core.ranking import ranked
from beleg.reference.cache import read_arrays, write_arrays
from beleg.reference.chunking import chunk_documents
from beleg.reference.dense import GramHasher, LsaModel, fit_lsa
from beleg.reference.documents import Chunk, Document, corpus_digest, require_usable_corpus
from beleg.reference.filters import Filters
from beleg.reference.language import Language
from beleg.reference.lexical import LexicalIndex
from beleg.reference.settings import DenseSettings, ReferenceSettings
from beleg.reference.term_weights import TermWeights
from beleg.reference.vector_lane import VectorLane

FORMAT = 1
"""Raised whenever the same corpus and settings would give another index."""

ENGINES = ("bm25s", "numpy", "pystemmer", "qdrant-client")


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneResult:
    """What the lanes found: passage ids with scores, best first, and the time each step took."""

    rankings: dict[str, list[tuple[str, float]]]
    stage_ms: dict[str, float]


BM25_HALF = 5.0
"""The BM25 score that counts half; measured on the demo corpus."""


def standing(passage_id: str, lanes: LaneResult) -> float:
    """How strongly the lanes hold a passage.

    Formula: mean over the lanes of the cosine (LSA) or ``s / (s + 5)`` (BM25), 0 for a lane that did not find it.
    Cosines of other embedding models have a scale of their own and are left out.
    Range: 0 to 1, higher is better.

    Example:
        >>> standing("p", LaneResult(rankings={"bm25": [("p", 5.0)], "lsa": [("q", 0.9)]}, stage_ms={}))
        0.25
    """
    held = []
    for lane, ranking in lanes.rankings.items():
        score = max(dict(ranking).get(passage_id, 0.0), 0.0)
        if lane != "dense":
            held.append(min(score, 1.0) if lane == "lsa" else score / (score + BM25_HALF))
    return sum(held) / len(held) if held else 0.0


class LsaEmbedder:
    """A fitted LSA space behind the interface of every other embedder."""

    def __init__(self, model: LsaModel, settings: DenseSettings) -> None:
        self._model = model
        self.identity = lsa_identity(settings)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One row per text."""
        return np.stack([self._model.embed(text) for text in texts])

    async def embed_query(self, text: str) -> Vectors:
        """One vector for a question."""
        return self._model.embed(text)

    async def close(self) -> None:
        """There is nothing to release."""


@dataclass(frozen=True, kw_only=True)
class Index:
    """Everything that was built from one corpus by one configuration."""

    documents: dict[str, Document]
    chunks: tuple[Chunk, ...]
    corpus_digest: str
    build_digest: str
    lexical: LexicalIndex | None
    vectors: VectorLane | None
    embedder: Embedder | None
    vectors_from_cache: bool

    @cached_property
    def chunk_by_id(self) -> dict[str, Chunk]:
        """The passages by their id."""
        return {chunk.passage_id: chunk for chunk in self.chunks}

    @cached_property
    def locales(self) -> tuple[str, ...]:
        """The locales that documents of the corpus state."""
        stated = (document.metadata.get("locale") for document in self.documents.values())
        return tuple(sorted({locale for locale in stated if isinstance(locale, str)}))

    @cached_property
    def term_weights(self) -> TermWeights:
        """How informative each term is."""
        return TermWeights([chunk.text for chunk in self.chunks], [self.language_of(chunk) for chunk in self.chunks])

    @property
    def vector_lane_name(self) -> str:
        """``lsa`` or ``dense``: only LSA cosines have a scale that is known."""
        return "lsa" if isinstance(self.embedder, LsaEmbedder) else "dense"

    @cached_property
    def indexed_positions(self) -> frozenset[int]:
        """The positions of the passages that at least one lane holds; BM25 takes every passage."""
        if self.lexical is not None or self.vectors is None:
            return frozenset(range(len(self.chunks)))
        return frozenset(int(position) for position in self.vectors.indexed)

    def language_of(self, chunk: Chunk) -> Language:
        """The language of a passage."""
        return self._languages[chunk.document_id]

    @cached_property
    def _languages(self) -> dict[str, Language]:
        return {name: document.language for name, document in self.documents.items()}

    async def search(self, question: str, language: Language, filters: Filters, depth: int) -> LaneResult:
        """Asks every lane for its best passages among those that the hard predicates admit.

        The lexical lane masks before it ranks, as the vector lane does, so that a filter never shortens a list.

        Raises:
            CandidateError: if an embedding model cannot be used.
        """
        rankings: dict[str, list[tuple[str, float]]] = {}
        stage_ms: dict[str, float] = {}
        if self.vectors is not None and self.embedder is not None:
            started = time.perf_counter()
            vector = await self.embedder.embed_query(question)
            stage_ms["embed"] = _ms_since(started)
            started = time.perf_counter()
            found = self.vectors.search(vector, filters.all, depth)
            rankings[self.vector_lane_name] = ranked((self.chunks[at].passage_id, score) for at, score in found)
            stage_ms["dense"] = _ms_since(started)
        if self.lexical is not None:
            started = time.perf_counter()
            rankings["bm25"] = self._lexical_ranking(question, language, filters, depth)
            stage_ms["bm25"] = _ms_since(started)
        return LaneResult(rankings=rankings, stage_ms=stage_ms)

    def _lexical_ranking(
        self, question: str, language: Language, filters: Filters, depth: int
    ) -> list[tuple[str, float]]:
        if self.lexical is None:
            return []
        scores = self.lexical.scores(question, language)
        admitted = {name: filters.admit(document.metadata) for name, document in self.documents.items()}
        matching = ((self.chunks[at], float(scores[at])) for at in np.flatnonzero(scores > 0))
        return ranked((chunk.passage_id, score) for chunk, score in matching if admitted[chunk.document_id])[:depth]

    def close(self) -> None:
        """Drops the collection of the vector lane."""
        if self.vectors is not None:
            self.vectors.close()


async def build_index(
    documents: Sequence[Document],
    settings: ReferenceSettings,
    *,
    cache_folder: Path | None = None,
    embedder: Embedder | None = None,
) -> Index:
    """Cuts, indexes and embeds a corpus.

    Args:
        documents: the corpus.
        settings: chunker and lanes.
        cache_folder: where vectors are kept between builds; ``None`` keeps nothing.
        embedder: the embedding model for a dense lane that is not ``lsa``.

    Returns:
        The index. Its build digest is over corpus, settings and engine versions.

    Raises:
        DataError: if the corpus is empty or an id stands twice.
        UsageError: if the dense lane needs an embedder and none is given.
        CandidateError: if the embedding model cannot be used.
    """
    require_usable_corpus(documents)
    chunks = tuple(chunk_documents(documents, settings.chunker))
    by_id = {document.document_id: document for document in documents}
    languages = {document.document_id: document.language for document in documents}
    texts = [chunk.text for chunk in chunks]
    corpus = corpus_digest(documents)
    build = _build_digest(corpus, settings, embedder)
    lexical = None
    if settings.lanes.bm25.enabled:
        lexical = LexicalIndex(texts, [languages[chunk.document_id] for chunk in chunks], settings.lanes.bm25)
    vectors, used, cached = None, None, False
    if settings.lanes.dense.enabled:
        used, matrix, cached = await _embedded(texts, settings.lanes.dense, build, cache_folder, embedder)
        vectors = VectorLane(matrix, [_payload(by_id[chunk.document_id]) for chunk in chunks])
    return Index(
        documents=by_id,
        chunks=chunks,
        corpus_digest=corpus,
        build_digest=build,
        lexical=lexical,
        vectors=vectors,
        embedder=used,
        vectors_from_cache=cached,
    )


def lsa_identity(settings: DenseSettings) -> str:
    """Names the LSA space by what it is made from, the corpus apart."""
    return f"lsa(chars=3-5, dimensions={settings.dimensions}, seed={settings.seed})"


async def _embedded(
    texts: Sequence[str],
    settings: DenseSettings,
    key: str,
    cache_folder: Path | None,
    embedder: Embedder | None,
) -> tuple[Embedder, Vectors, bool]:
    stored = read_arrays(cache_folder, key) if cache_folder is not None else None
    if settings.kind == "lsa":
        model, vectors = _lsa_from(stored) or fit_lsa(
            texts, dimensions=settings.dimensions, rng=np.random.default_rng(settings.seed)
        )
        used: Embedder = LsaEmbedder(model, settings)
        arrays = {"column_of": model.column_of, "idf": model.idf, "projection": model.projection, "vectors": vectors}
    else:
        if embedder is None:
            raise UsageError(
                f"the dense lane of kind '{settings.kind}' needs an embedder", hint="Pass one to build_index"
            )
        used = embedder
        vectors = _float32(stored, "vectors") if stored else await embedder.embed_passages(texts)
        if vectors.ndim != 2 or len(vectors) != len(texts):
            raise CandidateError(f"the embedder gave {vectors.shape} for {len(texts)} passages")
        arrays = {"vectors": vectors}
    if stored is None and cache_folder is not None:
        write_arrays(cache_folder, key, arrays)
    return used, vectors, stored is not None


def _lsa_from(stored: Mapping[str, Any] | None) -> tuple[LsaModel, Vectors] | None:
    if stored is None:
        return None
    model = LsaModel(
        column_of=np.asarray(stored["column_of"], dtype=np.int32),
        idf=_float32(stored, "idf"),
        projection=_float32(stored, "projection"),
        hasher=GramHasher(),
    )
    return model, _float32(stored, "vectors")


def _float32(stored: Mapping[str, Any], name: str) -> Vectors:
    return np.asarray(stored[name], dtype=np.float32)


def _build_digest(corpus: str, settings: ReferenceSettings, embedder: Embedder | None) -> str:
    return digest_of(
        {
            "format": FORMAT,
            "corpus": corpus,
            "chunker": settings.chunker.to_json_dict(),
            "lanes": settings.lanes.to_json_dict(),
            "embedder": embedder.identity if embedder is not None else None,
            "engines": {name: version(name) for name in ENGINES},
        }
    )


def _payload(document: Document) -> dict[str, Any]:
    return {name: str(value) for name, value in document.metadata.items() if value is not None}


def _ms_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
