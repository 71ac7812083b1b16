"""``beleg policy queue``: which cases wait for whom."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg policy queue runs/new --owner 'Search team'"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def queue(
    run: Annotated[Path, typer.Argument(help="Folder of a run that was decided on.", show_default=False)],
    owner: Annotated[str | None, typer.Option(help="Only what waits for this owner.")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """List the cases that wait for a person after the last decision, by owner."""
    from beleg.app.queues import queue_lines, read_queue

    check_language(language)
    items = [item for item in read_queue(run) if owner is None or item.owner == owner]
    if as_json:
        emit_json({"items": [item.to_json_dict() for item in items]})
        return
    say(*queue_lines(items, language))
    first = next((item.case for item in items if item.case is not None), None)
    next_step(shell("beleg", "show", first, "--run", run) if first else shell("beleg", "report", run))
