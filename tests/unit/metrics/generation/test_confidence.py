from __future__ import annotations

import pytest

from beleg.core.score import ScoreStatus
from beleg.core.trace import Output
from beleg.metrics.catalogue import compute
from beleg.metrics.generation.confidence import confidence_of
from unit.metrics.building import case, one


def test_the_candidates_own_field_counts_before_the_words_of_its_answer() -> None:
    assert confidence_of(Output(answer="Paris.", confidence=0.8)).value == 0.8
    assert confidence_of(Output(answer="Paris. Konfidenz: 80 %")).value == 0.8
    assert confidence_of(Output(answer="Paris. Confidence: 80 %", confidence=0.801)).value == 0.801


@pytest.mark.parametrize(
    ("output", "status"),
    [
        (Output(answer="Paris."), ScoreStatus.NOT_APPLICABLE),
        (Output(), ScoreStatus.NOT_APPLICABLE),
        (Output(answer="Paris. Confidence: high"), ScoreStatus.INVALID),
        (Output(answer="Paris. Confidence: 90 %", confidence=0.5), ScoreStatus.INVALID),
    ],
)
def test_what_is_not_stated_or_contradicts_itself_is_no_number(output: Output, status: ScoreStatus) -> None:
    assert confidence_of(output).status is status


def test_a_stated_confidence_is_no_part_of_the_answer_that_is_compared() -> None:
    run = one(case(accepted_answers=("Paris",)), answer="Paris.\nConfidence: 80 %")
    found = compute(["exact_match", "token_f1", "answered_words", "stated_confidence"], run)
    assert [column.values.tolist() for column in found.values()] == [[1.0], [1.0], [1.0], [0.8]]


def test_a_refusal_that_states_its_confidence_is_a_refusal() -> None:
    run = one(case(), answer="I don't know. Confidence: 100 %")
    assert compute(["over_refusal"], run)["over_refusal"].values.tolist() == [1.0]
