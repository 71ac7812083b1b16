"""What probes of a judge found, in words: which way verdicts went, and what was not probed."""

from __future__ import annotations

from beleg.core.decision import Bounds, Sentence
from beleg.core.probes import ProbeDirection, ProbeReport
from beleg.core.score import ScoreStatus
from beleg.report.figures import both
from beleg.report.words import catalogue, phrase, reason_word
from beleg.text.figures import Unit, interval_text


def probe_rate(report: ProbeReport) -> Sentence | None:
    """The rate with its interval; ``None`` where nothing was probed."""
    if report.rate is None or report.lower is None or report.upper is None:
        return None
    return _share(report.rate, report.lower, report.upper, report)


def direction_text(direction: ProbeDirection, report: ProbeReport) -> Sentence:
    """One way that verdicts went: in how many cases, with its share."""
    key = f"probe.{direction.name}"
    name = phrase(key) if key in catalogue() else Sentence(en=direction.name, de=direction.name)
    return phrase(
        "probe.direction",
        name=name,
        events=direction.events,
        cases=report.n,
        share=_share(direction.rate, direction.lower, direction.upper, report),
    )


def probe_missing(report: ProbeReport) -> tuple[tuple[int, Sentence], ...]:
    """How many cases were not probed, by reason in words; a reason of another version keeps its name."""
    known = {status.value for status in ScoreStatus}
    return tuple(
        (count, reason_word(ScoreStatus(name)) if name in known else Sentence(en=name, de=name))
        for name, count in report.missing.items()
    )


def _share(rate: float, lower: float, upper: float, report: ProbeReport) -> Sentence:
    bounds = Bounds(
        estimate=rate, lower=lower, upper=upper, confidence=report.confidence, method=report.method, n=report.n
    )
    return both(lambda language: interval_text(bounds, language, unit=Unit.PERCENT))
