"""From a policy to the single checks that must be carried out, refusing a policy that would decide nothing."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from beleg.core.case import Case
from beleg.core.decision import CheckKind
from beleg.core.errors import ConfigError, Problem, shown
from beleg.core.policy import Aggregate, Policy, PolicyCheck, Segment, Thresholds
from beleg.core.policy_rules import CaseProperty
from beleg.gating.metric_comparability import treatment_problems
from beleg.metrics.catalogue import Metric, parse_metric

LOWEST_MINIMUM_N = 2


@dataclass(frozen=True, slots=True)
class JudgeNoise:
    """Variance that a judge adds by chance, measured when it was calibrated."""

    per_case: float
    """Of one score of a case, over the repeats that are averaged."""
    shared: float
    """Of the mean of a whole run, common to all of its cases."""

    def of_mean(self, n: int) -> float:
        """Of the mean over so many cases."""
        return self.per_case / n + self.shared


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlannedCheck:
    """One check with everything that it needs, before any figure is looked at."""

    check_id: str
    kind: CheckKind
    metric: Metric
    aggregate: Aggregate
    thresholds: Thresholds
    members: npt.NDArray[np.intp]
    """The positions of the cases that the check is about."""
    segment: str | None
    protected: bool
    minimum_n: int
    owner: str | None
    largest: float | None = None
    """The largest value one case can have, where the metric has no upper end."""
    protects: tuple[str, ...] = ()
    """The labels that bound the protected segment, such as ``language=de``; none for any other check."""
    noise: JudgeNoise | None = None
    """What the judge's own noise adds, where a judge gave the scores and its noise was measured."""
    is_interim: bool = False
    """Whether more cases may still be looked at; then only what is proven blocks, no mere estimate."""
    together_with: tuple[str, ...] = ()
    """The metrics without whose PASS this check does not pass."""

    @property
    def higher_is_better(self) -> bool:
        """Which way the metric points; a neutral metric is gated as a quantity to keep low."""
        return self.metric.spec.direction == "higher"


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Which cases have which label in which dimension."""

    cases: Sequence[Case]
    positions: dict[tuple[str, str], npt.NDArray[np.intp]]
    chosen: dict[tuple[object, ...], npt.NDArray[np.intp]] = field(default_factory=dict)
    """What was asked for before: every metric asks for the same segments."""

    @classmethod
    def of(cls, cases: Sequence[Case]) -> Labels:
        """The labels of a suite's cases."""
        found: dict[tuple[str, str], list[int]] = {}
        for position, case in enumerate(cases):
            for pair in case.segment_labels().items():
                found.setdefault(pair, []).append(position)
        return cls(cases, {pair: np.array(places, dtype=np.intp) for pair, places in found.items()})

    def members(self, where: dict[str, str], having: Sequence[CaseProperty] = ()) -> npt.NDArray[np.intp]:
        """The positions of the cases with all the given labels and properties, in order."""
        labels, properties = tuple(sorted(where.items())), tuple(sorted(set(having)))
        wanted = (labels, properties)
        if wanted not in self.chosen:
            members = np.arange(len(self.cases), dtype=np.intp)
            for pair in labels:
                places = self.positions.get(pair, np.empty(0, dtype=np.intp))
                members = np.intersect1d(members, places, assume_unique=True)
            for held in properties:
                kept = [held.holds(self.cases[place]) for place in members.tolist()]
                members = members[np.array(kept, dtype=np.bool_)]
            self.chosen[wanted] = members
        return self.chosen[wanted]


def plan_checks(policy: Policy, cases: Sequence[Case]) -> list[PlannedCheck]:
    """Expands a policy over the cases of a suite.

    Raises:
        ConfigError: if the policy has no checks, names an unknown metric or dimension, or sets a threshold that
            nothing uses.
    """
    problems = _policy_problems(policy, cases)
    if problems:
        raise ConfigError(problems)
    labels = Labels.of(cases)
    planned: list[PlannedCheck] = []
    for check in policy.checks:
        planned.extend(_expand(policy, check, labels))
    _refuse_twins(planned)
    return planned


