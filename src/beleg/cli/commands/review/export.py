"""``beleg review export``: all events of a ledger in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.commands.review.options import DEFAULT_LEDGER, Ledger
from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg review export --out reviews.jsonl"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def export(
    out: Annotated[Path, typer.Option(help="File of the events, JSON Lines.")],
    ledger: Ledger = DEFAULT_LEDGER,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Write all events of all runs, so that the chain can be verified without the database."""
    from beleg.app.review_checkpoints import export_events
    from beleg.app.review_ledgers import open_ledger

    check_language(language)
    with open_ledger(ledger, is_read_only=True) as opened:
        count = export_events(opened, out)
    if as_json:
        emit_json({"events": count, "file": str(out)})
        return
    say(f"{count} Ereignisse geschrieben" if language == "de" else f"{count} events written", str(out))
    next_step(shell("beleg", "review", "verify", "--events", out))
