from __future__ import annotations

import pytest

from beleg.core.score import Score, ScoreStatus
from beleg.core.trace import Trace, TraceStatus, Usage
from beleg.metrics.batch import Batch
from beleg.metrics.catalogue import compute
from unit.metrics.building import broken, case, trace


def measured(metric: str, attempt: Trace | None) -> Score:
    return compute([metric], Batch.of([case()], [attempt]))[metric].score_at(0)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("latency_ms", 120.0), ("latency_ms(stage=retrieve)", 40.0), ("first_token_ms", 60.0),
        ("prompt_tokens", 900), ("completion_tokens", 0), ("cost_usd", 0.0),
    ],
)  # fmt: skip
def test_what_the_candidate_recorded_is_taken_as_it_is(metric: str, expected: float) -> None:
    usage = Usage(prompt_tokens=900, completion_tokens=0, cost_usd=0.0)
    full = trace(total_ms=120.0, stage_ms={"retrieve": 40.0}, first_token_ms=60.0, usage=usage)
    assert measured(metric, full).value == expected


@pytest.mark.parametrize(
    ("metric", "detail"),
    [
        ("latency_ms", "the total time was not recorded"),
        ("latency_ms(stage=rerank)", "the time of stage 'rerank' was not recorded"),
        ("first_token_ms", "the time to the first token was not recorded"),
        ("prompt_tokens", "the number of prompt tokens was not recorded"),
        ("completion_tokens", "the number of completion tokens was not recorded"),
        ("cost_usd", "the cost was not recorded"),
    ],
)
def test_what_is_unknown_is_missing_and_never_zero(metric: str, detail: str) -> None:
    assert measured(metric, trace(total_ms=None)) == Score.without(ScoreStatus.MISSING, detail)


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
