"""A record of a reranking says what is known, and nothing that contradicts itself."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError

from beleg.core.rerank import LatencyQuantiles, RerankMode, RerankRecord

WHOLE: dict[str, Any] = {
    "model": "cross-encoder-1", "mode": "pointwise", "depth": 50, "batch_size": 16, "hardware": "8 cores",
}  # fmt: skip


def record(**changed: Any) -> RerankRecord:
    return RerankRecord.model_validate_json(json.dumps(WHOLE | changed))


def test_what_was_not_measured_is_absent() -> None:
    found = record()
    assert found.mode is RerankMode.POINTWISE
    assert (found.latency_ms, found.latency_quantiles_ms, found.cost_usd) == (None, None, None)
    assert found.to_json_dict() == WHOLE


def test_latency_comes_query_by_query_or_as_quantiles() -> None:
    assert record(latency_ms=[1, 2.5]).latency_ms == (1.0, 2.5)
    kept = record(latency_quantiles_ms={"p50": 1, "p95": 2, "p99": 2}).latency_quantiles_ms
    assert kept == LatencyQuantiles(p50=1.0, p95=2.0, p99=2.0)


@pytest.mark.parametrize(
    "changed",
    [
        {"mode": "pairwise"},
        {"depth": 0},
        {"depth": "50"},
        {"batch_size": 0},
        {"hardware": ""},
        {"latency_ms": []},
        {"latency_ms": [-1.0]},
        {"latency_ms": [None]},
        {"latency_quantiles_ms": {"p50": 3, "p95": 2, "p99": 4}},
        {"latency_quantiles_ms": {"p50": 3}},
        {"latency_ms": [1.0], "latency_quantiles_ms": {"p50": 1, "p95": 1, "p99": 1}},
        {"cost_usd": -0.1},
        {"gpu": "one"},
    ],
)
def test_what_cannot_be_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        record(**changed)


@pytest.mark.parametrize("field", sorted(WHOLE))
def test_what_an_uplift_means_nothing_without_must_be_there(field: str) -> None:
    with pytest.raises(ValidationError):
        RerankRecord.model_validate_json(json.dumps({name: value for name, value in WHOLE.items() if name != field}))
