"""The judged measures, and the metrics that are computed from each."""

from __future__ import annotations

from typing import Any

from beleg.judges.measures.registry import MEASURES
from beleg.metrics.catalogue import CATALOGUE


def metrics_resting_on(measure: str) -> tuple[str, ...]:
    """The metrics that are computed from what a measure finds."""
    return tuple(spec.name for spec in CATALOGUE.values() if spec.rests_on == measure)


def measure_rows() -> list[tuple[str, str, str]]:
    """For every measure: its name, whom it needs, and its metrics."""
    return [
        (name, ", ".join(sorted(measure.needs)), ", ".join(metrics_resting_on(name)))
        for name, measure in MEASURES.items()
    ]


def measure_json() -> list[dict[str, Any]]:
    """The same as JSON data."""
    return [
        {
            "name": name,
            "version": measure.version,
            "needs": sorted(measure.needs),
            "needs_answer": measure.needs_answer,
            "metrics": list(metrics_resting_on(name)),
        }
        for name, measure in MEASURES.items()
    ]
