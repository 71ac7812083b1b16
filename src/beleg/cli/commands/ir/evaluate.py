"""``beleg ir eval``: measures of run files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from beleg.cli.output import JSON_OPTION, emit_json_text, json_object, next_step, print_table, say, shell

if TYPE_CHECKING:
    from beleg.app.ir.evaluating import RunReport

EPILOG = "Example: beleg ir eval qrels.txt run.txt -m nDCG@10 -m AP"
FORMATS = ("table", "trec_eval", "json")


def evaluate(
    qrels: Annotated[Path, typer.Argument(help="Judgements in the format of TREC, plain or .gz; - is standard input.")],
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="One or more runs in the format of TREC.")],
    measures: Annotated[
        list[str], typer.Option("--measure", "-m", help="Such as nDCG@10, RR(rel=2)@10, AP, ndcg_cut.10, official.")
    ],
    per_query: Annotated[bool, typer.Option("--per-query", "-q", help="Show every query too.")] = False,
    as_json: Annotated[bool, JSON_OPTION] = False,
    output: Annotated[str, typer.Option("--format", help="table, trec_eval or json.")] = "table",
    lenient: Annotated[bool, typer.Option("--lenient", help="Leave out faulty lines and count them.")] = False,
    min_rel: Annotated[int, typer.Option("--min-rel", help="The lowest grade that counts as relevant.")] = 1,
) -> None:
    """Compute measures of runs, exact to the last digit of trec_eval.

    Means are taken over all judged queries: one that a run lacks counts with 0.
    """
    # Nothing here multiplies matrices, and the threads that numpy would start for that only spin.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from beleg.app.ir.evaluating import evaluate_files

    if output not in FORMATS:
        raise typer.BadParameter(f"{output!r} is none of {', '.join(FORMATS)}", param_hint="--format")
    reports = evaluate_files(qrels, runs, measures, min_rel=min_rel, lenient=lenient)
    if as_json or output == "json":
        _emit(reports, per_query=per_query)
    elif output == "trec_eval":
        for report in reports:
            say("\n".join(report.trec_lines(per_query=per_query)))
    else:
        _print(reports, per_query=per_query)
        next_step(shell("beleg", "ir", "eval", qrels, *runs, *_options(measures), "--per-query", "--json"))


def _options(measures: list[str]) -> list[str]:
    return [word for measure in measures for word in ("-m", measure)]


def _emit(reports: list[RunReport], *, per_query: bool) -> None:
    """One object for one run; for several, one under the name of each file."""
    texts = {report.file: report.json_text(per_query=per_query) for report in reports}
    emit_json_text(next(iter(texts.values())) if len(reports) == 1 else json_object("runs", texts))


def _print(reports: list[RunReport], *, per_query: bool) -> None:
    """A table with one line for each measure, and a column for each run."""
    summaries = [report.summary() for report in reports]
    rows = [[name, *(_figure(summary[name]) for summary in summaries)] for name in summaries[0]]
    rows += [[name, *(str(report.counts().get(name, 0)) for report in reports)] for name in _count_names(reports)]
    print_table(("", *(report.file for report in reports)), rows)
    for report in reports if per_query else ():
        say("", report.file)
        found = report.to_json(per_query=True)["per_query"]
        print_table(
            ("query", *report.summary()),
            [[query, *(_figure(value) for value in values.values())] for query, values in found.items()],
        )


def _count_names(reports: list[RunReport]) -> list[str]:
    return list(dict.fromkeys(name for report in reports for name in report.counts()))


def _figure(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.4f}"
