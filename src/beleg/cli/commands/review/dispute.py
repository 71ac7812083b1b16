"""``beleg review dispute``: speak against a verdict of another."""

from __future__ import annotations

from typing import Annotated

import typer

from beleg.cli.commands.review.options import DEFAULT_LEDGER, Claim, Ledger, Reason, Reviewer, Run, Version, tell
from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language

EPILOG = "Example: beleg review dispute runs/new C-017-1 --as bob --version 1 --reason 'It is about another article.'"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def dispute(
    run: Run,
    claim: Claim,
    reviewer: Reviewer,
    version: Version,
    reason: Reason,
    ledger: Ledger = DEFAULT_LEDGER,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Speak against a verdict of another. It stays until a third person settles it."""
    from beleg.app.reviewing import ReviewDesk
    from beleg.core.review import ReviewEventKind

    check_language(language)
    with ReviewDesk.open(run, ledger) as desk:
        done = desk.speak(ReviewEventKind.DISPUTED, claim, by=reviewer, about=version, text=reason)
    tell(done, (run, reviewer, ledger), language, as_json=as_json)
