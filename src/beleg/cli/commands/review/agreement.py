"""``beleg review agreement``: how far reviewers agree."""

from __future__ import annotations

from typing import Annotated

import typer

from beleg.cli.commands.review.options import DEFAULT_LEDGER, Ledger, Run, given
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

EPILOG = "Example: beleg review agreement runs/new"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def agreement(
    run: Run,
    ledger: Ledger = DEFAULT_LEDGER,
    confidence: Annotated[float, typer.Option(help="Two-sided confidence of every interval.")] = 0.95,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Raw agreement, kappa, alpha and AC1 on first, blind verdicts, apart for attribution and support."""
    from beleg.app.review_views import agreement_of_run

    check_language(language)
    view = agreement_of_run(run, ledger, confidence, language)
    if as_json:
        emit_json(view.data)
        return
    say(view.answer)
    print_table(view.head, view.rows)
    say(*view.notes)
    next_step(shell("beleg", "review", "list", run, "--state", "disagreed", *given(ledger)))
