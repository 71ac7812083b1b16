"""The grade of an answer by the rubric of its case (J1)."""

from __future__ import annotations

import math
from typing import Annotated, Self

from pydantic import Field, model_validator

from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn
from beleg.metrics.batch import Batch
from beleg.metrics.findings import finding_column

RUBRIC_MEASURE = "rubric_grade"
LOWEST_GRADE = 1
HIGHEST_GRADE = 5

Grade = Annotated[int, Field(ge=LOWEST_GRADE, le=HIGHEST_GRADE)]
Share = Annotated[float, Field(ge=0, le=1)]


class RubricFound(StoredModel):
    """The evidence of the measure ``rubric_grade``."""

    grade: Grade
    """The grade that the judge gave."""
    reason: str
    """Why, in the judge's words."""
    distribution: dict[str, Share] | None = None
    """The probability of each grade, where the server told log probabilities."""

    @model_validator(mode="after")
    def _is_a_distribution(self) -> Self:
        if self.distribution is None:
            return self
        grades = {str(grade) for grade in range(LOWEST_GRADE, HIGHEST_GRADE + 1)}
        if not set(self.distribution) <= grades or not math.isclose(sum(self.distribution.values()), 1.0, rel_tol=1e-6):
            raise ValueError("a distribution gives the grades of the scale probabilities that sum to 1")
        return self


def rubric_grade(found: RubricFound) -> Score:
    """The grade that the judge gave by the case's rubric.

    Range: 1 (fails the rubric) to 5 (meets it in full), whole grades, higher is better. Undefined: for a case without a
    rubric.

    Example:
        >>> rubric_grade(RubricFound(grade=4, reason="so", distribution={"4": 0.75, "5": 0.25})).value
        4.0
    """
    return Score.of(found.grade)


def weighted_rubric_grade(found: RubricFound) -> Score:
    """The grade by the case's rubric, weighted by the probabilities of the grades; the grade itself without them.

    Formula: sum of p(g) * g over the grades g (Liu et al. 2023, G-Eval, equation 1), p normalised over the grades that
    the server listed. Range: 1 to 5, higher is better. Undefined: for a case without a rubric. Which of the two it is
    stands in the detail of the score.

    Example:
        >>> weighted_rubric_grade(RubricFound(grade=4, reason="so", distribution={"4": 0.75, "5": 0.25})).value
        4.25
    """
    if found.distribution is None:
        return Score.of(found.grade, "the server told no probabilities of the grades")
    total = math.fsum(found.distribution.values())
    return Score.of(math.fsum(int(grade) * share for grade, share in found.distribution.items()) / total)


def rubric_grade_column(batch: Batch) -> ScoreColumn:
    """`rubric_grade` of every row; missing where no judge was asked."""
    return finding_column(batch, RUBRIC_MEASURE, RubricFound, lambda _row, found: rubric_grade(found))


def weighted_rubric_grade_column(batch: Batch) -> ScoreColumn:
    """`weighted_rubric_grade` of every row; missing where no judge was asked."""
    return finding_column(batch, RUBRIC_MEASURE, RubricFound, lambda _row, found: weighted_rubric_grade(found))
