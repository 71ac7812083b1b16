from __future__ import annotations

import pytest

from beleg.core.errors import ConfigError
from beleg.core.score import ScoreStatus
from beleg.metrics.catalogue import compute
from beleg.metrics.context.relevance import GradedPassage, PassageRelevance, relevance_below, relevance_grade
from unit.metrics.building import case, one


def graded(*grades: int | float) -> PassageRelevance:
    return PassageRelevance(
        passages=tuple(
            GradedPassage(
                passage_id=f"p{rank}",
                rank=rank,
                grade=round(grade),
                weighted=grade if isinstance(grade, float) else None,
            )
            for rank, grade in enumerate(grades, start=1)
        )
    )


def test_the_share_below_a_threshold_is_one_point_of_the_distribution() -> None:
    found = graded(3, 2, 1, 0)
    assert [relevance_below(found, threshold).value for threshold in (1, 2, 3)] == [0.25, 0.5, 0.75]
    assert relevance_grade(found).value == 1.5


def test_a_weighted_grade_takes_the_place_of_the_grade() -> None:
    assert relevance_below(graded(1.6, 2.4), 1.5).value == 0.0
    assert relevance_below(graded(1.6, 2.4), 2).value == 0.5


def test_nothing_delivered_is_no_perfect_context() -> None:
    assert relevance_below(graded(), 2).status is ScoreStatus.NOT_APPLICABLE
    assert relevance_grade(graded()).status is ScoreStatus.NOT_APPLICABLE


@pytest.mark.parametrize("threshold", ["0", "3.5", "high", "nan", "-1"])
def test_a_threshold_off_the_scale_is_refused(threshold: str) -> None:
    with pytest.raises(ConfigError, match="above 0 and up to 3"):
        compute([f"context_relevance_below(threshold={threshold})"], one(case(), answer="x"))


def test_without_a_judge_there_is_no_figure() -> None:
    found = compute(["context_relevance_below", "context_relevance_grade"], one(case(), answer="x"))
    assert [column.score_at(0).status for column in found.values()] == [ScoreStatus.MISSING] * 2
    with pytest.raises(ConfigError):
        relevance_below(graded(1), float("nan"))
