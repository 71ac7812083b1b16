"""``beleg judge``: let a judge look at answers, and find out how far it can be believed."""

from __future__ import annotations

import typer

from beleg.cli.lazy import LazyGroup

EPILOG = "Example: beleg judge probe runs/new --judge judge.yaml --plan"


class JudgeGroup(LazyGroup):
    """The commands around judges."""

    package = "beleg.cli.commands.judge"
    commands_with_help = {  # noqa: RUF012 - never changed
        "probe": "Change answers and passages in ways that must not move a judge, and see whether they do.",
    }


app = typer.Typer(
    cls=JudgeGroup,
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Let a judge look at answers, and find out how far it can be believed.",
    epilog=EPILOG,
)


@app.callback()
def judge() -> None:
    """Let a judge look at answers, and find out how far it can be believed."""