def _expand(policy: Policy, check: PolicyCheck, labels: Labels) -> list[PlannedCheck]:
    metric = parse_metric(check.metric)
    aggregate = check.aggregate or default_aggregate(metric)
    base_n = check.minimum_n or policy.minimum_n
    owner = check.owner or policy.owner
    scopes: list[tuple[Thresholds, Segment | None, dict[str, str]]] = [(check.overall, None, check.where)]
    if not check.protected.is_empty():
        scopes += [(check.protected, segment, check.where | segment.where) for segment in policy.protected_segments]
    planned = []
    for thresholds, segment, where in scopes:
        for kind in _kinds(check, thresholds, is_segment=segment is not None):
            label = label_of(where, check.having or ())
            planned.append(
                PlannedCheck(
                    check_id="/".join(filter(None, (str(metric), _suffix(metric, aggregate), kind.value, label))),
                    kind=kind,
                    metric=metric,
                    aggregate=aggregate,
                    thresholds=thresholds,
                    members=labels.members(where, check.having or ()),
                    segment=label,
                    protected=segment is not None,
                    minimum_n=(segment.minimum_n if segment else None) or base_n,
                    owner=owner,
                    largest=check.largest,
                    protects=_labels_of(segment),
                    together_with=check.together_with or (),
                )
            )
    return planned


def label_of(where: dict[str, str], having: Sequence[CaseProperty]) -> str | None:
    """A part of the suite as one word, such as ``language=de,has=required_clauses``; ``None`` for all of it."""
    named = [Segment(where=where).label] if where else []
    return ",".join(named + [held.label for held in sorted(set(having))]) or None


def _labels_of(segment: Segment | None) -> tuple[str, ...]:
    return () if segment is None else tuple(f"{name}={label}" for name, label in sorted(segment.where.items()))


def default_aggregate(metric: Metric) -> Aggregate:
    """Rates and sums are judged per case: as a mean they can be compared between suites of any size."""
    return Aggregate.P95 if metric.spec.aggregate == "p95" else Aggregate.MEAN


def _suffix(metric: Metric, aggregate: Aggregate) -> str | None:
    return None if aggregate is default_aggregate(metric) else aggregate.value


def _kinds(check: PolicyCheck, thresholds: Thresholds, *, is_segment: bool) -> list[CheckKind]:
    if check.zero_tolerance:
        return [] if is_segment else [CheckKind.ZERO_TOLERANCE]
    kinds = []
    if thresholds.pass_at is not None:
        kinds.append(CheckKind.BAND)
    if thresholds.margin is not None:
        kinds.append(CheckKind.NO_REGRESSION)
    return kinds


def _policy_problems(policy: Policy, cases: Sequence[Case]) -> list[Problem]:
    if not policy.checks:
        return [
            Problem(
                message="the policy has no checks, so nothing could ever pass by it",
                field="checks",
                remedy="Add at least one check with a metric and thresholds",
            )
        ]
    dimensions = {dimension for case in cases for dimension in case.segment_labels()}
    problems = treatment_problems(policy)
    for position, check in enumerate(policy.checks):
        field = f"checks[{position}]"
        problems += _metric_problems(check, field)
        problems += _dimension_problems(check.where, f"{field}.where", dimensions)
        problems += _contradictions(policy, check, field)
        problems += _unmet_companions(policy, check, field) + _held_by_no_case(check, cases, field)
        if not check.protected.is_empty() and not policy.protected_segments:
            problems.append(
                Problem(
                    message="thresholds for protected segments are set, and the policy protects no segment",
                    field=f"{field}.protected",
                    remedy="Name the segments under protected_segments, or remove these thresholds",
                )
            )
    for position, segment in enumerate(policy.protected_segments):
        problems += _dimension_problems(segment.where, f"protected_segments[{position}].where", dimensions)
    if policy.protected_segments and all(check.protected.is_empty() for check in policy.checks):
        problems.append(
            Problem(
                message="segments are protected, and no check has thresholds for them",
                field="protected_segments",
                remedy="Give at least one check a 'protected' block with pass_at and block_at, or margin",
            )
        )
    return problems


def _unmet_companions(policy: Policy, check: PolicyCheck, field: str) -> list[Problem]:
    """A check cannot pass together with one that the policy does not make."""
    checked = {other.metric for other in policy.checks if other is not check}
    return [
        Problem(
            message="the check is to pass together with another one, and the policy does not check that metric",
            field=f"{field}.together_with",
            value=shown(name),
            remedy="Add a check of that metric, written in the same way",
        )
        for name in check.together_with or ()
        if name not in checked
    ]


def _held_by_no_case(check: PolicyCheck, cases: Sequence[Case], field: str) -> list[Problem]:
    return [
        Problem(
            message="no case of the suite holds this",
            field=f"{field}.having",
            value=shown(held.value),
            remedy="Add cases that do, or remove the restriction",
        )
        for held in check.having or ()
        if not any(held.holds(case) for case in cases)
    ]


