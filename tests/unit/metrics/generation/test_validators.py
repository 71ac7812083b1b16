from __future__ import annotations

import pytest

from beleg.core.score import Score, ScoreStatus
from beleg.metrics.catalogue import compute
from unit.metrics.building import case, citation, listed, one


def measured(metric: str, **output: object) -> Score:
    return compute([metric], one(case(), **output))[metric].score_at(0)


@pytest.mark.parametrize(
    ("output", "value"),
    [({}, 1.0), ({"retrieved": listed("a")}, 0.0), ({"retrieved": listed("a"), "delivered": ()}, 1.0)],
)
def test_a_retrieval_is_empty_when_no_passage_reached_the_answer(output: dict[str, object], value: float) -> None:
    assert measured("empty_retrieval", **output).value == value


@pytest.mark.parametrize(
    ("output", "value"),
    [
        ({"answer": "Express kostet 5 Euro.", "citations": ()}, 1.0),
        ({"answer": "Express kostet 5 Euro.", "citations": (citation(document_id="a"),)}, 0.0),
        ({"answer": "Das kann ich nicht beantworten.", "citations": ()}, 0.0),
        ({"answer": "Das kann ich nicht beantworten."}, 0.0),
    ],
)
def test_an_answer_needs_a_citation_and_a_refusal_does_not(output: dict[str, object], value: float) -> None:
    assert measured("missing_citations", **output).value == value


def test_what_was_not_recorded_is_no_fault_and_no_pass() -> None:
    assert measured("missing_citations", answer="5 Euro.").detail == "citations were not recorded"
    assert measured("missing_citations", citations=()).status is ScoreStatus.MISSING
    assert measured("missing_citations", answer=" ", citations=()).status is ScoreStatus.INVALID
