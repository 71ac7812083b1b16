from __future__ import annotations

import pytest

from beleg.core.score import ScoreStatus
from beleg.metrics.generation.relevancy import AnswerQuestions, GeneratedQuestion, answer_relevancy


def questions(*cosines: float, noncommittal: bool = False) -> AnswerQuestions:
    return AnswerQuestions(
        questions=tuple(GeneratedQuestion(question="?", similarity=cosine) for cosine in cosines),
        noncommittal=noncommittal,
        embedder="e",
    )


def test_the_mean_cosine() -> None:
    assert answer_relevancy(questions(0.9, 0.6, 0.3)).value == pytest.approx(0.6)
    assert answer_relevancy(questions(-1.0)).value == -1.0


def test_noncommittal_is_0_whatever_the_questions() -> None:
    assert answer_relevancy(questions(1.0, 1.0, noncommittal=True)).value == 0.0
    assert answer_relevancy(questions(noncommittal=True)).value == 0.0


def test_no_question_for_an_answer_that_commits_itself_is_a_fault_and_not_0() -> None:
    assert answer_relevancy(questions()).status is ScoreStatus.INVALID
