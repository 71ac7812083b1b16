"""How far the confidence that answers state agrees with whether they are right (A9)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from beleg.app.answers.figures import (
    CONFIDENCE,
    ScoredAnswers,
    interval_json,
    mean_interval,
    scored_answers,
    sorted_reasons,
)
from beleg.core.errors import EvidenceError, UsageError, shown
from beleg.core.score import Score
from beleg.metrics.generation.confidence import confidence_of
from beleg.stats.intervals import Interval
from beleg.stats.reliability import Binning, Reliability, reliability

BINNINGS: tuple[Binning, ...] = ("equal_width", "equal_mass")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceBin:
    """Answers of about one confidence."""

    lower: float
    upper: float
    confidence: float
    """Mean confidence."""
    accuracy: Interval
    """Share of the answers that are right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationReport:
    """Confidence against correctness over a run."""

    run_id: str
    answers: ScoredAnswers
    correct_at: float | None
    figures: Reliability
    gap: Interval
    """Mean confidence minus mean correctness: above 0 the system is too sure."""
    brier: Interval
    bins: tuple[ConfidenceBin, ...]
    rows: int
    """All rows of the run."""
    left_out: dict[str, int]
    """Rows without confidence or correctness, by reason."""

    def to_json(self) -> dict[str, Any]:
        """One object with every figure."""
        found = self.figures
        return {
            "run_id": self.run_id,
            "metric": self.answers.metric,
            "correct_at": self.correct_at,
            "n": found.n,
            "rows": self.rows,
            "left_out": self.left_out,
            "confidence_minus_accuracy": interval_json(self.gap),
            "ece": found.ece,
            "ece_debiased": found.debiased_ece,
            "ece_expected_when_calibrated": found.expected_when_calibrated,
            "largest_gap": found.largest_gap,
            "brier": interval_json(self.brier),
            "binning": found.binning,
            "bins": [
                {
                    "lower": each.lower,
                    "upper": each.upper,
                    "confidence": each.confidence,
                    "accuracy": interval_json(each.accuracy),
                }
                for each in self.bins
            ],
        }


def calibration_of_run(
    path: Path,
    *,
    metric: str = "exact_match",
    correct_at: float | None = None,
    bins: int = 10,
    binning: str = "equal_width",
) -> CalibrationReport:
    """Holds stated confidences against correctness.

    Args:
        path: the folder of the run.
        metric: a measure of correctness from 0 to 1.
        correct_at: counts an answer as right from this score on; ``None`` takes the score as it is.
        bins: how many bins there are at most.
        binning: ``equal_width`` or ``equal_mass``.

    Raises:
        UsageError: for a folder without a run, or a setting that cannot be.
        EvidenceError: if the run is damaged, or no row has both a confidence and a score.
    """
    chosen: Binning | None = next((each for each in BINNINGS if each == binning), None)
    if chosen is None:
        raise UsageError(f"the bins are {shown(binning)}", hint=f"Give one of {', '.join(BINNINGS)}")
    if correct_at is not None and not 0 < correct_at <= 1:
        raise UsageError(f"an answer is right from a score above 0 and up to 1 (found {shown(correct_at)})")
    answers = scored_answers(path, metric)
    rows, confidence, left_out = _confidences(answers)
    if not len(rows):
        named = ", ".join(f"{count} {reason}" for reason, count in list(left_out.items())[:3])
        raise EvidenceError(
            f"no row has both a confidence and a score: {named}",
            hint="Let the candidate return confidence, or state it in the answer as in 'Confidence: 80 %'",
        )
    outcome = answers.column.values[answers.column.row_of_value()[rows]]
    if correct_at is not None:
        outcome = (outcome >= correct_at).astype(np.float64)
    clusters = answers.clusters[rows]
    figures = reliability(confidence, outcome, bins=bins, binning=chosen)
    return CalibrationReport(
        run_id=answers.run.evaluation.header.run_id,
        answers=answers,
        correct_at=correct_at,
        figures=figures,
        gap=_known(mean_interval(confidence - outcome, clusters, bounds=(-1.0, 1.0))),
        brier=_known(mean_interval((confidence - outcome) ** 2, clusters)),
        bins=_bins(figures, confidence, outcome, clusters),
        rows=len(answers.column),
        left_out=left_out,
    )


def _confidences(answers: ScoredAnswers) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float64], dict[str, int]]:
    rows, values = [], []
    left_out: Counter[str] = Counter()
    for at, row in enumerate(answers.run.batch.rows):
        stated = row if isinstance(row, Score) else confidence_of(row.output)
        right = answers.column.score_at(at)
        lacking = next((each for each in (stated, right) if each.value is None), None)
        if lacking is not None:
            left_out[lacking.detail or lacking.status.value] += 1
            continue
        rows.append(at)
        values.append(stated.value or 0.0)
    return np.array(rows, dtype=np.intp), np.array(values), sorted_reasons(left_out)


def _bins(
    figures: Reliability,
    confidence: npt.NDArray[np.float64],
    outcome: npt.NDArray[np.float64],
    clusters: npt.NDArray[np.intp],
) -> tuple[ConfidenceBin, ...]:
    # As in `reliability`, what lies a rounding above an edge belongs to the bin below; 0 belongs to the first.
    place = np.maximum(np.searchsorted(figures.upper, confidence - 1e-9, side="left"), 0)
    found = []
    for at, (lower, upper) in enumerate(zip(figures.lower.tolist(), figures.upper.tolist(), strict=True)):
        held = place == at
        accuracy = _known(mean_interval(outcome[held], clusters[held]))
        found.append(
            ConfidenceBin(lower=lower, upper=upper, confidence=float(figures.confidence[at]), accuracy=accuracy)
        )
    return tuple(found)


def _known(interval: Interval | None) -> Interval:
    if interval is None:
        raise EvidenceError(f"an interval at {CONFIDENCE:g} needs at least one value")
    return interval
