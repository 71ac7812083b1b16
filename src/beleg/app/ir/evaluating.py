"""Evaluates run files against judgement files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from beleg.app.ir.memory import Given, take_run
from beleg.app.ir.reading import Ranked, read_judgements, require_one_stdin
from beleg.app.ir.shaping import Shape
from beleg.core.errors import DataError, Problem, shown
from beleg.metrics.ranking_runs.kernels import RunValues, evaluate_hits, require_judgements
from beleg.metrics.ranking_runs.measures import TREC_ORDER, Measure, parse_measures

IDS_SHOWN = 3


@dataclass(frozen=True, slots=True, eq=False)
class RunReport:
    """The figures of one run file, and what was left out on the way to them."""

    file: str
    tag: str
    values: RunValues
    dropped: dict[str, dict[str, int]]
    """Lines that a lenient reading left out: for the judgements and the run, how many by reason."""

    def summary(self) -> dict[str, float]:
        """The figure of every measure over all judged queries, by the name it was asked for."""
        figures = zip(self.values.measures, self.values.summary(), strict=True)
        return {measure.label: _number(measure, value) for measure, value in figures}

    def by_query(self) -> dict[str, dict[str, float]]:
        """The figures of every judged query; queries ascend by the bytes of their ids."""
        return dict(self._rows())

    def counts(self) -> dict[str, int]:
        """How many queries stand behind the figures, and which lines were left out."""
        dropped = {
            f"dropped_{where}_{reason.replace(' ', '_')}": number
            for where, reasons in self.dropped.items()
            for reason, number in reasons.items()
        }
        return {**asdict(self.values.counts), **dropped}

    def to_json(self, *, per_query: bool) -> dict[str, Any]:
        """One object: ``measures``, ``per_query`` where wanted, ``counts``."""
        found: dict[str, Any] = {"measures": self.summary()}
        if per_query:
            found["per_query"] = dict(self._rows())
        return {**found, "counts": self.counts()}

    def _rows(self) -> Iterable[tuple[str, dict[str, float]]]:
        measures = self.values.measures
        for query, values in zip(self.values.queries, self.values.values.T.tolist(), strict=True):
            yield query, {each.label: _number(each, value) for each, value in zip(measures, values, strict=True)}

    def trec_lines(self, *, per_query: bool) -> list[str]:
        """The lines that trec_eval prints, in its order."""
        order = sorted(range(len(self.values.measures)), key=lambda number: _place(self.values.measures[number]))
        measures = [self.values.measures[number] for number in order]
        lines: list[str] = []
        if per_query:
            for query, row in zip(self.values.queries, self.values.values[order].T.tolist(), strict=True):
                lines += (
                    _trec_line(measure, query, value)
                    for measure, value in zip(measures, row, strict=True)
                    if not measure.kind.summary_only
                )
        if any(measure.name == "NumQ" for measure in measures):
            lines.append(f"{'runid':<22}\tall\t{self.tag}")
        summary = self.values.summary()
        lines += (_trec_line(self.values.measures[number], "all", summary[number]) for number in order)
        return lines


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How files are read; without a format, the extension of a file says it, or its content."""

    qrels_format: str | None = None
    run_format: str | None = None
    split: str | None = None
    """For a folder of BEIR, which of its judgements."""


def evaluate_files(  # noqa: PLR0913 - the options of a command, all keyword-only
    qrels: Path,
    runs: Sequence[Path],
    measures: Iterable[str],
    *,
    min_rel: int = 1,
    lenient: bool = False,
    options: ReadOptions | None = None,
    shape: Shape | None = None,
) -> list[RunReport]:
    """Evaluates run files.

    Args:
        qrels: the judgements, also a folder of BEIR; ``-`` reads the standard input.
        runs: the runs; one of all files may be ``-``.
        measures: what to compute, see `parse_measures`.
        min_rel: the lowest grade that counts as relevant.
        lenient: leave out rows that cannot be read, and repeats, and count them.
        options: the formats of the files.
        shape: what is done to every run before it is measured.

    Raises:
        UsageError: if a file is not there or a measure is unknown.
        DataError: if a file is faulty, repeats a pair, or shares no query with the judgements.
    """
    asked = parse_measures(measures, min_rel=min_rel)
    require_one_stdin(qrels, *runs)
    how = options or ReadOptions()
    judged = read_judgements(qrels, lenient=lenient, format_name=how.qrels_format, split=how.split)
    shaping = (shape or Shape()).prepared()
    given = (take_run(path, lenient=lenient, format_name=how.run_format) for path in runs)
    return [report_of(judged, shaping.of(run), asked) for run in given]


def report_of(judged: Ranked, run: Given, measures: Sequence[Measure]) -> RunReport:
    """Computes measures of one run, in whatever form it is held.

    Raises:
        DataError: if the run cannot be ranked, or shares no query with the judgements.
    """
    require_judgements(judged.table)
    hits = run.hits(judged.table)
    if not hits.returned.any():
        _require_shared_query(judged, run)
    values = evaluate_hits(judged.table, hits, measures)
    return RunReport(run.name, run.tag, values, {"qrels": judged.dropped, "run": run.dropped})


def _require_shared_query(judged: Ranked, run: Given) -> None:
    named = list(run.queries())
    if not set(judged.table.queries) & set(named):
        raise DataError(
            Problem(
                file=run.name,
                message="no query of the run is judged",
                value=f"{_some(named)} in the run, {_some(judged.table.queries)} in the judgements",
                remedy="Check that both write the ids of the queries in the same way",
            )
        )


def _some(ids: Sequence[str]) -> str:
    listed = ", ".join(shown(name) for name in ids[:IDS_SHOWN])
    return f"{listed} and {len(ids) - IDS_SHOWN} more" if len(ids) > IDS_SHOWN else listed


def _number(measure: Measure, value: float) -> float:
    return int(value) if measure.kind.aggregate == "sum" else value


def _place(measure: Measure) -> tuple[int, float]:
    """Where trec_eval prints the measure; what it does not know comes last."""
    stem = measure.trec_stem
    cut = measure.level if measure.cut is None else measure.cut
    return TREC_ORDER.index(stem) if stem else len(TREC_ORDER), cut or 0


def _trec_line(measure: Measure, query: str, value: float) -> str:
    figure = f"{int(value)}" if measure.kind.aggregate == "sum" else f"{value:6.4f}"
    return f"{measure.trec_name:<22}\t{query}\t{figure}"
