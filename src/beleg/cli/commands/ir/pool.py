"""``beleg ir pool``: what is judged of the tops of runs, and what to judge next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from beleg.cli.output import JSON_OPTION, emit_json, next_step, print_table, say, shell

if TYPE_CHECKING:
    from beleg.app.ir.pooling import PoolReport, RunStanding

EPILOG = "Example: beleg ir pool qrels.txt bm25.run dense.run --depth 20 --out pool.jsonl"


def pool(
    qrels: Annotated[Path, typer.Argument(help="Judgements; the word none where nothing is judged yet.")],
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Runs; differences are against the first.")],
    depth: Annotated[int, typer.Option("--depth", min=1, help="How far down each run is pooled.")] = 20,
    measure: Annotated[
        str, typer.Option("--measure", "-m", help="nDCG@k, P@k, R@k, RR@k or Success@k: what must not flip.")
    ] = "nDCG@10",
    order: Annotated[str, typer.Option("--order", help="What to label first: movement, promise or runs.")] = "movement",
    sample: Annotated[
        str, typer.Option("--sample", help="Label a share of deeper ranks, such as '20:1 100:0.1'.")
    ] = "",
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the sample.")] = 0,
    max_grade: Annotated[
        float | None, typer.Option("--max-grade", help="The top of the grade scale; left out: the highest that occurs.")
    ] = None,
    all_queries: Annotated[
        bool, typer.Option("--all-queries", help="List queries too of which nothing is judged.")
    ] = False,
    out: Annotated[Path | None, typer.Option("--out", help="Write the lines to label, as JSON Lines.")] = None,
    show: Annotated[int, typer.Option("--show", min=0, help="How many of them to print.")] = 10,
    as_json: Annotated[bool, JSON_OPTION] = False,
    lenient: Annotated[bool, typer.Option("--lenient", help="Leave out faulty lines and count them.")] = False,
) -> None:
    """Pool the tops of runs: what is judged, what the unjudged rest can still change, and what to label first.

    Each figure stands between the least and the most that any grades of the unjudged documents of the pool can make it.
    A difference whose range holds 0 can still flip.
    """
    from beleg.app.ir.pooling import PoolRequest, pool_files, read_strata, write_pool

    request = PoolRequest(
        measure=measure,
        depth=depth,
        order=order,
        strata=read_strata(sample),
        seed=seed,
        max_grade=max_grade,
        all_queries=all_queries,
        lenient=lenient,
    )
    report = pool_files(qrels, runs, request)
    if out is not None:
        write_pool(report, out)
    if as_json:
        emit_json(report.to_json(show))
    else:
        _print(report, show)
        _next(qrels, runs, out)


def _print(report: PoolReport, show: int) -> None:
    say(_answer(report))
    if report.standings:
        name = report.measure.label
        head = ("run", name, "lowest", "highest", "judged", "unjudged", "difference", "lowest", "highest", "")
        print_table(head, [_row(each) for each in report.standings])
    share = f"{report.judged:,} of {report.pooled:,}"
    say(f"Pool to depth {report.depth}: {share} documents are judged, {len(report.to_label):,} are to label.")
    if report.queries_without_judgements:
        said = "their documents are listed too" if report.lists_all_queries else "left out; --all-queries lists them"
        say(f"{report.queries_without_judgements:,} queries have no judgement: no figure counts them, {said}.")
    if show and len(report.to_label):
        say("", f"To label first, by {report.request.order}:")
        lines = [
            (row["query_id"], row["doc_id"], str(row["runs"]), str(row["best_rank"]), f"{row['movement']:.4f}")
            for row in report.to_label.rows(show)
        ]
        print_table(("query", "document", "runs", "best rank", "could move"), lines, numbers_from=2)


def _answer(report: PoolReport) -> str:
    if not report.standings:
        return f"{len(report.to_label):,} documents of {report.queries_without_judgements:,} queries are to label."
    others = [each for each in report.standings if each.difference is not None]
    rest = sum(each.unjudged for each in report.standings)
    if not others:
        return f"{rest:,} documents above rank {report.measure.cut} have no judgement."
    first, flipping = report.standings[0].file, report.flipping
    if not rest and not any(each.difference.is_open for each in flipping if each.difference is not None):
        return f"Every document above the cutoff of {report.measure.label} is judged: the differences stand."
    if not flipping:
        return f"No missing judgement of the pool can flip a difference of {report.measure.label} against {first}."
    names = ", ".join(each.file for each in flipping)
    return f"Do not read yet: unjudged documents can flip {report.measure.label} of {names} against {first}."


def _row(each: RunStanding) -> tuple[str, ...]:
    figures = [f"{value:.4f}" for value in (each.figure.value, each.figure.lowest, each.figure.highest)]
    counts = [f"{each.judged_share:.1%}", f"{each.unjudged:,}"]
    if each.difference is None:
        return (each.file, *figures, *counts, "", "", "", "first")
    change = [f"{value:+.4f}" for value in (each.difference.value, each.difference.lowest, each.difference.highest)]
    return (each.file, *figures, *counts, *change, "can flip" if each.difference.can_flip else "stands")


def _next(qrels: Path, runs: list[Path], out: Path | None) -> None:
    if out is None:
        next_step(shell("beleg", "ir", "pool", qrels, *runs, "--out", "pool.jsonl"))
    else:
        say(f"Written to {out}: put a number for each null, leave what you did not judge.")
        next_step(shell("beleg", "ir", "judgements", "merge", qrels, out, "--out", "new.qrels"))
