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
from beleg.core.trace import Citation
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.measures.similarity import ANSWER_SIMILARITY, BERT_SCORE
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.metrics.batch import Row
from beleg.metrics.generation.similarity import AnswerSimilarity, TokenSimilarity
from unit.judges.measures.rows import REFERENCE, ScriptedEmbedder, judged_by, row, scored
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
    measure: JudgedMeasure,
    embedder: Any,
    answer: str = "opened items are returned within 60 days",
    a_case: Case = RIGHT,
) -> Outcome:
    (asked,) = one(a_case, answer=answer).rows
    assert isinstance(asked, Row)
    docket = Docket()
    done: Outcome = asyncio.run(measure.judge(Panel(embedder=embedder), docket, asked))
    assert docket.keys == [], "no judge is asked"
    return done


def status(outcome: Outcome) -> ScoreStatus:
    assert outcome.without is not None
    return outcome.without.status


def test_every_reference_gets_its_similarity_with_what_the_answer_lacks_beside_it() -> None:
    outcome = judged(ANSWER_SIMILARITY, WordEmbedder())
    found = AnswerSimilarity.model_validate(outcome.evidence, strict=False)
    assert found.embedder == "words"
    assert found.references[0].similarity > 0.8 > found.references[1].similarity
    assert found.references[0].flags == ("number: 30 days is not in the evidence",)


def test_one_reference_gives_the_cosine_of_ragas() -> None:
    a_row = row(answer="Returns are free. [1] Confidence: 80 %", citations=(Citation(marker="1", passage_id="p"),))
    vectors = {"Returns are free.": [1.0, 0.0], REFERENCE: [0.6, 0.8]}
    outcome, docket = judged_by("answer_similarity", Panel(embedder=ScriptedEmbedder(vectors)), a_row)
    assert scored("semantic_similarity", "answer_similarity", outcome, a_row).value == pytest.approx(0.6)
    assert docket.keys == []


def test_tokens_are_matched_with_those_of_every_reference() -> None:
    found = TokenSimilarity.model_validate(judged(BERT_SCORE, WordEmbedder()).evidence, strict=False)
    assert found.references[0].f1 > 0.8
    assert found.references[0].flags
    same = judged(BERT_SCORE, WordEmbedder(), "30 days")
    assert TokenSimilarity.model_validate(same.evidence, strict=False).references[1].f1 == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("measure", [ANSWER_SIMILARITY, BERT_SCORE])
def test_without_a_reference_or_a_model_there_is_a_reason(measure: JudgedMeasure) -> None:
    assert status(judged(measure, None)) is ScoreStatus.MISSING
    assert status(judged(measure, WordEmbedder(), a_case=case())) is ScoreStatus.NOT_APPLICABLE
    abstain = case(expected_behaviour=ExpectedBehaviour.ABSTAIN, reference_answer="x")
    assert status(judged(measure, WordEmbedder(), a_case=abstain)) is ScoreStatus.NOT_APPLICABLE
    assert status(judged(measure, WordEmbedder(), "Confidence: 80 %")) is ScoreStatus.INVALID


def test_a_model_without_tokens_gives_no_bert_score() -> None:
    assert status(judged(BERT_SCORE, WholeTexts([[1, 0]] * 3))) is ScoreStatus.MISSING


@pytest.mark.parametrize(
    "vectors", [[[1, 0]], [[1, 0], [0, 0], [1, 1]], [[1, 0], [float("nan"), 0], [1, 1]], [1, 2, 3]]
)
def test_vectors_that_cannot_be_compared_are_invalid(vectors: Any) -> None:
    assert status(judged(ANSWER_SIMILARITY, WholeTexts(vectors))) is ScoreStatus.INVALID


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("timeout", ScoreStatus.TIMEOUT), ("unreachable", ScoreStatus.JUDGE_ERROR), ("odd", ScoreStatus.JUDGE_ERROR)],
)
def test_a_model_that_fails_is_counted_by_its_fault(kind: str, reason: ScoreStatus) -> None:
    embedder = WholeTexts(fault=CandidateError("down", kind=kind))
    assert status(judged(ANSWER_SIMILARITY, embedder)) is reason
