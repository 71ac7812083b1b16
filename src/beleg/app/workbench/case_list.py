"""The list of cases of a run: what is asked for stands in the address, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Self
from urllib.parse import urlencode

from beleg.core.errors import UsageError, shown
from beleg.core.run_index import MAX_SEARCH_CHARS, CasePage, CaseQuery, IndexedScore, RunFacets, RunIndex
from beleg.core.score import ScoreStatus

PAGE_CASES = 50
MAX_OPTIONS = 300
"""With more labels than these a list to choose from helps nobody; the label is typed instead."""
MAX_SHOWN = 12
MAX_PAGE = 10_000_000
MAIN_METRICS: tuple[str, ...] = (
    "evidence_recall@5",
    "ndcg@10",
    "faithfulness",
    "citation_gold_recall",
    "abstention_correct",
    "latency_ms",
)
"""What a list shows where nobody chose; those that the run was not scored by are left out."""
REASONS: tuple[ScoreStatus, ...] = tuple(status for status in ScoreStatus if status is not ScoreStatus.SCORED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What is asked of the list, as the address says it. A value that is empty or usual is left out of addresses."""

    segment: str = ""
    status: str = ""
    lost: str = ""
    reason: str = ""
    of: str = ""
    """The metric whose score is missing."""
    q: str = ""
    sort: str = ""
    order: str = ""
    """``down`` for the highest first; anything else is the lowest first."""
    show: tuple[str, ...] = ()
    page: int = 1
    size: int = PAGE_CASES
    """How many cases a page holds; every address in the browser means the usual number."""

    @classmethod
    def read(cls, pairs: Iterable[tuple[str, str]]) -> Self:
        """What an address asks for; names that the list does not know are passed over.

        Raises:
            UsageError: if a value cannot be used.
        """
        given: dict[str, Any] = {}
        show: dict[str, None] = {}
        for name, value in pairs:
            if name == "show":
                show.setdefault(value)
            elif name in _TEXTS or name == "page":
                given[name] = value.strip()
        if len(given.get("q", "")) > MAX_SEARCH_CHARS:
            raise UsageError(f"the text to look for is longer than {MAX_SEARCH_CHARS} characters")
        if given.get("reason") and given["reason"] not in REASONS:
            raise UsageError(f"{shown(given['reason'])} is no reason why a score is missing")
        page = _page(given.pop("page", ""))
        return cls(**given, show=tuple(show)[:MAX_SHOWN], page=page)

    @property
    def is_filtered(self) -> bool:
        """Whether any case may be left out."""
        return any((self.segment, self.status, self.lost, self.reason, self.of, self.q))

    def address(self) -> str:
        """The part of an address behind the question mark, with the mark; empty where nothing is asked."""
        pairs = [(name, getattr(self, name)) for name in _TEXTS if getattr(self, name)]
        pairs += [("show", name) for name in self.show]
        if self.page > 1:
            pairs.append(("page", str(self.page)))
        return f"?{urlencode(pairs)}" if pairs else ""

    def at(self, page: int) -> Self:
        """The same list on another page."""
        return replace(self, page=page)

    def sorted_by(self, metric: str) -> Self:
        """The same list by a metric, the lowest first, or the other way round where that was so already."""
        is_up_already = self.sort == metric and self.order != "down"
        return replace(self, sort=metric, order="down" if is_up_already else "", page=1)

    def in_suite_order(self) -> Self:
        """The same list in the order of the suite."""
        return replace(self, sort="", order="", page=1)

    def query(self, metrics: Sequence[str]) -> CaseQuery:
        """What the index is asked."""
        return CaseQuery(
            segment=self.segment or None,
            status=self.status or None,
            lost_at=self.lost or None,
            reason=ScoreStatus(self.reason) if self.reason else None,
            reason_metric=self.of or None,
            text=self.q,
            sort=self.sort or None,
            descending=self.order == "down",
            metrics=tuple(metrics),
            offset=(self.page - 1) * self.size,
            limit=self.size,
        )


_TEXTS = ("segment", "status", "lost", "reason", "of", "q", "sort", "order")


def _page(text: str) -> int:
    if not text:
        return 1
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MAX_PAGE)) and 1 <= int(text) <= MAX_PAGE):
        raise UsageError(f"{shown(text)} is no page")
    return int(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRow:
    """One case in the list."""

    case_id: str
    question: str
    status: str
    lost_at: str | None
    scores: tuple[IndexedScore | None, ...]
    """One for each metric that is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseListView:
    """One page of the list."""

    listing: Listing
    facets: RunFacets
    metrics: tuple[str, ...]
    """Those that are shown."""
    rows: tuple[CaseRow, ...]
    total: int
    pages: int

    @property
    def first(self) -> int:
        """The place of the first row among the cases that fit."""
        return (self.listing.page - 1) * self.listing.size + 1

    @property
    def last(self) -> int:
        """The place of the last row."""
        return self.first + len(self.rows) - 1

    @property
    def has_segment_choice(self) -> bool:
        """Whether segments are few enough to be chosen from a list."""
        return len(self.facets.segments) <= MAX_OPTIONS


def case_list(index: RunIndex, run_id: str, listing: Listing) -> CaseListView:
    """One page of the cases of a run.

    Raises:
        UsageError: if the run is not indexed, or has no such metric.
    """
    facets = index.facets(run_id)
    metrics = shown_metrics(facets, listing)
    found = index.find(run_id, listing.query(metrics))
    return CaseListView(
        listing=listing,
        facets=facets,
        metrics=metrics,
        rows=_rows(found, metrics),
        total=found.total,
        pages=max(ceil(found.total / listing.size), 1),
    )


def shown_metrics(facets: RunFacets, listing: Listing) -> tuple[str, ...]:
    """The metrics that are chosen, else the main ones; the one that is sorted by is always among them."""
    chosen = listing.show or main_metrics(facets.metrics)
    named = (*chosen, *(name for name in (listing.sort, listing.of) if name))
    return tuple(dict.fromkeys(named))


def main_metrics(metrics: Sequence[str]) -> tuple[str, ...]:
    """The metrics that are shown where nobody chose.

    Example:
        >>> main_metrics(("mrr", "ndcg@10")), main_metrics(("mrr",))
        (('ndcg@10',), ('mrr',))
    """
    return tuple(name for name in MAIN_METRICS if name in metrics) or tuple(metrics[:3])


def _rows(found: CasePage, metrics: Sequence[str]) -> tuple[CaseRow, ...]:
    rows = []
    for case in found.cases:
        scores = {score.metric: score for score in case.scores}
        rows.append(
            CaseRow(
                case_id=case.case_id,
                question=case.question,
                status=case.status,
                lost_at=case.lost_at,
                scores=tuple(scores.get(name) for name in metrics),
            )
        )
    return tuple(rows)
