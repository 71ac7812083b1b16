"""Whether a metric of two runs may be compared: what it depends on is the same, or is the declared treatment (R5).

The rule, for each thing that the metric depends on:

- what is asked and how it is measured must be the same; it is never a treatment;
- the same is the same;
- what differs is the treatment if the policy lists it under ``treatment`` (with whatever follows from it), or if the
  policy has no such list and it is part of the system under test; else the metric is not comparable. Another judge is
  never a treatment;
- what nobody knows keeps the metric from being compared where the policy says ``require_comparable: strict``, unless it
  is listed as treatment; else it is told.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from beleg.core.decision import (
    CheckKind,
    CheckResult,
    CheckState,
    Dimension,
    MetricComparability,
    Sentence,
)
from beleg.core.dimensions import DIFFERENT, SAME, UNKNOWN
from beleg.core.errors import Problem, shown
from beleg.core.evaluation import Evaluation
from beleg.core.manifest import Manifest
from beleg.core.policy import Policy
from beleg.gating.comparability import MUST_MATCH, judged_alike
from beleg.metrics.catalogue import parse_metric
from beleg.metrics.spec import JUDGE_DIMENSION, SYSTEM_DIMENSIONS, Metric

FOLLOWS_FROM: dict[str, tuple[str, ...]] = {
    "index_build": ("corpus_snapshot", "chunker", "embedding_model"),
    "inventory": ("corpus_snapshot", "chunker", "embedding_model", "index_build"),
    "model answered": ("generator",),
}
"""What changes with something else: where that is declared as the treatment, so is this."""

_MANIFEST_FIELDS = frozenset(Manifest.model_fields)


def comparability_of(
    metrics: Iterable[str],
    runs: tuple[Evaluation, Evaluation],
    dimensions: Sequence[Dimension],
    policy: Policy,
) -> tuple[MetricComparability, ...]:
    """Of each metric whether candidate and baseline may be compared on it.

    Args:
        metrics: metrics by their printed names.
        runs: candidate and baseline.
        dimensions: what `compare_runs` found.
        policy: says what the treatment is, and how strict to be.
    """
    by_name = {dimension.name: dimension.status for dimension in dimensions}
    return tuple(_of_metric(name, runs, by_name, policy) for name in dict.fromkeys(metrics))


def withheld_from(found: Iterable[MetricComparability]) -> dict[str, Sentence]:
    """The metrics that must not be compared, each with the reason."""
    return {each.metric: each.reason for each in found if not each.comparable}


class Compared(Protocol):
    """A check of a policy, as far as it matters here."""

    @property
    def kind(self) -> CheckKind:
        """What the check compares."""

    @property
    def metric(self) -> Metric:
        """Of which metric."""


def metrics_checks(found: Sequence[MetricComparability], planned: Iterable[Compared]) -> list[CheckResult]:
    """ERROR where a metric that the policy compares with the baseline is not comparable; nothing where all are."""
    wanted = {str(check.metric) for check in planned if check.kind is CheckKind.NO_REGRESSION}
    broken = [each for each in found if each.metric in wanted and not each.comparable]
    if not broken:
        return []
    alike: dict[tuple[str, str], list[str]] = {}
    for each in broken:
        alike.setdefault((each.reason.en, each.reason.de), []).append(each.metric)
    reason = Sentence(
        en="; ".join(f"{', '.join(metrics)}: {en}" for (en, _), metrics in alike.items()),
        de="; ".join(f"{', '.join(metrics)}: {de}" for (_, de), metrics in alike.items()),
    )
    return [
        CheckResult(
            check_id="comparability/metrics",
            kind=CheckKind.COMPARABILITY,
            state=CheckState.ERROR,
            reason=reason,
        )
    ]


def treatment_problems(policy: Policy) -> list[Problem]:
    """What is wrong with the treatment that a policy declares: every name must be something that can be one."""
    problems = []
    for position, name in enumerate(policy.treatment or ()):
        if name in SYSTEM_DIMENSIONS:
            continue
        near = difflib.get_close_matches(name, SYSTEM_DIMENSIONS, n=3)
        is_input = name in MUST_MATCH or name.startswith(JUDGE_DIMENSION)
        problems.append(
            Problem(
                message=(
                    "what is asked and how it is measured is never a treatment"
                    if is_input
                    else "nothing by this name can be a treatment"
                ),
                field=f"treatment[{position}]",
                value=shown(name),
                remedy=f"Use one of: {', '.join(near or SYSTEM_DIMENSIONS)}",
            )
        )
    return problems


def _of_metric(
    name: str, runs: tuple[Evaluation, Evaluation], by_name: Mapping[str, str], policy: Policy
) -> MetricComparability:
    spec = parse_metric(name).spec
    treatment: list[str] = []
    different: list[str] = []
    unknown: list[str] = []
    for dimension in spec.dependencies:
        status = _status(dimension, name, runs, by_name)
        declared = not {dimension, *FOLLOWS_FROM.get(dimension, ())}.isdisjoint(policy.treatment or ())
        if status == DIFFERENT:
            (treatment if declared or _may_differ(dimension, policy) else different).append(dimension)
        elif status == UNKNOWN and not declared:
            unknown.append(dimension)
    strict = policy.require_comparable == "strict"
    comparable = not different and not (strict and unknown)
    return MetricComparability(
        metric=name,
        comparable=comparable,
        depends_on=spec.dependencies,
        treatment=tuple(treatment),
        different=tuple(different),
        unknown=tuple(unknown),
        reason=_reason(treatment, different, unknown, strict=strict),
    )


def _may_differ(dimension: str, policy: Policy) -> bool:
    return policy.treatment is None and dimension in SYSTEM_DIMENSIONS


def _status(dimension: str, metric: str, runs: tuple[Evaluation, Evaluation], by_name: Mapping[str, str]) -> str:
    """The status of a dimension; what neither run tells is not known, unless both say that they do not have it."""
    if dimension == JUDGE_DIMENSION:
        return judged_alike(runs[0].judges.get(metric), runs[1].judges.get(metric))
    if dimension in by_name:
        return by_name[dimension]
    if dimension == "extra":
        return SAME
    if dimension == "inventory":
        # A system that lists no documents still names the build of its index.
        return by_name.get("index_build", UNKNOWN)
    if dimension in _MANIFEST_FIELDS:
        return SAME if all(dimension in run.header.manifest.not_used for run in runs) else UNKNOWN
    if dimension == "model answered" and all("generator" in run.header.manifest.not_used for run in runs):
        return SAME
    return UNKNOWN


def _reason(treatment: list[str], different: list[str], unknown: list[str], *, strict: bool) -> Sentence:
    """Why a metric is not comparable, or what is to be known of one that is."""
    meant, found, untold = (", ".join(names) for names in (treatment, different, unknown))
    differs = (f"differs and is not the treatment: {found}", f"verschieden und nicht das Treatment: {found}")
    open_ends = (f"not known whether it is the same: {untold}", f"nicht bekannt, ob gleich: {untold}")
    tested = (f"treatment: {meant}", f"Treatment: {meant}")
    if different or (strict and unknown):
        parts = [("not comparable", "nicht vergleichbar"), *([differs] if different else [])]
        parts += [open_ends] if strict and unknown else []
    else:
        parts = [("comparable", "vergleichbar"), *([open_ends] if unknown else []), *([tested] if treatment else [])]
    return Sentence(en="; ".join(part[0] for part in parts), de="; ".join(part[1] for part in parts))
