"""Made-up runs by which a policy is tried out: a perfect one, one that collapses in one place, one without evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt

from beleg.core.case import Case, ExpectedPassage, Nugget, Principal, Role, Turn
from beleg.core.evaluation import Evaluation
from beleg.core.manifest import Manifest
from beleg.core.policy import Policy
from beleg.core.run import RunHeader, RunSettings
from beleg.core.score import STATUS_CODE, ScoreColumn, ScoreStatus
from beleg.gating.bounds import QUANTILES, best_value, highest, worst_value
from beleg.gating.plan import PlannedCheck

CASES_PER_PART = 2_000
"""So many that any margin which anybody would set can be proven where nothing is lost."""

_AT = datetime(2000, 1, 1, tzinfo=UTC)
_BEYOND = 10.0
_LITTLE = 1e-3


def synthetic_cases(policy: Policy, per_part: int = CASES_PER_PART) -> tuple[Case, ...]:
    """Independent cases for every part of a suite that a policy speaks of, each part apart from the others.

    Example:
        >>> len(synthetic_cases(Policy(policy="p"), per_part=3))
        3
    """
    parts: dict[tuple[tuple[str, str], ...], dict[str, str]] = {(): {}}
    wheres = [segment.where for segment in policy.protected_segments] + [check.where for check in policy.checks]
    if policy.critical_claims is not None:
        wheres.append(policy.critical_claims.where)
    wheres += [
        check.where | segment.where
        for check in policy.checks
        for segment in policy.protected_segments
        if all(check.where.get(name, label) == label for name, label in segment.where.items())
    ]
    for where in wheres:
        parts[tuple(sorted(where.items()))] = where
    return tuple(
        _case(f"{number}-{place}", where)
        for number, where in enumerate(parts.values(), start=1)
        for place in range(1, per_part + 1)
    )


def _case(name: str, where: dict[str, str]) -> Case:
    """A case that holds everything a check can ask a case to hold."""
    return Case(
        case_id=f"synthetic-{name}",
        turns=(Turn(role=Role.USER, content=name),),
        reference_answer="yes",
        rubric="yes",
        expected_passages=(ExpectedPassage(document_id="d"),),
        required_clauses=(("yes",),),
        nuggets=(Nugget(nugget_id="n", text="yes"),),
        forbidden_sources=("f",),
        principal=Principal(entitlements=("staff",)),
        segments=dict(where),
    )


def synthetic_run(cases: Sequence[Case], scores: Mapping[str, ScoreColumn], name: str) -> Evaluation:
    """A run that holds nothing but scores, one row per case."""
    manifest = Manifest(name=name, not_used=Manifest(name=name).unresolved())
    header = RunHeader(
        run_id=f"synthetic-{name}",
        created_at=_AT,
        manifest=manifest,
        manifest_digest=manifest.digest,
        suite_name="synthetic",
        suite_version=1,
        suite_digest="synthetic",
        case_ids=tuple(case.case_id for case in cases),
        settings=RunSettings(),
        beleg_version="synthetic",
        python_version="synthetic",
    )
    return Evaluation(
        header=header,
        cases=tuple(cases),
        row_case=np.arange(len(cases), dtype=np.intp),
        scores=dict(scores),
        metric_versions=dict.fromkeys(scores, "1"),
    )


def good_level(check: PlannedCheck) -> float:
    """A value than which none is better, or where there is no end one far beyond what the check asks."""
    best = best_value(check)
    return best if best is not None else _far(check)


def bad_level(check: PlannedCheck) -> float:
    """A value than which none is worse, or where there is no end one far beyond what the check tolerates."""
    if not check.higher_is_better and highest(check) is None:
        return _far(check)
    worst = worst_value(check)
    return worst if worst is not None else -_far(check)


def _far(check: PlannedCheck) -> float:
    limits = (check.thresholds.pass_at, check.thresholds.block_at, check.thresholds.margin)
    return _BEYOND * (1.0 + sum(abs(limit) for limit in limits if limit is not None))


def perfect(check: PlannedCheck, n: int) -> ScoreColumn:
    """The best scores there can be. Those of a quantile vary a little, for a tail without any variation shows nothing.

    Example:
        >>> from beleg.core.decision import CheckKind
        >>> from beleg.core.policy import Aggregate, Thresholds
        >>> from beleg.metrics.catalogue import parse_metric
        >>> check = PlannedCheck(check_id="a", kind=CheckKind.BAND, metric=parse_metric("hit@5"),
        ...     aggregate=Aggregate.MEAN, thresholds=Thresholds(), members=np.arange(2), segment=None, protected=False,
        ...     minimum_n=2, owner=None)
        >>> perfect(check, 2).values.tolist()
        [1.0, 1.0]
    """
    column = filled(n, good_level(check))
    if check.aggregate not in QUANTILES:
        return column
    limits = (check.thresholds.pass_at, check.thresholds.margin)
    reach = _LITTLE * min((abs(limit) for limit in limits if limit), default=1.0)
    away = np.linspace(0.0, reach, n)
    return replace(column, values=column.values - away if check.higher_is_better else column.values + away)


def beside(column: ScoreColumn) -> ScoreColumn:
    """The same scores in other cases, so that two runs are alike and not the same case by case."""
    return replace(column, values=np.roll(column.values, 1))


def filled(n: int, level: float) -> ScoreColumn:
    """A column of one value."""
    return ScoreColumn(status=np.zeros(n, dtype=np.uint8), values=np.full(n, level))


def with_level(column: ScoreColumn, places: npt.NDArray[np.intp], level: float) -> ScoreColumn:
    """A wholly scored column with another value in some places."""
    values = column.values.copy()
    values[places] = level
    return replace(column, values=values)


def without_scores(n: int, status: ScoreStatus) -> ScoreColumn:
    """A column in which no row has a value."""
    return ScoreColumn(status=np.full(n, STATUS_CODE[status], dtype=np.uint8), values=np.empty(0))
