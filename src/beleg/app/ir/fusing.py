"""Fuses run files, and measures the lanes and what became of them side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from beleg.adapters.formats.query_labels import read_query_labels
from beleg.adapters.formats.trec_writing import write_trec_run
from beleg.app.ir.differences import CONFIDENCE, Difference, paired_difference
from beleg.app.ir.evaluating import IDS_SHOWN, RunReport
from beleg.app.ir.reading import Ranked, read_judgements, read_run, require_one_stdin
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.metrics.ranking_runs.fusion import TAKES_NORM, Fusion, Method, fuse
from beleg.metrics.ranking_runs.kernels import evaluate_run
from beleg.metrics.ranking_runs.measures import Measure, parse_measures, require_higher_is_better
from beleg.metrics.ranking_runs.normalising import DEFAULT_MISSING, Missing, Norm
from beleg.metrics.ranking_runs.table import Table

FUSED = "fused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """What the lanes and the fused run are measured by."""

    qrels: Path
    measures: tuple[str, ...]
    min_rel: int = 1
    lenient: bool = False
    """Leave out lines of the judgements that cannot be read, and repeats, and count them."""


@dataclass(frozen=True, slots=True, eq=False)
class FusedRuns:
    """Run files and the one run that they were fused to."""

    runs: tuple[Ranked, ...]
    fusion: Fusion
    weights: tuple[float, ...]
    table: Table
    absent: tuple[int, ...]
    """How many queries of the union each run lacks."""

    def write(self, path: Path, tag: str) -> None:
        """Writes the fused run in the format of TREC; ``-`` is the standard output."""
        write_trec_run(path, self.table, tag)

    def to_json(self) -> dict[str, Any]:
        """How it was fused, and what stands behind it."""
        return {
            "method": self.fusion.method,
            "settings": settings_of(self.fusion),
            "runs": [
                {"file": run.file, "tag": run.tag, "weight": weight, "absent_queries": absent, "dropped": run.dropped}
                for run, weight, absent in zip(self.runs, self.weights, self.absent, strict=True)
            ],
            "queries": len(self.table.queries),
            "rows": len(self.table.value),
        }


@dataclass(frozen=True, slots=True, eq=False)
class SideBySide:
    """Measures of every lane and of the fused run, and the fused run minus each lane."""

    reports: tuple[RunReport, ...]
    differences: dict[str, tuple[Difference, ...]]
    """By the file of the lane."""
    dropped: dict[str, int]
    """Lines of the judgements that were left out, by reason."""

    def to_json(self) -> dict[str, Any]:
        """``measures`` and ``counts`` by run, ``differences`` by lane."""
        return {
            "runs": {report.file: report.to_json(per_query=False) for report in self.reports},
            "confidence": CONFIDENCE,
            "differences": {file: [each.to_json() for each in found] for file, found in self.differences.items()},
            "judgements_dropped": self.dropped,
        }


def fusion_of(
    method: str, *, k: int, weights: str | None = None, norm: str | None = None, missing: str | None = None
) -> Fusion:
    """A fusion from words, as a command line has them.

    Raises:
        UsageError: for a word that is unknown or does not fit the method, and weights that are no numbers.
    """
    try:
        numbers = tuple(float(part) for part in weights.split(",")) if weights else ()
    except ValueError as error:
        raise UsageError(
            f"the weights {shown(weights)} cannot be read", hint="Write them as 0.7,0.3, in the order of the runs"
        ) from error
    # The fusion itself refuses unknown words.
    return Fusion(
        method=cast("Method", method),
        k=k,
        weights=numbers,
        norm=cast("Norm | None", norm),
        missing=cast("Missing | None", missing),
    )


def read_lanes(paths: Sequence[Path], *, lenient: bool = False) -> tuple[Ranked, ...]:
    """Reads the runs to fuse.

    Raises:
        UsageError: for fewer than two, or one named twice.
        DataError: if a file is faulty.
    """
    require_one_stdin(*paths)
    if len(set(paths)) < len(paths):
        twice = next(path for path in paths if paths.count(path) > 1)
        raise UsageError(f"{twice} is named twice", hint="Name every run once; give it a weight to make it count more")
    if len(paths) < 2:
        raise UsageError("one run alone cannot be fused", hint="Name two runs or more")
    return tuple(read_run(path, lenient=lenient) for path in paths)


def fuse_runs(runs: Sequence[Ranked], fusion: Fusion, *, depth: int) -> FusedRuns:
    """Fuses runs.

    Raises:
        UsageError: if the weights or the depth do not fit.
        DataError: for scores that cannot be normalised, naming the file.
    """
    table, lanes = fuse([run.table for run in runs], fusion, depth=depth, names=[run.file for run in runs])
    return FusedRuns(tuple(runs), fusion, fusion.weights_of(len(runs)), table, lanes.absent)


def measure_side_by_side(fused: FusedRuns, judging: Judging, *, groups: Path | None = None) -> SideBySide:
    """Measures every lane and the fused run on the same judgements.

    Args:
        fused: the runs.
        judging: judgements and measures.
        groups: a file that names the topic group of every judged query, for the intervals.

    Raises:
        UsageError: if a file is not there or is called as the fused run, a measure is unknown, or higher figures of it
            are not better.
        DataError: if a file is faulty, or no query is judged or in a group.
    """
    require_free_names(fused.runs, (FUSED,))
    judged, measures = read_judging(judging, fused.runs)
    named = (*((run.file, run.tag, run.table) for run in fused.runs), (FUSED, FUSED, fused.table))
    reports = tuple(RunReport(file, tag, evaluate_run(judged.table, table, measures), {}) for file, tag, table in named)
    values = [report.values for report in reports]
    codes = None if groups is None else group_codes(groups, values[-1].queries)
    differences = {
        report.file: tuple(
            paired_difference(measure, values[-1].values[row], report.values.values[row], groups=codes)
            for row, measure in enumerate(measures)
        )
        for report in reports[:-1]
    }
    return SideBySide(reports, differences, judged.dropped)


def require_free_names(runs: Sequence[Ranked], taken: Sequence[str]) -> None:
    """Refuses a lane whose file is called as figures beside it are, which would stand in its place.

    Raises:
        UsageError: naming the file.
    """
    for run in runs:
        if run.file in taken:
            raise UsageError(
                f"a run is called {shown(run.file)}, as the figures of a fusion are",
                hint="Rename the file, so that both can be told apart",
            )


def read_judging(judging: Judging, runs: Sequence[Ranked]) -> tuple[Ranked, tuple[Measure, ...]]:
    """The judgements and the measures.

    Raises:
        UsageError: if a measure is unknown or higher figures of it are not better.
        DataError: if no query of the runs is judged.
    """
    measures = parse_measures(judging.measures, min_rel=judging.min_rel)
    require_higher_is_better(measures)
    judged = read_judgements(judging.qrels, lenient=judging.lenient)
    of_runs = {query for run in runs for query in run.table.queries}
    if not of_runs & set(judged.table.queries):
        raise DataError(
            Problem(
                file=judged.file,
                message="no query of the runs is judged",
                value=f"{_some(sorted(of_runs))} in the runs, {_some(judged.table.queries)} in the judgements",
                remedy="Check that all files write the ids of the queries in the same way",
            )
        )
    return judged, measures


def group_codes(path: Path, queries: Sequence[str]) -> npt.NDArray[np.int64]:
    """The group of every query, numbered from 0.

    Raises:
        DataError: naming queries that the file gives no label.
    """
    labels = read_query_labels(path)
    without = [query for query in queries if query not in labels]
    if without:
        raise DataError(
            Problem(
                file=str(path),
                message=f"{len(without)} judged queries have no label",
                value=_some(without),
                remedy="Write a line for every judged query",
            )
        )
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(labels[query], len(numbers)) for query in queries], dtype=np.int64)


def settings_of(fusion: Fusion) -> dict[str, Any]:
    """What the method takes: the rank constant, or the normalisation and what missing documents count."""
    if fusion.method in ("rrf", "weighted-rrf"):
        return {"k": fusion.k}
    if fusion.method not in TAKES_NORM:
        return {}
    norm = fusion.norm or "minmax"
    return {"norm": norm, "missing": fusion.missing or DEFAULT_MISSING[norm]}


def _some(ids: Sequence[str]) -> str:
    listed = ", ".join(shown(name) for name in ids[:IDS_SHOWN])
    return f"{listed} and {len(ids) - IDS_SHOWN} more" if len(ids) > IDS_SHOWN else listed
