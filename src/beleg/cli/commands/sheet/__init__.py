"""``beleg sheet``: the evidence behind each claim of each answer."""

from __future__ import annotations

import typer

from beleg.cli.lazy import LazyGroup

EPILOG = "Example: beleg sheet build runs/new"


class SheetGroup(LazyGroup):
    """The commands around evidence sheets."""

    package = "beleg.cli.commands.sheet"
    commands_with_help = {  # noqa: RUF012 - never changed
        "build": "Build the evidence sheet of a run, claim by claim.",
        "show": "Show the claims of a sheet, whole or filtered.",
        "export": "Write the sheet as Markdown, HTML, CSV, JSON or JSON Lines.",
        "locate": "See whether the captured passages still stand in the sources of today.",
    }


app = typer.Typer(
    cls=SheetGroup,
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Keep, show and check the evidence behind each claim of each answer.",
    epilog=EPILOG,
)


@app.callback()
def sheet() -> None:
    """Keep, show and check the evidence behind each claim of each answer."""
