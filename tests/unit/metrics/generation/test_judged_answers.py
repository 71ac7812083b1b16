from __future__ import annotations

from typing import Any

import pytest

from beleg.core.case import Case, ExpectedBehaviour
from beleg.core.findings import Finding
from beleg.core.score import Score, ScoreStatus
from beleg.metrics.batch import Batch, Row
from beleg.metrics.catalogue import compute
from beleg.metrics.findings import subject_digest
from unit.metrics.building import case, trace

ABSTAIN = case(expected_behaviour=ExpectedBehaviour.ABSTAIN)
PARTIAL = case(expected_behaviour=ExpectedBehaviour.PARTIAL)


def with_finding(a_case: Case, answer: str, measure: str, evidence: dict[str, Any]) -> Batch:
    """A batch of one row with what a judge found out about it."""
    attempt = trace(a_case.case_id, answer=answer)
    (row,) = Batch.of([a_case], [attempt]).rows
    assert isinstance(row, Row)
    finding = Finding(
        case_id=a_case.case_id,
        measure=measure,
        measure_version="1",
        evidence=evidence,
        subject_digest=subject_digest(row),
    )
    return Batch.of([a_case], [attempt], findings={(a_case.case_id, 0, measure): finding})


def judged(metric: str, a_case: Case, answer: str, verdict: str) -> Score:
    return compute([metric], with_finding(a_case, answer, "refusal", {"verdict": verdict}))[metric].score_at(0)


@pytest.mark.parametrize(
    ("a_case", "verdict", "correct"),
    [
        (ABSTAIN, "refused", 1.0),
        (ABSTAIN, "partial", 0.0),
        (ABSTAIN, "answered", 0.0),
        (case(), "answered", 1.0),
        (case(), "refused", 0.0),
        (case(), "partial", 0.0),
        (PARTIAL, "answered", 1.0),
        (PARTIAL, "partial", 1.0),
        (PARTIAL, "refused", 0.0),
    ],
)
def test_a_judged_refusal_is_right_exactly_where_it_is_expected(a_case: Case, verdict: str, correct: float) -> None:
    assert judged("judged_abstention_correct", a_case, "…", verdict).value == correct


def test_the_text_detector_is_held_against_the_judge() -> None:
    assert judged("refusal_detector_agrees", case(), "I don't know.", "refused").value == 1.0
    assert judged("refusal_detector_agrees", case(), "Sadly our records are silent.", "refused").value == 0.0
    assert judged("refusal_detector_agrees", case(), " ", "answered").status is ScoreStatus.INVALID


def test_damaged_evidence_is_invalid() -> None:
    run = with_finding(case(), "x", "refusal", {"verdict": "perhaps"})
    found = compute(["judged_abstention_correct"], run)["judged_abstention_correct"]
    assert found.score_at(0).status is ScoreStatus.INVALID
