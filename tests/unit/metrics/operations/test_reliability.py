from __future__ import annotations

import pytest

from beleg.core.score import ScoreStatus
from beleg.core.trace import Trace, TraceStatus
from unit.metrics.building import broken, measured, trace


@pytest.mark.parametrize(
    ("attempt", "value"),
    [
        (trace(), 0.0),
        (broken(TraceStatus.TIMEOUT), 1.0),
        (broken(TraceStatus.ERROR), 1.0),
        (broken(TraceStatus.INVALID), 1.0),
        (Trace(case_id="c1", status=TraceStatus.OK), 1.0),
    ],
)
def test_a_failed_attempt_is_a_value_for_the_failure_rate(attempt: Trace, value: float) -> None:
    assert measured("failed", attempt).value == value


def test_an_attempt_that_was_never_made_is_missing() -> None:
    assert measured("failed", None).status is ScoreStatus.MISSING
