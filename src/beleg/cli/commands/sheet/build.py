"""``beleg sheet build``: the evidence sheet of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg sheet build runs/new"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def build(
    run: Annotated[Path, typer.Argument(help="Folder of the run.", show_default=False)],
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Build the evidence sheet of a run: one row per claim, with its words, citations, passages and proposals."""
    from beleg.app.sheet_words import built_lines
    from beleg.app.sheets import build_sheet

    check_language(language)
    folder = build_sheet(run)
    header = folder.header()
    if as_json:
        emit_json({"header": header.to_json_dict(), "folder": str(folder.path)})
        return
    say(*built_lines(header, language), str(folder.cases_file))
    next_step(shell("beleg", "sheet", "show", run))
