from __future__ import annotations

import pytest

from beleg.core.score import Score, ScoreStatus
from beleg.core.trace import TraceStatus
from unit.metrics.building import broken, measured, trace


@pytest.mark.parametrize(
    ("metric", "expected"),
    [("latency_ms", 120.0), ("latency_ms(stage=retrieve)", 40.0), ("first_token_ms", 60.0)],
)
def test_what_the_candidate_recorded_is_taken_as_it_is(metric: str, expected: float) -> None:
    full = trace(total_ms=120.0, stage_ms={"retrieve": 40.0}, first_token_ms=60.0)
    assert measured(metric, full).value == expected


@pytest.mark.parametrize(
    ("metric", "detail"),
    [
        ("latency_ms", "the total time was not recorded"),
        ("latency_ms(stage=rerank)", "the time of stage 'rerank' was not recorded"),
        ("first_token_ms", "the time to the first token was not recorded"),
    ],
)
def test_what_is_unknown_is_missing_and_never_zero(metric: str, detail: str) -> None:
    assert measured(metric, trace(total_ms=None)) == Score.without(ScoreStatus.MISSING, detail)


def test_a_stage_that_took_no_time_is_a_reading() -> None:
    assert measured("latency_ms(stage=cache)", trace(stage_ms={"cache": 0.0})).value == 0.0


@pytest.mark.parametrize("metric", ["latency_ms", "first_token_ms"])
def test_the_time_until_a_fault_is_no_latency_of_an_answer(metric: str) -> None:
    late = broken(TraceStatus.TIMEOUT).model_copy(update={"total_ms": 60_000.0})
    assert measured(metric, late).status is ScoreStatus.TIMEOUT
