from __future__ import annotations

import asyncio
from typing import Any

import pytest

from beleg.core.errors import CandidateError
from beleg.core.inference import JudgeRequest
from beleg.core.score import ScoreStatus
from beleg.judges.measures.preference import REFERENCE_PREFERENCE, judge_reference_preference
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.metrics.batch import Row
from beleg.metrics.generation.preference import BothOrders, Preferred
from support.judge_models import Script, scripted_panel
from unit.metrics.building import case, one


def row_of(answer: str | None = "long answer", **fields: Any) -> Row:
    (row,) = one(case(**{"reference_answer": "reference", **fields}), answer=answer).rows
    assert isinstance(row, Row)
    return row


def judged(script: Script, row: Row | None = None) -> tuple[Outcome, Docket]:
    docket = Docket()
    panel = scripted_panel({"preference": script})
    return asyncio.run(judge_reference_preference(panel, docket, row or row_of())), docket


def first_shown(request: JudgeRequest) -> str:
    return "own" if request.messages[-1].content.split("<answer_a")[1].count("long answer\n</answer_a") else "reference"


def prefers(name: str) -> Any:
    return lambda request: {"reason": name, "preferred": "A" if first_shown(request) == name else "B"}


def evidence(outcome: Outcome) -> BothOrders:
    return BothOrders.model_validate(outcome.evidence, strict=False)


@pytest.mark.parametrize(("name", "preferred"), [("own", Preferred.OWN), ("reference", Preferred.OTHER)])
def test_a_judge_that_looks_at_the_answers_says_the_same_in_both_orders(name: str, preferred: Preferred) -> None:
    outcome, docket = judged(prefers(name))
    found = evidence(outcome)
    assert (found.own_first, found.own_second, found.preferred) == (preferred,) * 3
    assert len(set(docket.keys)) == 2


@pytest.mark.parametrize("place", ["A", "B"])
def test_a_judge_that_looks_at_the_place_is_found_out(place: str) -> None:
    found = evidence(judged({"reason": "so", "preferred": place})[0])
    assert not found.is_consistent
    assert found.preferred is Preferred.TIE


def test_one_order_without_a_verdict_is_no_preference() -> None:
    def half(request: JudgeRequest) -> Any:
        if first_shown(request) == "own":
            return {"reason": "so", "preferred": "A"}
        return CandidateError("slow", kind="timeout", retryable=False)

    outcome, docket = judged(half)
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.TIMEOUT
    assert len(docket.keys) == 2


@pytest.mark.parametrize(
    ("row", "status"),
    [
        (row_of(reference_answer=None), ScoreStatus.NOT_APPLICABLE),
        (row_of(None), ScoreStatus.MISSING),
        (row_of(" "), ScoreStatus.INVALID),
    ],
)
def test_what_cannot_be_compared_costs_no_call(row: Row, status: ScoreStatus) -> None:
    outcome, docket = judged(CandidateError("must not be asked"), row)
    assert outcome.without is not None
    assert outcome.without.status is status
    assert docket.keys == []


def test_without_a_judge_there_is_no_preference() -> None:
    outcome = asyncio.run(judge_reference_preference(Panel(), Docket(), row_of()))
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.MISSING


def test_the_plan_counts_two_calls_where_there_is_a_reference() -> None:
    assert REFERENCE_PREFERENCE.calls(row_of()) == 2
    assert REFERENCE_PREFERENCE.calls(row_of(reference_answer=None)) == 0
