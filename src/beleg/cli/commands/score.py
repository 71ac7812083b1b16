"""``beleg score``: the figures of one run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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
    warn,
)

HEAD = {"en": ("Metric", "Figure [95 % interval]"), "de": ("Maß", "Wert [95-%-Intervall]")}
EPILOG = "Example: beleg score runs/new --metric ndcg@10 --metric token_f1"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def score(
    run: Annotated[Path, typer.Argument(help="Folder of the run.", show_default=False)],
    metric: Annotated[list[str] | None, typer.Option(help="Only this metric; may be repeated.")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Score a run, with what judges found where it was judged, and store the scores as Parquet beside it."""
    from beleg.app.figures import run_figures
    from beleg.app.scoring import score_run, store_scores
    from beleg.app.views import figure_row, finished_text, waterfall_on_terminal

    check_language(language)
    scored = score_run(run, metric)
    stored = store_scores(scored)
    figures = run_figures(scored)
    warn(*scored.warnings())
    if as_json:
        emit_json(figures.to_json_dict())
        return
    say(finished_text(figures, scored.evaluation, language))
    print_table(HEAD[language], (figure_row(figure, language) for figure in figures.figures), numbers_from=9)
    for line in waterfall_on_terminal(scored.evaluation, language):
        say(line)
    if figures.stages:
        name = "Latenz nach Stufen" if language == "de" else "Latency by stage"
        say(f"{name} (p50 / p95 / p99 ms): {figures.stages_text()}")
    say(str(stored))
    next_step(
        f"{shell('beleg', 'gate', run)} --baseline RUN --policy POLICY   or: {shell('beleg', 'compare', run)} OTHER"
    )
