"""The command ``beleg judge calibrate``: who is asked, what is written, and what is shown."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beleg.app.calibrating import CalibrationOutcome, calibrate, calibrate_rows, calibrate_verdicts
from beleg.app.calibration_records import store_record
from beleg.app.calibration_subjects import CalibrationRequest
from beleg.app.judge_opening import Opening, load_judge_file, open_panel
from beleg.app.labelled import read_labelled
from beleg.core.errors import UsageError
from beleg.core.judge_settings import JudgeSettings
from beleg.judges.panel import Panel
from beleg.metrics.verification.verifier import DEFAULT_THRESHOLD, AlignmentVerifier
from beleg.report.calibration import (
    calibration_head,
    calibration_notes,
    calibration_rows,
    calibration_sentence,
    texts,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCalibration:
    """What the command prints."""

    answer: str
    head: list[str]
    rows: list[list[str]]
    notes: list[str]
    warnings: list[str]
    paths: list[str]
    data: dict[str, Any]
    is_bound: bool


def calibrated(
    labels: str | None, judge: Path | None, verdicts: Path | None, request: CalibrationRequest
) -> CalibrationOutcome:
    """Carries a calibration out.

    Args:
        labels: where the labels of people are.
        judge: the judge file.
        verdicts: instead of both, a file that holds labels and verdicts.
        request: what is asked for.

    Raises:
        UsageError: unless there are labels, or verdicts, and not both.
        DataError: for labels or verdicts that cannot be used.
    """
    if (labels is None) == (verdicts is None):
        raise UsageError(
            "give labels, which are then judged, or --verdicts, which were judged already",
            hint="For example: beleg judge calibrate labels.jsonl --judge judge.yaml",
        )
    if verdicts is not None:
        if judge is not None:
            raise UsageError("--verdicts asks no judge, so --judge has no use beside it", hint="Leave one of them out")
        return calibrate_verdicts(verdicts, request)
    if judge is None:
        return calibrate(
            labels or "", Panel(verifier=AlignmentVerifier(), verifier_threshold=DEFAULT_THRESHOLD), request
        )
    return asyncio.run(_asked(labels or "", load_judge_file(judge), request))


async def _asked(labels: str, settings: JudgeSettings, request: CalibrationRequest) -> CalibrationOutcome:
    """The labels are read before the judge is opened, so that nothing is spent on a file that cannot be used."""
    rows = read_labelled(labels)
    calls = None if settings.cache is None else Path(settings.cache)
    async with open_panel(Opening(settings=settings, calls=calls)) as opened:
        return await calibrate_rows(rows, opened.panel, request)


def shown_calibration(outcome: CalibrationOutcome, out: Path, *, language: str) -> ShownCalibration:
    """Writes the record, and puts everything into words.

    Args:
        outcome: what was found.
        out: the folder of records, or a file.
        language: ``en`` or ``de``.
    """
    record = outcome.record
    written = [store_record(record, out)]
    return ShownCalibration(
        answer=calibration_sentence(record).in_language(language),
        head=calibration_head(language),
        rows=calibration_rows(record, language),
        notes=texts(calibration_notes(record, outcome.disputed), language),
        warnings=[],
        paths=[str(path) for path in written],
        data={**record.to_json_dict(), "digest": record.digest, "disputed": outcome.disputed},
        is_bound=record.judge is not None or record.embedder is not None,
    )
