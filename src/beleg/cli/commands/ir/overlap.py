"""``beleg ir overlap``: how alike two runs are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, emit_json, next_step, print_table, shell

EPILOG = "Example: beleg ir overlap bm25.run dense.run --p 0.9"


def overlap(
    first: Annotated[Path, typer.Argument(help="A run, as ir eval reads it; - is standard input.")],
    second: Annotated[Path, typer.Argument(help="Another run.")],
    p: Annotated[float, typer.Option("--p", help="How far down a reader goes, above 0 and below 1.")] = 0.9,
    ties: Annotated[str, typer.Option("--ties", help="What equal scores mean: a, b or w.")] = "a",
    depth: Annotated[int | None, typer.Option("--depth", help="End every list at this rank.")] = None,
    per_query: Annotated[bool, typer.Option("--per-query", help="Show every query too.")] = False,
    as_json: Annotated[bool, JSON_OPTION] = False,
    lenient: Annotated[bool, typer.Option("--lenient", help="Leave out faulty lines.")] = False,
) -> None:
    """Compare two runs by rank-biased overlap: 1 is the same ranking, 0 has nothing in common.

    No judgements are needed. RBO_ext goes on as what is seen; RBO_min and RBO_max bound what is not.
    """
    from beleg.app.ir.overlap import overlap_of_files

    report = overlap_of_files(first, second, p=p, ties=ties, depth=depth, lenient=lenient)
    if as_json:
        emit_json(report.to_json(per_query=per_query))
        return
    rows = [[name, f"{value:.4f}"] for name, value in report.summary().items()]
    rows += [[name, str(value)] for name, value in report.counts().items()]
    print_table(("", f"p = {p:g}"), rows)
    if per_query:
        found = report.per_query()
        print_table(
            ("query", *report.summary()),
            [[query, *(f"{value:.4f}" for value in values.values())] for query, values in found.items()],
        )
    next_step(shell("beleg", "ir", "overlap", first, second, "--p", p, "--ties", ties, "--per-query", "--json"))
