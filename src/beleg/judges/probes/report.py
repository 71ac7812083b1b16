"""What a probe found: how often the judge did what it should not, with an exact interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from beleg.core.case import Identifier
from beleg.core.model import StoredModel
from beleg.core.score import FAILED_STATUSES, Score, ScoreStatus
from beleg.stats.intervals import clopper_pearson

MAX_CASES_NAMED = 100

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeItem:
    """One case of a probe: whether the judge did what it should not, or why that is not known."""

    case_id: str
    happened: bool | None = None
    without: Score | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    """Further things that were counted, such as variants that were asked."""


class ProbeReport(StoredModel):
    """How often a judge did what it should not.

    ``n`` cases were probed and ``missing`` tells how many were not and why; together they are all cases. Cases that the
    probe says nothing about (``not_applicable``, ``no_claims``) leave the rate, those that failed could have gone
    either way.
    """

    probe: Identifier
    asks: str
    """What the rate is the share of, in English."""
    asks_de: str
    """The same in German."""
    n: Count
    events: Count
    rate: Share | None
    """``None`` where no case was probed: nothing is known then, which is not the same as no fault."""
    lower: Share | None
    upper: Share | None
    lowest: Share | None
    """The rate if no case that failed had shown the fault."""
    highest: Share | None
    """The rate if every case that failed had shown it."""
    confidence: Share
    method: Identifier = "clopper_pearson"
    missing: dict[Identifier, int] = Field(default_factory=dict)
    """How many cases were not probed, by reason."""
    counts: dict[Identifier, int] = Field(default_factory=dict)
    """Further counts over all cases."""
    figures: dict[Identifier, float] = Field(default_factory=dict)
    """Further figures, each explained in the guide."""
    cases: tuple[Identifier, ...] = ()
    """The first cases on which it happened."""


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


def _reason(item: ProbeItem) -> ScoreStatus:
    return item.without.status if item.without is not None else ScoreStatus.MISSING
