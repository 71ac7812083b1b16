"""Refusal: whether an answer answers, declines, or does both in part (A8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from beleg.judges.task import Flaw, JudgeTask, Reply
from beleg.judges.tasks.checking import QuoteCheck, parts_given


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerToClassify:
    """An answer that may decline the question."""

    question: str
    answer: str


class RefusalReply(Reply):
    """Whether the question was answered; the words that decline come before the verdict."""

    quote: str | None
    """The words of the answer that decline; ``None`` where nothing was declined."""
    reason: str
    verdict: Literal["answered", "refused", "partial"]


def _check(question: AnswerToClassify, reply: RefusalReply) -> Flaw | None:
    check = QuoteCheck({"answer": question.answer})
    return check.flaw("the refusal", "answer", reply.quote, is_needed=reply.verdict != "answered")


REFUSAL: JudgeTask[AnswerToClassify, RefusalReply] = JudgeTask(
    name="refusal",
    version="1",
    reply=RefusalReply,
    parts=lambda asked: parts_given(question=asked.question, answer=asked.answer),
    check=_check,
)
