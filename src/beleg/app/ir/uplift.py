"""What reranking gains over the first stage on identical candidates, and what is known of its price."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from beleg.adapters.formats.models import load_document
from beleg.adapters.formats.query_labels import read_query_labels
from beleg.app.ir.differences import CONFIDENCE, Difference, paired_difference
from beleg.app.ir.evaluating import IDS_SHOWN
from beleg.app.ir.fusing import group_codes
from beleg.app.ir.reading import Ranked, read_judgements, read_run, require_one_stdin
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.core.rerank import RerankRecord
from beleg.metrics.ranking_runs.kernels import RunValues, evaluate_run, summarised
from beleg.metrics.ranking_runs.measures import Measure, parse_measures, require_higher_is_better
from beleg.metrics.ranking_runs.table import Table
from beleg.metrics.ranking_runs.uplift import GoldMoves, Reranking, gold_moves, lay_side_by_side
from beleg.stats.quantiles import quantile_interval

DEFAULT_DEPTH = 100
DEFAULT_MEASURES = ("nDCG@10", "RR@10", "P@1")
QUERIES_SHOWN = 5
QUANTILES = (0.5, 0.95, 0.99)

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class UpliftRequest:
    """What is compared, and how."""

    qrels: Path
    first_stage: Path
    reranked: tuple[Path, ...]
    measures: tuple[str, ...] = DEFAULT_MEASURES
    depth: int | None = None
    """Candidates of each query; that of the records, or 100, where none is named."""
    records: tuple[Path, ...] = ()
    """One for each reranked run, or none."""
    slices: Path | None = None
    """A file that names a slice of every judged query."""
    groups: Path | None = None
    """A file that names the topic group of every judged query, for the intervals."""
    min_rel: int = 1
    allow_partial: bool = False
    lenient: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """One measure before and after reranking, and in the best order that the candidates allow."""

    measure: str
    before: float
    after: float
    best: float
    difference: Difference

    def to_json(self) -> dict[str, Any]:
        """One object."""
        figures = {"measure": self.measure, "before": self.before, "after": self.after, "best_order": self.best}
        return {**figures, "difference": self.difference.to_json()}


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateCounts:
    """How far the reranked lists hold what the first stage handed over, over the judged queries."""

    queries: int
    identical: int
    missing_queries: int
    """Queries in which candidates are missing; they count with what there is."""
    missing_documents: int
    extra_queries: int
    """Queries with documents that are no candidates; they are left out of every figure."""
    extra_documents: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Uplift:
    """One reranked run against its first stage."""

    file: str
    tag: str
    depth: int
    candidates: CandidateCounts
    gains: tuple[Gain, ...]
    slices: dict[str, tuple[Gain, ...]]
    moves: GoldMoves
    before: RunValues
    after: RunValues
    record: RerankRecord | None
    dropped: dict[str, int]

    def latency(self) -> list[dict[str, Any]]:
        """The quantiles of the latency per query in milliseconds, with intervals where the single ones are known."""
        if self.record is None:
            return []
        if self.record.latency_ms is not None:
            found = [quantile_interval(self.record.latency_ms, p) for p in QUANTILES]
            return [
                {"p": each.p, "ms": each.estimate, "lower": each.lower, "upper": each.upper, "queries": each.n}
                for each in found
            ]
        kept = self.record.latency_quantiles_ms
        if kept is None:
            return []
        return [
            {"p": p, "ms": ms, "lower": None, "upper": None, "queries": kept.queries}
            for p, ms in zip(QUANTILES, (kept.p50, kept.p95, kept.p99), strict=True)
        ]

    def per_query(self) -> list[dict[str, Any]]:
        """For every query each measure before and after, what lost most on the first measure first."""
        order = np.argsort(self.after.values[0] - self.before.values[0], kind="stable").tolist()
        labels = [measure.label for measure in self.before.measures]
        before, after = self.before.values.T.tolist(), self.after.values.T.tolist()
        return [
            {
                "query": self.before.queries[number],
                "before": dict(zip(labels, before[number], strict=True)),
                "after": dict(zip(labels, after[number], strict=True)),
            }
            for number in order
        ]

    def to_json(self, *, per_query: bool = False) -> dict[str, Any]:
        """One object; ``record`` is null where none was given."""
        queries = {"per_query": self.per_query()} if per_query else {}
        record = self.record.to_json_dict() if self.record is not None else None
        return {
            "file": self.file,
            "tag": self.tag,
            "depth": self.depth,
            "candidates": asdict(self.candidates),
            "confidence": CONFIDENCE,
            "gains": [gain.to_json() for gain in self.gains],
            "slices": {name: [gain.to_json() for gain in gains] for name, gains in self.slices.items()},
            **queries,
            "gold": asdict(self.moves),
            "latency_ms": self.latency(),
            "record": record,
            "dropped": self.dropped,
        }


def rerank_uplift(request: UpliftRequest) -> list[Uplift]:
    """Measures what reranking gains on identical candidates.

    Raises:
        UsageError: if a file is not there, a measure unknown or of no use to compare by, or there is not one record
            for each reranked run.
        DataError: if a file is faulty, no query is judged, or a reranked list does not hold exactly its candidates.
        ConfigError: if a record is faulty or names another depth than is compared.
    """
    measures = parse_measures(request.measures, min_rel=request.min_rel)
    require_higher_is_better(measures)
    require_one_stdin(request.qrels, request.first_stage, *request.reranked)
    records = _read_records(request)
    depth = _depth(request, records)
    judged = read_judgements(request.qrels, lenient=request.lenient)
    first = read_run(request.first_stage, lenient=request.lenient)
    if not set(judged.table.queries) & set(first.table.queries):
        raise DataError(
            Problem(
                file=first.file, message="no query of the first stage is judged",
                remedy="Check that both files write the ids of the queries in the same way",
            )
        )  # fmt: skip
    return [
        _uplift(request, judged.table, first.table, read_run(path, lenient=request.lenient), measures, (depth, record))
        for path, record in zip(request.reranked, records, strict=True)
    ]


def _uplift(
    request: UpliftRequest, judged: Table, first: Table, reranked: Ranked, measures: Sequence[Measure],
    about: tuple[int, RerankRecord | None],
) -> Uplift:  # fmt: skip
    depth, record = about
    found = lay_side_by_side(judged, first, reranked.table, depth=depth)
    _require_candidates(found, reranked.file, allow_partial=request.allow_partial)
    kept = found.per_query(found.extra) == 0
    if not kept.any():
        raise DataError(
            Problem(
                file=reranked.file, message="every judged query holds documents that are no candidates",
                remedy="Give the depth at which was reranked",
            )
        )  # fmt: skip
    names = {query for query, is_kept in zip(found.queries, kept.tolist(), strict=True) if is_kept}
    left = np.array([query not in names for query in judged.queries])
    compared = judged.without(np.flatnonzero(left[judged.query()]))
    values = [evaluate_run(compared, table, measures) for table in (found.candidates, reranked.table, found.best_order)]
    groups = None if request.groups is None else group_codes(request.groups, values[0].queries)
    cuts = tuple(sorted({measure.cut for measure in measures if measure.cut is not None})) or (1, 10)
    return Uplift(
        file=reranked.file,
        tag=reranked.tag,
        depth=depth,
        candidates=_counted(found),
        gains=_gains(values, groups=groups),
        slices=_by_slice(request.slices, values, groups=groups),
        moves=gold_moves(found, min_rel=request.min_rel, cuts=cuts, only=kept),
        before=values[0],
        after=values[1],
        record=record,
        dropped=reranked.dropped,
    )


def _gains(
    values: Sequence[RunValues], *, groups: npt.NDArray[np.int64] | None, kept: Mask | None = None
) -> tuple[Gain, ...]:
    rows: Mask | slice = slice(None) if kept is None else kept
    before, after, best = (each.values[:, rows] for each in values)
    codes = None if groups is None else groups[rows]
    return tuple(
        Gain(
            measure=measure.label,
            before=summarised(measure, before[row]),
            after=summarised(measure, after[row]),
            best=summarised(measure, best[row]),
            difference=paired_difference(measure, after[row], before[row], groups=codes),
        )
        for row, measure in enumerate(values[0].measures)
    )


def _by_slice(
    path: Path | None, values: Sequence[RunValues], *, groups: npt.NDArray[np.int64] | None
) -> dict[str, tuple[Gain, ...]]:
    if path is None:
        return {}
    labels, queries = read_query_labels(path), values[0].queries
    # Names every query without a slice.
    group_codes(path, queries)
    of_query = np.array([labels[query] for query in queries])
    return {name: _gains(values, groups=groups, kept=of_query == name) for name in sorted(set(of_query.tolist()))}


def _counted(found: Reranking) -> CandidateCounts:
    missing, extra = found.per_query(found.missing), found.per_query(found.extra)
    return CandidateCounts(
        queries=len(found.queries),
        identical=int(((missing == 0) & (extra == 0)).sum()),
        missing_queries=int((missing > 0).sum()),
        missing_documents=int(missing.sum()),
        extra_queries=int((extra > 0).sum()),
        extra_documents=int(extra.sum()),
    )


def _require_candidates(found: Reranking, file: str, *, allow_partial: bool) -> None:
    """Refuses reranked lists that hold other documents than their candidates, naming queries and documents."""
    missing, extra = found.missing, found.extra
    wrong = np.flatnonzero(found.per_query(missing | extra))
    if allow_partial or not len(wrong):
        return
    problems = [
        Problem(
            file=file,
            message=f"query {shown(found.queries[query])} does not hold exactly its candidates",
            value="; ".join(_differing(found, query, missing, extra)),
            remedy=remedy,
        )
        for query, remedy in zip(wrong[:QUERIES_SHOWN].tolist(), _remedies(missing, extra), strict=False)
    ]
    longest = int(found.after.max(initial=0))
    hint = (
        f"{len(wrong)} of {len(found.queries)} judged queries differ; the longest reranked list has {longest} documents"
    )
    raise DataError(problems, hint=hint)


def _remedies(missing: Mask, extra: Mask) -> list[str]:
    """The way out, said once, at the first query."""
    ways = "Give the depth at which was reranked with --depth"
    if missing.any() and not extra.any():
        ways += ", or --allow-partial to count what is missing"
    elif extra.any():
        ways += ", or --allow-partial to leave out and count the queries with documents that are no candidates"
    return [ways, *[""] * QUERIES_SHOWN]


def _differing(found: Reranking, query: int, missing: Mask, extra: Mask) -> list[str]:
    said = []
    for rows, what in ((missing, "missing"), (extra, "no candidate")):
        place = np.flatnonzero(rows & (found.query == query))
        if len(place):
            names = ", ".join(
                shown(found.documents[row].decode("utf-8", "replace")) for row in place[:IDS_SHOWN].tolist()
            )
            more = f" and {len(place) - IDS_SHOWN} more" if len(place) > IDS_SHOWN else ""
            said.append(f"{what}: {names}{more}")
    return said


def _read_records(request: UpliftRequest) -> list[RerankRecord | None]:
    if not request.records:
        return [None] * len(request.reranked)
    if len(request.records) != len(request.reranked):
        raise UsageError(
            f"{len(request.reranked)} reranked runs have {len(request.records)} records",
            hint="Give one record for each reranked run, in the same order, or none",
        )
    return [load_document(RerankRecord, path) for path in request.records]


def _depth(request: UpliftRequest, records: Sequence[RerankRecord | None]) -> int:
    """The depth that is compared; every record must name the same."""
    named = {record.depth for record in records if record is not None}
    depth = (min(named) if named else DEFAULT_DEPTH) if request.depth is None else request.depth
    if named - {depth}:
        raise UsageError(
            f"the records name a depth of {', '.join(str(each) for each in sorted(named))}, and {depth} is compared",
            hint="Compare runs that were reranked at one depth, and leave out --depth to take that of the record",
        )
    return depth
