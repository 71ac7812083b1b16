"""From stored points to what is shown: recall with interval, latency, the Pareto front, the setting to take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from beleg.app.ir.ann.points import FilteredSearch, Point, Searched
from beleg.app.ir.ann.sweep import Swept
from beleg.metrics.neighbours.pareto import Choice, Offer, choose, pareto_front
from beleg.stats.intervals import Interval, clopper_pearson, mean_t_interval
from beleg.stats.quantiles import QuantileInterval, quantile_interval

CONFIDENCE = 0.95
LOW_SHARE = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFigures:
    """What one setting gives for a group of queries.

    Attributes:
        recall: the mean over queries, tied rows counting as hits, with its interval.
        recall_by_id: the mean where only the very rows of the exact answer count.
        low_recall: the recall that 5 % of the queries do not exceed.
        perfect: share of queries that miss nothing.
        p50: median over the queries of the quickest call of each, in milliseconds; p95 and p99 likewise. What else the
            machine did while one call ran is no property of the index.
        p99_of_calls: p99 over all calls, with what else the machine did.
        missing: places left empty although there was something to find.
        repeated: rows delivered twice.
        foreign: rows that do not exist or that the filter does not admit.
    """

    recall: Interval
    recall_by_id: float
    low_recall: float
    perfect: float
    p50: QuantileInterval
    p95: QuantileInterval
    p99: QuantileInterval
    p99_of_calls: float
    missing: int
    repeated: int
    foreign: int

    def to_json(self) -> dict[str, Any]:
        """Plain figures; a bound that too few calls cannot give is null."""
        return {
            "recall": self.recall.estimate,
            "recall_lower": self.recall.lower,
            "recall_upper": self.recall.upper,
            "recall_by_id": self.recall_by_id,
            "recall_p5": self.low_recall,
            "queries": self.recall.n,
            "queries_without_a_miss": self.perfect,
            **{f"latency_{name}_ms": each.estimate for name, each in self._latencies()},
            **{f"latency_{name}_ms_bounds": [each.lower, each.upper] for name, each in self._latencies()},
            "latency_p99_of_all_calls_ms": self.p99_of_calls,
            "missing": self.missing,
            "repeated": self.repeated,
            "foreign": self.foreign,
        }

    def _latencies(self) -> tuple[tuple[str, QuantileInterval], ...]:
        return ("p50", self.p50), ("p95", self.p95), ("p99", self.p99)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointFigures:
    """One point with its figures, without and with filters."""

    point: Point
    figures: SearchFigures
    bound: float
    """The lower bound by which it is chosen: at a confidence that allows for all points of the sweep."""
    on_front: bool
    filtered: dict[float, SearchFigures]
    """By the upper end of the bucket of selectivity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepFigures:
    """Everything that a report shows."""

    swept: Swept
    points: tuple[PointFigures, ...]
    floor: float
    choice: Choice

    @property
    def taken(self) -> PointFigures | None:
        """The setting to take; None where none reaches the floor."""
        return None if self.choice.taken is None else self.points[self.choice.taken]

    @property
    def nearest(self) -> PointFigures:
        """The setting that is taken, or comes nearest to the floor."""
        return self.points[self.choice.nearest]

    def to_json(self) -> dict[str, Any]:
        """One object with setting, choice and points."""
        return {
            "setting": self.swept.setting.to_json_dict(),
            "floor": self.floor,
            "recommended": None if self.choice.taken is None else self.choice.taken,
            "nearest": self.choice.nearest,
            "exact_search_s": self.swept.exact_s,
            "measured_now": self.swept.measured,
            "queries_without_rows": self.swept.without_rows,
            "kinds_without_filters": list(self.swept.unfiltered_kinds),
            "points": [_point_json(each) for each in self.points],
        }


