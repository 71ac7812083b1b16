"""What the analyses of answers have in common: the scored run, and figures with interval, n and what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from beleg.app.scoring import ScoredRun, score_run
from beleg.core.decision import Bounds, Counts
from beleg.core.errors import UsageError
from beleg.core.score import ScoreColumn, ScoreStatus
from beleg.metrics.catalogue import parse_metric
from beleg.report.figures import figure_text
from beleg.report.naming import metric_label
from beleg.stats.intervals import UNIT as UNIT_BOUNDS
from beleg.stats.intervals import Interval, clopper_pearson, clustered_interval, mean_t_interval
from beleg.text.figures import UNIT_OF_KIND, Unit

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure with its interval, and how many rows it rests on."""

    interval: Interval | None
    counts: Counts

    @property
    def bounds(self) -> Bounds | None:
        """The interval as reports show it."""
        return None if self.interval is None else bounds_of(self.interval)

    def text(self, language: str, unit: Unit = Unit.PLAIN) -> str:
        """Value, interval, n, and how many are missing and why."""
        return figure_text(self.bounds, self.counts, language, unit=unit)

    def to_json(self) -> dict[str, Any]:
        """Estimate, bounds, n and counts."""
        return {**interval_json(self.interval), "counts": self.counts.to_json_dict()}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoredAnswers:
    """A run whose answers were scored by one measure of correctness."""

    run: ScoredRun
    metric: str
    column: ScoreColumn
    clusters: npt.NDArray[np.intp]
    """For each row a number that it shares with every row of the same case, session or source."""

    @property
    def unit(self) -> Unit:
        """In what the measure is read."""
        return UNIT_OF_KIND.get(parse_metric(self.metric).spec.kind, Unit.PLAIN)

    def title(self, language: str) -> str:
        """What the measure is called."""
        return metric_label(self.metric).title.in_language(language)

    def figure(self, rows: npt.NDArray[np.bool_]) -> Figure:
        """The mean over some rows."""
        chosen = np.flatnonzero(rows)
        return mean_figure(self.column.take(chosen), self.clusters[chosen])


def scored_answers(path: Path, metric: str) -> ScoredAnswers:
    """Scores the answers of a run by a measure of correctness.

    Raises:
        UsageError: if the folder holds no run, or the measure does not run from 0 to 1 with 1 the best.
        EvidenceError: if the run is damaged.
    """
    run = score_run(path, [metric])
    name = next(iter(run.evaluation.scores))
    spec = parse_metric(name).spec
    if (spec.direction, spec.low, spec.high) != ("higher", 0.0, 1.0):
        raise UsageError(
            f"{name} is no measure of correctness", hint="Give one from 0 to 1 with 1 the best, such as token_f1"
        )
    evaluation = run.evaluation
    return ScoredAnswers(
        run=run,
        metric=name,
        column=evaluation.scores[name],
        clusters=evaluation.cluster_numbers[evaluation.row_case],
    )


def mean_figure(
    column: ScoreColumn, clusters: npt.NDArray[np.intp], *, bounds: tuple[float, float] = UNIT_BOUNDS
) -> Figure:
    """The mean of a column with the interval that its values and clusters call for."""
    counted = column.counts()
    scored = counted.pop(ScoreStatus.SCORED, 0)
    counts = Counts(expected=len(column), scored=scored, reasons=counted)
    return Figure(interval=mean_interval(column.values, clusters[column.scored], bounds=bounds), counts=counts)


def mean_interval(
    values: npt.NDArray[np.float64], clusters: npt.NDArray[np.intp], *, bounds: tuple[float, float] = UNIT_BOUNDS
) -> Interval | None:
    """Exact for a rate, adjusted t for graded values, over clusters where any two values share one; None for none."""
    if not len(values):
        return None
    if len(np.unique(clusters)) < len(values):
        return clustered_interval(values, clusters, CONFIDENCE, bounds=bounds)
    if bounds == UNIT_BOUNDS and np.isin(values, (0.0, 1.0)).all():
        return clopper_pearson(int(values.sum()), len(values), CONFIDENCE)
    return mean_t_interval(values, CONFIDENCE, bounds=bounds)


def bounds_of(interval: Interval) -> Bounds:
    """An interval as reports show it; each of its bounds holds by itself at half the error."""
    return Bounds(
        estimate=interval.estimate,
        lower=interval.lower,
        upper=interval.upper,
        confidence=0.5 + 0.5 * interval.confidence,
        method=interval.method,
        n=interval.n,
        clusters=interval.clusters,
    )


def interval_json(interval: Interval | None) -> dict[str, Any]:
    """An interval as JSON data; an absent one has null in place of each number."""
    if interval is None:
        return {"estimate": None, "lower": None, "upper": None, "n": 0}
    return {
        "estimate": interval.estimate,
        "lower": interval.lower,
        "upper": interval.upper,
        "n": interval.n,
        "method": interval.method,
    }


def sorted_reasons(reasons: Mapping[str, int] | Counter[str]) -> dict[str, int]:
    """Reasons with their counts, the most frequent first."""
    return dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0])))
