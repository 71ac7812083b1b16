"""``beleg answers``: analyses of a run's answers that are not one score a row."""

from __future__ import annotations

import typer

from beleg.cli.lazy import LazyGroup

EPILOG = "Example: beleg answers positions runs/new --metric token_f1"


class AnswersGroup(LazyGroup):
    """The analyses of answers."""

    package = "beleg.cli.commands.answers"
    commands_with_help = {  # noqa: RUF012 - never changed
        "positions": "Show whether it matters where in the context the evidence stands.",
        "calibration": "Hold stated confidence against correctness.",
        "consistency": "Show how far repeated answers agree.",
        "abstention": "Split refusals and answers by whether the evidence was at hand.",
        "answerability": "Show who knows when the passages hold no answer, from files like those of NoMIRACL.",
        "compression": "Decide whether a compressed context costs too much correctness.",
    }


app = typer.Typer(
    cls=AnswersGroup,
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Analyse the answers of a run.",
    epilog=EPILOG,
)


@app.callback()
def answers() -> None:
    """Analyse the answers of a run."""
