"""``beleg metrics``: what can be measured."""

from __future__ import annotations

from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, print_table, say

EPILOG = "Example: beleg metrics --lang de"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def metrics(
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """List every metric: how it is written, which way is better, what it measures."""
    from beleg.app.metric_list import metric_json, metric_rows

    check_language(language)
    if as_json:
        emit_json(metric_json())
        return
    rows = metric_rows(language)
    say(f"{len(rows)} {'Maße' if language == 'de' else 'metrics'}")
    head = ("Maß", "Bereich", "besser", "misst") if language == "de" else ("Metric", "Area", "Better", "Measures")
    print_table(head, rows, numbers_from=len(head))
    next_step("beleg score RUN --metric ndcg@10")
