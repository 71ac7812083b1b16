"""Whether an answer is about the question: the questions that it answers, compared with the one asked (A2)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch
from beleg.metrics.findings import finding_column

Cosine = Annotated[float, Field(ge=-1, le=1)]


class GeneratedQuestion(StoredModel):
    """One question that the answer answers."""

    question: str
    similarity: Cosine
    """The cosine between its vector and that of the question asked."""


class AnswerQuestions(StoredModel):
    """The evidence of the measure ``answer_questions``."""

    questions: tuple[GeneratedQuestion, ...]
    noncommittal: bool
    """Whether the answer commits itself to nothing."""
    embedder: str
    """The embedding model; cosines of different models do not compare."""


def answer_relevancy(found: AnswerQuestions) -> Score:
    """How close the questions that the answer answers are to the question asked.

    Formula: mean cosine between the question and the generated questions; 0 for an answer that commits itself to
    nothing. Same definition as Ragas' AnswerRelevancy. It says nothing of truth: a wrong answer to the question asked
    scores high. Range: −1 to 1, higher is better. Undefined (``invalid``) where no question was generated for an answer
    that commits itself.

    Example:
        >>> asked = [GeneratedQuestion(question="?", similarity=value) for value in (1.0, 0.5)]
        >>> answer_relevancy(AnswerQuestions(questions=tuple(asked), noncommittal=False, embedder="e")).value
        0.75
    """
    if found.noncommittal:
        return Score.of(0.0, "the answer commits itself to nothing")
    if not found.questions:
        return Score.without(ScoreStatus.INVALID, "the judge named no question")
    return Score.of(sum(question.similarity for question in found.questions) / len(found.questions))


def answer_relevancy_column(batch: Batch) -> ScoreColumn:
    """`answer_relevancy` of every row; missing where no judge was asked."""
    return finding_column(batch, "answer_questions", AnswerQuestions, lambda _row, found: answer_relevancy(found))
