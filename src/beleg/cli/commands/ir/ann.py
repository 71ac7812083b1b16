"""``beleg ir ann``: approximate indexes against exact search."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from beleg.cli.output import (
    JSON_OPTION,
    LANGUAGE_OPTION,
    check_language,
    emit_json,
    is_terminal,
    next_step,
    print_table,
    say,
    shell,
    warn,
)
from beleg.cli.progress import steps_line

if TYPE_CHECKING:
    from beleg.app.ir.ann.figures import SweepFigures
    from beleg.app.ir.ann.grid import PlannedIndex

EPILOG = "Example: beleg ir ann corpus.npy queries.npy --index 'faiss-hnsw:M=16,32;efSearch=16,64,256' --floor 0.95"


WIDE = 130
"""Columns that the whole table takes."""

CORPUS = typer.Argument(help="Vectors to search: .npy, .npz, .parquet, .fvecs or .bvecs.")
QUERIES = typer.Argument(help="Query vectors, in one of the same formats.")
OUT = typer.Option(help="Folder for points and exact neighbours; a killed sweep resumes.")
INDEX = typer.Option(
    "--index",
    help="kind:setting=value,value;…: faiss-hnsw, faiss-ivf, hnswlib, usearch, qdrant-edge, qdrant-local, qdrant. "
    "Repeat for more. [default: a sweep of faiss-hnsw and faiss-ivf]",
)
GRID = typer.Option(help="The indexes in a YAML file instead.")
FLOOR = typer.Option(help="The recall that the lower bound must exceed.")
EXACT = typer.Option(help="Exact neighbours: a file to keep them in (.npz), or supplied (.npy, .ivecs).")
TAGS = typer.Option(help="Tags of corpus and queries: each query searches its own tag.")
SHARE = typer.Option(
    "--filter-share", help="Measure under a random filter that admits this share too. Repeat for more."
)
SEED = typer.Option(help="Of indexes and random filters.")
THREADS = typer.Option(help="Of builds and searches.")
ROUNDS = typer.Option(help="How often each query is asked alone; its quickest call counts.")
QDRANT = typer.Option(help="A Qdrant server; a fresh collection is made there and dropped at the end.")
HTML = typer.Option(help="Write the figures as one HTML page.")
PLOT = typer.Option(help="Write the Pareto curve as .svg or .png.")


def ann(
    corpus: Annotated[Path, CORPUS],
    queries: Annotated[Path, QUERIES],
    out: Annotated[Path, OUT] = Path("ann"),
    k: Annotated[int, typer.Option("--k", help="How many neighbours.")] = 10,
    indexes: Annotated[list[str] | None, INDEX] = None,
    grid: Annotated[Path | None, GRID] = None,
    metric: Annotated[str, typer.Option(help="cosine, ip or l2.")] = "cosine",
    floor: Annotated[float, FLOOR] = 0.95,
    exact: Annotated[Path | None, EXACT] = None,
    tags: Annotated[tuple[Path, Path] | None, TAGS] = None,
    filter_share: Annotated[list[float] | None, SHARE] = None,
    seed: Annotated[int, SEED] = 0,
    threads: Annotated[int, THREADS] = 1,
    rounds: Annotated[int, ROUNDS] = 3,
    qdrant_url: Annotated[str | None, QDRANT] = None,
    html: Annotated[Path | None, HTML] = None,
    plot: Annotated[Path | None, PLOT] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Measure how much recall approximate indexes lose against exact search, and what they cost.

    Every combination of settings is one point: recall@k of every query against exact search, latency of single queries,
    build time, memory. Points are stored one by one; the same command goes on where a killed sweep stopped.
    """
    from beleg.app.drawings import require_plot
    from beleg.app.ir.ann.figures import figures_of
    from beleg.app.ir.ann.request import sweep_request
    from beleg.app.ir.ann.sweep import carry_out, prepare
    from beleg.app.ir.ann.words import plan
    from beleg.app.ir.ann.writing import write_page, write_plot

    check_language(language)
    request = sweep_request(
        corpus=corpus, queries=queries, out=out, k=k, similarity=metric, seed=seed, threads=threads, rounds=rounds,
        exact=exact, tags=tags, shares=filter_share or (), qdrant_url=qdrant_url, floor=floor,
    )  # fmt: skip
    if plot is not None:
        require_plot(plot)
    prepared = prepare(request, lambda total: _planned(indexes or (), grid, total))
    warn(plan(prepared))
    with steps_line("exact search") as report:
        swept = carry_out(prepared, report)
    found = figures_of(swept, floor)
    if html is not None:
        write_page(found, html, language=language)
    if plot is not None:
        write_plot(found, plot, language=language)
    if as_json:
        emit_json(found.to_json())
        return
    _print(found, language)
    say("", *(str(path) for path in (out, html, plot) if path is not None))
    again = shell("beleg", *sys.argv[1:], "--html", "ann.html")
    next_step(again if html is None else f"open {html} in a browser")


def _planned(indexes: Sequence[str], grid: Path | None, total: int) -> list[PlannedIndex]:
    from beleg.app.ir.ann.grid import default_grid, merged, parse_index, read_grid

    if indexes and grid is not None:
        raise typer.BadParameter("give --index or --grid, not both", param_hint="--grid")
    if grid is not None:
        return merged(read_grid(grid))
    return merged([planned for text in indexes for planned in parse_index(text)] or default_grid(total))


def _print(found: SweepFigures, language: str) -> None:
    from beleg.app.ir.ann.words import answer, filter_warnings, notes
    from beleg.app.ir.ann.writing import filtered_table, points_table

    say(answer(found).in_language(language), *(each.in_language(language) for each in filter_warnings(found)), "")
    narrow = is_terminal() and shutil.get_terminal_size().columns < WIDE
    head, rows = points_table(found, language, narrow=narrow)
    print_table(head, rows, numbers_from=2)
    head, rows = filtered_table(found, language, narrow=narrow)
    if rows:
        say("")
        print_table(head, rows, numbers_from=2)
    say("", *(note.in_language(language) for note in notes(found)))
