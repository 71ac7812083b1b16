"""``beleg ir eval``: measures of run files."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from beleg.cli.commands.ir import figures, options
from beleg.cli.output import JSON_OPTION, next_step, shell

if TYPE_CHECKING:
    from beleg.app.ir.shaping import Shape

EPILOG = "Example: beleg ir eval qrels.txt run.txt -m nDCG@10 -m AP"
FORMATS = ("table", "trec_eval", "json")
_MEASURE = "Such as nDCG@10, RR(rel=2)@10, AP, ndcg_cut.10, official. Default: nDCG@10 RR@10 R@100 AP."


def evaluate(
    qrels: options.QrelsArgument,
    runs: options.RunsArgument,
    measures: Annotated[list[str] | None, typer.Option("--measure", "-m", help=_MEASURE)] = None,
    per_query: Annotated[bool, typer.Option("--per-query", "-q", help="Show every query too.")] = False,
    as_json: Annotated[bool, JSON_OPTION] = False,
    output: Annotated[str, typer.Option("--format", help="table, trec_eval or json.")] = "table",
    lenient: options.Lenient = False,
    min_rel: options.MinRel = 1,
    depth: options.Depth = None,
    judged_only: options.JudgedOnly = False,
    judgements: options.Judgements = None,
    z_scores: options.ZScores = None,
    skip_without_relevant: options.SkipWithoutRelevant = False,
    complete: options.Complete = False,
    qrels_format: options.QrelsFormat = None,
    run_format: options.RunFormat = None,
    split: options.Split = None,
    fold: options.Fold = None,
    parents: options.Parents = None,
    separator: options.Separator = None,
    budget: options.Budget = None,
    tokens: options.Tokens = None,
) -> None:
    """Compute measures of runs, exact to the last digit of trec_eval.

    Means are taken over all judged queries: one that a run lacks counts with 0.
    """
    # Nothing here multiplies matrices, and the threads that numpy would start for that only spin.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from beleg.app.ir.evaluating import JUDGEMENT_FORMATS, ReadOptions, Terms, evaluate_files

    if output not in FORMATS:
        raise typer.BadParameter(f"{output!r} is none of {', '.join(FORMATS)}", param_hint="--format")
    if judgements not in (None, *JUDGEMENT_FORMATS):
        known = ", ".join(JUDGEMENT_FORMATS)
        raise typer.BadParameter(f"{judgements!r} is none of {known}", param_hint="--judgements")
    form = next((each for each in JUDGEMENT_FORMATS if each == judgements), None)
    asked = measures or (["official"] if output == "trec_eval" and form in (None, "qrels") else [])
    terms = Terms(depth, judged_only, form, z_scores, skip_without_relevant)
    reading = ReadOptions(qrels_format=qrels_format, run_format=run_format, split=split)
    shape = _shape(fold=fold, parents=parents, parent_separator=separator, tokens=tokens, budget_tokens=budget)
    reports = evaluate_files(
        qrels, runs, asked, min_rel=min_rel, lenient=lenient, options=reading, shape=shape, terms=terms
    )
    if as_json or output == "json":
        figures.emit(reports, per_query=per_query)
    elif output == "trec_eval":
        figures.print_lines(reports, per_query=per_query)
    else:
        figures.print_figures(reports, per_query=per_query)
        next_step(shell(*_words(), "--per-query", "--json"))


def _shape(**asked: Any) -> Shape | None:
    """What is done to every run before it is measured; nothing where nothing is asked for."""
    if all(value is None for value in asked.values()):
        return None
    from beleg.app.ir.shaping import Shape

    return Shape(**asked)


def _words() -> list[str]:
    """The command as it was given, so that a person can go on from it."""
    return ["beleg", *(word for word in sys.argv[1:] if word not in ("--per-query", "-q"))]
