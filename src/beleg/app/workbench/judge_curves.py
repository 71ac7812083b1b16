"""One calibration record with its curves: drawn, and as tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from markupsafe import Markup

from beleg.app.workbench.judges import CalibrationView, calibration_records, calibration_view
from beleg.core.calibration import CalibrationRecord, OperatingCurve, ReliabilityCurve
from beleg.core.decision import Sentence
from beleg.core.errors import UsageError, shown
from beleg.report.calibration import curve_notes, rate_text
from beleg.report.chart import is_available
from beleg.report.figures import both
from beleg.report.judge_charts import operating_drawing, reliability_drawing
from beleg.text.figures import limit_text
from beleg.text.numbers import number

KEPT = 64
"""Drawings that are kept; each takes a moment to make."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BinRow:
    """One bin of the reliability curve."""

    scores: Sentence
    """From which score up to which."""
    mean: Sentence
    n: int
    passed: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class PointRow:
    """One threshold."""

    threshold: Sentence
    false_pass: Sentence
    false_fail: Sentence
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvesView:
    """A record with its curves, in one language."""

    record: CalibrationView
    notes: tuple[Sentence, ...]
    """What the curve says, or why there is none."""
    is_old: bool
    """Whether the record was made before curves were stored."""
    can_draw: bool
    bins: tuple[BinRow, ...]
    reliability: Markup | None
    points: tuple[PointRow, ...]
    thresholds: int
    """How many thresholds change a verdict; at least as many as there are points."""
    operating: Markup | None


def curves_view(root: Path, key: str, language: str) -> CurvesView:
    """The record of a project that a key names.

    Raises:
        UsageError: if there is none.
    """
    found = next((each for each in calibration_records(root)[0] if calibration_view(*each).key == key), None)
    if found is None:
        raise UsageError(f"there is no calibration record {shown(key)}")
    record = found[1]
    return CurvesView(
        record=calibration_view(*found),
        notes=tuple(curve_notes(record)),
        is_old=record.curve is None and record.no_curve is None,
        can_draw=is_available(),
        bins=() if record.curve is None else tuple(_bins(record.curve)),
        reliability=_reliability(record.curve, language),
        points=() if record.operating is None else tuple(_points(record, record.operating)),
        thresholds=0 if record.operating is None else record.operating.thresholds,
        operating=_operating(record, language),
    )


def _bins(curve: ReliabilityCurve) -> list[BinRow]:
    return [
        BinRow(
            scores=both(lambda language, each=each: _range(each.lower, each.upper, language)),  # type: ignore[misc]
            mean=both(lambda language, each=each: number(each.score, language, decimals=3)),  # type: ignore[misc]
            n=each.passed.n,
            passed=rate_text(each.passed),
        )
        for each in curve.bins
    ]


def _range(lower: float, upper: float, language: str) -> str:
    return f"{number(lower, language, decimals=3)} – {number(upper, language, decimals=3)}"


def _points(record: CalibrationRecord, curve: OperatingCurve) -> list[PointRow]:
    return [
        PointRow(
            threshold=both(lambda language, each=each: limit_text(each.threshold, language)),  # type: ignore[misc]
            false_pass=rate_text(each.false_pass),
            false_fail=rate_text(each.false_fail),
            is_chosen=each.threshold == record.threshold.threshold,
        )
        for each in curve.points
    ]


def _reliability(curve: ReliabilityCurve | None, language: str) -> Markup | None:
    return None if curve is None or not is_available() else _drawn_reliability(curve, language)


def _operating(record: CalibrationRecord, language: str) -> Markup | None:
    if record.operating is None or not is_available():
        return None
    return _drawn_operating(record.operating, record.threshold.threshold, record.threshold.max_false_pass, language)


@lru_cache(maxsize=KEPT)
def _drawn_reliability(curve: ReliabilityCurve, language: str) -> Markup:
    return Markup(reliability_drawing(curve, language))  # noqa: S704 - figures and our own words


@lru_cache(maxsize=KEPT)
def _drawn_operating(curve: OperatingCurve, threshold: float, limit: float | None, language: str) -> Markup:
    return Markup(operating_drawing(curve, threshold, limit, language))  # noqa: S704 - figures and our own words
