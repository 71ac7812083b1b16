"""Answer relevancy: the questions that an answer answers, and whether it commits itself to anything."""

from __future__ import annotations

from dataclasses import dataclass

from beleg.core.judging import JudgeFault
from beleg.judges.task import Flaw, JudgeTask, Part, Reply
from beleg.judges.tasks.checking import list_flaw


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerToQuestion:
    """An answer to which questions are wanted; the question that was asked is not shown."""

    answer: str
    n: int = 3
    """How many questions."""
    question_language: str | None = None
    """The language in which they are written; ``None``: the language of the answer."""


class QuestionsReply(Reply):
    """Questions that the answer answers, and whether it evades every question."""

    questions: list[str]
    noncommittal: bool


def _check(question: AnswerToQuestion, reply: QuestionsReply) -> Flaw | None:
    if len(reply.questions) < question.n:
        return Flaw(JudgeFault.MISSING_VERDICTS, f"{len(reply.questions)} questions, {question.n} were asked for")
    if len(reply.questions) > question.n:
        return Flaw(JudgeFault.EXTRA_VERDICTS, f"{len(reply.questions)} questions, {question.n} were asked for")
    return list_flaw(reply.questions, what="question", most=question.n)


ANSWER_QUESTIONS: JudgeTask[AnswerToQuestion, QuestionsReply] = JudgeTask(
    name="answer_questions",
    version="1",
    reply=QuestionsReply,
    parts=lambda asked: (
        Part("answer", asked.answer),
        *(() if asked.question_language is None else (Part("language", asked.question_language),)),
        Part("count", str(asked.n)),
    ),
    check=_check,
)
