"""Judges, standings and calibration records for tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np

from beleg.core.calibration import CalibrationRecord, JudgeStanding, NoiseFigures, ThresholdChoice
from beleg.core.evaluation import Evaluation
from beleg.core.judging import JudgeSpec, TaskReference
from beleg.core.score import ScoreStatus
from beleg.judges.calibration import LabelledScores, figures
from support.builders import case, column, evaluation
from support.judge_models import spec

METRIC = "faithfulness"
WHEN = datetime(2026, 11, 30, 12, tzinfo=UTC)


def task(language: str = "en", **fields: Any) -> TaskReference:
    """What a judge was asked."""
    given = {"task": "claim_verification", "version": "1", "prompt_digest": "sha256:p", "schema_digest": "sha256:s"}
    return TaskReference.model_validate_json(
        TaskReference.model_construct(**{**given, "language": language, **fields}).model_dump_json()
    )


def standing(judge: JudgeSpec | None = None, tasks: Sequence[TaskReference] = (), **fields: Any) -> JudgeStanding:
    """One judge behind all findings."""
    given: dict[str, Any] = {"measure": "claim_support", "versions": ("1",)}
    judges = (judge or spec(),)
    return JudgeStanding(**{**given, "judges": judges, "tasks": tuple(tasks) or (task(),), **fields})


def scores(both: int, only_human: int, only_judge: int, neither: int) -> LabelledScores:
    """Labelled items by what people and judge say of them."""
    cells = [both, only_human, only_judge, neither]
    ids = tuple(f"item-{number}" for number in range(sum(cells)))
    return LabelledScores(
        items=ids,
        human=np.repeat([True, True, False, False], cells),
        scores=np.repeat([1.0, 0.0, 1.0, 0.0], cells),
        repeats=(0,) * len(ids),
        groups=ids,
    )


def record(
    judge: JudgeSpec | None = None, *, cells: Sequence[int] = (150, 6, 2, 62), **fields: Any
) -> CalibrationRecord:
    """A good calibration of that judge."""
    given: dict[str, Any] = {
        "measure": "claim_support",
        "measure_version": "1",
        "metric": METRIC,
        "judge": judge or spec(),
        "tasks": (task(),),
        "labels_source": "labels.jsonl",
        "labels_digest": "sha256:l",
        "overall": figures(scores(*cells), 1.0, 0.95),
        "threshold": ThresholdChoice(threshold=1.0, rule="fixed"),
        "created_at": WHEN,
        "beleg_version": "0",
    }
    return CalibrationRecord(**{**given, **fields})


def noise(within: float, **fields: Any) -> NoiseFigures:
    """Measured noise of a judge."""
    given: dict[str, Any] = {"items": 50, "verdicts": 150, "flipped": 5, "pair_disagreement": 2 * within}
    return NoiseFigures(within_variance=within, **{**given, **fields})


def judged(
    values: Sequence[float | ScoreStatus | None],
    *,
    name: str = "run",
    by: JudgeStanding | None = None,
    human: Sequence[float | None] | None = None,
) -> Evaluation:
    """A run whose faithfulness a judge gave."""
    cases = [case(f"c{place}") for place in range(len(values))]
    made = evaluation(cases, {METRIC: values}, name)
    people = {} if human is None else {METRIC: column(human)}
    return replace(made, judges={METRIC: by or standing()}, human=people)
