"""Preference: which of two answers is the better one. Always ask both orders; one order alone says little (J5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from beleg.judges.task import JudgeTask, Reply
from beleg.judges.tasks.checking import parts_given


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersToCompare:
    """Two answers to one question, in the order in which they are shown."""

    question: str
    answer_a: str
    answer_b: str
    rubric: str | None = None
    reference: str | None = None

    def swapped(self) -> AnswersToCompare:
        """The same two answers in the other order."""
        return AnswersToCompare(
            question=self.question,
            answer_a=self.answer_b,
            answer_b=self.answer_a,
            rubric=self.rubric,
            reference=self.reference,
        )


class PreferenceReply(Reply):
    """Which answer is the better one, with the reason before the verdict."""

    reason: str
    preferred: Literal["A", "B", "tie"]


PREFERENCE: JudgeTask[AnswersToCompare, PreferenceReply] = JudgeTask(
    name="preference",
    version="1",
    reply=PreferenceReply,
    parts=lambda asked: parts_given(
        question=asked.question,
        rubric=asked.rubric,
        reference=asked.reference,
        answer_a=asked.answer_a,
        answer_b=asked.answer_b,
    ),
    check=lambda _question, _reply: None,
)
