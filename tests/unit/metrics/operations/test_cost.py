from __future__ import annotations

import pytest

from beleg.core.score import Score, ScoreStatus
from beleg.core.trace import TraceStatus, Usage
from unit.metrics.building import broken, measured, trace

USAGE = Usage(prompt_tokens=900, completion_tokens=0, cost_usd=0.0)


@pytest.mark.parametrize(("metric", "expected"), [("prompt_tokens", 900), ("completion_tokens", 0), ("cost_usd", 0.0)])
def test_what_the_candidate_recorded_is_taken_as_it_is(metric: str, expected: float) -> None:
    assert measured(metric, trace(usage=USAGE)).value == expected


@pytest.mark.parametrize(
    ("metric", "detail"),
    [
        ("prompt_tokens", "the number of prompt tokens was not recorded"),
        ("completion_tokens", "the number of completion tokens was not recorded"),
        ("cost_usd", "the cost was not recorded"),
    ],
)
def test_what_is_unknown_is_missing_and_never_zero(metric: str, detail: str) -> None:
    assert measured(metric, trace(total_ms=None)) == Score.without(ScoreStatus.MISSING, detail)


def test_each_reading_is_known_or_unknown_by_itself() -> None:
    only_tokens = trace(usage=Usage(prompt_tokens=12))
    assert measured("prompt_tokens", only_tokens).value == 12
    assert measured("cost_usd", only_tokens).status is ScoreStatus.MISSING


def test_a_failed_attempt_costs_an_unknown_amount_not_nothing() -> None:
    assert measured("cost_usd", broken(TraceStatus.ERROR)).status is ScoreStatus.INFRA_ERROR
