from __future__ import annotations

import pytest

from beleg.core.judging import JudgeFault
from beleg.judges.tasks.rubric import RUBRIC_GRADE, RUBRIC_SCALE, AnswerToGrade
from beleg.judges.weighting import grades_of
from unit.judges.tasks.replying import fault_of

ASKED = AnswerToGrade(question="?", rubric="Names the term.", answer="30 days")


@pytest.mark.parametrize(("score", "fault"), [(1, None), (5, None), (0, JudgeFault.SCHEMA), (6, JudgeFault.SCHEMA)])
def test_a_grade_lies_on_the_scale(score: int, fault: JudgeFault | None) -> None:
    assert fault_of(RUBRIC_GRADE, ASKED, {"reason": "so", "score": score}) is fault


def test_the_scale_that_is_told_is_the_scale_that_is_allowed() -> None:
    assert grades_of(RUBRIC_GRADE) == tuple(str(grade) for grade in RUBRIC_SCALE)
