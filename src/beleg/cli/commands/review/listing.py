"""``beleg review list``: the claims of a run, how far each is and who has it."""

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

EPILOG = "Example: beleg review list runs/new --reviewer ada --state unreviewed"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def listing(
    run: Run,
    ledger: Ledger = DEFAULT_LEDGER,
    reviewer: Annotated[str | None, typer.Option(help="Only what this reviewer is still to look at.")] = None,
    state: Annotated[
        str | None, typer.Option(help="Only unreviewed, reviewed, disagreed, disputed or adjudicated claims.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Show at most so many.")] = 50,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """List the claims of a run without what was decided, so that whoever looks stays blind."""
    from beleg.app.review_views import list_claims

    check_language(language)
    view = list_claims(run, ledger, reviewer=reviewer, state=state, language=language)
    if as_json:
        emit_json(view.data)
        return
    say(view.answer)
    if view.rows:
        print_table(view.head, view.rows[:limit], numbers_from=4)
    if len(view.rows) > limit:
        say(f"… {len(view.rows) - limit} more; --limit" if language == "en" else f"… {len(view.rows) - limit} weitere")
    say(*view.workload)
    next_step(shell("beleg", "review", "open", run, "--as", reviewer or "NAME", *given(ledger)))
