from __future__ import annotations

import asyncio
from typing import Any

import pytest

from beleg.core.errors import CandidateError
from beleg.core.score import ScoreStatus
from beleg.judges.engine import Judged
from beleg.judges.measures.rubric import RUBRIC, judge_rubric
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.metrics.batch import Row
from beleg.metrics.generation.rubric import RubricFound, weighted_rubric_grade
from support.judge_models import Script, scripted_panel, spec
from unit.metrics.building import case, one


def row_of(answer: str | None = "30 days", **fields: Any) -> Row:
    (row,) = one(case(**{"rubric": "Names the term.", **fields}), answer=answer).rows
    assert isinstance(row, Row)
    return row


def judged(panel: Panel, row: Row | None = None) -> tuple[Outcome, Docket]:
    docket = Docket()
    return asyncio.run(judge_rubric(panel, docket, row or row_of())), docket


def scripted(script: Script) -> Panel:
    return scripted_panel({"rubric_grade": script})


class Weighed:
    """A judge whose calls carry probabilities of the grades."""

    spec = spec()

    async def ask(self, task: Any, question: Any, *, language: str | None = None, sample: int = 0) -> Any:
        panel = scripted({"reason": "so", "score": 4})
        assert panel.judge is not None
        found = await panel.judge.ask(task, question, language=language, sample=sample)
        call = found.call.model_copy(update={"distribution": {"4": 0.75, "5": 0.25}})
        return Judged(call=call, reply=found.reply)


def test_an_answer_is_graded_by_the_rubric_of_its_case() -> None:
    outcome, docket = judged(scripted({"reason": "so", "score": 4}))
    assert RubricFound.model_validate(outcome.evidence, strict=False) == RubricFound(grade=4, reason="so")
    assert len(docket.keys) == 1


def test_probabilities_of_the_grades_are_kept_where_the_server_tells_them() -> None:
    outcome, _ = judged(Panel(judge=Weighed()))
    assert weighted_rubric_grade(RubricFound.model_validate(outcome.evidence, strict=False)).value == 4.25


@pytest.mark.parametrize(
    ("panel", "row", "status"),
    [
        (Panel(), row_of(), ScoreStatus.MISSING),
        (scripted({}), row_of(rubric=None), ScoreStatus.NOT_APPLICABLE),
        (scripted({}), row_of(""), ScoreStatus.INVALID),
        (scripted(CandidateError("down", kind="unreachable")), row_of(), ScoreStatus.JUDGE_ERROR),
        (scripted({"reason": "so", "score": 9}), row_of(), ScoreStatus.INVALID),
    ],
)
def test_where_there_is_no_grade_there_is_a_reason(panel: Panel, row: Row, status: ScoreStatus) -> None:
    outcome, _ = judged(panel, row)
    assert outcome.without is not None
    assert outcome.without.status is status


def test_the_plan_counts_one_call_where_there_is_a_rubric() -> None:
    assert (RUBRIC.calls(row_of()), RUBRIC.calls(row_of(rubric=None))) == (1, 0)
