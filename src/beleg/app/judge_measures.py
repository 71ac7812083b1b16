"""The judged measures, and the metrics that are computed from each."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from beleg.core.errors import ConfigError, Problem, shown
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.measures.registry import MEASURES
from beleg.judges.panel import Panel
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


def require_offered(measures: Iterable[JudgedMeasure], panel: Panel, *, file: Path | None) -> None:
    """Refuses a measure that needs somebody who does not sit on the panel, before anything is judged.

    Args:
        measures: what is to be judged.
        panel: who may be asked.
        file: the judge file, to be named.

    Raises:
        ConfigError: naming the measure, the block that is missing or the embedding model that does not do.
    """
    for measure in measures:
        lacking = sorted(measure.needs - panel.offers())
        if lacking:
            raise ConfigError(_lacking(measure.name, lacking[0], panel, file=file))


def _lacking(measure: str, need: str, panel: Panel, *, file: Path | None) -> Problem:
    if need == "token_embedder" and panel.embedder is not None:
        return Problem(
            file=None if file is None else str(file),
            field="embedder.kind",
            message=f"the measure {measure} needs a vector for every token, and this embedding model gives none",
            value=shown(panel.embedder.identity),
            remedy="Name the folder of an ONNX model: kind: onnx, folder: …; or leave its metrics out",
        )
    return Problem(
        file=None if file is None else str(file),
        field=need,
        message=f"the measure {measure} needs it",
        remedy=f"Add a block '{need}' to the judge file, or leave its metrics out",
    )
