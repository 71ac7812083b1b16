"""``beleg answers compression``: what a smaller context costs."""

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

EPILOG = "Example: beleg answers compression runs/compressed --baseline runs/full --max-loss 0.02"
HEAD = {"en": ("Mean size", "before", "after", "times"), "de": ("Mittlere Größe", "vorher", "nachher", "Faktor")}


def compression(
    run: Annotated[Path, typer.Argument(help="Folder of the run with the compressed context.", show_default=False)],
    baseline: Annotated[Path, typer.Option(help="Folder of the run without compression.", show_default=False)],
    max_loss: Annotated[
        float, typer.Option(help="The largest loss of correctness that you set before.", show_default=False)
    ],
    metric: Annotated[str, typer.Option(help="A measure of correctness from 0 to 1.")] = "token_f1",
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Decide whether a compressed context keeps the loss of correctness below a bound that was set before.

    PASS is proven: the lower bound of the paired difference must lie above the loss that is accepted.
    """
    from beleg.app.answers.compression import compression_of_runs
    from beleg.app.answers.words import compression_answer, compression_rows, left_out_lines

    check_language(language)
    found = compression_of_runs(run, baseline, max_loss=max_loss, metric=metric)
    if as_json:
        emit_json(found.to_json())
        return
    say(compression_answer(found, language))
    print_table(HEAD[language], compression_rows(found, language))
    say(*left_out_lines(found.left_out, language))
    next_step(shell("beleg", "compare", run, baseline))
