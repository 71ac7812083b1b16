"""``beleg review withdraw``: take back what one decided."""

from __future__ import annotations

from typing import Annotated

import typer

from beleg.cli.commands.review.options import DEFAULT_LEDGER, Claim, Ledger, Reason, Reviewer, Run, Version, tell
from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language

EPILOG = "Example: beleg review withdraw runs/new C-017-1 --as bob --version 1 --reason 'It is about another article.'"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def withdraw(
    run: Run,
    claim: Claim,
    reviewer: Reviewer,
    version: Version,
    reason: Reason,
    ledger: Ledger = DEFAULT_LEDGER,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Take back an own verdict, dispute or adjudication. It stays readable."""
    from beleg.app.reviewing import ReviewDesk
    from beleg.core.review import ReviewEventKind

    check_language(language)
    with ReviewDesk.open(run, ledger) as desk:
        done = desk.speak(ReviewEventKind.WITHDRAWN, claim, by=reviewer, about=version, text=reason)
    tell(done, (run, reviewer, ledger), language, as_json=as_json)
