"""What can be calibrated: a judge through a measure, a dedicated verifier, or a proxy that asks nobody."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from beleg.app.judge_measures import require_offered
from beleg.app.scoring import ScoredRun
from beleg.core.calibration import JudgeStanding
from beleg.core.errors import UsageError, shown
from beleg.core.judging import JudgeSpec
from beleg.judges.calibration import Terms
from beleg.judges.labelled_items import Scorer, metric_scorer, weakest_support
from beleg.judges.measures.claim_support_by_verifier import CLAIM_SUPPORT_BY_VERIFIER, UNCALIBRATED_THRESHOLD
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.measures.registry import MEASURES
from beleg.judges.panel import Panel
from beleg.metrics.catalogue import CATALOGUE, Metric, parse_metric
from beleg.metrics.verification.verifier import DEFAULT_THRESHOLD, AlignmentVerifier

WEAKEST_SUPPORT = "weakest_support"
"""What a dedicated verifier is compared by, where no metric is named."""

ALL_OF_IT = 1.0
"""A share, such as of carried claims, passes where it is whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationRequest:
    """What is asked of a calibration."""

    measure: str = "claim_support"
    metric: str | None = None
    """The metric that is compared with the labels; ``None``: the one that the measure is known for. A proxy needs no
    measure and nobody to ask."""
    repeats: int = 1
    segments: tuple[str, ...] = ()
    """Only these dimensions are broken down; all that the labels have where none is named."""
    limit: int | None = None
    """Judge only so many items: the first by a digest of their ids, the same for anybody."""
    terms: Terms = field(default_factory=Terms)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is compared with people."""

    name: str
    """The measure, or the proxy."""
    version: str
    metric: str
    score: Scorer
    threshold: float
    """From where on it passes, where nobody says otherwise."""
    measure: JudgedMeasure | None = None
    proxy: JudgeSpec | None = None
    """For a metric that asks nobody: what stands in for the judge."""


def subject_of(request: CalibrationRequest, panel: Panel) -> Subject:
    """What a request calibrates.

    Raises:
        UsageError: for a measure or metric that is not known, does not belong together, or that the panel cannot offer.
        ConfigError: for a metric that cannot be read.
    """
    metric = None if request.metric in (None, WEAKEST_SUPPORT) else parse_metric(request.metric or "")
    if metric is not None and metric.spec.proxy and metric.spec.rests_on is None:
        return Subject(
            name=metric.spec.name,
            version=metric.spec.version,
            metric=str(metric),
            score=metric_scorer(metric),
            threshold=ALL_OF_IT,
            proxy=proxy_spec(),
        )
    measure = _measure(request.measure, panel)
    if metric is None and measure.name == CLAIM_SUPPORT_BY_VERIFIER.name:
        usual = UNCALIBRATED_THRESHOLD if panel.verifier_threshold is None else panel.verifier_threshold
        chosen, threshold = WEAKEST_SUPPORT, usual
        score: Scorer = weakest_support
    else:
        held = _metric(metric, measure)
        chosen, score, threshold = str(held), metric_scorer(held), ALL_OF_IT
    return Subject(
        name=measure.name, version=measure.version, metric=chosen, score=score, threshold=threshold, measure=measure
    )


def proxy_spec() -> JudgeSpec:
    """The deterministic verifier with its threshold, as what stands behind a proxy."""
    spec = AlignmentVerifier().spec
    return spec.model_copy(update={"extra": {**spec.extra, "threshold": DEFAULT_THRESHOLD}})


def with_standings(scored: ScoredRun) -> ScoredRun:
    """The run with what stands behind each of its judged metrics: the judges of its findings, or the proxy itself."""
    evaluation = scored.evaluation
    inside = set(evaluation.case_ids.tolist())
    findings = [finding for finding in scored.batch.findings.values() if finding.case_id in inside]
    by_measure: dict[str, JudgeStanding] = {}
    standings = dict(evaluation.judges)
    for name in evaluation.scores:
        spec = parse_metric(name).spec
        measure = spec.rests_on
        if measure is not None:
            if measure not in by_measure:
                by_measure[measure] = JudgeStanding.of(measure, findings)
            standings[name] = by_measure[measure]
        elif spec.proxy:
            standings[name] = JudgeStanding(
                measure=spec.name, versions=(spec.version,), judges=(proxy_spec(),), tasks=()
            )
    return replace(scored, evaluation=replace(evaluation, judges=standings))


def _measure(name: str, panel: Panel) -> JudgedMeasure:
    measure = MEASURES.get(name)
    if measure is None:
        raise UsageError(f"no such judged measure: {shown(name)}", hint=f"There are {', '.join(sorted(MEASURES))}")
    require_offered([measure], panel, file=None)
    return measure


def _metric(given: Metric | None, measure: JudgedMeasure) -> Metric:
    if given is not None:
        if given.spec.rests_on != measure.name:
            raise UsageError(
                f"{given} does not rest on {measure.name}", hint=f"It rests on {given.spec.rests_on or 'no judge'}"
            )
        return given
    for spec in CATALOGUE.values():
        if spec.rests_on == measure.name and not spec.required and (spec.low, spec.high) == (0.0, 1.0):
            return Metric(spec)
    raise UsageError(f"no metric between 0 and 1 rests on {measure.name}", hint="Name one with --metric")
