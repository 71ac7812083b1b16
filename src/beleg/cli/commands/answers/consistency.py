"""``beleg answers consistency``: do repeats give the same answer?"""

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

EPILOG = "Example: beleg answers consistency runs/repeated --flag-below 0.6"
HEAD = {
    "en": ("Case", "Most frequent", "Different", "Token F1", "Refused", "Answers"),
    "de": ("Fall", "Häufigste", "Verschiedene", "Token-F1", "Abgelehnt", "Antworten"),
}


def consistency(
    run: Annotated[Path, typer.Argument(help="Folder of a run with repeats.", show_default=False)],
    flag_below: Annotated[float, typer.Option(help="Flag cases whose most frequent answer has a smaller share.")] = 0.6,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Show how far the repeated answers of each case agree, the least agreement first.

    Agreement is no correctness: a system may repeat one mistake.
    """
    from beleg.app.answers.consistency import consistency_of_run
    from beleg.app.answers.words import consistency_answer, consistency_lines, consistency_rows, left_out_lines

    check_language(language)
    found = consistency_of_run(run, flag_below=flag_below)
    if as_json:
        emit_json(found.to_json())
        return
    say(consistency_answer(found, language), *consistency_lines(found, language))
    print_table(HEAD[language], consistency_rows(found, language))
    say(*left_out_lines(found.left_out, language))
    next_step(shell("beleg", "show", run, found.cases[0].case_id))
