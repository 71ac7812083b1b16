"""Evaluates run files against judgement files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from beleg.app.ir.grouped import Grouped, read_groups
from beleg.app.ir.reading import Ranked, read_judgements, read_run, require_one_stdin
from beleg.app.ir.zscores import ZScores, read_z_scores
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.metrics.ranking_runs.kernels import RunValues, evaluate_groups, evaluate_run, forms
from beleg.metrics.ranking_runs.kinds import Form
from beleg.metrics.ranking_runs.measures import DEFAULT_MEASURES, Measure, parse_measures
from beleg.metrics.ranking_runs.trec_names import trec_name, trec_place

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
        return int(value) if measure.kind.aggregate == "sum" and not self.is_z_score else value

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
            found["per_query"] = dict(self._rows())
        return {**found, "counts": self.counts()}

    def _rows(self) -> Iterable[tuple[str, dict[str, float | str]]]:
        measures = self.values.measures
        for place, (query, values) in enumerate(zip(self.values.queries, self.values.values.T.tolist(), strict=True)):
            row: dict[str, float | str] = {
                self._label(each): self._number(each, value) for each, value in zip(measures, values, strict=True)
            }
            yield query, {**row, **{each.label: lines[place] for each, lines in self.values.texts}}

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


def evaluate_files(
    qrels: Path, runs: Sequence[Path], measures: Iterable[str] = (), *, min_rel: int = 1, lenient: bool = False,
    terms: Terms | None = None,
) -> list[RunReport]:  # fmt: skip
    """Evaluates run files in the format of TREC.

    Args:
        qrels: the judgements; ``-`` reads the standard input.
        runs: the runs; one of all files may be ``-``.
        measures: what to compute, see `parse_measures`; where none is named, a few that fit the judgements.
        min_rel: the lowest grade that counts as relevant.
        lenient: leave out lines that cannot be read, and repeats, and count them.
        terms: on what terms.

    Raises:
        UsageError: if a file is not there, a measure is unknown, or the measures need different judgements.
        DataError: if a file is faulty, repeats a pair, or shares no query with the judgements.
    """
    terms = terms or Terms()
    words = [*measures] or [*_DEFAULTS[terms.judgements or "qrels"]]
    asked = parse_measures(words, min_rel=min_rel)
    form = _form_for(asked, terms.judgements)
    require_one_stdin(qrels, *runs)
    z_scores = read_z_scores(terms.z_scores) if terms.z_scores else None
    judged: Ranked | Grouped
    if form == "qrels":
        judged = read_judgements(qrels, lenient=lenient)
    else:
        if terms.judged_only:
            raise UsageError("judged-only needs one grade for each document", hint="Leave it out, or judge by qrels")
        judged = read_groups(qrels, form, lenient=lenient)
    return [_evaluate(judged, read_run(path, lenient=lenient), asked, terms, z_scores) for path in runs]


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


def _evaluate(
    judged: Ranked | Grouped, run: Ranked, asked: Sequence[Measure], terms: Terms, z_scores: ZScores | None
) -> RunReport:
    table = judged.table if isinstance(judged, Ranked) else judged.judgements.documents
    if not set(table.queries) & set(run.table.queries):
        raise DataError(
            Problem(
                file=run.file,
                message="no query of the run is judged",
                value=f"{_some(run.table.queries)} in the run, {_some(table.queries)} in the judgements",
                remedy="Check that both files write the ids of the queries in the same way",
            )
        )
    if isinstance(judged, Ranked):
        values = evaluate_run(judged.table, run.table, asked, depth=terms.depth, judged_only=terms.judged_only)
    else:
        values = evaluate_groups(judged.judgements, run.table, asked, depth=terms.depth)
    if terms.skip_without_relevant:
        values = values.with_relevant()
    if z_scores is not None:
        values = z_scores.of(values)
    has_name = any(each.name == "RunId" for each in asked)
    dropped = {"qrels": judged.dropped, "run": run.dropped}
    return RunReport(run.file, run.tag, values, dropped, has_name=has_name, is_z_score=z_scores is not None)


def _some(ids: Sequence[str]) -> str:
    listed = ", ".join(shown(name) for name in ids[:IDS_SHOWN])
    return f"{listed} and {len(ids) - IDS_SHOWN} more" if len(ids) > IDS_SHOWN else listed
