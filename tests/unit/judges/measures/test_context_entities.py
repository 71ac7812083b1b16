from __future__ import annotations

from typing import Any

from beleg.core.inference import JudgeRequest
from unit.judges.measures.rows import judged, reason, row, scored
from unit.metrics.building import case, passage

ASKED = case(reference_answer="Berlin, 1989")


def extract(request: JudgeRequest) -> dict[str, Any]:
    return {"entities": ["Berlin", "1989"] if "Berlin, 1989" in request.messages[-1].content else ["BERLIN"]}


def test_recall_of_the_entities_of_the_reference() -> None:
    asked = row(ASKED, delivered=(passage("d1", "In BERLIN"),))
    outcome, docket = judged("context_entities", {"entity_extraction": extract}, asked)
    assert scored("entity_recall", "context_entities", outcome, asked).value == 0.5
    assert len(docket.keys) == 2


def test_an_empty_retrieval_gives_0_for_one_call() -> None:
    asked = row(ASKED, delivered=())
    outcome, docket = judged("context_entities", {"entity_extraction": extract}, asked)
    assert scored("entity_recall", "context_entities", outcome, asked).value == 0.0
    assert len(docket.keys) == 1


def test_a_reference_without_entities_gives_no_score() -> None:
    outcome, _ = judged("context_entities", {"entity_extraction": {"entities": []}}, row())
    assert scored("entity_recall", "context_entities", outcome, row()).status.value == "not_applicable"


def test_an_entity_that_the_text_does_not_name_is_no_score() -> None:
    outcome, _ = judged("context_entities", {"entity_extraction": {"entities": ["Paris"]}}, row())
    assert reason(outcome)[0] == "invalid"
