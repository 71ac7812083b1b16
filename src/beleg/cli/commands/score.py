"""``beleg score``: the figures of one run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, print_table, say, warn

EPILOG = "Example: beleg score runs/new --metric ndcg@10 --metric token_f1"

app = typer.Typer(rich_markup_mode=None)


@app.command(epilog=EPILOG)
def score(
    run: Annotated[Path, typer.Argument(help="Folder of the run.", show_default=False)],
    metric: Annotated[list[str] | None, typer.Option(help="Only this metric; may be repeated.")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Score a run with every measure that needs no judge, and store the scores as Parquet beside it."""
    from beleg.app.figures import run_figures
    from beleg.app.scoring import DEFAULT_METRICS, score_run, store_scores
    from beleg.app.views import figure_row, waterfall_on_terminal

    check_language(language)
    scored = score_run(run, metric or DEFAULT_METRICS)
    stored = store_scores(scored)
    figures = run_figures(scored)
    if scored.cut_bytes:
        warn(f"the journal ends in a cut line of {scored.cut_bytes} bytes, which was left out; finish with --resume")
    if as_json:
        emit_json(figures.to_json_dict())
        return
    header = scored.evaluation.header
    say(f"{header.run_id}: {figures.finished} of {header.expected_rows} cases finished, {figures.failed} failed")
    print_table(("Metric", "Figure"), (figure_row(figure, language) for figure in figures.figures), numbers_from=9)
    for line in waterfall_on_terminal(scored.evaluation, language):
        say(line)
    say(f"Latency by stage (p50 / p95 / p99 ms): {figures.stages_text()}") if figures.stages else None
    say(str(stored))
    next_step(f"beleg gate {run} --baseline RUN --policy POLICY   or: beleg compare {run} OTHER")
