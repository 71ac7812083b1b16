"""What a probe found: how often the judge did what it should not, with an exact interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from beleg.core.probes import ProbeDirection, ProbeReport
from beleg.core.score import FAILED_STATUSES, Score, ScoreStatus
from beleg.stats.intervals import clopper_pearson

MAX_CASES_NAMED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeItem:
    """One case of a probe: whether the judge did what it should not, or why that is not known."""

    case_id: str
    happened: bool | None = None
    without: Score | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    """Further things that were counted, such as variants that were asked."""


def probe_report(
    probe: str,
    asks: str,
    items: Iterable[ProbeItem],
    *,
    asks_de: str = "",
    confidence: float = 0.95,
    figures: Mapping[str, float] = MappingProxyType({}),
) -> ProbeReport:
    """Sums up a probe. One item a case, so that the items are independent of each other.

    Formula: events / n with the exact interval of Clopper and Pearson over the cases that were probed.

    Args:
        probe: the name of the probe.
        asks: what the rate is the share of.
        items: one for each case.
        asks_de: the same as ``asks`` in German; the English words where there are none.
        confidence: two-sided confidence.
        figures: further figures of the probe.

    Example:
        >>> items = [ProbeItem(case_id=str(place), happened=place == 0) for place in range(10)]
        >>> items.append(ProbeItem(case_id="x", without=Score.without(ScoreStatus.TIMEOUT)))
        >>> found = probe_report("position", "verdicts that change", items)
        >>> found.rate, round(found.upper, 3), found.missing
        (0.1, 0.445, {'timeout': 1})
    """
    listed = list(items)
    known = [item for item in listed if item.without is None and item.happened is not None]
    happened = [item.case_id for item in known if item.happened]
    missing = Counter(_reason(item) for item in listed if item.without is not None or item.happened is None)
    counts: Counter[str] = Counter()
    for item in listed:
        counts.update(item.counts)
    n, events = len(known), len(happened)
    failed = sum(count for status, count in missing.items() if status in FAILED_STATUSES)
    interval = clopper_pearson(events, n, confidence) if n else None
    return ProbeReport(
        probe=probe,
        asks=asks,
        asks_de=asks_de or asks,
        n=n,
        events=events,
        rate=interval.estimate if interval else None,
        lower=interval.lower if interval else None,
        upper=interval.upper if interval else None,
        lowest=events / (n + failed) if n + failed else None,
        highest=(events + failed) / (n + failed) if n + failed else None,
        confidence=confidence,
        missing={status.value: missing[status] for status in sorted(missing)},
        counts=dict(sorted(counts.items())),
        figures=dict(figures),
        cases=tuple(happened[:MAX_CASES_NAMED]),
    )


def told_of(
    report: ProbeReport, items: Iterable[ProbeItem], *, changed: tuple[str, str], directions: Sequence[str] = ()
) -> ProbeReport:
    """The report with what the probe changed, and with the share of the probed cases that went each way.

    Args:
        report: what was summed up over the same items.
        items: one for each case.
        changed: what the probe changed, in English and German.
        directions: the counts that tell which way a verdict went; each is counted once a case.

    Example:
        >>> items = [ProbeItem(case_id="a", happened=True, counts={"to_pass": 1})]
        >>> items.append(ProbeItem(case_id="b", happened=False))
        >>> report = probe_report("drift", "verdicts that change", items)
        >>> found = told_of(report, items, changed=("nothing", "nichts"), directions=["to_pass"])
        >>> found.directions[0].events, found.directions[0].rate
        (1, 0.5)
    """
    known = [item for item in items if item.without is None and item.happened is not None]
    ways = tuple(_direction(name, known, report.confidence) for name in directions) if known else ()
    return report.model_copy(update={"changed": changed[0], "changed_de": changed[1], "directions": ways})


def _direction(name: str, known: Sequence[ProbeItem], confidence: float) -> ProbeDirection:
    found = clopper_pearson(sum(item.counts.get(name, 0) > 0 for item in known), len(known), confidence)
    return ProbeDirection(
        name=name,
        events=round(found.estimate * found.n),
        rate=found.estimate,
        lower=found.lower,
        upper=found.upper,
    )


def _reason(item: ProbeItem) -> ScoreStatus:
    return item.without.status if item.without is not None else ScoreStatus.MISSING
