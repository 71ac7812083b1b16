"""Short ways to write checks and policies in tests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from beleg.core.case import Case
from beleg.core.decision import Bounds, CheckKind, CheckResult, CheckState, Sentence
from beleg.core.policy import Aggregate, Policy, Thresholds
from beleg.core.score import ScoreStatus
from beleg.gating.column import GroupColumn
from beleg.gating.plan import PlannedCheck
from beleg.metrics.catalogue import parse_metric
from support.builders import case, evaluation

Values = Sequence[float | ScoreStatus | None]

HIGHER = "hit@5"
LOWER = "false_exclusion"


def policy(*checks: dict[str, Any], **fields: Any) -> Policy:
    """A policy as it would be read from a file."""
    return Policy.model_validate_json(json.dumps({"policy": "p", "checks": list(checks)} | fields))


def planned(
    metric: str = HIGHER,
    kind: CheckKind = CheckKind.BAND,
    *,
    n: int = 0,
    pass_at: float | None = None,
    block_at: float | None = None,
    margin: float | None = None,
    **fields: Any,
) -> PlannedCheck:
    """A check on the first n cases."""
    given: dict[str, Any] = {
        "check_id": metric,
        "aggregate": Aggregate.MEAN,
        "segment": None,
        "protected": False,
        "minimum_n": 30,
        "owner": None,
        "members": np.arange(n, dtype=np.intp),
    }
    return PlannedCheck(
        kind=kind,
        metric=parse_metric(metric),
        thresholds=Thresholds(pass_at=pass_at, block_at=block_at, margin=margin),
        **(given | fields),
    )


def scored(values: Values, cases: Sequence[Case] | None = None) -> GroupColumn:
    """The scores of cases c0, c1, … unless others are given."""
    listed = cases or [case(f"c{place}") for place in range(len(values))]
    return GroupColumn.of(evaluation(listed, {HIGHER: values}), HIGHER, np.arange(len(values), dtype=np.intp))


def bounds(estimate: float, lower: float | None, upper: float | None, *, n: int = 100, **fields: Any) -> Bounds:
    """Bounds that some rule made."""
    return Bounds(estimate=estimate, lower=lower, upper=upper, confidence=0.95, method="some", n=n, **fields)


def result(check_id: str = "hit@5/band", state: CheckState = CheckState.FAIL, **fields: Any) -> CheckResult:
    """A check that was carried out; its reason is its own name."""
    given: dict[str, Any] = {
        "kind": CheckKind.BAND,
        "metric": check_id.partition("/")[0],
        "reason": Sentence(en=f"{check_id} in English", de=f"{check_id} auf Deutsch"),
    }
    return CheckResult(check_id=check_id, state=state, **(given | fields))
