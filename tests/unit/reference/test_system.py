from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from beleg.core.case import Principal
from beleg.core.errors import CandidateError, UsageError
from beleg.core.inference import Vectors
from beleg.core.protocols import Candidate
from beleg.core.ranking import ranked
from beleg.core.trace import Output, Query
from beleg.reference.documents import Chunk, Document
from beleg.reference.settings import ReferenceSettings, read_settings
from beleg.reference.system import Plugins, ReferenceRag, build_reference_rag
from unit.reference.test_generate import ScriptedChat

OPEN = {"tenant": "shared", "entitlement": "public", "status": "published", "locale": "en-GB", "version": "v1"}
DOCUMENTS = [
    Document.of_text("tent", "The red tent weighs 2 kg. It costs €379.", title="Tent", **OPEN),
    Document.of_text("boat", "The blue boat weighs 30 kg. It costs €900.", title="Boat", **OPEN),
    Document.of_text("old", "The red tent costs €200.", title="Old", **{**OPEN, "status": "superseded"}),
    Document.of_text("staff", "The red tent is bought for €90.", title="Staff", **{**OPEN, "entitlement": "staff"}),
    Document.of_text("other", "The red tent costs €1.", title="Other", **{**OPEN, "tenant": "rival"}),
    Document.of_text("zelt", "Das rote Zelt kostet 379 €.", title="Zelt", **{**OPEN, "locale": "de-DE"}),
]
QUERY = Query(case_id="c1", text="What does the red tent cost?", principal=Principal(tenant="shop", locale="en-GB"))


def settings(**block: Any) -> ReferenceSettings:
    return read_settings({"corpus": {"path": "corpus"}, **block})


def built(configured: ReferenceSettings, **options: Any) -> ReferenceRag:
    return asyncio.run(build_reference_rag("candidate", DOCUMENTS, configured, **options))


def answered(query: Query = QUERY, *, plugins: Plugins | None = None, **block: Any) -> Output:
    rag = built(settings(**block), plugins=plugins)
    return asyncio.run(rag.answer(query))


def documents_in(output: Output) -> set[str]:
    stages = (output.retrieved, output.reranked or (), output.delivered or ())
    return {passage.document_id for stage in stages for passage in stage}


def test_it_is_a_candidate_and_answers_with_every_stage_recorded() -> None:
    rag = built(settings(rerank={"kind": "overlap"}))
    assert isinstance(rag, Candidate)
    output = asyncio.run(rag.answer(QUERY))
    assert output.answer is not None
    assert "€379" in output.answer
    assert output.abstained is False
    assert set(output.stage_ms) == {"embed", "dense", "bm25", "fuse", "rerank", "generate"}
    assert output.prompt is not None
    assert all(passage.text in output.prompt for passage in output.delivered or () if passage.text)
    assert output.delivered == (output.reranked or ())[:5]
    assert output.retrieved[0].version == "v1"
    asyncio.run(rag.close())


@pytest.mark.parametrize("lanes", [{}, {"bm25": {"enabled": False}}, {"dense": {"enabled": False}}])
def test_no_lane_shows_what_a_principal_may_not_see(lanes: dict[str, Any]) -> None:
    assert documents_in(answered(lanes=lanes)) <= {"tent", "boat", "zelt"}
    staff = QUERY.model_copy(update={"principal": Principal(tenant="rival", entitlements=("staff",))})
    assert {"staff", "other", "tent"} <= documents_in(answered(staff, lanes=lanes))


def test_every_list_is_in_the_one_order() -> None:
    output = answered(rerank={"kind": "overlap"})
    for stage in (output.retrieved, output.reranked, output.delivered):
        pairs = [(passage.passage_id, passage.score) for passage in stage or ()]
        assert pairs == ranked(pairs)  # type: ignore[arg-type]


def test_both_kinds_of_filters_are_recorded_and_a_hard_locale_removes() -> None:
    output = answered(filters={"relevance": "locale_hard"})
    assert output.filters is not None
    assert [(each.kind.value, each.field) for each in output.filters] == [
        ("entitlement", "tenant"),
        ("entitlement", "entitlement"),
        ("entitlement", "status"),
        ("relevance", "locale"),
    ]
    assert "zelt" not in documents_in(output)
    assert "zelt" in documents_in(answered(filters={"relevance": "locale_soft"}))


def test_a_soft_locale_moves_its_passages_up() -> None:
    german = QUERY.model_copy(update={"text": "Red tent Zelt 379", "principal": Principal(locale="de-DE")})
    plain = [passage.document_id for passage in answered(german).retrieved]
    moved = [
        passage.document_id
        for passage in answered(german, filters={"relevance": "locale_soft", "soft_boost": 1.0}).retrieved
    ]
    assert moved.index("zelt") <= plain.index("zelt")
    assert moved[0] == "zelt"


def test_retrieval_alone_writes_no_answer() -> None:
    output = answered(QUERY.model_copy(update={"retrieve_only": True}))
    assert output.retrieved
    assert (output.answer, output.prompt, output.citations, output.abstained) == (None, None, None, None)
    assert "generate" not in output.stage_ms


def test_a_question_without_a_known_word_is_declined_not_failed() -> None:
    output = answered(QUERY.model_copy(update={"text": "日本?"}))
    assert output.retrieved == ()
    assert output.abstained is True


