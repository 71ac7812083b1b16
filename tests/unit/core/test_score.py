from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from beleg.core.score import STATUS_ORDER, Score, ScoreColumn, ScoreStatus

REASONS = [status for status in ScoreStatus if status is not ScoreStatus.SCORED]
scores = st.one_of(
    st.floats(-10, 10).map(Score.of), st.sampled_from(REASONS).map(lambda status: Score.without(status, "why"))
)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_score_is_never_nan_or_infinite(value: float) -> None:
    with pytest.raises(ValidationError):
        Score.of(value)


def test_a_score_has_a_value_or_a_reason_never_both_or_neither() -> None:
    with pytest.raises(ValidationError):
        Score(status=ScoreStatus.TIMEOUT, value=0.0)
    with pytest.raises(ValidationError):
        Score(status=ScoreStatus.SCORED)


@given(st.lists(scores))
def test_a_column_gives_back_the_scores_it_was_made_of(listed: list[Score]) -> None:
    column = ScoreColumn.from_scores(listed)
    assert [column.score_at(row) for row in range(len(listed))] == listed
    assert sum(column.counts().values()) == len(listed)


@given(st.lists(scores, min_size=1), st.data())
def test_taking_rows_takes_their_scores(listed: list[Score], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(listed) - 1)))
    taken = ScoreColumn.from_scores(listed).take(np.array(rows, dtype=np.intp))
    assert [taken.score_at(place) for place in range(len(rows))] == [listed[row] for row in rows]


def test_an_unscored_row_has_no_number_anywhere() -> None:
    column = ScoreColumn.from_scores([Score.of(0.25), Score.without(ScoreStatus.TIMEOUT)])
    assert column.values.tolist() == [0.25]
    assert column.filled(1.0).tolist() == [0.25, 1.0]
    assert column.filled(0.0).tolist() == [0.25, 0.0]


def test_what_does_not_arise_is_not_what_failed() -> None:
    column = ScoreColumn.from_scores([Score.without(status) for status in STATUS_ORDER[1:]])
    outside = [status for status, failed in zip(STATUS_ORDER[1:], column.failed, strict=True) if not failed]
    assert outside == [ScoreStatus.NOT_APPLICABLE, ScoreStatus.NO_CLAIMS]


@pytest.mark.parametrize("values", [[], [1.0, 2.0], [math.nan]])
def test_a_column_refuses_values_that_do_not_fit_its_statuses(values: list[float]) -> None:
    with pytest.raises(ValueError, match=r"one value per scored row|finite"):
        ScoreColumn(status=np.zeros(1, dtype=np.uint8), values=np.array(values, dtype=np.float64))
