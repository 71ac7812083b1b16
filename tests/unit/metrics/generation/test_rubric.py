from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.metrics.generation.rubric import RubricFound, rubric_grade, weighted_rubric_grade


def test_the_worked_example_of_a_weighted_grade() -> None:
    found = RubricFound(grade=4, reason="so", distribution={"3": 0.1, "4": 0.6, "5": 0.3})
    assert rubric_grade(found).value == 4
    assert weighted_rubric_grade(found).value == pytest.approx(4.2)


def test_without_probabilities_the_grade_stands_and_says_so() -> None:
    score = weighted_rubric_grade(RubricFound(grade=2, reason="so"))
    assert score.value == 2
    assert score.detail is not None
    assert "no probabilities" in score.detail


@pytest.mark.parametrize("distribution", [{"6": 1.0}, {"1": 0.4, "2": 0.4}, {}])
def test_what_is_no_distribution_is_no_evidence(distribution: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        RubricFound(grade=4, reason="so", distribution=distribution)


@pytest.mark.parametrize("grade", [0, 6])
def test_a_grade_off_the_scale_is_no_evidence(grade: int) -> None:
    with pytest.raises(ValidationError):
        RubricFound(grade=grade, reason="so")
