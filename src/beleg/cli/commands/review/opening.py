"""``beleg review open``: one claim, as a reviewer may see it."""

from __future__ import annotations

from typing import Annotated

import typer

from beleg.cli.commands.review.options import DEFAULT_LEDGER, Ledger, Reviewer, Run, given
from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg review open runs/new --as ada"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def opening(
    run: Run,
    reviewer: Reviewer,
    ledger: Ledger = DEFAULT_LEDGER,
    claim: Annotated[str | None, typer.Option(help="This claim instead of the next one.")] = None,
    show_machine: Annotated[
        bool, typer.Option("--show-machine", help="Show what machines propose; the verdict is then not blind.")
    ] = False,
    show_people: Annotated[
        bool, typer.Option("--show-people", help="Show what others decided; the verdict is then not blind.")
    ] = False,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Show a claim with its answer, citations and passages.

    What machines propose and others decided is hidden until the reviewer's own verdict is recorded. Whoever asks to
    see it before is recorded as having seen it.
    """
    from beleg.app.review_views import ViewRequest, open_claim

    check_language(language)
    request = ViewRequest(reviewer=reviewer, claim=claim, show_machine=show_machine, show_people=show_people)
    view = open_claim(run, ledger, request, language)
    if as_json:
        emit_json(view.data)
        return
    say(*view.lines)
    if view.claim_id is None:
        next_step(shell("beleg", "review", "agreement", run, *given(ledger)))
    else:
        record = ("beleg", "review", "record", run, view.claim_id, "--as", reviewer, *given(ledger))
        next_step(f"{shell(*record)} --support VERDICT --rationale WHY")
