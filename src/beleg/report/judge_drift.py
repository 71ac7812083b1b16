"""Drift on control cases in sentences: whether a judge moved, which way, and how that was tested."""

from __future__ import annotations

from beleg.core.calibration import CalibrationRecord
from beleg.core.decision import Bounds, Sentence
from beleg.judges.control_drift import ControlDrift
from beleg.report.figures import both
from beleg.report.runs_compared import p_text
from beleg.report.words import phrase
from beleg.stats.changes import PairedChanges
from beleg.stats.intervals import Interval
from beleg.text.figures import Unit, interval_text
from beleg.text.numbers import number

ALPHA = 0.05


def drift_sentences(first: CalibrationRecord, latest: CalibrationRecord, drift: ControlDrift) -> list[Sentence]:
    """What moved between two calibrations; a judge whose settings differ is told first."""
    told = [] if first.judge == latest.judge else [phrase("judge_drift.other_settings")]
    if drift.verdicts is not None and drift.agreement is not None:
        return [
            *told,
            _paired("judge_drift.verdicts", drift.verdicts, ("milder", "stricter")),
            _paired("judge_drift.agreement", drift.agreement, ("better", "worse")),
        ]
    told.append(phrase("judge_drift.unpaired"))
    for key, found, ways in (
        ("judge_drift.agreement_difference", drift.agreement_difference, ("better", "worse")),
        ("judge_drift.false_pass_difference", drift.false_pass_difference, ("more_false", "less_false")),
    ):
        if found is not None:
            told.append(phrase(key, difference=_difference(found), verdict=_way(_side(found), ways)))
    return told


def _paired(key: str, found: PairedChanges, ways: tuple[str, str]) -> Sentence:
    side = 0 if found.p_value >= ALPHA else 1 if found.gained > found.lost else -1
    return phrase(
        key,
        gained=_whole(found.gained),
        lost=_whole(found.lost),
        items=_whole(found.n),
        p=p_text(found.p_value, named=True),
        verdict=_way(side, ways),
    )


def _side(found: Interval) -> int:
    return 1 if found.lower > 0 else -1 if found.upper < 0 else 0


def _way(side: int, ways: tuple[str, str]) -> Sentence:
    return phrase(f"judge_drift.{'none' if side == 0 else ways[0] if side > 0 else ways[1]}")


def _difference(found: Interval) -> Sentence:
    bounds = Bounds(
        estimate=found.estimate, lower=found.lower, upper=found.upper, confidence=found.confidence, method="", n=found.n
    )
    return both(lambda language: interval_text(bounds, language, unit=Unit.PERCENT, signed=True))


def _whole(value: int) -> Sentence:
    return both(lambda language: number(value, language, decimals=0))
