"""What was refused and what was answered, by what an answer could rest on (A8)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from beleg.app.answers.figures import Figure, mean_figure, sorted_reasons
from beleg.app.scoring import score_run
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Row
from beleg.metrics.generation.answerability import Situation, situation_of
from beleg.metrics.generation.refusal import refused


@dataclass(frozen=True, slots=True, kw_only=True)
class AbstentionReport:
    """How often the system declined in each situation."""

    run_id: str
    refused: dict[Situation, Figure]
    """Share of refusals."""
    answered_cases: dict[Situation, tuple[str, ...]]
    """The cases that were answered, by situation."""
    refused_cases: dict[Situation, tuple[str, ...]]
    """The cases that were refused, by situation."""
    left_out: dict[str, int]
    """Attempts that ended badly, by reason; nobody knows their situation."""

    def to_json(self) -> dict[str, Any]:
        """One object with every figure and the cases behind it."""
        return {
            "run_id": self.run_id,
            "refused": {situation.value: figure.to_json() for situation, figure in self.refused.items()},
            "answered_cases": {situation.value: list(cases) for situation, cases in self.answered_cases.items()},
            "refused_cases": {situation.value: list(cases) for situation, cases in self.refused_cases.items()},
            "left_out": self.left_out,
        }


def abstention_of_run(path: Path) -> AbstentionReport:
    """Refusals and answers of a run: out of scope, missed by retrieval, delivered, or not known.

    Raises:
        UsageError: for a folder without a run.
        EvidenceError: if the run is damaged.
    """
    run = score_run(path, ["failed"])
    evaluation, batch = run.evaluation, run.batch
    clusters = evaluation.cluster_numbers[evaluation.row_case]
    left_out: Counter[str] = Counter()
    held: dict[Situation, list[tuple[int, Score, str]]] = {situation: [] for situation in Situation}
    for at, row in enumerate(batch.rows):
        if not isinstance(row, Row):
            left_out[row.detail or row.status.value] += 1
            continue
        declined = refused(row.output, language=row.case.language)
        score = declined if isinstance(declined, Score) else Score.of(declined)
        held[situation_of(row, batch.matcher)].append((at, score, row.case.case_id))
    figures = {
        situation: mean_figure(
            ScoreColumn.from_scores(score for _, score, _ in rows),
            clusters[np.array([at for at, _, _ in rows], dtype=np.intp)],
        )
        for situation, rows in held.items()
    }
    return AbstentionReport(
        run_id=evaluation.header.run_id,
        refused=figures,
        answered_cases={situation: _cases(rows, value=0.0) for situation, rows in held.items()},
        refused_cases={situation: _cases(rows, value=1.0) for situation, rows in held.items()},
        left_out=sorted_reasons(left_out),
    )


def _cases(rows: list[tuple[int, Score, str]], *, value: float) -> tuple[str, ...]:
    scored = (case for _, score, case in rows if score.status is ScoreStatus.SCORED and score.value == value)
    return tuple(dict.fromkeys(scored))
