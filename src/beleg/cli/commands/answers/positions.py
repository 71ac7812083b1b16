"""``beleg answers positions``: lost in the middle."""

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
    warn,
)

EPILOG = "Example: beleg answers positions runs/new --metric token_f1 --against runs/reordered"
HEAD = {
    "en": ("Evidence at", "Correctness [95 % interval]", "Passages cited there"),
    "de": ("Beleg an", "Richtigkeit [95-%-Intervall]", "Dort zitierte Passagen"),
}


def positions(
    run: Annotated[Path, typer.Argument(help="Folder of the run.", show_default=False)],
    metric: Annotated[str, typer.Option(help="A measure of correctness from 0 to 1.")] = "token_f1",
    against: Annotated[
        Path | None, typer.Option(help="A run that delivers the same passages in another order.")
    ] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Show correctness by the place in the context where the needed evidence is complete.

    Cases differ between places; only --against, the same passages in another order, proves an effect of order.
    """
    from beleg.app.answers.positions import positions_of_run
    from beleg.app.answers.words import left_out_lines, positions_answer, positions_rows, reordering_line

    check_language(language)
    found = positions_of_run(run, metric=metric, against=against)
    warn(*found.answers.run.warnings())
    if as_json:
        emit_json(found.to_json())
        return
    say(positions_answer(found, language))
    line = reordering_line(found, language)
    say(*([] if line is None else [line]))
    print_table(HEAD[language], positions_rows(found, language), numbers_from=9)
    say(*left_out_lines(found.left_out, language))
    next_step(shell("beleg", "score", run, "--metric", "gold_rank", "--metric", metric))
