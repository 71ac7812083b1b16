"""Paired differences between runs, measure by measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from beleg.metrics.ranking_runs.measures import Measure
from beleg.metrics.ranking_runs.table import FloatArray, IntArray
from beleg.stats.paired import non_inferiority

CONFIDENCE = 0.95
_MARGIN = 0.5
"""The bounds do not depend on it; some margin must be given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A mean difference per query with its two-sided interval, or the reason why there is none."""

    measure: str
    estimate: float
    lower: float | None
    upper: float | None
    method: str | None
    reason: str | None
    n: int
    clusters: int | None
    better: int
    worse: int

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval lies on one side of 0."""
        return self.lower is not None and self.upper is not None and (self.lower > 0.0 or self.upper < 0.0)

    def to_json(self) -> dict[str, Any]:
        """One object; what there is not is left out."""
        names = ("measure", "estimate", "lower", "upper", "method", "reason", "n", "clusters", "better", "worse")
        found = {name: getattr(self, name) for name in names}
        return {name: value for name, value in found.items() if value is not None}


def paired_difference(
    measure: Measure, new: FloatArray, old: FloatArray, *, groups: IntArray | None = None
) -> Difference:
    """The mean of new minus old over the same queries, with a 95 % interval by the rule of the gate.

    Args:
        measure: what the values are.
        new: one value for every query.
        old: one value for every query, in the same order.
        groups: the group of every query; queries of one group are not taken as independent.

    Returns:
        The difference; without an interval where the measure is a count or leaves the range from 0 to 1.
    """
    gap = new - old
    counted = {"n": len(gap), "better": int((gap > 0.0).sum()), "worse": int((gap < 0.0).sum())}
    reason = _reason(measure, new, old)
    if reason:
        return Difference(
            measure=measure.label, estimate=float(gap.mean()), lower=None, upper=None, method=None, reason=reason,
            clusters=None, **counted,
        )  # fmt: skip
    found = non_inferiority(new, old, margin=_MARGIN, alpha=(1.0 - CONFIDENCE) / 2.0, clusters=groups)
    return Difference(
        measure=measure.label, estimate=found.estimate, lower=found.lower, upper=found.upper,
        method=found.method.value, reason=None, clusters=found.clusters, **counted,
    )  # fmt: skip


def _reason(measure: Measure, *values: FloatArray) -> str | None:
    if measure.kind.aggregate != "mean":
        return "not a mean over queries"
    if any(((each < 0.0) | (each > 1.0)).any() for each in values if len(each)):
        return "not between 0 and 1"
    return None if all(np.isfinite(each).all() for each in values) else "not finite"
