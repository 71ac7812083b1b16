"""Evaluates run files against judgement files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from beleg.app.ir.memory import Given, take_run
from beleg.app.ir.reading import Ranked, read_judgements, require_one_stdin
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.metrics.ranking_runs.kernels import (
    RunValues,
    evaluate_groups,
    evaluate_hits,
    forms,
    require_judgements,
)
from beleg.metrics.ranking_runs.kinds import Form
from beleg.metrics.ranking_runs.measures import DEFAULT_MEASURES, Measure, parse_measures
from beleg.metrics.ranking_runs.table import Table
from beleg.metrics.ranking_runs.trec_names import trec_name, trec_place

if TYPE_CHECKING:
    from beleg.app.ir.grouped import Grouped
    from beleg.app.ir.shaping import Shape
    from beleg.app.ir.zscores import ZScores

IDS_SHOWN = 3
JudgementFormat = Literal["qrels", "qrels_jg", "subtopics", "prefs", "qrels_prefs"]
JUDGEMENT_FORMATS: tuple[JudgementFormat, ...] = get_args(JudgementFormat)
_DEFAULTS: dict[JudgementFormat, tuple[str, ...]] = {
    "qrels": DEFAULT_MEASURES,
    "qrels_jg": ("qrels_jg",),
    "subtopics": ("alpha_nDCG@10", "ERR_IA@10", "StRecall@10", "P_IA@10"),
    "prefs": ("prefs",),
    "qrels_prefs": ("prefs",),
}
_FITTING: dict[Form, tuple[JudgementFormat, ...]] = {
    "qrels": ("qrels",),
    "groups": ("qrels_jg", "subtopics"),
    "subtopics": ("subtopics", "qrels_jg"),
    "preferences": ("prefs", "qrels_prefs"),
}


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms runs are evaluated; each is an option of trec_eval too."""

    depth: int | None = None
    """As if every list ended at this rank (-M)."""
    judged_only: bool = False
    """As if documents without a judgement had not been returned (-J)."""
    judgements: JudgementFormat | None = None
    """What the judgements are (-R); nothing takes what the measures need."""
    z_scores: Path | None = None
    """A file of means and standard deviations by query and measure (-Z)."""
    skip_without_relevant: bool = False
    """Leave queries without a relevant document out of every figure."""


