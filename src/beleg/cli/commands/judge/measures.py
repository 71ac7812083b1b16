"""``beleg judge measures``: what a judge can be asked for, and which metrics follow from it."""

from __future__ import annotations

from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, print_table

EPILOG = "Example: beleg judge measures"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def measures(language: Annotated[str, LANGUAGE_OPTION] = "en", as_json: Annotated[bool, JSON_OPTION] = False) -> None:
    """List every measure that rests on a judge, whom it needs, and the metrics that are computed from it."""
    from beleg.app.judge_measures import measure_json, measure_rows

    check_language(language)
    if as_json:
        emit_json(measure_json())
        return
    head = ("Measure", "Needs", "Metrics") if language == "en" else ("Maß", "Braucht", "Metriken")
    print_table(head, measure_rows(), numbers_from=9)
    next_step("beleg judge run RUN --judge JUDGE --metric METRIC --plan")
