"""How relevant the delivered passages are, one by one, by the grades of a judge (Q10)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from beleg.core.case import Identifier
from beleg.core.errors import ConfigError, Problem, shown
from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch
from beleg.metrics.findings import finding_column

HIGHEST_GRADE = 3
DEFAULT_THRESHOLD = "2"
"""From this grade on a passage of the scale of UMBRELA counts as relevant."""


class GradedPassage(StoredModel):
    """A delivered passage with its grade for the question."""

    passage_id: Identifier
    """The passage."""
    rank: Annotated[int, Field(ge=1)]
    """Where in the context it stands."""
    grade: Annotated[int, Field(ge=0, le=HIGHEST_GRADE)]
    """From 0, not at all, to 3, it answers the question."""
    weighted: Annotated[float, Field(ge=0, le=HIGHEST_GRADE)] | None = None
    """The mean grade over the probabilities of all grades (G-Eval); ``None`` where the judge gave none."""
    rationale: str | None = None
    """Why, in the judge's words."""

    @property
    def value(self) -> float:
        """The weighted grade where there is one, else the grade."""
        return float(self.grade) if self.weighted is None else self.weighted


class PassageRelevance(StoredModel):
    """The evidence of the measure ``passage_grades``: every delivered passage with its grade."""

    passages: tuple[GradedPassage, ...]


def relevance_below(found: PassageRelevance, threshold: float) -> Score:
    """Share of the delivered passages whose grade lies below a threshold.

    Range: 0 to 1, lower is better: a high share tells of context that was paid for and distracts. The threshold belongs
    to the judge: calibrate it on passages that people graded. Undefined: when nothing was delivered.

    Args:
        found: the graded passages.
        threshold: the least grade that counts as relevant, above 0 and up to 3.

    Raises:
        ConfigError: for a threshold outside the scale.

    Example:
        >>> graded = [GradedPassage(passage_id=str(i), rank=i, grade=grade) for i, grade in ((1, 3), (2, 0))]
        >>> relevance_below(PassageRelevance(passages=tuple(graded)), 2.0).value
        0.5
    """
    if not 0 < threshold <= HIGHEST_GRADE:
        raise _no_threshold(f"{threshold:g}")
    if not found.passages:
        return _NOTHING
    return Score.of(sum(passage.value < threshold for passage in found.passages) / len(found.passages))


def relevance_grade(found: PassageRelevance) -> Score:
    """Mean grade of the delivered passages. Range: 0 to 3, higher is better. Undefined: when nothing was delivered."""
    if not found.passages:
        return _NOTHING
    return Score.of(sum(passage.value for passage in found.passages) / len(found.passages))


def relevance_below_column(batch: Batch, *, threshold: str = DEFAULT_THRESHOLD) -> ScoreColumn:
    """`relevance_below` of every row; missing where no judge was asked.

    Raises:
        ConfigError: for a threshold that is no number of the scale.
    """
    try:
        least = float(threshold)
    except ValueError:
        raise _no_threshold(threshold) from None
    if not 0 < least <= HIGHEST_GRADE:
        raise _no_threshold(threshold)
    return finding_column(batch, "passage_grades", PassageRelevance, lambda _row, found: relevance_below(found, least))


def relevance_grade_column(batch: Batch) -> ScoreColumn:
    """`relevance_grade` of every row; missing where no judge was asked."""
    return finding_column(batch, "passage_grades", PassageRelevance, lambda _row, found: relevance_grade(found))


_NOTHING = Score.without(ScoreStatus.NOT_APPLICABLE, "nothing was delivered")


def _no_threshold(value: str) -> ConfigError:
    return ConfigError(
        Problem(
            message="the threshold is a grade above 0 and up to 3",
            field="threshold",
            value=shown(value),
            remedy="Write context_relevance_below(threshold=2)",
        )
    )
