"""Pools runs: what is judged of their tops, what unjudged documents can still change, and what to judge next."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from beleg.adapters.formats.atomic import create_bytes
from beleg.app.ir.reading import read_judgements, read_run, require_file_name, require_one_stdin
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.metrics.ranking_runs.kernels import evaluate_run
from beleg.metrics.ranking_runs.measures import Measure, parse_measure
from beleg.metrics.ranking_runs.pairs import head_of
from beleg.metrics.ranking_runs.pooling import Pool, Stratum, pool_of, promise, sample
from beleg.metrics.ranking_runs.table import FloatArray, IntArray, Table
from beleg.metrics.ranking_runs.unjudged import Range, Unjudged

NOTHING = "none"
"""What stands in the place of a file of judgements where there is none yet."""

_STRATUM = re.compile(r"(?P<depth>[1-9]\d{0,6}):(?P<rate>[01]|[01]?\.\d{1,9})", re.ASCII)
ORDERS = ("movement", "promise", "runs")
MAX_DEPTH = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolRequest:
    """How runs are pooled."""

    measure: str = "nDCG@10"
    depth: int = 20
    order: str = "movement"
    strata: tuple[Stratum, ...] = ()
    seed: int = 0
    max_grade: float | None = None
    all_queries: bool = False
    lenient: bool = False


@dataclass(frozen=True, slots=True)
class RunStanding:
    """One run: its figure with the range it can still take, and how much of its top is judged."""

    file: str
    figure: Range
    judged_share: float
    unjudged: int
    difference: Range | None
    """Against the first run; None for the first."""


@dataclass(frozen=True, slots=True, eq=False)
class ToLabel:
    """Pairs without judgement in the order in which to judge them; rows are made as they are wanted."""

    pool: Pool
    pairs: IntArray
    movement: FloatArray
    probability: FloatArray | None

    def __len__(self) -> int:
        return len(self.pairs)

    def rows(self, first: int | None = None) -> Iterator[dict[str, Any]]:
        """The fields of `beleg.core.judgements.PoolLine`, but for the label."""
        pairs = self.pairs[:first]
        columns: dict[str, list[Any]] = {
            "runs": self.pool.runs[pairs].tolist(),
            "best_rank": self.pool.best_rank[pairs].tolist(),
            "movement": self.movement[:first].tolist(),
        }
        if self.probability is not None:
            columns["probability"] = self.probability[:first].tolist()
        for (query, document), values in zip(
            self.pool.pairs.ids(pairs), zip(*columns.values(), strict=True), strict=True
        ):
            yield {"query_id": query, "doc_id": document, **dict(zip(columns, values, strict=True))}


@dataclass(frozen=True, slots=True, eq=False)
class PoolReport:
    """The pool of some runs, ready to be told or labelled."""

    measure: Measure
    request: PoolRequest
    max_grade: float | None
    queries: int
    queries_without_judgements: int
    pooled: int
    judged: int
    standings: tuple[RunStanding, ...]
    to_label: ToLabel

    @property
    def depth(self) -> int:
        """How far down the runs are pooled for labelling."""
        return _depth(self.request)

    @property
    def lists_all_queries(self) -> bool:
        """Whether queries without any judgement are listed too."""
        return self.request.all_queries or not self.standings

    @property
    def flipping(self) -> list[RunStanding]:
        """The runs whose difference against the first is not settled."""
        return [each for each in self.standings if each.difference is not None and each.difference.can_flip]

    def to_json(self, shown: int | None = None) -> dict[str, Any]:
        """All figures, and as many lines to label as are wanted."""
        return {
            "measure": self.measure.label,
            "depth": self.depth,
            "order": self.request.order,
            "max_grade": self.max_grade,
            "queries": self.queries,
            "queries_without_judgements": self.queries_without_judgements,
            "pooled": self.pooled,
            "judged": self.judged,
            "to_label": len(self.to_label),
            "runs": [_standing_json(each) for each in self.standings],
            "unjudged": list(self.to_label.rows(shown)),
        }

    def jsonl(self) -> bytes:
        """The lines to label, each with a grade of null."""
        encode = json.JSONEncoder(ensure_ascii=False).encode
        rows = (encode({**row, "grade": None}) + "\n" for row in self.to_label.rows())
        return "".join(rows).encode("utf-8", "surrogatepass")


def _standing_json(standing: RunStanding) -> dict[str, Any]:
    found: dict[str, Any] = {
        "file": standing.file,
        **asdict(standing.figure),
        "judged_share": standing.judged_share,
        "unjudged": standing.unjudged,
    }
    if standing.difference is not None:
        found["difference"] = {**asdict(standing.difference), "can_flip": standing.difference.can_flip}
    return found


def pool_files(qrels: Path, runs: Sequence[Path], request: PoolRequest) -> PoolReport:
    """Pools run files.

    Args:
        qrels: the judgements; ``none`` where nothing is judged yet.
        runs: the runs; differences are taken against the first.
        request: how.

    Raises:
        UsageError: if a file is not there, or the request cannot be carried out.
        DataError: if a file is faulty.
    """
    if request.order not in ORDERS:
        raise UsageError(f"there is no order {request.order!r}", hint=f"Choose one of {', '.join(ORDERS)}")
    measure = _one_measure(request.measure)
    require_one_stdin(qrels, *runs)
    judged = None if str(qrels) == NOTHING else read_judgements(qrels, lenient=request.lenient).table
    deepest = max(request.depth, measure.cut or 0, *(stratum.depth for stratum in request.strata))
    if deepest > MAX_DEPTH:
        raise UsageError(f"a pool reaches at most rank {MAX_DEPTH:,} (found {deepest:,})", hint="Give a lower depth")
    tables = [head_of(read_run(path, lenient=request.lenient).table, deepest) for path in runs]
    if judged is not None and not request.all_queries:
        _require_shared(judged, tables, runs)
    pool = pool_of(judged, tables, deepest)
    effect = Unjudged(pool, measure, max_grade=request.max_grade)
    standings = () if judged is None else _standings(judged, tables, [str(path) for path in runs], effect)
    all_queries = request.all_queries or judged is None
    wanted = pool.unjudged(_depth(request), all_queries=all_queries)
    within = (pool.best_rank <= _depth(request)) & (all_queries | pool.has_judgements[pool.pairs.query])
    return PoolReport(
        measure=measure,
        request=request,
        max_grade=effect.max_grade,
        queries=int(pool.has_judgements.sum()),
        queries_without_judgements=int((~pool.has_judgements).sum()),
        pooled=int(within.sum()),
        judged=int((within & pool.is_judged).sum()),
        standings=standings,
        to_label=_to_label(pool, effect, wanted, request),
    )


def read_strata(text: str) -> tuple[Stratum, ...]:
    """Reads strata such as ``20:1 100:0.1``: all down to rank 20, a tenth down to 100.

    Raises:
        UsageError: if it cannot be read so.
    """
    found = []
    for word in text.replace(",", " ").split():
        matched = _STRATUM.fullmatch(word)
        if matched is None:
            raise UsageError(f"{word!r} is no stratum", hint="Write depth:rate, such as 20:1 100:0.1")
        found.append(Stratum(int(matched["depth"]), float(matched["rate"])))
    return tuple(found)


def write_pool(report: PoolReport, path: Path) -> None:
    """Writes the lines to label as a new file; one that is there may hold labels and is never overwritten.

    Raises:
        UsageError: if there is another file of that name, or the standard output is named.
    """
    require_file_name(path)
    create_bytes(path, report.jsonl())


def _depth(request: PoolRequest) -> int:
    return request.strata[-1].depth if request.strata else request.depth


def _one_measure(text: str) -> Measure:
    found = parse_measure(text)
    if len(found) != 1:
        raise UsageError(f"{text!r} stands for several measures", hint="Name one, such as nDCG@10")
    return found[0]


def _require_shared(judged: Table, tables: Sequence[Table], runs: Sequence[Path]) -> None:
    known = set(judged.queries)
    for table, path in zip(tables, runs, strict=True):
        if known.isdisjoint(table.queries):
            raise DataError(
                Problem(
                    file=str(path),
                    message="no query of the run is judged",
                    value=", ".join(shown(name) for name in table.queries[:3]),
                    remedy="Check that both files write the ids of the queries in the same way, or give --all-queries",
                )
            )


def _standings(
    judged: Table, tables: Sequence[Table], files: Sequence[str], effect: Unjudged
) -> tuple[RunStanding, ...]:
    share = parse_measure(f"Judged@{effect.cut}")
    return tuple(
        RunStanding(
            file=name,
            figure=effect.run(number),
            judged_share=evaluate_run(judged, table, share).summary()[0],
            unjudged=len(effect.pool.unjudged_in(number, effect.cut)),
            difference=effect.difference(number, 0) if number else None,
        )
        for number, (name, table) in enumerate(zip(files, tables, strict=True))
    )


def _to_label(pool: Pool, effect: Unjudged, wanted: IntArray, request: PoolRequest) -> ToLabel:
    chance: FloatArray | None = None
    if request.strata:
        wanted, chance = sample(pool, wanted, request.strata, np.random.default_rng(request.seed))
    pool.pairs.require_text(wanted)
    movement = effect.movement(wanted)
    order = _in_order(pool, wanted, movement, request.order)
    return ToLabel(pool, wanted[order], movement[order], None if chance is None else chance[order])


def _in_order(pool: Pool, wanted: IntArray, movement: FloatArray, order: str) -> IntArray:
    key = {"movement": -movement, "promise": -promise(pool)[wanted], "runs": np.zeros(len(wanted))}[order]
    # Rounding must not put equal movements in an order of their own.
    return np.lexsort((wanted, pool.best_rank[wanted], -pool.runs[wanted], np.round(key, 12)))
