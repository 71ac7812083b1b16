"""``beleg show``: one case, stage by stage."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, print_rich, shell

EPILOG = "Example: beleg show Q-017-de --run runs/new --baseline runs/released"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def show(
    case_id: Annotated[str, typer.Argument(metavar="CASE", help="The case.", show_default=False)],
    run: Annotated[Path, typer.Option(help="Folder of the run.")],
    baseline: Annotated[Path | None, typer.Option(help="Folder of a second run to show beside it.")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Show a case: question, expected evidence, where it is lost, every stage's passages, the answer, its scores."""
    from beleg.app.showing import case_json, case_on_terminal, find_case

    check_language(language)
    views = [find_case(place, case_id) for place in (run, baseline) if place is not None]
    if as_json:
        emit_json(case_json(views))
        return
    print_rich(case_on_terminal(views, language))
    next_step(shell("beleg", "compare", run, baseline) if baseline else shell("beleg", "score", run))
