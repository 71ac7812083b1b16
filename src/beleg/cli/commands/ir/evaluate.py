"""``beleg ir eval``: measures of run files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from beleg.cli.output import JSON_OPTION, emit_json, next_step, print_table, say, shell

if TYPE_CHECKING:
    from beleg.app.ir.evaluating import RunReport

EPILOG = "Example: beleg ir eval qrels.txt run.txt -m nDCG@10 -m AP"
FORMATS = ("table", "trec_eval", "json")
_MEASURE = "Such as nDCG@10, RR(rel=2)@10, AP, ndcg_cut.10, official. Default: nDCG@10 RR@10 R@100 AP."
_JUDGEMENTS = "What QRELS holds: qrels, qrels_jg, subtopics, prefs or qrels_prefs. Default: what the measures need."
_SKIP = "Leave queries without a relevant document out."
_COMPLETE = "Accepted as in trec_eval: means are over all judged queries with and without it."


def evaluate(
    qrels: Annotated[Path, typer.Argument(help="Judgements in the format of TREC, plain or .gz; - is standard input.")],
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="One or more runs in the format of TREC.")],
    measures: Annotated[list[str] | None, typer.Option("--measure", "-m", help=_MEASURE)] = None,
    per_query: Annotated[bool, typer.Option("--per-query", "-q", help="Show every query too.")] = False,
    as_json: Annotated[bool, JSON_OPTION] = False,
    output: Annotated[str, typer.Option("--format", help="table, trec_eval or json.")] = "table",
    lenient: Annotated[bool, typer.Option("--lenient", help="Leave out faulty lines and count them.")] = False,
    min_rel: Annotated[int, typer.Option("--min-rel", "-l", help="The lowest grade that counts as relevant.")] = 1,
    depth: Annotated[int | None, typer.Option("--depth", "-M", help="End every list at this rank.")] = None,
    judged_only: Annotated[
        bool, typer.Option("--judged-only", "-J", help="Leave documents without a judgement out of the lists.")
    ] = False,
    judgements: Annotated[str | None, typer.Option("--judgements", "-R", help=_JUDGEMENTS)] = None,
    z_scores: Annotated[
        Path | None,
        typer.Option("--z-scores", "-Z", help="Means and deviations by query and measure, to compare with."),
    ] = None,
    skip_without_relevant: Annotated[bool, typer.Option("--skip-without-relevant", help=_SKIP)] = False,
    complete: Annotated[bool, typer.Option("--complete", "-c", help=_COMPLETE)] = False,
) -> None:
    """Compute measures of runs, exact to the last digit of trec_eval.

    Means are taken over all judged queries: one that a run lacks counts with 0.
    """
    from beleg.app.ir.evaluating import JUDGEMENT_FORMATS, Terms, evaluate_files

    if output not in FORMATS:
        raise typer.BadParameter(f"{output!r} is none of {', '.join(FORMATS)}", param_hint="--format")
    form = next((each for each in JUDGEMENT_FORMATS if each == judgements), None)
    if judgements is not None and form is None:
        known = ", ".join(JUDGEMENT_FORMATS)
        raise typer.BadParameter(f"{judgements!r} is none of {known}", param_hint="--judgements")
    asked = measures or (["official"] if output == "trec_eval" and form in (None, "qrels") else [])
    terms = Terms(depth, judged_only, form, z_scores, skip_without_relevant)
    reports = evaluate_files(qrels, runs, asked, min_rel=min_rel, lenient=lenient, terms=terms)
    if as_json or output == "json":
        _emit(reports, per_query=per_query)
    elif output == "trec_eval":
        for report in reports:
            say("\n".join(report.trec_lines(per_query=per_query)))
    else:
        _print(reports, per_query=per_query)
        named: list[tuple[str, object]] = [("-m", measure) for measure in asked]
        named += [("-l", min_rel if min_rel != 1 else None), ("-M", depth), ("-R", judgements), ("-Z", z_scores)]
        flags = (("--lenient", lenient), ("-J", judged_only), ("--skip-without-relevant", skip_without_relevant))
        words = [word for pair in named if pair[1] is not None for word in pair]
        words += [name for name, is_given in flags if is_given]
        next_step(shell("beleg", "ir", "eval", qrels, *runs, *words, "--per-query", "--json"))


def _emit(reports: list[RunReport], *, per_query: bool) -> None:
    """One object for one run; for several, one under the name of each file."""
    found = {report.file: report.to_json(per_query=per_query) for report in reports}
    emit_json(next(iter(found.values())) if len(reports) == 1 else {"runs": found})


def _print(reports: list[RunReport], *, per_query: bool) -> None:
    """A table with one line for each measure, and a column for each run."""
    summaries = [report.summary() for report in reports]
    rows = [[name, *(_figure(summary[name]) for summary in summaries)] for name in summaries[0]]
    slices = [report.summary_with_relevant() for report in reports]
    if slices[0] is not None:
        rows += [
            [f"{name}, where relevant exist", *(_figure(found[name]) for found in slices if found)]
            for name in slices[0]
        ]
    rows += [[name, *(str(report.counts().get(name, 0)) for report in reports)] for name in _count_names(reports)]
    print_table(("", *(report.file for report in reports)), rows)
    for report in reports if per_query else ():
        say("", report.file)
        found = report.to_json(per_query=True)["per_query"]
        names = list(next(iter(found.values())))
        print_table(
            ("query", *names),
            [[query, *(_figure(value) for value in values.values())] for query, values in found.items()],
        )


def _count_names(reports: list[RunReport]) -> list[str]:
    return list(dict.fromkeys(name for report in reports for name in report.counts()))


def _figure(value: float | str) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
