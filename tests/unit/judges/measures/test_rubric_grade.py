from __future__ import annotations

import asyncio

from beleg.core.case import Case
from beleg.core.score import ScoreStatus
from beleg.judges.measures.rubric_grade import RUBRIC_OF_ROW, judge_rubric_grade
from beleg.judges.panel import Docket, Outcome
from beleg.metrics.batch import Row
from beleg.metrics.generation.judged_answers import RubricVerdict
from support.judge_models import Script, scripted_panel
from unit.metrics.building import case, one


def judged(script: Script, a_case: Case) -> tuple[Outcome, Docket, int]:
    (row,) = one(a_case, answer="5 euros").rows
    assert isinstance(row, Row)
    docket = Docket()
    outcome = asyncio.run(judge_rubric_grade(scripted_panel({"rubric_grade": script}), docket, row))
    return outcome, docket, RUBRIC_OF_ROW.calls(row)


def test_an_answer_is_graded_by_the_rubric_of_its_case() -> None:
    outcome, docket, calls = judged({"reason": "r", "score": 4}, case(rubric="Names the price."))
    assert RubricVerdict.model_validate(outcome.evidence, strict=False).grade == 4
    assert len(docket.keys) == calls == 1


def test_a_case_without_a_rubric_is_outside_and_costs_nothing() -> None:
    outcome, docket, calls = judged({"reason": "r", "score": 4}, case())
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.NOT_APPLICABLE
    assert docket.keys == []
    assert calls == 0


def test_a_grade_off_the_scale_is_no_verdict() -> None:
    outcome, _, _ = judged({"reason": "r", "score": 6}, case(rubric="x"))
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.INVALID
