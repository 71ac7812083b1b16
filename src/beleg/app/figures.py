"""The figures of one run, without a policy: means and quantiles with intervals, and latency by stage."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np

from beleg.app.scoring import ScoredRun
from beleg.core.decision import Bounds, CheckKind, Counts
from beleg.core.policy import Thresholds
from beleg.core.trace import TraceStatus
from beleg.gating.bounds import figure_bounds
from beleg.gating.checks import column_of
from beleg.gating.plan import PlannedCheck, default_aggregate
from beleg.metrics.catalogue import parse_metric

CONFIDENCE = 0.975
"""One-sided, so that both bounds together hold with 95 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricFigure:
    """One metric over all cases of a run."""

    metric: str
    aggregate: str
    bounds: Bounds | None
    counts: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFigures:
    """All figures of a run."""

    run_id: str
    finished: int
    failed: int
    figures: tuple[MetricFigure, ...]
    stages: dict[str, tuple[float, float, float]]
    """Latency of each stage: p50, p95, p99 in milliseconds."""

    def stages_text(self) -> str:
        """Latency by stage on one line."""
        return " · ".join(f"{name} {p50:.0f} / {p95:.0f} / {p99:.0f}" for name, (p50, p95, p99) in self.stages.items())

    def to_json_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        return {
            "run_id": self.run_id,
            "finished": self.finished,
            "failed": self.failed,
            "figures": {
                figure.metric: {
                    "aggregate": figure.aggregate,
                    "figure": figure.bounds.to_json_dict() if figure.bounds else None,
                    "counts": figure.counts.to_json_dict(),
                }
                for figure in self.figures
            },
            "latency_ms": {name: {"p50": p50, "p95": p95, "p99": p99} for name, (p50, p95, p99) in self.stages.items()},
        }


def run_figures(run: ScoredRun) -> RunFigures:
    """Summarises every metric that a run was scored with."""
    evaluation = run.evaluation
    members = np.arange(len(evaluation.cases), dtype=np.intp)
    figures = []
    for name in evaluation.scores:
        metric = parse_metric(name)
        check = PlannedCheck(
            check_id=name,
            kind=CheckKind.BAND,
            metric=metric,
            aggregate=default_aggregate(metric),
            thresholds=Thresholds(),
            members=members,
            segment=None,
            protected=False,
            minimum_n=2,
            owner=None,
        )
        column = column_of(check, evaluation)
        values, clusters = column.scored_values()
        figures.append(
            MetricFigure(
                metric=name,
                aggregate=check.aggregate.value,
                bounds=figure_bounds(check, values, clusters, CONFIDENCE) if len(values) else None,
                counts=column.counts(),
            )
        )
    traces = [trace for listed in run.traces.values() for trace in listed]
    return RunFigures(
        run_id=evaluation.header.run_id,
        finished=len(traces),
        failed=sum(trace.status is not TraceStatus.OK for trace in traces),
        figures=tuple(figures),
        stages=_stage_latencies(run),
    )


def _stage_latencies(run: ScoredRun) -> dict[str, tuple[float, float, float]]:
    measured: dict[str, list[float]] = defaultdict(list)
    for listed in run.traces.values():
        for trace in listed:
            for name, milliseconds in (trace.output.stage_ms if trace.output else {}).items():
                measured[name].append(milliseconds)
    quantiles = {name: np.quantile(values, [0.5, 0.95, 0.99]) for name, values in measured.items()}
    return {name: (float(found[0]), float(found[1]), float(found[2])) for name, found in quantiles.items()}
