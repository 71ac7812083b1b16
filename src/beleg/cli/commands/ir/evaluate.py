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
KNOWN = "trec, jsonl, json, csv, tsv or parquet"


def evaluate(
    qrels: Annotated[Path, typer.Argument(help="Judgements: a file, or a folder of BEIR; - is standard input.")],
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="One or more runs; one of them may be -.")],
    measures: Annotated[
        list[str], typer.Option("--measure", "-m", help="Such as nDCG@10, RR(rel=2)@10, AP, ndcg_cut.10, official.")
    ],
    per_query: Annotated[bool, typer.Option("--per-query", "-q", help="Show every query too.")] = False,
    as_json: Annotated[bool, JSON_OPTION] = False,
    output: Annotated[str, typer.Option("--format", help="table, trec_eval or json.")] = "table",
    lenient: Annotated[bool, typer.Option("--lenient", help="Leave out faulty lines and count them.")] = False,
    min_rel: Annotated[int, typer.Option("--min-rel", help="The lowest grade that counts as relevant.")] = 1,
    qrels_format: Annotated[str | None, typer.Option("--qrels-format", help=f"Of the judgements: {KNOWN}.")] = None,
    run_format: Annotated[str | None, typer.Option("--run-format", help=f"Of the runs: {KNOWN}.")] = None,
    split: Annotated[str | None, typer.Option("--split", help="Of a folder of BEIR, such as dev.")] = None,
    fold: Annotated[
        str | None, typer.Option("--fold-parents", help="Fold passages to documents: best, first, sum or refuse.")
    ] = None,
    parents: Annotated[Path | None, typer.Option("--parents", help="File of passage and document.")] = None,
    separator: Annotated[
        str | None, typer.Option("--parent-separator", help="The document is what stands before the last of these.")
    ] = None,
    budget: Annotated[
        int | None, typer.Option("--budget-tokens", help="End every list where it goes beyond this many tokens.")
    ] = None,
    tokens: Annotated[Path | None, typer.Option("--tokens", help="File of passage and number of tokens.")] = None,
) -> None:
    """Compute measures of runs, exact to the last digit of trec_eval.

    Means are taken over all judged queries: one that a run lacks counts with 0.
    """
    from beleg.app.ir.evaluating import ReadOptions, evaluate_files
    from beleg.app.ir.shaping import Shape

    if output not in FORMATS:
        raise typer.BadParameter(f"{output!r} is none of {', '.join(FORMATS)}", param_hint="--format")
    options = ReadOptions(qrels_format=qrels_format, run_format=run_format, split=split)
    shape = Shape(fold=fold, parents=parents, parent_separator=separator, tokens=tokens, budget_tokens=budget)
    reports = evaluate_files(qrels, runs, measures, min_rel=min_rel, lenient=lenient, options=options, shape=shape)
    if as_json or output == "json":
        _emit(reports, per_query=per_query)
    elif output == "trec_eval":
        for report in reports:
            say("\n".join(report.trec_lines(per_query=per_query)))
    else:
        _print(reports, per_query=per_query)
        said = {
            "--qrels-format": qrels_format, "--run-format": run_format, "--split": split, "--fold-parents": fold,
            "--parents": parents, "--parent-separator": separator, "--budget-tokens": budget, "--tokens": tokens,
        }  # fmt: skip
        words = [str(word) for option in said.items() if option[1] is not None for word in option]
        next_step(shell("beleg", "ir", "eval", qrels, *runs, *_options(measures), *words, "--per-query", "--json"))


def _options(measures: list[str]) -> list[str]:
    return [word for measure in measures for word in ("-m", measure)]


def _emit(reports: list[RunReport], *, per_query: bool) -> None:
    """One object for one run; for several, one under the name of each file."""
    found = {report.file: report.to_json(per_query=per_query) for report in reports}
    emit_json(next(iter(found.values())) if len(reports) == 1 else {"runs": found})


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
