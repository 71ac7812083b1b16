"""Judges: how far each is to be believed, by the calibration records that stand in the project."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from beleg.app.calibration_records import SUFFIX, read_record
from beleg.app.workbench.walking import project_folders
from beleg.app.workbench.workspace import KEY_DIGITS, Unreadable
from beleg.core.calibration import CalibrationFigures, CalibrationRecord, ErrorRate
from beleg.core.decision import Sentence
from beleg.core.errors import Error
from beleg.report.calibration import agreement_text, calibration_notes, calibration_sentence, rate_text
from beleg.report.naming import metric_label
from beleg.report.words import phrase

WIDTH = 200
"""Of a drawn share, from 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateView:
    """One error rate, as text and as a bar from 0 to 1."""

    text: Sentence
    low: float
    high: float
    at: float
    is_known: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PartView:
    """The judge against people in one part of the labels."""

    part: Sentence
    n: int
    false_pass: RateView
    false_fail: RateView
    kappa: Sentence
    ac1: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationView:
    """One record."""

    key: str
    """By which it is asked for: the beginning of its digest."""
    path: str
    """Its place in the project."""
    metric: Sentence
    judge: str
    created_at: datetime
    labels_source: str
    annotators: int
    sentence: Sentence
    notes: tuple[Sentence, ...]
    parts: tuple[PartView, ...]
    record: CalibrationRecord
    """Everything that these figures were taken from."""


def calibrations(root: Path) -> tuple[tuple[CalibrationView, ...], tuple[Unreadable, ...]]:
    """Every calibration record of a project as its page shows it, and the files that cannot be read as one."""
    found, unreadable = calibration_records(root)
    return tuple(calibration_view(path, record) for path, record in found), unreadable


def calibration_records(root: Path) -> tuple[tuple[tuple[Path, CalibrationRecord], ...], tuple[Unreadable, ...]]:
    """Every calibration record by its place in the project, the newest first, and what cannot be read as one."""
    found: list[tuple[Path, CalibrationRecord]] = []
    unreadable: list[Unreadable] = []
    for path in _files(root):
        try:
            found.append((path.relative_to(root), read_record(path)))
        except (Error, OSError) as error:
            unreadable.append(Unreadable(path=path, why=str(error)))
    found.sort(key=lambda each: each[1].created_at, reverse=True)
    return tuple(found), tuple(unreadable)


def calibration_view(path: Path, record: CalibrationRecord) -> CalibrationView:
    """One record as a page shows it."""
    return CalibrationView(
        key=record.digest.removeprefix("sha256:")[:KEY_DIGITS],
        path=path.as_posix(),
        metric=metric_label(record.metric).title,
        judge=record.judge_name,
        created_at=record.created_at,
        labels_source=record.labels_source,
        annotators=record.annotators,
        sentence=calibration_sentence(record),
        notes=tuple(calibration_notes(record)),
        parts=tuple(_part(figures) for figures in (record.overall, *record.segments)),
        record=record,
    )


def _part(figures: CalibrationFigures) -> PartView:
    name = figures.segment
    return PartView(
        part=phrase("calibration.all") if name is None else Sentence(en=name, de=name),
        n=figures.n,
        false_pass=_rate(figures.false_pass),
        false_fail=_rate(figures.false_fail),
        kappa=agreement_text(figures.kappa),
        ac1=agreement_text(figures.ac1),
    )


def _rate(rate: ErrorRate | None) -> RateView:
    """A share that nobody could measure is drawn as the whole scale: it may be anything."""
    low, high, at = (0.0, 1.0, 0.0) if rate is None else (rate.lower, rate.upper, rate.value)
    return RateView(
        text=rate_text(rate),
        low=round(low * WIDTH, 1),
        high=round(high * WIDTH, 1),
        at=round(at * WIDTH, 1),
        is_known=rate is not None,
    )


def _files(root: Path) -> Iterator[Path]:
    for place, files in project_folders(root):
        yield from (place / name for name in files if name.endswith(SUFFIX))
