"""``beleg review history``: everything that happened to a claim."""

from __future__ import annotations

from typing import Annotated

import typer

from beleg.cli.commands.review.options import DEFAULT_LEDGER, Claim, Ledger, Run, given
from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg review history runs/new C-017-1"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def history(
    run: Run,
    claim: Claim,
    ledger: Ledger = DEFAULT_LEDGER,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Show every event of a claim in order, verdicts included; whoever is still to judge it does not look here."""
    from beleg.app.review_views import claim_history

    check_language(language)
    view = claim_history(run, ledger, claim, language)
    if as_json:
        emit_json(view.data)
        return
    say(*view.lines)
    next_step(shell("beleg", "review", "list", run, *given(ledger)))
