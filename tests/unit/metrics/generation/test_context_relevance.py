from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.metrics.generation.context_relevance import GradedPassage, passage_relevance


@pytest.mark.parametrize(("grades", "expected"), [([3], 1.0), ([0], 0.0), ([3, 2, 1, 0], 0.5), ([], 0.0)])
def test_worked_values(grades: list[int], expected: float) -> None:
    assert passage_relevance(grades).value == expected


@pytest.mark.parametrize("grade", [-1, 4])
def test_a_grade_out_of_range_is_refused_and_never_clamped(grade: int) -> None:
    with pytest.raises(ValidationError):
        GradedPassage(passage_id="p", grade=grade)
