"""``beleg ir compare``: is one run better than another, or does it only look so?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from beleg.cli.output import (
    JSON_OPTION,
    LANGUAGE_OPTION,
    check_language,
    emit_json,
    next_step,
    print_table,
    say,
    shell,
)

if TYPE_CHECKING:
    from beleg.app.ir.comparing import ComparedRuns

EPILOG = "Example: beleg ir compare qrels.txt bm25.run dense.run -m nDCG@10 -m AP --html comparison.html"


def compare(
    qrels: Annotated[Path, typer.Argument(help="Judgements: a file, or a folder of BEIR; - is standard input.")],
    baseline: Annotated[Path, typer.Argument(help="The run that the others are compared with.")],
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="One or more runs, as ir eval reads them.")],
    measures: Annotated[
        list[str], typer.Option("--measure", "-m", help="Such as nDCG@10, RR(rel=2)@10, AP, ndcg_cut.10.")
    ],
    test: Annotated[str, typer.Option(help="randomisation, t, wilcoxon or bootstrap.")] = "randomisation",
    interval: Annotated[str, typer.Option(help="auto, t, adjusted-t, bca or percentile.")] = "auto",
    groups: Annotated[
        Path | None, typer.Option(help="Group of each query, two columns or JSON Lines: one group, one unit.")
    ] = None,
    confidence: Annotated[float, typer.Option(help="Confidence of the intervals, 0.5 to 0.9999.")] = 0.95,
    resamples: Annotated[int, typer.Option(help="Random sign patterns, resamples or permutations.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Seed of the random generator.")] = 0,
    all_pairs: Annotated[bool, typer.Option("--all-pairs", help="Compare every run with every other.")] = False,
    per_query: Annotated[bool, typer.Option("--per-query", "-q", help="Show the queries that differ most.")] = False,
    top: Annotated[int, typer.Option(min=1, max=10_000, help="How many losses, and gains, are shown.")] = 10,
    html: Annotated[Path | None, typer.Option(help="Write a page with win and loss plots.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Write the win and loss plots as .svg or .png.")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
    lenient: Annotated[bool, typer.Option("--lenient", help="Leave out faulty lines and count them.")] = False,
    min_rel: Annotated[int, typer.Option("--min-rel", help="The lowest grade that counts as relevant.")] = 1,
) -> None:
    """Compare runs with a baseline, query by query: differences, intervals, corrected p-values, effect sizes.

    A query that a run lacks counts with 0. P-values are corrected over all measures and runs of the call.
    """
    from beleg.app.ir.comparing import CompareRequest, compare_files, require_picture

    check_language(language)
    if plot is not None:
        require_picture(plot)
    request = CompareRequest(
        measures=tuple(measures),
        test=test,
        interval=interval,
        groups=groups,
        resamples=resamples,
        seed=seed,
        confidence=confidence,
        all_pairs=all_pairs,
        min_rel=min_rel,
        lenient=lenient,
    )
    found = compare_files(qrels, baseline, runs, request)
    if html is not None:
        found.write_html(html, language=language, top=top)
    if plot is not None:
        found.write_plot(plot, language=language)
    if as_json:
        emit_json(found.to_json(per_query=per_query))
        return
    _print(found, language, queries=top if per_query else 0)
    say(*(str(path) for path in (html, plot) if path is not None))
    words = [word for measure in measures for word in ("-m", measure)]
    again = shell("beleg", "ir", "compare", qrels, baseline, *runs, *words, "--html", "comparison.html")
    next_step(again if html is None else f"open {html} in a browser")


def _print(found: ComparedRuns, language: str, *, queries: int) -> None:
    """The answer, the table, the sentences behind it, and the queries that differ most in each comparison."""
    from beleg.app.ir.comparison_table import comparison_table, mean_table, query_table, told

    all_pairs = found.compared.rules.all_pairs
    say(found.headline(language), "")
    heads, rows = comparison_table(found, language)
    print_table(heads, rows, numbers_from=4 if all_pairs else 3)
    if all_pairs:
        say("")
        print_table(*mean_table(found, language))
    say("", *told(found, language))
    for at in range(len(rows) if queries else 0):
        title, query_heads, listed = query_table(found, at, language, top=queries)
        say("", title)
        if listed:
            print_table(query_heads, listed)
