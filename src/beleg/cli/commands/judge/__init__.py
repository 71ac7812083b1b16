"""``beleg judge``: let a judge look at answers, and find out how far it can be believed."""

from __future__ import annotations

import typer

from beleg.cli.lazy import LazyGroup

EPILOG = "Example: beleg judge run runs/new --judge judge.yaml --plan"


class JudgeGroup(LazyGroup):
    """The commands around judges."""

    package = "beleg.cli.commands.judge"
    commands_with_help = {  # noqa: RUF012 - never changed
        "run": "Judge the answers of a run; what was judged is never paid twice.",
        "settle": "Judge in batches, and stop as soon as the decision is settled.",
        "check": "Ask a judge a few tiny questions to see what it can do.",
        "measures": "List what a judge can be asked for.",
        "probe": "Change answers and passages in ways that must not move a judge, and see whether they do.",
        "nuggets": "Have nuggets proposed for a person to review.",
        "calibrate": "Measure a judge's errors against labels of people, and record them.",
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