def _contradictions(policy: Policy, check: PolicyCheck, field: str) -> list[Problem]:
    """A check over one part of the suite cannot be held to a protected segment outside that part."""
    if check.protected.is_empty():
        return []
    return [
        Problem(
            message="a protected segment lies outside the part of the suite that the check is about",
            field=f"{field}.where",
            value=f"{dimension}={label} against {segment.label}",
            remedy="Give this check no 'protected' block, or widen its 'where'",
        )
        for segment in policy.protected_segments
        for dimension, label in check.where.items()
        if segment.where.get(dimension, label) != label
    ]


def _metric_problems(check: PolicyCheck, field: str) -> list[Problem]:
    try:
        metric = parse_metric(check.metric)
    except ConfigError as error:
        return [
            Problem(message=problem.message, field=f"{field}.metric", value=problem.value, remedy=problem.remedy)
            for problem in error.problems
        ]
    problems = []
    if check.zero_tolerance and (metric.spec.direction != "lower" or metric.spec.kind not in ("count", "binary")):
        problems.append(
            Problem(
                message="zero_tolerance needs a metric that counts what must not happen",
                field=f"{field}.zero_tolerance",
                value=shown(check.metric),
                remedy="Use it with entitlement_leak, forbidden_passages or the like, or give pass_at and block_at",
            )
        )
    mean = (check.aggregate or default_aggregate(metric)) is Aggregate.MEAN
    if mean and metric.spec.high is None and not check.zero_tolerance and check.largest is None:
        problems.append(
            Problem(
                message=f"{metric} has no upper end, and no sample bounds the mean of what can be arbitrarily large",
                field=f"{field}.largest",
                remedy="Say the largest value one case can have (largest: …), or gate a quantile (aggregate: p95)",
            )
        )
    for name, thresholds in (("", check.overall), ("protected.", check.protected)):
        problems += _level_problems(metric, thresholds, f"{field}.{name}")
    return problems


def _level_problems(metric: Metric, thresholds: Thresholds, field: str) -> list[Problem]:
    problems = []
    low, high = metric.spec.low, metric.spec.high
    for name in ("pass_at", "block_at"):
        level = getattr(thresholds, name)
        if level is not None and ((low is not None and level < low) or (high is not None and level > high)):
            problems.append(
                Problem(
                    message=f"{metric} lies between {low} and {high}",
                    field=f"{field}{name}",
                    value=shown(level),
                    remedy="Give a level within that range",
                )
            )
    if thresholds.margin is not None and low is not None and high is not None and thresholds.margin >= high - low:
        problems.append(
            Problem(
                message=f"no worsening of {metric} is larger than {high - low:g}, so this margin tolerates any",
                field=f"{field}margin",
                value=shown(thresholds.margin),
                remedy="Give the largest worsening that users would tolerate, for example 0.02",
            )
        )
    worst = low if metric.spec.direction == "higher" else high
    if thresholds.pass_at is not None and thresholds.pass_at == worst:
        problems.append(
            Problem(
                message=f"the worst that {metric} can be is {worst:g}, so any run reaches this level",
                field=f"{field}pass_at",
                value=shown(thresholds.pass_at),
                remedy="Give a level that a bad run misses",
            )
        )
    if thresholds.pass_at is not None and thresholds.block_at is not None:
        higher = metric.spec.direction == "higher"
        wrong_way = thresholds.pass_at < thresholds.block_at if higher else thresholds.pass_at > thresholds.block_at
        if wrong_way:
            better = "higher" if higher else "lower"
            problems.append(
                Problem(
                    message=f"{better} is better for {metric}, so pass_at must not be the easier level",
                    field=f"{field}pass_at",
                    value=shown((thresholds.pass_at, thresholds.block_at)),
                    remedy="Exchange pass_at and block_at",
                )
            )
    return problems


def _dimension_problems(where: dict[str, str], field: str, dimensions: set[str]) -> list[Problem]:
    problems = []
    for dimension in where:
        if dimension in dimensions:
            continue
        near = difflib.get_close_matches(dimension, dimensions, n=3)
        problems.append(
            Problem(
                message="no case of the suite has this dimension",
                field=field,
                value=shown(dimension),
                remedy=f"Use one of: {', '.join(near or sorted(dimensions)[:12])}",
            )
        )
    return problems


def _refuse_twins(planned: list[PlannedCheck]) -> None:
    seen: set[str] = set()
    for check in planned:
        if check.check_id in seen:
            raise ConfigError(
                Problem(
                    message="the same check stands twice in the policy; which threshold holds is not clear",
                    field="checks",
                    value=shown(check.check_id),
                    remedy="Remove one of them, or give them different segments",
                )
            )
        seen.add(check.check_id)
