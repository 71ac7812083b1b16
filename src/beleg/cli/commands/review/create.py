"""``beleg review create``: a new ledger, and who may record in it."""

from __future__ import annotations

from typing import Annotated

import typer

from beleg.cli.commands.review.options import DEFAULT_LEDGER, Ledger, given
from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = (
    "Example: beleg review create --ledger 'postgresql+pg8000://owner@db.example/reviews?password_env=OWNER_PASSWORD' "
    "--grant reviewers"
)

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def create(
    ledger: Ledger = DEFAULT_LEDGER,
    grant: Annotated[
        list[str] | None, typer.Option(help="A role that gets INSERT and SELECT and nothing else; may be repeated.")
    ] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Make the tables of a ledger with their guards, or bring them forward. Nothing that is there is changed."""
    from beleg.app.review_ledgers import create_ledger

    check_language(language)
    name = create_ledger(ledger, grant_to=tuple(grant or ()))
    if as_json:
        emit_json({"ledger": name, "granted_to": list(grant or ())})
        return
    say(f"Register bereit: {name}" if language == "de" else f"The ledger is ready: {name}")
    next_step(shell("beleg", "review", "list", "RUN", *given(ledger)))
