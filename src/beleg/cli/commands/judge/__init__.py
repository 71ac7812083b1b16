"""``beleg judge``: judges, and what is known of their errors."""

from __future__ import annotations

import typer

from beleg.cli.lazy import LazyGroup

EPILOG = "Example: beleg judge calibrate labels.jsonl --judge judge.yaml"


class JudgeGroup(LazyGroup):
    """The commands over judges."""

    package = "beleg.cli.commands.judge"
    commands_with_help = {  # noqa: RUF012 - never changed
        "calibrate": "Measure a judge's errors against labels of people, and record them.",
    }


app = typer.Typer(
    cls=JudgeGroup,
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Ask judges, and measure how far they can be believed.",
    epilog=EPILOG,
)


@app.callback()
def judge() -> None:
    """Ask judges, and measure how far they can be believed."""
