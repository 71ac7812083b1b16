"""``beleg policy diff``: what became looser and what became stricter."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg policy diff released/policy.yaml policy.yaml"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def diff(
    old: Annotated[Path, typer.Argument(help="The earlier policy.", show_default=False)],
    new: Annotated[Path, typer.Argument(help="The later policy.", show_default=False)],
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Name what became looser and what became stricter."""
    from beleg.app.policies import diff as compared
    from beleg.app.policies import diff_answer

    check_language(language)
    changes = compared(old, new)
    if as_json:
        emit_json(
            {
                "changes": [
                    {"direction": change.direction.value, "field": change.field, "old": change.old, "new": change.new}
                    for change in changes
                ]
            }
        )
        return
    say(diff_answer(changes, language))
    say(*(f"- {change.sentence.in_language(language)}" for change in changes))
    next_step(shell("beleg", "policy", "lint", new, "--against", old))
