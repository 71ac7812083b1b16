"""``beleg sheet locate``: whether the captured passages still stand in the sources of today."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import (
    JSON_OPTION,
    LANGUAGE_OPTION,
    check_language,
    emit_json,
    next_step,
    print_table,
    say,
    shell,
)
from beleg.core.errors import UsageError

EPILOG = "Example: beleg sheet locate runs/old --inventory runs/new"

EXIT_DRIFTED = 30

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def locate(
    run: Annotated[Path, typer.Argument(help="Folder of the run whose sheet is checked.", show_default=False)],
    inventory: Annotated[
        Path | None, typer.Option("--inventory", help="Folder of a run whose index holds today's sources.")
    ] = None,
    documents: Annotated[
        Path | None, typer.Option("--documents", help="Folder of today's documents, as the embedded RAG reads them.")
    ] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Look for every captured passage in the sources of today: OK, MOVED or ORPHAN.

    Exit code 0 only where every passage is exactly where it was, else 30: the claim rows named cannot be compared.
    """
    from beleg.app.sheet_locating import locate_in_documents, locate_in_run
    from beleg.app.sheet_words import drift_head, drift_lines, drift_rows

    check_language(language)
    if inventory is not None and documents is None:
        found = locate_in_run(run, inventory)
    elif documents is not None and inventory is None:
        found = locate_in_documents(run, documents)
    else:
        raise UsageError(
            "name the sources of today, once", hint="Give either --inventory RUN or --documents FOLDER, not both"
        )
    if as_json:
        emit_json(found.to_json())
    else:
        say(*drift_lines(found, language))
        if found.drifted:
            print_table(drift_head(language), drift_rows(found, language), numbers_from=9)
        if inventory is not None:
            next_step(shell("beleg", "compare", inventory, run, "--claims"))
        else:
            next_step(shell("beleg", "replay", run, "CANDIDATE"))
    if not found.is_none:
        raise typer.Exit(EXIT_DRIFTED)
