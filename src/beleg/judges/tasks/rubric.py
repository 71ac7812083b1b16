"""Rubric: one answer graded by what the case says makes an answer right (J1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from beleg.judges.task import JudgeTask, Reply
from beleg.judges.tasks.checking import parts_given

RUBRIC_SCALE = (1, 2, 3, 4, 5)
"""From "fails the rubric" to "meets it in full"; each grade is one digit, so that its probability can be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerToGrade:
    """An answer with the rubric that it is graded by."""

    question: str
    rubric: str
    answer: str
    reference: str | None = None
    """A right answer, where the case holds one."""


class RubricGrade(Reply):
    """The grade, with the reason before it."""

    reason: str
    score: Literal[1, 2, 3, 4, 5]


RUBRIC_GRADE: JudgeTask[AnswerToGrade, RubricGrade] = JudgeTask(
    name="rubric_grade",
    version="1",
    reply=RubricGrade,
    parts=lambda asked: parts_given(
        question=asked.question, rubric=asked.rubric, reference=asked.reference, answer=asked.answer
    ),
    check=lambda _question, _reply: None,
    graded_field="score",
)
