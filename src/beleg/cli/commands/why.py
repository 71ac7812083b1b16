"""``beleg why``: what a score of one case rests on, down to the judge's own words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg why runs/new Q-017-de faithfulness"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def why(
    run: Annotated[Path, typer.Argument(help="Folder of the run.", show_default=False)],
    case_id: Annotated[str, typer.Argument(metavar="CASE", help="The case.", show_default=False)],
    metric: Annotated[str, typer.Argument(help="The metric, such as faithfulness.", show_default=False)],
    full: Annotated[bool, typer.Option("--full", help="Show replies and answers whole.")] = False,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Show why a case has its score: every claim with its verdict and quote, and every reply of the judge."""
    from beleg.app.why import explain_score
    from beleg.app.why_terminal import why_lines

    check_language(language)
    found = explain_score(run, case_id, metric)
    if as_json:
        emit_json(found.to_json_dict())
        return
    say(*why_lines(found, language, full=full))
    next_step(shell("beleg", "show", case_id, "--run", run))
