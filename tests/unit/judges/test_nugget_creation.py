from __future__ import annotations

import asyncio
from typing import Any

from beleg.core.case import Case, ExpectedBehaviour
from beleg.core.nugget_proposals import NuggetProposal
from beleg.core.score import Score, ScoreStatus
from beleg.judges.nugget_creation import nugget_sources, propose_nuggets, question_digest
from beleg.metrics.matching import EvidenceMatcher
from support.judge_models import Script, scripted_panel
from unit.metrics.building import case, gold, passage

RETURNS = "Returns are free within 30 days."


def nugget(text: str, quote: str, importance: str = "vital", passage_id: str = "1") -> dict[str, Any]:
    return {"passage_id": passage_id, "quote": quote, "text": text, "reason": "so", "importance": importance}


def proposed(a_case: Case, script: Script) -> NuggetProposal | Score:
    judge = scripted_panel({"nugget_creation": script}).judge
    assert judge is not None
    return asyncio.run(propose_nuggets(judge, a_case, nugget_sources(a_case, (), EvidenceMatcher())))


def test_nuggets_are_proposed_with_their_source_and_wait_for_a_person() -> None:
    reply = {"nuggets": [nugget("Returns are free", "free"), nugget("Returns take 30 days", "within 30 days", "okay")]}
    found = proposed(case(reference_answer=RETURNS), reply)
    assert isinstance(found, NuggetProposal)
    assert [(one.nugget_id, one.vital, one.source_id, one.decision) for one in found.nuggets] == [
        ("n1", True, "reference_answer", "open"),
        ("n2", False, "reference_answer", "open"),
    ]
    assert found.review is None
    assert found.accepted() == ()
    assert found.task.task == "nugget_creation"


def test_a_nugget_whose_words_stand_nowhere_is_no_proposal() -> None:
    found = proposed(case(reference_answer=RETURNS), {"nuggets": [nugget("Free for a year", "for one year")]})
    assert isinstance(found, Score)
    assert found.status is ScoreStatus.INVALID


def test_a_case_with_nothing_to_take_nuggets_from_costs_no_call() -> None:
    for a_case in (case(), case(reference_answer=RETURNS, expected_behaviour=ExpectedBehaviour.ABSTAIN)):
        found = proposed(a_case, RuntimeError("asked"))
        assert isinstance(found, Score)
        assert found.status is ScoreStatus.NOT_APPLICABLE


def test_sources_are_the_reference_the_evidence_and_passages_that_hold_it_each_text_once() -> None:
    a_case = case(gold("d1", "within 30 days"), gold("d2", RETURNS), reference_answer=RETURNS)
    passages = (passage("d1", "Send it back within 30 days."), passage("d3", "within 30 days"), passage("d1", RETURNS))
    found = nugget_sources(a_case, passages, EvidenceMatcher())
    assert found == (
        ("reference_answer", RETURNS),
        ("d1", "within 30 days"),
        ("d1#0", "Send it back within 30 days."),
    )


def test_the_digest_follows_question_and_sources() -> None:
    first = question_digest(case(), (("a", "b"),))
    assert first == question_digest(case(case_id="other"), (("a", "b"),))
    assert first != question_digest(case(), (("a", "c"),))
