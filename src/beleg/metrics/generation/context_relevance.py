"""How relevant the delivered passages are to the question, by a grade for each (A2, Q10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from beleg.core.case import Identifier
from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn
from beleg.metrics.batch import Batch
from beleg.metrics.findings import finding_column

BEST_GRADE = 3


class GradedPassage(StoredModel):
    """The grade of one delivered passage."""

    passage_id: Identifier
    grade: Annotated[int, Field(ge=0, le=BEST_GRADE)]
    """From 0, nothing to do with the question, to 3, it answers the question."""
    reason: str | None = None
    """Why, in the judge's words."""


class PassageGrades(StoredModel):
    """The evidence of the measure ``passage_relevance``: all passages in their order."""

    passages: tuple[GradedPassage, ...]


def passage_relevance(grades: Sequence[int]) -> Score:
    """How relevant the delivered passages are on average.

    Formula: mean grade / 3, every passage graded by itself. Ragas' ContextRelevance has two judges grade all passages
    together, from 0 to 2, and so cannot tell which passage is the noise. Range: 0 to 1, higher is better; 0 where
    nothing was delivered.

    Args:
        grades: the grade of each passage, from 0 to 3.

    Example:
        >>> passage_relevance([3, 0]).value
        0.5
    """
    if not grades:
        return Score.of(0.0, "nothing was delivered")
    return Score.of(sum(grades) / (BEST_GRADE * len(grades)))


def passage_relevance_column(batch: Batch) -> ScoreColumn:
    """`passage_relevance` of every row.

    Undefined: missing where no judge was asked.
    """
    return finding_column(
        batch,
        "passage_relevance",
        PassageGrades,
        lambda _row, found: passage_relevance([passage.grade for passage in found.passages]),
    )
