"""``beleg answers abstention``: refusals by what an answer could rest on."""

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

EPILOG = "Example: beleg answers abstention runs/new"
HEAD = {
    "en": ("Situation", "Refused [95 % interval]", "Look at"),
    "de": ("Lage", "Abgelehnt [95-%-Intervall]", "Zum Ansehen"),
}


def abstention(
    run: Annotated[Path, typer.Argument(help="Folder of the run.", show_default=False)],
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Split refusals and answers: out of scope, evidence missed by retrieval, evidence delivered."""
    from beleg.app.answers.abstention import abstention_of_run
    from beleg.app.answers.words import abstention_answer, abstention_rows, left_out_lines

    check_language(language)
    found = abstention_of_run(run)
    if as_json:
        emit_json(found.to_json())
        return
    say(abstention_answer(found, language))
    print_table(HEAD[language], abstention_rows(found, language), numbers_from=9)
    say(*left_out_lines(found.left_out, language))
    next_step(shell("beleg", "score", run, "--metric", "answered_without_evidence", "--metric", "over_refusal"))
