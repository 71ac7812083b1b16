"""``beleg review feedback``: what users said of the answers of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg review feedback runs/new thumbs.jsonl"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def feedback(
    run: Annotated[Path, typer.Argument(help="Folder of the run.", show_default=False)],
    file: Annotated[
        Path, typer.Argument(help="Feedback: case_id, rating (up, down), at, source, comment.", show_default=False)
    ],
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Take in what users said of answers: appended beside the run, never changed; a file given twice adds nothing.

    The workbench then lists claims of answers that a user marked down first. No figure and no gate looks at it.
    """
    from beleg.app.feedback import take_in_feedback

    check_language(language)
    done = take_in_feedback(run, file)
    if as_json:
        told = {"new": done.new, "known": done.known, "down": done.down, "path": str(done.path), "digest": done.digest}
        emit_json(told)
        return
    if language == "de":
        say(f"{done.new} neu, {done.known} schon da; {done.down} × Daumen runter beim Lauf.")
    else:
        say(f"{done.new} new, {done.known} there already; {done.down} thumbs down beside the run.")
    say(f"{done.path}: {done.digest}")
    next_step(shell("beleg", "serve"))
