"""A judged figure, corrected by the labels that people gave to some cases of the same run."""

from __future__ import annotations

import numpy as np

from beleg.core.decision import Bounds
from beleg.core.evaluation import Evaluation
from beleg.core.policy import Aggregate
from beleg.core.score import ScoreColumn
from beleg.gating.bounds import two_sided
from beleg.gating.column import GroupColumn
from beleg.gating.plan import PlannedCheck
from beleg.stats.intervals import UNIT
from beleg.stats.prediction_powered import judge_assisted_rate

LEAST_LABELS = 2


def labels_of(check: PlannedCheck, candidate: Evaluation, column: GroupColumn) -> ScoreColumn | None:
    """What people said about the cases of a check; ``None`` where too few were labelled, or the figure is no mean."""
    spec = check.metric.spec
    people = candidate.human_by_case(str(check.metric))
    if people is None or check.aggregate is not Aggregate.MEAN or (spec.low, spec.high) != UNIT:
        return None
    held = people.take(check.members)
    return held if np.count_nonzero(held.scored & column.scores.scored) >= LEAST_LABELS else None


def assisted_bounds(
    column: GroupColumn, people: ScoreColumn, confidence: float, *, stand_in: float | None = None
) -> Bounds:
    """Estimate and one-sided bounds of a mean, from all verdicts of the judge and the labels of people.

    Noise of the judge needs no widening here: the labels correct what a whole pass of the judge has in common, and what
    is independent from case to case is in the spread.

    Args:
        column: the judge's scores.
        people: the scores of people for the same cases, missing where nobody looked.
        confidence: one-sided confidence.
        stand_in: the verdict that counts for cases without one; ``None`` leaves them out.
    """
    judge = column.scores.filled(0.0 if stand_in is None else stand_in)
    labelled = people.scored & column.scores.scored
    counted = column.scores.scored if stand_in is None else column.due
    rest = counted & ~labelled
    groups = (column.clusters[labelled], column.clusters[rest])
    found = judge_assisted_rate(
        people.filled(0.0)[labelled],
        judge[labelled],
        judge[rest],
        two_sided(confidence),
        clusters=groups,
        one_sided=True,
    )
    return Bounds(
        estimate=found.estimate,
        lower=found.lower,
        upper=found.upper,
        confidence=confidence,
        method=f"judge_assisted_{found.method}",
        n=found.judged,
        clusters=found.clusters,
        human_labels=found.labelled,
    )
