"""Calibrating a judge: labels of people in, a record of its errors out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from beleg.app.calibration_subjects import CalibrationRequest, subject_of
from beleg.app.labelled import LabelledRows, read_labelled
from beleg.app.verdict_files import read_verdicts
from beleg.core.calibration import CalibrationRecord
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.core.findings import Finding
from beleg.core.judging import TaskReference
from beleg.core.score import ScoreStatus
from beleg.judges.calibration import Comparison, LabelledScores, Terms, compare
from beleg.judges.labelled_items import JudgedItems, LabelledItem, gold_of, judge_items, score_items
from beleg.judges.panel import Panel

AT_A_TIME = 16
MOST_PARTS = 12
"""A dimension with more labels is broken down only where it is asked for."""


def request_of(*, limits: tuple[float, float | None, float | None], **given: Any) -> CalibrationRequest:
    """A request from the options of a command: ``limits`` are confidence, threshold and largest false pass rate.

    Raises:
        UsageError: for a confidence or limit out of range, or a threshold beside a limit that finds one.
    """
    confidence, threshold, max_false_pass = limits
    if not 0.5 < confidence < 1.0:
        raise UsageError(f"the confidence must lie between 0.5 and 1 (found {confidence:g})")
    if threshold is not None and max_false_pass is not None:
        raise UsageError("--max-false-pass finds the threshold, so none can be given beside it")
    if max_false_pass is not None and not 0.0 < max_false_pass < 1.0:
        raise UsageError(f"the limit of false passes must lie between 0 and 1 (found {max_false_pass:g})")
    return CalibrationRequest(
        terms=Terms(confidence=confidence, threshold=threshold, max_false_pass=max_false_pass), **given
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CalibrationOutcome:
    """A record, with the labelled scores that it was made from."""

    record: CalibrationRecord
    scores: LabelledScores
    disputed: int = 0
    """Items left out because people disagree half and half."""


def calibrate(labels: str, panel: Panel, request: CalibrationRequest) -> CalibrationOutcome:
    """Has a judge look at what people labelled, and compares.

    Args:
        labels: a known data set or a file, as `read_labelled` takes it.
        panel: who is asked.
        request: what is asked for.

    Raises:
        UsageError: for a measure that is not known or that the panel cannot offer, or labels that are not there.
        DataError: for labels that cannot be used, or too few of them for what is asked.
    """
    return asyncio.run(calibrate_rows(read_labelled(labels), panel, request))


async def calibrate_rows(rows: LabelledRows, panel: Panel, request: CalibrationRequest) -> CalibrationOutcome:
    """The same for labels that were read already, in a loop that runs already."""
    subject = subject_of(request, panel)
    gold = gold_of(rows.labels)
    items = _drawn(gold.items, request.limit)
    if subject.measure is None:
        judged = score_items(items, subject.score)
    else:
        judged = await judge_items(
            panel, subject.score, subject.measure, items, repeats=request.repeats, at_a_time=AT_A_TIME
        )
    _require_verdicts(judged, rows.source)
    scores = _only(judged.scores, request.segments)
    terms = request.terms
    if terms.threshold is None and terms.max_false_pass is None:
        terms = replace(terms, threshold=subject.threshold)
    record = _record(
        compare(scores, terms),
        measure=(subject.name, subject.version),
        metric=subject.metric,
        labels=(rows.source, rows.digest, len(rows.annotators)),
        without_verdict=judged.without_verdict,
        confidence=terms.confidence,
    )
    record = (
        _bound(record, judged.findings) if subject.proxy is None else record.model_copy(update={"judge": subject.proxy})
    )
    return CalibrationOutcome(record=record, scores=scores, disputed=gold.disputed)


def _drawn(items: tuple[LabelledItem, ...], limit: int | None) -> tuple[LabelledItem, ...]:
    """So many items at most: the first by digest, the same for anybody."""
    if limit is None or limit >= len(items):
        return items
    chosen = sorted(items, key=lambda item: item.digest)[:limit]
    return tuple(sorted(chosen, key=lambda item: item.number))


def calibrate_verdicts(path: Path, request: CalibrationRequest) -> CalibrationOutcome:
    """Compares verdicts of a file; nobody is asked, and the record vouches for no judge.

    Raises:
        UsageError: if there is no such file.
        DataError: for rows that cannot be used.
    """
    found = read_verdicts(path)
    scores = _only(found.scores, request.segments)
    record = _record(
        compare(scores, request.terms),
        measure=(request.measure, "unknown"),
        metric=request.metric or "verdict",
        labels=(str(path.name), found.digest, 0),
        without_verdict=found.without_verdict,
        confidence=request.terms.confidence,
    )
    return CalibrationOutcome(record=record, scores=scores)


def _require_verdicts(judged: JudgedItems, source: str) -> None:
    if judged.scores.items:
        return
    reasons = ", ".join(f"{count} {status.value}" for status, count in judged.without_verdict.items())
    details = next((finding.detail for finding in judged.findings if finding.detail), None)
    raise DataError(
        Problem(
            file=source,
            message=f"the judge gave no verdict on any item ({reasons or 'none was asked'})",
            value=details,
            remedy="Check the judge first",
        )
    )


def _only(scores: LabelledScores, segments: Sequence[str]) -> LabelledScores:
    unknown = [name for name in segments if name not in scores.segments]
    if unknown:
        known = ", ".join(sorted(scores.segments)) or "none"
        raise UsageError(f"the labels have no segment {shown(unknown[0])}", hint=f"They have: {known}")
    kept = segments or [name for name, labels in scores.segments.items() if len(set(labels)) <= MOST_PARTS]
    return replace(scores, segments={name: scores.segments[name] for name in kept})


def _record(
    compared: Comparison,
    *,
    measure: tuple[str, str],
    metric: str,
    labels: tuple[str, str, int],
    without_verdict: dict[ScoreStatus, int],
    confidence: float,
) -> CalibrationRecord:
    return CalibrationRecord(
        measure=measure[0],
        measure_version=measure[1],
        metric=metric,
        labels_source=labels[0],
        labels_digest=labels[1],
        annotators=labels[2],
        confidence=confidence,
        overall=compared.overall,
        segments=compared.segments,
        without_verdict=without_verdict,
        threshold=compared.threshold,
        auc=compared.auc,
        noise=compared.noise,
        curve=compared.curve,
        operating=compared.operating,
        no_curve=compared.no_curve,
        verdicts=compared.verdicts,
        created_at=datetime.now(UTC),
        beleg_version=version("beleg"),
    )


def _bound(record: CalibrationRecord, findings: Sequence[Finding]) -> CalibrationRecord:
    """The record bound to who judged and to what was asked."""
    judge = next((finding.judge for finding in findings if finding.judge is not None), None)
    embedder = next((finding.embedder for finding in findings if finding.embedder is not None), None)
    tasks: dict[str, TaskReference] = {}
    for finding in findings:
        for task in finding.tasks:
            tasks.setdefault(task.model_dump_json(), task)
    return record.model_copy(
        update={"judge": judge, "embedder": embedder, "tasks": tuple(tasks[key] for key in sorted(tasks))}
    )
