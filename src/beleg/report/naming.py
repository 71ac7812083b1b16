"""What a metric is called, in what unit it is read, and which direction is better."""

from __future__ import annotations

from dataclasses import dataclass

from beleg.core.decision import CheckKind, CheckResult, Sentence
from beleg.core.errors import ConfigError
from beleg.metrics.catalogue import Metric, parse_metric
from beleg.report.words import phrase
from beleg.text.figures import UNIT_OF_KIND, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricLabel:
    """A metric as a reader meets it."""

    name: str
    title: Sentence
    unit: Unit
    higher_is_better: bool | None
    """``None`` where neither direction is better, or where it is not known."""


def metric_label(name: str, *, higher_is_better: bool | None = None) -> MetricLabel:
    """The label of a metric; one that the catalogue does not know keeps its printed name and has no direction.

    Args:
        name: the metric as printed, such as ``ndcg@10``.
        higher_is_better: the direction as a decision recorded it, which goes before the catalogue.

    Example:
        >>> metric_label("ndcg@10").title.en
        'nDCG@10'
        >>> metric_label("not in the catalogue").higher_is_better is None
        True
    """
    metric = _known(name)
    if metric is None:
        return MetricLabel(
            name=name, title=Sentence(en=name, de=name), unit=Unit.PLAIN, higher_is_better=higher_is_better
        )
    directions = {"higher": True, "lower": False, "neutral": None}
    stated = directions[metric.spec.direction] if higher_is_better is None else higher_is_better
    return MetricLabel(
        name=name,
        title=Sentence(en=metric.title("en"), de=metric.title("de")),
        unit=UNIT_OF_KIND.get(metric.spec.kind, Unit.PLAIN),
        higher_is_better=stated,
    )


def check_title(check: CheckResult) -> Sentence:
    """What a check looks at: its metric, else its kind."""
    if check.metric is None:
        return phrase(f"kind.{check.kind.value}")
    if check.kind is CheckKind.CALIBRATION:
        kind = phrase(f"kind.{check.kind.value}")
        title = metric_label(check.metric).title
        return Sentence(en=f"{title.en}: {kind.en}", de=f"{title.de}: {kind.de}")
    title = metric_label(check.metric).title
    aggregate = "" if check.aggregate in {None, "mean", "rate", "sum"} else f", {check.aggregate}"
    return Sentence(en=f"{title.en}{aggregate}", de=f"{title.de}{aggregate}")


def unit_of_check(check: CheckResult) -> Unit:
    """The unit in which a check's figures are read."""
    return Unit.PLAIN if check.metric is None else metric_label(check.metric).unit


def _known(name: str) -> Metric | None:
    try:
        return parse_metric(name)
    except ConfigError:
        # a stored decision may name a metric of a plug-in or of another version
        return None
