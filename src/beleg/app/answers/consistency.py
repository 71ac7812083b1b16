"""How far the repeated answers of a run agree, case by case (A9)."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from beleg.app.answers.figures import Figure, interval_json, mean_figure, mean_interval, sorted_reasons
from beleg.app.scoring import score_run
from beleg.core.errors import EvidenceError, UsageError
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Row
from beleg.metrics.generation.consistency import Agreement, agreement
from beleg.metrics.generation.refusal import answer_gap, bare_answer
from beleg.stats.intervals import Interval

FLAG_BELOW = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseAgreement:
    """The agreement of one case's answers."""

    case_id: str
    found: Agreement
    lost: int
    """Attempts that gave no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsistencyReport:
    """Agreement over all cases of a run."""

    run_id: str
    repeats: int
    majority: Figure
    """Mean share of the most frequent answer."""
    unanimous: Interval
    """Share of the cases whose answers are all the same."""
    pairwise: Interval
    """Mean token F1 over pairs of answers."""
    sometimes_refused: int
    """Cases that are answered at times and refused at others."""
    cases: tuple[CaseAgreement, ...]
    """Every case that could be measured, the least agreement first."""
    flag_below: float
    left_out: dict[str, int]
    """Attempts without an answer, by reason."""

    @property
    def flagged(self) -> tuple[CaseAgreement, ...]:
        """The cases that a person should look at."""
        return tuple(case for case in self.cases if case.found.majority < self.flag_below)

    def to_json(self) -> dict[str, Any]:
        """One object with every figure and every case."""
        return {
            "run_id": self.run_id,
            "repeats": self.repeats,
            "majority": self.majority.to_json(),
            "unanimous": interval_json(self.unanimous),
            "pairwise_token_f1": interval_json(self.pairwise),
            "sometimes_refused": self.sometimes_refused,
            "flag_below": self.flag_below,
            "flagged": [case.case_id for case in self.flagged],
            "left_out": self.left_out,
            "cases": [
                {
                    "case_id": case.case_id,
                    "answers": case.found.n,
                    "majority": case.found.majority,
                    "groups": case.found.groups,
                    "pairwise_token_f1": case.found.pairwise,
                    "refusals": case.found.refusals,
                    "majority_answer": case.found.majority_answer,
                }
                for case in self.cases
            ],
        }


def consistency_of_run(path: Path, *, flag_below: float = FLAG_BELOW) -> ConsistencyReport:
    """Agreement of the answers that each case got over the repeats of a run.

    Args:
        path: the folder of a run with ``--repeats`` of at least 2.
        flag_below: cases whose most frequent answer has a smaller share are flagged.

    Raises:
        UsageError: for a folder without a run, a run without repeats, or a share that cannot be.
        EvidenceError: if the run is damaged, or no case has two answers.
    """
    if not 0 <= flag_below <= 1:
        raise UsageError(f"a share lies from 0 to 1 (found {flag_below:g})")
    run = score_run(path, ["failed"])
    evaluation = run.evaluation
    repeats = evaluation.header.settings.repeats
    if repeats < 2:
        raise UsageError("the run asked every case once", hint="Run it again with: beleg run … --repeats 5")
    answers: dict[str, list[str]] = defaultdict(list)
    left_out: Counter[str] = Counter()
    for row in run.batch.rows:
        gap = row if isinstance(row, Score) else answer_gap(row.output)
        if gap is None and isinstance(row, Row):
            answers[row.case.case_id].append(bare_answer(row.output))
        elif gap is not None:
            left_out[gap.detail or gap.status.value] += 1
    scores, measured = [], []
    for case in evaluation.cases:
        given = answers.get(case.case_id, [])
        if len(given) < 2:
            scores.append(_too_few(len(given)))
            continue
        found = agreement(given, language=case.language)
        scores.append(Score.of(found.majority))
        measured.append(CaseAgreement(case_id=case.case_id, found=found, lost=repeats - found.n))
    if not measured:
        named = ", ".join(f"{count} {reason}" for reason, count in list(sorted_reasons(left_out).items())[:3])
        raise EvidenceError(f"no case has two answers: {named}", hint="Look at the run with: beleg score")
    column = ScoreColumn.from_scores(scores)
    clusters = evaluation.cluster_numbers
    of_measured = clusters[column.scored]
    unanimous = np.array([float(each.found.groups == 1) for each in measured])
    pairwise = np.array([each.found.pairwise for each in measured])
    return ConsistencyReport(
        run_id=evaluation.header.run_id,
        repeats=repeats,
        majority=mean_figure(column, clusters),
        unanimous=_known(mean_interval(unanimous, of_measured)),
        pairwise=_known(mean_interval(np.clip(pairwise, 0.0, 1.0), of_measured)),
        sometimes_refused=sum(0 < each.found.refusals < each.found.n for each in measured),
        cases=tuple(sorted(measured, key=lambda each: (each.found.majority, each.found.pairwise, each.case_id))),
        flag_below=flag_below,
        left_out=sorted_reasons(left_out),
    )


def _too_few(given: int) -> Score:
    return Score.without(ScoreStatus.MISSING, f"{given} answers were given, and agreement needs 2")


def _known(interval: Interval | None) -> Interval:
    if interval is None:
        raise EvidenceError("an interval needs at least one value")
    return interval
