from __future__ import annotations

import pytest

from beleg.core.judging import JudgeFault
from beleg.judges.tasks.preference import PREFERENCE, AnswersToCompare
from unit.judges.tasks.replying import fault_of

ASKED = AnswersToCompare(question="?", answer_a="a", answer_b="b", rubric="r")


@pytest.mark.parametrize(("preferred", "fault"), [("A", None), ("tie", None), ("C", JudgeFault.SCHEMA)])
def test_one_of_three_verdicts_is_given(preferred: str, fault: JudgeFault | None) -> None:
    assert fault_of(PREFERENCE, ASKED, {"reason": "so", "preferred": preferred}) is fault


def test_swapping_twice_is_the_question_itself() -> None:
    assert ASKED.swapped().answer_a == "b"
    assert ASKED.swapped() != ASKED
    assert ASKED.swapped().swapped() == ASKED