def test_the_manifest_is_resolved_and_changes_with_whatever_changes_an_answer() -> None:
    base = built(settings()).manifest
    assert base.unresolved() == ()
    changes: list[dict[str, Any]] = [
        {"chunker": {"size_tokens": 100}},
        {"top_k": 3},
        {"candidates": 20},
        {"lanes": {"bm25": {"k1": 0.9}}},
        {"lanes": {"dense": {"seed": 7}}},
        {"lanes": {"dense": {"enabled": False}}},
        {"filters": {"relevance": "locale_hard"}},
        {"rerank": {"kind": "overlap"}},
        {"generator": {"minimum_evidence": 0.9}},
        {"fusion": {"k": 10}},
    ]
    digests = {base.digest, *(built(settings(**change)).manifest.digest for change in changes)}
    assert len(digests) == len(changes) + 1
    assert all(built(settings(**change)).manifest.unresolved() == () for change in changes)
    assert built(settings()).manifest.digest == base.digest


def test_the_manifest_changes_with_the_corpus() -> None:
    other = asyncio.run(build_reference_rag("candidate", DOCUMENTS[:-1], settings()))
    assert other.manifest.differences(built(settings()).manifest).keys() == {"corpus_snapshot", "index_build"}


def test_the_inventory_lists_all_documents_and_passages_with_their_metadata() -> None:
    inventory = built(settings()).inventory()
    assert {document.document_id for document in inventory.documents} == {each.document_id for each in DOCUMENTS}
    assert inventory.documents[2].metadata["status"] == "superseded"
    assert all(passage.indexed for passage in inventory.passages)


def test_a_passage_that_no_lane_takes_is_listed_as_not_indexed() -> None:
    documents = [*DOCUMENTS, Document.of_text("dots", "… … …", **OPEN)]
    rag = asyncio.run(build_reference_rag("c", documents, settings(lanes={"bm25": {"enabled": False}})))
    assert [each.passage_id for each in rag.inventory().passages if not each.indexed] == ["dots#00"]


def test_the_cache_gives_the_same_answer_and_the_same_digest(tmp_path: Path) -> None:
    first = built(settings(), cache_folder=tmp_path)
    second = built(settings(), cache_folder=tmp_path)
    assert (first.index.vectors_from_cache, second.index.vectors_from_cache) == (False, True)
    assert first.manifest == second.manifest
    one, two = (asyncio.run(rag.answer(QUERY)) for rag in (first, second))
    assert one.retrieved == two.retrieved
    assert one.answer == two.answer
    assert not built(settings(lanes={"dense": {"seed": 7}}), cache_folder=tmp_path).index.vectors_from_cache


class FixedReranker:
    """Orders by the length of the text, or breaks the rules."""

    def __init__(self, fault: float | None = None) -> None:
        self.fault = fault

    async def scores(self, question: str, passages: Sequence[Chunk]) -> Sequence[float]:
        return [self.fault if self.fault is not None else float(len(chunk.text)) for chunk in passages]


def test_a_hook_reranks_and_its_faults_are_named() -> None:
    rerank = {"kind": "hook", "name": "by-length"}
    output = answered(rerank=rerank, plugins=Plugins(reranker=FixedReranker()))
    assert output.reranked is not None
    assert output.reranked[0].document_id == "boat"
    with pytest.raises(CandidateError, match="not finite"):
        answered(rerank=rerank, plugins=Plugins(reranker=FixedReranker(float("nan"))))


class HashedEmbedder:
    """A stand-in for a model: letters counted."""

    identity = "letters"

    def __init__(self) -> None:
        self.calls = 0

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.calls += 1
        return np.stack([await self.embed_query(text) for text in texts])

    async def embed_query(self, text: str) -> Vectors:
        return np.array([text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"], dtype=np.float32)

    async def close(self) -> None:
        return None


def test_an_embedder_that_is_passed_in_is_used_named_and_cached(tmp_path: Path) -> None:
    configured = settings(lanes={"dense": {"kind": "fastembed", "model": "letters"}})
    embedder = HashedEmbedder()
    rag = built(configured, plugins=Plugins(embedder=embedder), cache_folder=tmp_path)
    assert rag.manifest.embedding_model == "letters"
    assert rag.manifest.unresolved() == ()
    assert asyncio.run(rag.answer(QUERY)).retrieved
    built(configured, plugins=Plugins(embedder=embedder), cache_folder=tmp_path)
    assert embedder.calls == 1


def test_a_chat_model_that_is_passed_in_writes_the_answer() -> None:
    generator = {"kind": "openai", "model": "m", "base_url": "http://127.0.0.1:1/v1"}
    chat = ScriptedChat("It costs €379 [1].")
    rag = built(settings(generator=generator), plugins=Plugins(chat_model=chat))
    output = asyncio.run(rag.answer(QUERY))
    assert (output.answer, output.model_answered, output.usage.prompt_tokens) == ("It costs €379 [1].", "scripted-1", 9)
    assert rag.manifest.generator == "scripted"
    assert rag.manifest.temperature == 0.0
    assert rag.manifest.unresolved() == ()
    asyncio.run(rag.close())
    assert chat.is_closed


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ({"lanes": {"dense": {"kind": "fastembed", "model": "m"}}}, "needs an embedder"),
        ({"generator": {"kind": "openai", "model": "m", "base_url": "http://x/v1"}}, "needs a chat model"),
        ({"rerank": {"kind": "hook", "name": "x"}}, "none is given"),
    ],
)
def test_a_model_that_is_configured_and_not_passed_in_is_asked_for(block: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        built(settings(**block))


def test_answers_are_the_same_alone_and_side_by_side() -> None:
    rag = built(settings())
    queries = [QUERY.model_copy(update={"text": text}) for text in ("red tent?", "blue boat?", "Zelt?")]

    async def together() -> list[Output]:
        return list(await asyncio.gather(*(rag.answer(query) for query in queries)))

    alone = [asyncio.run(rag.answer(query)) for query in queries]
    assert [output.answer for output in asyncio.run(together())] == [output.answer for output in alone]
