"""What is known of how a list was reranked: without it an uplift says nothing about its price."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from beleg.core.case import Identifier
from beleg.core.model import StoredModel

Milliseconds = Annotated[float, Field(ge=0.0)]


class RerankMode(StrEnum):
    """How a reranker reads its candidates."""

    POINTWISE = "pointwise"
    LISTWISE = "listwise"


class LatencyQuantiles(StoredModel):
    """Latency per query, where only its quantiles were kept."""

    p50: Milliseconds
    p95: Milliseconds
    p99: Milliseconds
    queries: Annotated[int, Field(ge=1)] | None = None
    """How many queries the quantiles rest on."""

    @model_validator(mode="after")
    def _rising(self) -> Self:
        if not self.p50 <= self.p95 <= self.p99:
            raise ValueError("p50, p95 and p99 must not fall")
        return self


class RerankRecord(StoredModel):
    """One reranked run: model, mode, depth, batch size, hardware, and where it was measured latency and cost."""

    model: Identifier
    """The name of the reranker with its version."""
    mode: RerankMode
    """``pointwise`` scores every passage by itself, ``listwise`` orders the whole list."""
    depth: Annotated[int, Field(ge=1)]
    """How many candidates of each query were reranked."""
    batch_size: Annotated[int, Field(ge=1)]
    """How many passages went into one call."""
    hardware: Identifier
    """What it ran on; a latency holds for no other machine."""
    latency_ms: tuple[Milliseconds, ...] | None = Field(default=None, min_length=1)
    """Milliseconds for each query."""
    latency_quantiles_ms: LatencyQuantiles | None = None
    """Quantiles of the milliseconds for each query, where the single ones were not kept."""
    cost_usd: Annotated[float, Field(ge=0.0)] | None = None
    """What all queries together cost."""

    @model_validator(mode="after")
    def _one_latency(self) -> Self:
        if self.latency_ms is not None and self.latency_quantiles_ms is not None:
            raise ValueError("latency_ms and latency_quantiles_ms exclude each other")
        return self
