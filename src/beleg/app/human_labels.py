"""Scores that people gave to cases of one run, brought into the form in which a decision uses them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from beleg.adapters.formats.models import build_all
from beleg.adapters.formats.rows import read_rows
from beleg.core.case import Identifier
from beleg.core.errors import DataError, Problem, shown
from beleg.core.evaluation import Evaluation
from beleg.core.model import StoredModel
from beleg.core.score import STATUS_CODE, ScoreColumn, ScoreStatus


class RunLabel(StoredModel):
    """What a person said about one answer of one run; an answer of another run is another answer."""

    run_id: Identifier
    """The run whose answer was looked at."""
    case_id: Identifier
    """The case."""
    repeat: Annotated[int, Field(ge=0)] = 0
    """Which repetition of it."""
    metric: Identifier
    """The metric that the person answered, such as ``faithfulness``."""
    value: Annotated[float, Field(ge=0, le=1)]
    """Its value by the person, from 0 to 1."""


def with_labels(evaluation: Evaluation, path: Path) -> Evaluation:
    """The run with the labels of a file.

    Raises:
        UsageError: if there is no such file.
        DataError: naming every row that is about another run, an unknown case or a metric that was not scored.
    """
    labels = build_all(RunLabel, read_rows(path), key=("case_id", "repeat", "metric"))
    row_of = _rows(evaluation)
    problems = [problem for label in labels for problem in _problems(label, evaluation, row_of, path)]
    if problems:
        raise DataError(problems, hint="Only labels of answers of this very run correct its figures")
    by_metric: dict[str, dict[int, float]] = {}
    for label in labels:
        by_metric.setdefault(label.metric, {})[row_of[(label.case_id, label.repeat)]] = label.value
    rows = len(evaluation.row_case)
    return replace(evaluation, human={metric: _column(given, rows) for metric, given in by_metric.items()})


def _column(given: dict[int, float], rows: int) -> ScoreColumn:
    values, status = np.zeros(rows), np.full(rows, STATUS_CODE[ScoreStatus.MISSING], dtype=np.uint8)
    values[list(given)] = list(given.values())
    status[list(given)] = STATUS_CODE[ScoreStatus.SCORED]
    return ScoreColumn.from_parts(values, status)


def _rows(evaluation: Evaluation) -> dict[tuple[str, int], int]:
    seen: dict[str, int] = {}
    rows = {}
    for row, place in enumerate(evaluation.row_case.tolist()):
        case_id = evaluation.cases[place].case_id
        rows[(case_id, seen.setdefault(case_id, 0))] = row
        seen[case_id] += 1
    return rows


def _problems(label: RunLabel, evaluation: Evaluation, known: dict[tuple[str, int], int], path: Path) -> list[Problem]:
    checks = (
        (label.run_id == evaluation.header.run_id, "run_id", label.run_id, "the label is about another run"),
        ((label.case_id, label.repeat) in known, "case_id", label.case_id, "the run has no such case and repetition"),
        (label.metric in evaluation.scores, "metric", label.metric, "the run was not scored with this metric"),
    )
    return [
        Problem(file=str(path), field=field, value=shown(value), message=message)
        for holds, field, value, message in checks
        if not holds
    ]
