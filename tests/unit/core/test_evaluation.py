from __future__ import annotations

import numpy as np

from beleg.core.evaluation import Evaluation
from beleg.core.score import ScoreStatus
from support.builders import case, column, header

A, B, C = case("a"), case("b"), case("c")


def repeated(values: list[float | ScoreStatus | None]) -> Evaluation:
    """Three cases asked twice: a, b, c, a, b, c."""
    return Evaluation(
        header=header([A, B, C]),
        cases=(A, B, C),
        row_case=np.array([0, 1, 2, 0, 1, 2], dtype=np.intp),
        scores={"m": column(values)},
    )


def test_repeats_of_a_case_become_their_mean() -> None:
    folded = repeated([1.0, 0.0, 0.5, 0.0, 0.0, 1.0]).by_case("m")
    assert folded.filled(-1.0).tolist() == [0.5, 0.0, 0.75]


def test_a_failed_repeat_leaves_the_case_without_a_score() -> None:
    folded = repeated([0.0, 1.0, 1.0, ScoreStatus.TIMEOUT, 1.0, 1.0]).by_case("m")
    assert folded.score_at(0).status is ScoreStatus.TIMEOUT
    assert folded.values.tolist() == [1.0, 1.0]


def test_a_repeat_in_which_the_question_does_not_arise_does_not_count() -> None:
    none = ScoreStatus.NOT_APPLICABLE
    folded = repeated([none, none, 1.0, 0.5, none, 1.0]).by_case("m")
    assert folded.score_at(0).value == 0.5
    assert folded.score_at(1).status is none
