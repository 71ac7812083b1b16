"""``beleg review note``: what stays open about a claim."""

from __future__ import annotations

from typing import Annotated

import typer

from beleg.cli.commands.review.options import DEFAULT_LEDGER, Claim, Ledger, Reviewer, Run, tell
from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language

EPILOG = "Example: beleg review note runs/new C-017-1 'Ask the shop about sale items.' --as ada"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def note(
    run: Run,
    claim: Claim,
    text: Annotated[str, typer.Argument(help="The note.", show_default=False)],
    reviewer: Reviewer,
    ledger: Ledger = DEFAULT_LEDGER,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Add a note to a claim. Notes are never changed, so leave names of customers out."""
    from beleg.app.reviewing import ReviewDesk
    from beleg.core.review import ReviewEventKind

    check_language(language)
    with ReviewDesk.open(run, ledger) as desk:
        done = desk.speak(ReviewEventKind.NOTE_ADDED, claim, by=reviewer, text=text)
    tell(done, (run, reviewer, ledger), language, as_json=as_json)