@dataclass(frozen=True, slots=True, eq=False)
class RunReport:
    """The figures of one run file, and what was left out on the way to them."""

    file: str
    tag: str
    values: RunValues
    dropped: dict[str, dict[str, int]]
    """Lines that a lenient reading left out: for the judgements and the run, how many by reason."""
    has_name: bool = False
    """Whether the name of the run was asked for."""
    is_z_score: bool = False

    def summary(self) -> dict[str, float]:
        """The figure of every measure over all judged queries, by the name it was asked for."""
        return self._summary(self.values)

    def summary_with_relevant(self) -> dict[str, float] | None:
        """The figures over the queries that have a relevant document, or nothing where that is all or none."""
        if self.values.has_relevant.all() or not self.values.has_relevant.any():
            return None
        return self._summary(self.values.with_relevant())

    def _summary(self, values: RunValues) -> dict[str, float]:
        figures = zip(values.measures, values.summary(), strict=True)
        return {
            self._label(measure): self._number(measure, value)
            for measure, value in figures
            if not (self.is_z_score and measure.kind.aggregate == "geometric")
        }

    def _label(self, measure: Measure) -> str:
        return f"Z{measure.label}" if self.is_z_score else measure.label

    def _number(self, measure: Measure, value: float) -> float:
        return int(value) if self._is_count(measure) else value

    def _is_count(self, measure: Measure) -> bool:
        return measure.kind.aggregate == "sum" and not self.is_z_score

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
        with_relevant = self.summary_with_relevant()
        if with_relevant is not None:
            found["measures_with_relevant"] = with_relevant
        if per_query:
            found["per_query"] = self.per_query()
        return {**found, "counts": self.counts()}

    def json_text(self, *, per_query: bool) -> str:
        """What `to_json` gives as text, with one line for each query: quick where there are many."""
        found = json.dumps(self.to_json(per_query=False), ensure_ascii=False, indent=2, allow_nan=False)
        if not per_query:
            return found
        rows = [
            f"    {json.dumps(query, ensure_ascii=False)}: {json.dumps(row, ensure_ascii=False, allow_nan=False)}"
            for query, row in self.per_query().items()
        ]
        before, counts = found.rsplit('\n  "counts": ', 1)
        return "".join((before, '\n  "per_query": {\n', ",\n".join(rows), '\n  },\n  "counts": ', counts))

    def per_query(self) -> dict[str, dict[str, float | str]]:
        """The figure of every measure for every judged query; queries ascend by the bytes of their ids."""
        labels = [self._label(measure) for measure in self.values.measures]
        columns: list[Sequence[float | str]] = [
            values.astype(np.int64).tolist() if self._is_count(measure) else values.tolist()
            for measure, values in zip(self.values.measures, self.values.values, strict=True)
        ]
        labels += [measure.label for measure, _ in self.values.texts]
        columns += [lines for _, lines in self.values.texts]
        # Copies of one row that are filled column by column: for many queries twice as quick as rows of their own.
        blank: dict[str, float | str] = dict.fromkeys(labels, 0.0)
        rows = [blank.copy() for _ in self.values.queries]
        for label, column in zip(labels, columns, strict=True):
            for row, value in zip(rows, column, strict=True):
                row[label] = value
        return dict(zip(self.values.queries, rows, strict=True))

    def trec_lines(self, *, per_query: bool) -> list[str]:
        """The lines that trec_eval prints, in its order."""
        order = sorted(range(len(self.values.measures)), key=lambda number: trec_place(self.values.measures[number]))
        lines = self._trec_queries(order) if per_query else []
        if self.has_name:
            lines.append(f"{'runid':<22}\tall\t{self.tag}")
        summary = self.values.summary()
        lines += (self._trec_line(self.values.measures[number], "all", summary[number]) for number in order)
        return lines

    def _trec_queries(self, order: Sequence[int]) -> list[str]:
        shown_measures = [each for each in order if not self.values.measures[each].kind.summary_only]
        rows = [(trec_place(self.values.measures[each]), each, True) for each in shown_measures]
        rows += [(trec_place(measure), place, False) for place, (measure, _) in enumerate(self.values.texts)]
        rows.sort()
        lines: list[str] = []
        columns = self.values.values.T.tolist()
        for place, query in enumerate(self.values.queries):
            _require_one_word(query)
            for _, row, is_number in rows:
                if is_number:
                    lines.append(self._trec_line(self.values.measures[row], query, columns[place][row]))
                else:
                    measure, texts = self.values.texts[row]
                    lines.append(f"{trec_name(measure):<22}\t{query}\t'{texts[place]}'")
        return lines

    def _trec_line(self, measure: Measure, query: str, value: float) -> str:
        name = trec_name(measure)
        if self.is_z_score:
            # trec_eval has no z-score of a geometric mean and prints 0.
            value = 0.0 if measure.kind.aggregate == "geometric" else value
            return f"Z{name:<22}\t{query}\t{value:6.4f}"
        figure = f"{int(value)}" if measure.kind.aggregate == "sum" else f"{value:6.4f}"
        return f"{name:<22}\t{query}\t{figure}"


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
    measures: Iterable[str] = (),
    *,
    min_rel: int = 1,
    lenient: bool = False,
    options: ReadOptions | None = None,
    shape: Shape | None = None,
    terms: Terms | None = None,
) -> list[RunReport]:
    """Evaluates run files.

    Args:
        qrels: the judgements, also a folder of BEIR; ``-`` reads the standard input.
        runs: the runs; one of all files may be ``-``.
        measures: what to compute, see `parse_measures`; where none is named, a few that fit the judgements.
        min_rel: the lowest grade that counts as relevant.
        lenient: leave out rows that cannot be read, and repeats, and count them.
        options: the formats of the files.
        shape: what is done to every run before it is measured.
        terms: on what terms.

    Raises:
        UsageError: if a file is not there, a measure is unknown, or the measures need different judgements.
        DataError: if a file is faulty, repeats a pair, or shares no query with the judgements.
    """
    terms, how = terms or Terms(), options or ReadOptions()
    words = [*measures] or [*_DEFAULTS[terms.judgements or "qrels"]]
    asked = parse_measures(words, min_rel=min_rel)
    form = _form_for(asked, terms.judgements)
    require_one_stdin(qrels, *runs)
    z_scores = _z_scores(terms.z_scores) if terms.z_scores else None
    judged: Ranked | Grouped
    if form == "qrels":
        judged = read_judgements(qrels, lenient=lenient, format_name=how.qrels_format, split=how.split)
    else:
        if terms.judged_only:
            raise UsageError("judged-only needs one grade for each document", hint="Leave it out, or judge by qrels")
        from beleg.app.ir.grouped import read_groups

        judged = read_groups(qrels, form, lenient=lenient)
    given = (take_run(path, lenient=lenient, format_name=how.run_format) for path in runs)
    shaped = given if shape is None else map(shape.prepared().of, given)
    reports = (report_of(judged, run, asked, terms) for run in shaped)
    return [report if z_scores is None else _compared(report, z_scores) for report in reports]


