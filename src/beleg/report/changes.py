"""Case by case: the differences of one metric, sorted, and the cases behind the largest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.decision import Sentence
from beleg.core.evaluation import Evaluation
from beleg.report.figures import both
from beleg.report.naming import MetricLabel
from beleg.report.words import phrase
from beleg.text.figures import quantity
from beleg.text.numbers import number

SHOWN_EACH_WAY = 5
SAME = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedCase:
    """One case with a large difference."""

    case_id: str
    candidate: Sentence
    baseline: Sentence
    difference: Sentence
    direction: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The paired differences of the main metric."""

    metric: MetricLabel
    finding: Sentence
    case_ids: tuple[str, ...]
    differences: tuple[float, ...]
    """Candidate minus baseline, ascending; same order as ``case_ids``."""
    uncompared: int
    extremes: tuple[ChangedCase, ...]


def changes(candidate: Evaluation, baseline: Evaluation | None, metric: MetricLabel | None) -> Changes | None:
    """The differences of one metric over the cases that both runs scored."""
    if baseline is None or metric is None or metric.name not in baseline.scores:
        return None
    case_ids, ours, theirs = _paired(candidate, baseline, metric.name)
    if not case_ids:
        return None
    difference = ours - theirs
    order = np.argsort(difference, kind="stable")
    gain = difference if metric.higher_is_better else -difference
    worse, better = int(np.sum(gain < -SAME)), int(np.sum(gain > SAME))
    by_gain = np.argsort(gain, kind="stable")
    picked = [i for i in by_gain[:SHOWN_EACH_WAY] if gain[i] < -SAME]
    picked += [i for i in by_gain[-SHOWN_EACH_WAY:] if gain[i] > SAME]
    counts = {"worse": worse, "better": better, "same": len(case_ids) - worse - better}
    return Changes(
        metric=metric,
        finding=phrase(
            "changes.finding_cases", metric=metric.title, **{key: _count(value) for key, value in counts.items()}
        ),
        case_ids=tuple(case_ids[i] for i in order),
        differences=tuple(float(difference[i]) for i in order),
        uncompared=len(candidate.cases) - len(case_ids),
        extremes=tuple(
            _changed(case_ids[i], float(ours[i]), float(theirs[i]), metric, worse=bool(gain[i] < 0)) for i in picked
        ),
    )


def _paired(
    candidate: Evaluation, baseline: Evaluation, metric: str
) -> tuple[list[str], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    ours, theirs = candidate.by_case(metric), baseline.by_case(metric)
    their_row = {case.case_id: row for row, case in enumerate(baseline.cases)}
    our_value, their_value = ours.filled(np.nan), theirs.filled(np.nan)
    pairs = [
        (case.case_id, our_value[row], their_value[their_row[case.case_id]])
        for row, case in enumerate(candidate.cases)
        if ours.scored[row] and case.case_id in their_row and theirs.scored[their_row[case.case_id]]
    ]
    return [pair[0] for pair in pairs], np.array([p[1] for p in pairs]), np.array([p[2] for p in pairs])


def _changed(case_id: str, ours: float, theirs: float, metric: MetricLabel, *, worse: bool) -> ChangedCase:
    return ChangedCase(
        case_id=case_id,
        candidate=both(lambda lang: quantity(ours, lang, unit=metric.unit)),
        baseline=both(lambda lang: quantity(theirs, lang, unit=metric.unit)),
        difference=both(lambda lang: quantity(ours - theirs, lang, unit=metric.unit, signed=True)),
        direction="worse" if worse else "better",
    )


def _count(value: int) -> Sentence:
    return both(lambda lang: number(value, lang, decimals=0))