def figures_of(swept: Swept, floor: float) -> SweepFigures:
    """Computes what is shown of a sweep.

    The setting to take is the cheapest whose lower bound lies above the floor. Its bound holds at a confidence of
    1 − 0.05 / points, so that picking among many points does not make a lucky one look safe (Bonferroni).

    Args:
        swept: the points.
        floor: what the true mean recall must exceed.

    Raises:
        DataError: if there is no point.
    """
    confidence = 1.0 - (1.0 - CONFIDENCE) / max(1, len(swept.points))
    bounds = [recall_interval([point.found], confidence).lower for point in swept.points]
    figures = [search_figures([point.found]) for point in swept.points]
    offers = [
        Offer(
            recall=each.recall.estimate, recall_lower=bound, latency=each.p95.estimate,
            memory=None if point.memory is None else point.memory.bytes,
        )
        for point, each, bound in zip(swept.points, figures, bounds, strict=True)
    ]  # fmt: skip
    choice, front = choose(offers, floor), set(pareto_front(offers))
    points = tuple(
        PointFigures(point=point, figures=each, bound=bound, on_front=at in front, filtered=_by_bucket(point))
        for at, (point, each, bound) in enumerate(zip(swept.points, figures, bounds, strict=True))
    )
    return SweepFigures(swept=swept, points=points, floor=floor, choice=choice)


def search_figures(groups: Sequence[Searched]) -> SearchFigures:
    """The figures over all queries of one or several groups."""
    recalls = np.concatenate([_recalls(each) for each in groups])
    by_id = np.concatenate([np.array(each.hits_by_id) / each.wanted for each in groups])
    calls = [np.array(each.latencies_ms).reshape(-1, len(each.hits)) for each in groups]
    quickest = np.concatenate([each.min(axis=0) for each in calls])
    return SearchFigures(
        recall=recall_interval(groups, CONFIDENCE),
        recall_by_id=float(by_id.mean()),
        low_recall=float(np.quantile(recalls, LOW_SHARE, method="lower")),
        perfect=float((recalls == 1.0).mean()),
        p50=quantile_interval(quickest, 0.5),
        p95=quantile_interval(quickest, 0.95),
        p99=quantile_interval(quickest, 0.99),
        p99_of_calls=float(np.quantile(np.concatenate([each.ravel() for each in calls]), 0.99)),
        missing=sum(each.missing for each in groups),
        repeated=sum(each.repeated for each in groups),
        foreign=sum(each.foreign for each in groups),
    )


def _by_bucket(point: Point) -> dict[float, SearchFigures]:
    ends = sorted({each.bucket for each in point.filtered})
    return {end: search_figures([each.found for each in point.filtered if each.bucket == end]) for end in ends}


def _recalls(found: Searched) -> npt.NDArray[np.float64]:
    recalls: npt.NDArray[np.float64] = np.array(found.hits) / found.wanted
    return recalls


def recall_interval(groups: Sequence[Searched], confidence: float) -> Interval:
    """The mean recall over queries: exact where each query is right or wrong, else a t interval.

    The t interval is that of `mean_t_interval`, which queries that all have recall 1 do not fool.
    """
    recalls = np.concatenate([_recalls(each) for each in groups])
    if all(each.wanted == 1 for each in groups):
        return clopper_pearson(int(recalls.sum()), len(recalls), confidence)
    return mean_t_interval(recalls, confidence)


def _filter_json(filtered: FilteredSearch) -> dict[str, Any]:
    recalls = _recalls(filtered.found)
    return {"name": filtered.name, "share": filtered.share, "queries": len(recalls), "recall": float(recalls.mean())}


def _point_json(each: PointFigures) -> dict[str, Any]:
    point = each.point
    memory = None if point.memory is None else point.memory.to_json_dict()
    return {
        "index": point.kind, "version": point.version, "build": point.build, "search": point.search,
        **each.figures.to_json(), "recall_lower_for_choice": each.bound, "on_front": each.on_front,
        "queries_per_s": point.queries_per_s, "build_s": point.build_s, "build_cpu_s": point.build_cpu_s,
        "memory": memory,
        "filters": [_filter_json(filtered) for filtered in point.filtered],
        "filtered": [{"share_up_to": end, **figures.to_json()} for end, figures in each.filtered.items()],
    }  # fmt: skip
