"""Which questions an answer answers, and how close they are to the one asked: the evidence of answer relevancy (A2)."""

from __future__ import annotations

from beleg.judges.measures.hearing import Hearing, heard
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.tasks.relevancy import ANSWER_QUESTIONS, AnswerToQuestion
from beleg.metrics.generation.relevancy import AnswerQuestions, GeneratedQuestion

QUESTIONS = 3
"""How many questions are generated, as in Ragas."""


async def _find(hearing: Hearing) -> AnswerQuestions:
    asked = AnswerToQuestion(answer=hearing.bare_answer, n=QUESTIONS, question_language=hearing.row.case.language)
    reply = await hearing.ask(ANSWER_QUESTIONS, asked)
    similarities, embedder = await hearing.similarities(hearing.question, reply.questions)
    return AnswerQuestions(
        questions=tuple(
            GeneratedQuestion(question=question, similarity=similarity)
            for question, similarity in zip(reply.questions, similarities, strict=True)
        ),
        noncommittal=reply.noncommittal,
        embedder=embedder,
    )


ANSWER_QUESTIONS_OF_ROW = JudgedMeasure(
    name="answer_questions",
    version="1",
    needs=frozenset({"judge", "embedder"}),
    judge=heard(_find),
    calls=lambda row: 1,
)
