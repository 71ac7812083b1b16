from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from beleg.core.case import Case, ExpectedBehaviour
from beleg.core.errors import CandidateError
from beleg.core.inference import TokenVectors, Vectors
from beleg.core.score import ScoreStatus
from beleg.judges.measures.similarity import judge_bert_score, judge_embedding_similarity
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.metrics.batch import Row
from beleg.metrics.generation.similarity import AnswerSimilarity, TokenSimilarity
from unit.metrics.building import case, one


class WordEmbedder:
    """Every word has a direction of its own; a text is the mean of its words."""

    identity = "words"

    async def embed_tokens(self, texts: Sequence[str]) -> Sequence[TokenVectors]:
        return [TokenVectors(tokens=tuple(text.split()), vectors=self._rows(text)) for text in texts]

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return np.array([self._rows(text).mean(axis=0) for text in texts], dtype=np.float32)

    async def embed_query(self, text: str) -> Vectors:
        return self._rows(text).mean(axis=0)

    async def close(self) -> None:
        return

    def _rows(self, text: str) -> Vectors:
        words = text.split()
        rows = [np.random.default_rng(sum(map(ord, word))).normal(size=16) for word in words]
        return np.array(rows, dtype=np.float32).reshape(len(words), 16)


class WholeTexts:
    """An embedder that knows no tokens, or fails as it is told."""

    identity = "whole"

    def __init__(self, vectors: Any = None, fault: CandidateError | None = None) -> None:
        self._vectors, self._fault = vectors, fault

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        if self._fault is not None:
            raise self._fault
        return np.asarray(self._vectors, dtype=np.float32)

    async def embed_query(self, text: str) -> Vectors:
        return (await self.embed_passages([text]))[0]

    async def close(self) -> None:
        return


RIGHT = case(reference_answer="opened items are returned within 30 days", accepted_answers=("30 days",))


def judged(
    judge: Any, embedder: Any, answer: str = "opened items are returned within 60 days", a_case: Case = RIGHT
) -> Outcome:
    (row,) = one(a_case, answer=answer).rows
    assert isinstance(row, Row)
    done: Outcome = asyncio.run(judge(Panel(embedder=embedder), Docket(), row))
    return done


def status(outcome: Outcome) -> ScoreStatus:
    assert outcome.without is not None
    return outcome.without.status


def test_every_reference_gets_its_similarity_with_what_the_answer_lacks_beside_it() -> None:
    outcome = judged(judge_embedding_similarity, WordEmbedder())
    found = AnswerSimilarity.model_validate(outcome.evidence, strict=False)
    assert found.embedder == "words"
    assert found.references[0].similarity > 0.8 > found.references[1].similarity
    assert found.references[0].flags == ("number: 30 days is not in the evidence",)


def test_tokens_are_matched_with_those_of_every_reference() -> None:
    found = TokenSimilarity.model_validate(judged(judge_bert_score, WordEmbedder()).evidence, strict=False)
    assert found.references[0].f1 > 0.8
    assert found.references[0].flags
    same = judged(judge_bert_score, WordEmbedder(), "30 days")
    assert TokenSimilarity.model_validate(same.evidence, strict=False).references[1].f1 == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("judge", [judge_embedding_similarity, judge_bert_score])
def test_without_a_reference_or_a_model_there_is_a_reason(judge: Any) -> None:
    assert status(judged(judge, None)) is ScoreStatus.MISSING
    assert status(judged(judge, WordEmbedder(), a_case=case())) is ScoreStatus.NOT_APPLICABLE
    abstain = case(expected_behaviour=ExpectedBehaviour.ABSTAIN, reference_answer="x")
    assert status(judged(judge, WordEmbedder(), a_case=abstain)) is ScoreStatus.NOT_APPLICABLE
    assert status(judged(judge, WordEmbedder(), "Confidence: 80 %")) is ScoreStatus.INVALID


def test_a_model_without_tokens_gives_no_bert_score() -> None:
    assert status(judged(judge_bert_score, WholeTexts([[1, 0]] * 3))) is ScoreStatus.MISSING


@pytest.mark.parametrize(
    "vectors", [[[1, 0]], [[1, 0], [0, 0], [1, 1]], [[1, 0], [float("nan"), 0], [1, 1]], [1, 2, 3]]
)
def test_vectors_that_cannot_be_compared_are_invalid(vectors: Any) -> None:
    assert status(judged(judge_embedding_similarity, WholeTexts(vectors))) is ScoreStatus.INVALID


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("timeout", ScoreStatus.TIMEOUT), ("unreachable", ScoreStatus.JUDGE_ERROR), ("odd", ScoreStatus.JUDGE_ERROR)],
)
def test_a_model_that_fails_is_counted_by_its_fault(kind: str, reason: ScoreStatus) -> None:
    embedder = WholeTexts(fault=CandidateError("down", kind=kind))
    assert status(judged(judge_embedding_similarity, embedder)) is reason
