"""Figures by segment for people to look at: they inform, and decide nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from beleg.core.case import Case
from beleg.core.decision import Bounds, CheckKind, Counts
from beleg.core.evaluation import Evaluation
from beleg.core.policy import Aggregate, Policy, Thresholds
from beleg.gating.bounds import figure_bounds
from beleg.gating.checks import column_of
from beleg.gating.plan import PlannedCheck
from beleg.gating.regression import carry_out_regression
from beleg.metrics.catalogue import parse_metric

MAX_LABELS = 15
"""A dimension with more labels than this is an identifier, not a segmentation."""

_ANY_MARGIN = 1e-6
"""Bounds of a difference do not depend on the margin; one has to be named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentFigure:
    """One metric over one segment of the suite, or over all of it."""

    segment: str | None
    metric: str
    higher_is_better: bool
    n: int
    counts: Counts
    figure: Bounds | None
    baseline: float | None
    difference: Bounds | None


def segment_figures(
    metrics: Sequence[str], candidate: Evaluation, baseline: Evaluation | None, policy: Policy
) -> list[SegmentFigure]:
    """The figures of some metrics over all cases and over every segment of a usable dimension.

    Args:
        metrics: metrics by name; both runs must hold their scores.
        candidate: the scored run.
        baseline: a scored run on the same cases in the same order, if there is one.
        policy: whose confidence the bounds have.
    """
    groups = [(None, np.arange(len(candidate.cases), dtype=np.intp)), *_groups(candidate.cases)]
    return [
        _figure(name, label, members, (candidate, baseline), policy) for name in metrics for label, members in groups
    ]


def _groups(cases: Sequence[Case]) -> list[tuple[str | None, np.ndarray]]:
    by_label: dict[str, dict[str, list[int]]] = {}
    for place, case in enumerate(cases):
        for dimension, label in case.segment_labels().items():
            by_label.setdefault(dimension, {}).setdefault(label, []).append(place)
    return [
        (f"{dimension}={label}", np.array(places, dtype=np.intp))
        for dimension, labels in sorted(by_label.items())
        if 1 < len(labels) <= MAX_LABELS
        for label, places in sorted(labels.items())
    ]


def _figure(
    name: str, label: str | None, members: np.ndarray, runs: tuple[Evaluation, Evaluation | None], policy: Policy
) -> SegmentFigure:
    candidate, baseline = runs
    metric = parse_metric(name)
    check = PlannedCheck(
        check_id=name,
        kind=CheckKind.NO_REGRESSION,
        metric=metric,
        aggregate=Aggregate.MEAN,
        thresholds=Thresholds(margin=_ANY_MARGIN),
        members=members,
        segment=label,
        protected=False,
        minimum_n=2,
        owner=None,
    )
    new = column_of(check, candidate)
    values, clusters = new.scored_values()
    old = column_of(check, baseline) if baseline is not None else None
    compared = carry_out_regression(check, policy, new, old) if old is not None else None
    return SegmentFigure(
        segment=label,
        metric=name,
        higher_is_better=check.higher_is_better,
        n=new.n_scored,
        counts=new.counts(),
        figure=figure_bounds(check, values, clusters, policy.confidence) if len(values) else None,
        baseline=compared.baseline if compared else None,
        difference=compared.difference if compared else None,
    )
