"""``beleg log``: a local log of decisions in which a change shows."""

from __future__ import annotations

import typer

from beleg.cli.lazy import LazyGroup

EPILOG = "Example: beleg log append decisions.log runs/new/decision/decision.dsse.json"


class LogGroup(LazyGroup):
    """The commands around a decision log."""

    package = "beleg.cli.commands.log"
    commands_with_help = {  # noqa: RUF012 - never changed
        "append": "Enter decisions, overrides, trust files and packs.",
        "show": "List the entries.",
        "checkpoint": "Sign how many entries there are and what they are.",
        "prove": "Write a proof that a document is in the log.",
        "check": "Verify a proof without the log.",
        "verify": "Check every entry, and hold the log against a checkpoint.",
    }


app = typer.Typer(
    cls=LogGroup,
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Keep decisions in a local log in which a change shows, and prove entries.",
    epilog=EPILOG,
)


@app.callback()
def log() -> None:
    """Keep decisions in a local log in which a change shows, and prove entries. Nothing is sent anywhere."""
