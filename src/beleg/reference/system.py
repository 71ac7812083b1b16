"""The embedded RAG as a candidate that Beleg can test like any other."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from beleg.core.digest import digest_of
from beleg.core.errors import CandidateError, UsageError
from beleg.core.inference import ChatModel, Embedder
from beleg.core.inventory import Inventory, InventoryDocument, InventoryPassage
from beleg.core.manifest import Manifest, Setting
from beleg.core.ranking import ranked
from beleg.core.trace import Output, Passage, Query
from beleg.reference.documents import Document
from beleg.reference.extractive import ExtractiveGenerator
from beleg.reference.filters import Filters, filters_for
from beleg.reference.fusion import reciprocal_rank_fusion
from beleg.reference.generate import Evidence, Generator, render_context
from beleg.reference.index import Index, LaneResult, build_index, lsa_identity, standing
from beleg.reference.language import Language, detect_language, language_of_locale
from beleg.reference.prompted import PROMPT_VERSION, PromptedGenerator, system_prompt, user_prompt
from beleg.reference.rerank import OverlapReranker, Reranker
from beleg.reference.settings import ReferenceSettings

EXTRACTIVE = "extractive/1"
Ranking = list[tuple[str, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugins:
    """The models that a caller passes in where the settings ask for them."""

    embedder: Embedder | None = None
    chat_model: ChatModel | None = None
    reranker: Reranker | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drafted:
    """What the generator adds to an output."""

    fields: dict[str, Any]
    elapsed_ms: float


async def build_reference_rag(
    name: str,
    documents: Sequence[Document],
    settings: ReferenceSettings,
    *,
    plugins: Plugins | None = None,
    cache_folder: Path | None = None,
) -> ReferenceRag:
    """Indexes a corpus and wires the system.

    Args:
        name: what the candidate is called.
        documents: the corpus.
        settings: every setting.
        plugins: models that the settings ask for.
        cache_folder: where vectors are kept between builds.

    Returns:
        A candidate, ready to answer.

    Raises:
        DataError: if the corpus cannot be used.
        UsageError: if the settings ask for a model that was not passed in.
        CandidateError: if an embedding model cannot be used.
    """
    given = plugins or Plugins()
    if settings.generator.kind == "openai" and given.chat_model is None:
        raise UsageError(
            "the generator of kind 'openai' needs a chat model", hint="Pass one in Plugins(chat_model=...)"
        )
    if settings.rerank.kind == "hook" and given.reranker is None:
        raise UsageError("a hook reranker is configured and none is given", hint="Pass one in Plugins(reranker=...)")
    index = await build_index(documents, settings, cache_folder=cache_folder, embedder=given.embedder)
    return ReferenceRag(name, index, settings, given)


class ReferenceRag:
    """Retrieval over fused lanes, an optional reranker, and a generator; see `ReferenceSettings`."""

    def __init__(self, name: str, index: Index, settings: ReferenceSettings, plugins: Plugins) -> None:
        self._name = name
        self._index = index
        self._settings = settings
        self._plugins = plugins
        self._generator: Generator = (
            ExtractiveGenerator(index.term_weights, settings.generator)
            if plugins.chat_model is None or settings.generator.kind == "extractive"
            else PromptedGenerator(plugins.chat_model)
        )

    @property
    def index(self) -> Index:
        """What was built."""
        return self._index

    @cached_property
    def manifest(self) -> Manifest:
        """What the system is made of; every field is resolved or does not exist here."""
        settings = self._settings
        absent = ["judge_model", "judge_prompt"]
        absent += ["embedding_model"] if self._index.embedder is None else []
        absent += ["reranker"] if settings.rerank.kind == "none" else []
        absent += ["temperature"] if settings.generator.kind == "extractive" else []
        absent += ["seed"] if self._seed is None else []
        chunker = settings.chunker
        return Manifest(
            name=self._name,
            corpus_snapshot=self._index.corpus_digest,
            chunker=f"{chunker.kind}(size={chunker.size_tokens}, overlap={chunker.overlap_tokens})",
            embedding_model=None if self._index.embedder is None else self._index.embedder.identity,
            index_build=self._index.build_digest,
            retriever=self._retriever(),
            reranker=None if settings.rerank.kind == "none" else settings.rerank.name or settings.rerank.kind,
            top_k=settings.top_k,
            prompt=self._prompt_identity,
            generator=self._generator_identity,
            temperature=None if settings.generator.kind == "extractive" else settings.generator.temperature,
            seed=self._seed,
            application_revision=version("beleg"),
            not_used=tuple(absent),
        )

    async def answer(self, query: Query) -> Output:
        """Runs one question through the system.

        Raises:
            CandidateError: if a model that it uses fails.
        """
        language = _language_of(query)
        filters = filters_for(query.principal, language, self._settings.filters, self._index.locales)
        lanes = await self._index.search(query.text, language, filters, self._settings.candidates)
        stage_ms = dict(lanes.stage_ms)
        started = time.perf_counter()
        fused = self._fused(lanes, filters)
        stage_ms["fuse"] = _ms_since(started)
        final = fused
        if self._settings.rerank.kind != "none":
            started = time.perf_counter()
            final = await self._reranked(query.text, language, fused)
            stage_ms["rerank"] = _ms_since(started)
        delivered = final[: self._settings.top_k]
        drafted = None if query.retrieve_only else await self._drafted(query.text, language, delivered, lanes)
        if drafted is not None:
            stage_ms["generate"] = drafted.elapsed_ms
        return Output(
            filters=filters.all,
            retrieved=self._passages(fused),
            reranked=None if self._settings.rerank.kind == "none" else self._passages(final),
            delivered=self._passages(delivered),
            stage_ms=stage_ms,
            **({} if drafted is None else drafted.fields),
        )

    def inventory(self) -> Inventory:
        """All documents and passages; a passage is indexed when at least one lane holds it."""
        return Inventory(
            documents=tuple(
                InventoryDocument(
                    document_id=document.document_id,
                    text=document.text,
                    version=document.version,
                    metadata=document.metadata,
                )
                for document in self._index.documents.values()
            ),
            passages=tuple(
                InventoryPassage(
                    passage_id=chunk.passage_id,
                    document_id=chunk.document_id,
                    text=chunk.text,
                    indexed=position in self._index.indexed_positions,
                )
                for position, chunk in enumerate(self._index.chunks)
            ),
        )

    async def close(self) -> None:
        """Releases the collection and the connections of models."""
        self._index.close()
        await self._generator.close()
        if self._index.embedder is not None:
            await self._index.embedder.close()

    async def _drafted(self, question: str, language: Language, delivered: Ranking, lanes: LaneResult) -> _Drafted:
        started = time.perf_counter()
        evidence = self._evidence(delivered, lanes)
        draft = await self._generator.write(question, language, evidence)
        return _Drafted(
            fields={
                "prompt": self._prompt(question, language, evidence),
                "answer": draft.answer,
                "abstained": draft.abstained,
                "citations": draft.citations,
                "usage": draft.usage,
                "model_answered": draft.model,
            },
            elapsed_ms=_ms_since(started),
        )

    def _fused(self, lanes: LaneResult, filters: Filters) -> Ranking:
        rankings = [[name for name, _ in ranking] for ranking in lanes.rankings.values()]
        share = self._settings.filters.soft_boost
        boosted = (
            (name, score * filters.boost(self._document_of(name).metadata, share))
            for name, score in reciprocal_rank_fusion(rankings, k=self._settings.fusion.k)
        )
        return ranked(boosted)[: self._settings.retrieved]

    async def _reranked(self, question: str, language: Language, fused: Ranking) -> Ranking:
        chunks = [self._index.chunk_by_id[name] for name, _ in fused]
        reranker: Reranker = (
            self._plugins.reranker
            if self._settings.rerank.kind == "hook" and self._plugins.reranker is not None
            else OverlapReranker(self._index.term_weights, language)
        )
        scores = [float(score) for score in await reranker.scores(question, chunks)]
        if len(scores) != len(chunks) or not all(math.isfinite(score) for score in scores):
            raise CandidateError(
                f"the reranker gave {len(scores)} scores for {len(chunks)} passages, or one not finite"
            )
        return ranked(zip((chunk.passage_id for chunk in chunks), scores, strict=True))

    def _evidence(self, delivered: Ranking, lanes: LaneResult) -> list[Evidence]:
        chunks = [self._index.chunk_by_id[name] for name, _ in delivered]
        return [
            Evidence(
                number=number,
                chunk=chunk,
                language=self._index.language_of(chunk),
                standing=standing(chunk.passage_id, lanes),
            )
            for number, chunk in enumerate(chunks, start=1)
        ]

    def _prompt(self, question: str, language: Language, evidence: Sequence[Evidence]) -> str:
        if self._settings.generator.kind == "extractive":
            return render_context(evidence)
        return f"{system_prompt(language)}\n\n{user_prompt(question, evidence)}"

    def _passages(self, ranking: Ranking) -> tuple[Passage, ...]:
        chunks = ((self._index.chunk_by_id[name], score) for name, score in ranking)
        return tuple(chunk.as_passage(self._index.documents[chunk.document_id], score) for chunk, score in chunks)

    def _document_of(self, passage_id: str) -> Document:
        return self._index.documents[self._index.chunk_by_id[passage_id].document_id]

    @property
    def _seed(self) -> int | None:
        dense = self._settings.lanes.dense
        if dense.enabled and dense.kind == "lsa":
            return dense.seed
        return self._settings.generator.seed if self._settings.generator.kind == "openai" else None

    @property
    def _prompt_identity(self) -> str:
        if self._settings.generator.kind == "extractive":
            return f"{EXTRACTIVE} quotes without a prompt"
        return f"{PROMPT_VERSION} {digest_of([system_prompt('de'), system_prompt('en')])}"

    @property
    def _generator_identity(self) -> str:
        generator = self._settings.generator
        if self._plugins.chat_model is not None and generator.kind == "openai":
            return self._plugins.chat_model.identity
        return f"{EXTRACTIVE}(max_sentences={generator.max_sentences}, minimum_evidence={generator.minimum_evidence})"

    def _retriever(self) -> dict[str, Setting]:
        settings = self._settings
        bm25, dense = settings.lanes.bm25, settings.lanes.dense
        found: dict[str, Setting] = {
            "fusion": settings.fusion.kind,
            "fusion_k": settings.fusion.k,
            "candidates": settings.candidates,
            "retrieved": settings.retrieved,
            "relevance_filter": settings.filters.relevance,
            "bm25": bm25.enabled,
            "dense": dense.enabled,
        }
        if bm25.enabled:
            found |= {f"bm25_{name}": value for name, value in bm25.to_json_dict().items() if name != "enabled"}
        if dense.enabled:
            found["dense_kind"] = lsa_identity(dense) if dense.kind == "lsa" else dense.kind
        if settings.filters.relevance == "locale_soft":
            found["soft_boost"] = settings.filters.soft_boost
        return found


def _language_of(query: Query) -> Language:
    """The language of the case where it is stated, else what the words of the question look like."""
    if query.language is not None:
        return language_of_locale(query.language, query.text)
    return detect_language(query.text)


def _ms_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
