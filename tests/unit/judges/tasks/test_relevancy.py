from __future__ import annotations

import pytest

from beleg.core.judging import JudgeFault
from beleg.judges.tasks.relevancy import ANSWER_QUESTIONS, AnswerToQuestion
from unit.judges.tasks.replying import fault_of


@pytest.mark.parametrize(
    ("questions", "fault"),
    [
        (["a?", "b?"], None),
        (["a?"], JudgeFault.MISSING_VERDICTS),
        ([], JudgeFault.MISSING_VERDICTS),
        (["a?", "b?", "c?"], JudgeFault.EXTRA_VERDICTS),
        (["a?", "?"], JudgeFault.EMPTY_CLAIM),
    ],
)
def test_exactly_as_many_questions_come_back_as_were_asked_for(questions: list[str], fault: JudgeFault | None) -> None:
    asked = AnswerToQuestion(answer="30 days", n=2, question_language="en")
    assert fault_of(ANSWER_QUESTIONS, asked, {"questions": questions, "noncommittal": True}) is fault


def test_the_question_that_was_asked_is_not_shown_and_the_language_only_where_it_is_known() -> None:
    known = ANSWER_QUESTIONS.parts(AnswerToQuestion(answer="a", question_language="de"))
    assert [(part.name, part.text) for part in known] == [("answer", "a"), ("language", "de"), ("count", "3")]
    assert [part.name for part in ANSWER_QUESTIONS.parts(AnswerToQuestion(answer="a"))] == ["answer", "count"]
