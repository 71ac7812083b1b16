from __future__ import annotations

import pytest

from beleg.core.score import Score, ScoreStatus
from beleg.metrics.operations.readings import reading


@pytest.mark.parametrize("value", [0, 0.0, 900, 0.0042])
def test_a_reading_is_its_own_score_and_zero_is_a_reading(value: float) -> None:
    assert reading(value, "the cost") == Score.of(value)


def test_a_reading_that_was_left_out_says_which_one() -> None:
    assert reading(None, "the cost") == Score.without(ScoreStatus.MISSING, "the cost was not recorded")
