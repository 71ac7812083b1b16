"""``beleg review assign``: who is to look at which claims."""

from __future__ import annotations

from typing import Annotated

import typer

from beleg.cli.commands.review.options import DEFAULT_LEDGER, Ledger, Reviewer, Run, tell
from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language

EPILOG = "Example: beleg review assign runs/new C-017-1 C-017-2 --to ada --as lead"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def assign(
    run: Run,
    reviewer: Reviewer,
    to: Annotated[str, typer.Option(help="The reviewer who gets them.")],
    claims: Annotated[list[str] | None, typer.Argument(help="The claims.", show_default=False)] = None,
    every: Annotated[bool, typer.Option("--all", help="Every claim of the sheet.")] = False,
    ledger: Ledger = DEFAULT_LEDGER,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Give claims to a reviewer; several may have the same one, which agreement needs."""
    from beleg.app.reviewing import ReviewDesk

    check_language(language)
    if bool(claims) == every:
        raise typer.BadParameter("name claims, or --all", param_hint="CLAIMS")
    with ReviewDesk.open(run, ledger) as desk:
        done = desk.assign(list(desk.subjects) if every else claims or [], to, by=reviewer)
    tell(done, (run, reviewer, ledger), language, as_json=as_json)
