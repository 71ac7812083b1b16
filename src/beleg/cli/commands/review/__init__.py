"""``beleg review``: people judge the claims of a run, and nothing of it is ever lost."""

from __future__ import annotations

import typer

from beleg.cli.lazy import LazyGroup

EPILOG = "Example: beleg review open runs/new --as ada"


class ReviewGroup(LazyGroup):
    """The commands around the review ledger."""

    package = "beleg.cli.commands.review"
    commands_with_help = {  # noqa: RUF012 - never changed
        "open": "Show the next claim that a reviewer has not judged, without what machines propose.",
        "list": "List the claims of a run: how far each is, and who has it.",
        "assign": "Give claims to a reviewer.",
        "record": "Record a verdict, or many from a file.",
        "supersede": "Replace an own verdict; the first one stays.",
        "dispute": "Speak against a verdict of another.",
        "adjudicate": "Settle a disagreement; the originals stay.",
        "withdraw": "Take back an own verdict or dispute.",
        "note": "Add a note to a claim.",
        "feedback": "Take in what users said of answers: thumbs up or down.",
        "history": "Show everything that happened to a claim.",
        "agreement": "How far reviewers agree, by their first, blind verdicts.",
        "verify": "Find the first broken event, and show a cut or rewritten ledger.",
        "checkpoint": "Sign the head of the ledger, to be kept elsewhere.",
        "export": "Write all events as JSON Lines.",
        "create": "Make a ledger; in PostgreSQL also let roles record.",
    }
    modules = {"open": "opening", "list": "listing"}  # noqa: RUF012 - never changed


app = typer.Typer(
    cls=ReviewGroup,
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Let people judge the claims of a run; every event is kept and chained.",
    epilog=EPILOG,
)


@app.callback()
def review() -> None:
    """Let people judge the claims of a run; every event is kept and chained."""
