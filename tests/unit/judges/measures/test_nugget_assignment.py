from __future__ import annotations

import asyncio
from typing import Any

from beleg.core.case import Nugget
from beleg.core.score import ScoreStatus
from beleg.judges.measures.nugget_assignment import (
    NUGGET_ASSIGNMENT_MEASURE,
    NUGGETS_PER_CALL,
    judge_nugget_assignment,
)
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.metrics.batch import Row
from beleg.metrics.generation.nuggets import NuggetAssignment, nugget_score
from support.judge_models import Script, scripted_panel
from unit.metrics.building import case, one


def row_with(*nuggets: Nugget, answer: str = "Returns are free. They take 30 days.") -> Row:
    (row,) = one(case(nuggets=nuggets), answer=answer).rows
    assert isinstance(row, Row)
    return row


def verdict(nugget_id: str, support: str, quote: str | None = None) -> dict[str, Any]:
    return {"nugget_id": nugget_id, "quote": quote, "reason": "so", "support": support}


def judged(row: Row, script: Script) -> tuple[Outcome, Docket]:
    docket = Docket()
    panel = scripted_panel({"nugget_assignment": script})
    return asyncio.run(judge_nugget_assignment(panel, docket, row)), docket


FREE = Nugget(nugget_id="free", text="Returns are free")
DAYS = Nugget(nugget_id="days", text="Returns take 30 days", vital=False)


def test_every_nugget_gets_its_verdict_with_words_of_the_answer() -> None:
    replies = {"verdicts": [verdict("2", "partial_support", "30 days"), verdict("1", "support", "Returns are free")]}
    outcome, docket = judged(row_with(FREE, DAYS), replies)
    found = NuggetAssignment.model_validate(outcome.evidence, strict=False)
    assert [(one.nugget_id, one.vital, one.assignment.value, one.quote) for one in found.nuggets] == [
        ("free", True, "support", "Returns are free"),
        ("days", False, "partial_support", "30 days"),
    ]
    assert nugget_score(found, "weighted").value == (1 + 0.5 * 0.5) / 1.5
    assert len(docket.keys) == 1


def test_many_nuggets_take_several_calls_and_all_are_planned() -> None:
    nuggets = [Nugget(nugget_id=f"n{number}", text=f"fact {number}") for number in range(NUGGETS_PER_CALL + 1)]
    row = row_with(*nuggets)
    full = {"verdicts": [verdict(str(place), "not_support") for place in range(1, NUGGETS_PER_CALL + 1)]}
    outcome, docket = judged(row, [full, {"verdicts": [verdict("1", "not_support")]}])
    assert len(docket.keys) == 2 == NUGGET_ASSIGNMENT_MEASURE.calls(row)
    found = NuggetAssignment.model_validate(outcome.evidence, strict=False)
    assert [one.nugget_id for one in found.nuggets] == [nugget.nugget_id for nugget in nuggets]


def test_a_judge_that_leaves_a_nugget_out_gives_no_score() -> None:
    outcome, _ = judged(row_with(FREE, DAYS), {"verdicts": [verdict("1", "not_support")]})
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.INVALID


def test_support_without_words_of_the_answer_is_no_verdict() -> None:
    outcome, _ = judged(row_with(FREE), {"verdicts": [verdict("1", "support", "Returns cost nothing")]})
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.INVALID


def test_a_case_without_nuggets_costs_no_call() -> None:
    outcome, docket = judged(row_with(), {"verdicts": []})
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.NOT_APPLICABLE
    assert docket.keys == []


def test_an_empty_answer_is_not_judged() -> None:
    outcome, docket = judged(row_with(FREE, answer=" "), {"verdicts": []})
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.INVALID
    assert docket.keys == []


def test_without_a_judge_it_is_missing() -> None:
    outcome = asyncio.run(judge_nugget_assignment(Panel(), Docket(), row_with(FREE)))
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.MISSING
