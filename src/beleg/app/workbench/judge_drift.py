"""Drift of judges on control cases, from the calibration records of a project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from markupsafe import Markup

from beleg.app.workbench.judges import calibration_records, calibration_view
from beleg.core.calibration import CalibrationRecord
from beleg.core.decision import Sentence
from beleg.judges.control_drift import control_drift, control_groups
from beleg.report.calibration import rate_text
from beleg.report.chart import is_available
from beleg.report.judge_charts import DatedRates, time_drawing
from beleg.report.judge_drift import drift_sentences
from beleg.report.naming import metric_label

KEPT = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftRow:
    """One calibration among those on the same control cases."""

    key: str
    """By which its record is asked for."""
    at: datetime
    n: int
    agreement: Sentence
    false_pass: Sentence
    settings: str
    """The digest of the judge with its settings, shortened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftView:
    """One judge and metric on the same control cases over time."""

    judge: str
    metric: Sentence
    labels_source: str
    sentences: tuple[Sentence, ...]
    """Whether it moved between the first and the latest calibration."""
    rows: tuple[DriftRow, ...]
    """The oldest first."""
    drawing: Markup | None


def drifts(root: Path, language: str) -> tuple[DriftView, ...]:
    """Every judge and metric that was calibrated on the same labels more than once."""
    records = [record for _, record in calibration_records(root)[0]]
    return tuple(_view(group, language) for group in control_groups(records))


def _view(group: Sequence[CalibrationRecord], language: str) -> DriftView:
    first, latest = group[0], group[-1]
    dated = tuple(
        DatedRates(at=each.created_at, agreement=each.overall.accuracy, false_pass=each.overall.false_pass)
        for each in group
    )
    return DriftView(
        judge=latest.judge_name,
        metric=metric_label(latest.metric).title,
        labels_source=latest.labels_source,
        sentences=tuple(drift_sentences(first, latest, control_drift(first, latest))),
        rows=tuple(_row(each) for each in group),
        drawing=_drawn(dated, language) if is_available() else None,
    )


def _row(record: CalibrationRecord) -> DriftRow:
    return DriftRow(
        key=calibration_view(Path(), record).key,
        at=record.created_at,
        n=record.overall.n,
        agreement=rate_text(record.overall.accuracy),
        false_pass=rate_text(record.overall.false_pass),
        settings="" if record.judge is None else record.judge.digest.removeprefix("sha256:")[:12],
    )


@lru_cache(maxsize=KEPT)
def _drawn(dated: tuple[DatedRates, ...], language: str) -> Markup:
    return Markup(time_drawing(dated, language))  # noqa: S704 - figures and our own words