def _form_for(measures: Sequence[Measure], named: JudgementFormat | None) -> JudgementFormat:
    """The format that the measures need, or the one that is named where it fits them all."""
    needed: JudgementFormat = next((_FITTING[each.kind.form][0] for each in measures if forms([each])), "qrels")
    form = named or needed
    for measure in measures:
        if forms([measure]) and form not in _FITTING[measure.kind.form]:
            fitting = " or ".join(_FITTING[measure.kind.form])
            raise UsageError(
                f"{measure.label} needs judgements that are read as {fitting}, and these are read as {form}",
                hint="Ask for it in a call of its own" if named is None else f"Write --judgements {fitting}",
            )
    return form


def report_of(
    judged: Ranked | Grouped, run: Given, measures: Sequence[Measure], terms: Terms | None = None
) -> RunReport:
    """Computes measures of one run, in whatever form it is held.

    Raises:
        DataError: if the run cannot be ranked, or shares no query with the judgements.
        UsageError: if the measures need other judgements.
    """
    terms = terms or Terms()
    if isinstance(judged, Ranked):
        require_judgements(judged.table)
        hits = run.hits(judged.table)
        if not hits.returned.any():
            _require_shared_query(judged.table, run)
        values = evaluate_hits(judged.table, hits, measures, depth=terms.depth, judged_only=terms.judged_only)
    else:
        _require_shared_query(judged.judgements.documents, run)
        values = evaluate_groups(judged.judgements, run.table(), measures, depth=terms.depth)
    if terms.skip_without_relevant:
        values = values.with_relevant()
    has_name = any(each.name == "RunId" for each in measures)
    return RunReport(run.name, run.tag, values, {"qrels": judged.dropped, "run": run.dropped}, has_name=has_name)


def _z_scores(path: Path) -> ZScores:
    from beleg.app.ir.zscores import read_z_scores

    return read_z_scores(path)


def _compared(report: RunReport, z_scores: ZScores) -> RunReport:
    return replace(report, values=z_scores.of(report.values), is_z_score=True)


def _require_shared_query(judged: Table, run: Given) -> None:
    named = list(run.queries())
    if set(judged.queries) & set(named):
        return
    raise DataError(
        Problem(
            file=run.name,
            message="no query of the run is judged",
            value=f"{_some(named)} in the run, {_some(judged.queries)} in the judgements",
            remedy="Check that both write the ids of the queries in the same way",
        )
    )


def _require_one_word(query: str) -> None:
    """Refuses an id that would break the line it is printed on, or forge another one."""
    if len(query.split()) != 1 or query.split()[0] != query:
        raise UsageError(
            f"the id {shown(query)} of a query holds white space, which ends a field in lines of trec_eval",
            hint="Take --format json",
        )


def _some(ids: Sequence[str]) -> str:
    listed = ", ".join(shown(name) for name in ids[:IDS_SHOWN])
    return f"{listed} and {len(ids) - IDS_SHOWN} more" if len(ids) > IDS_SHOWN else listed
