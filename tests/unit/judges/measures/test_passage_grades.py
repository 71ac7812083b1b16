from __future__ import annotations

import asyncio

from beleg.core.score import ScoreStatus
from beleg.core.trace import Passage
from beleg.judges.measures.passage_grades import PASSAGE_GRADES, judge_passage_grades
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.metrics.batch import Row
from beleg.metrics.context.relevance import PassageRelevance, relevance_below
from support.judge_models import Script, scripted_panel
from unit.metrics.building import case, one, passage

THREE = (passage("d1", "Express costs 5 euros."), passage("d2", "We sell tea."), passage("d3", "Standard is free."))


def judged(script: Script, delivered: tuple[Passage, ...] = THREE) -> tuple[Outcome, Docket]:
    (row,) = one(case(), answer="5 euros", delivered=delivered).rows
    assert isinstance(row, Row)
    assert PASSAGE_GRADES.calls(row) == len(delivered)
    docket = Docket()
    return asyncio.run(judge_passage_grades(scripted_panel({"passage_relevance": script}), docket, row)), docket


def test_every_passage_is_graded_by_itself_in_its_order() -> None:
    outcome, docket = judged([{"reason": "r", "grade": grade} for grade in (3, 0, 1)])
    found = PassageRelevance.model_validate(outcome.evidence, strict=False)
    assert [(each.passage_id, each.rank, each.grade) for each in found.passages] == [
        ("d1#0", 1, 3),
        ("d2#0", 2, 0),
        ("d3#0", 3, 1),
    ]
    assert relevance_below(found, 2).value == 2 / 3
    assert len(docket.keys) == 3


def test_one_passage_without_a_grade_leaves_the_row_without_evidence_and_stops() -> None:
    outcome, docket = judged([{"reason": "r", "grade": 3}, {"reason": "r", "grade": 7}])
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.INVALID
    assert len(docket.keys) == 2


def test_nothing_to_grade_costs_no_call() -> None:
    for delivered, status in (((), ScoreStatus.NOT_APPLICABLE), ((passage("d1"),), ScoreStatus.MISSING)):
        outcome, docket = judged({"reason": "r", "grade": 3}, delivered)
        assert outcome.without is not None
        assert outcome.without.status is status
        assert docket.keys == []


def test_without_a_judge_there_is_no_verdict() -> None:
    (row,) = one(case(), answer="x", delivered=THREE).rows
    assert isinstance(row, Row)
    outcome = asyncio.run(judge_passage_grades(Panel(), Docket(), row))
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.MISSING
