"""``beleg answers calibration``: is the system as right as it is sure?"""

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

EPILOG = "Example: beleg answers calibration runs/new --metric exact_match --plot reliability.svg"
HEAD = {
    "en": ("Confidence", "Mean", "Right [95 % interval]", "n"),
    "de": ("Zuversicht", "Mittel", "Richtig [95-%-Intervall]", "n"),
}


def calibration(
    run: Annotated[Path, typer.Argument(help="Folder of the run.", show_default=False)],
    metric: Annotated[str, typer.Option(help="A measure of correctness from 0 to 1.")] = "exact_match",
    correct_at: Annotated[
        float | None, typer.Option(help="Count an answer as right from this score on.", show_default=False)
    ] = None,
    bins: Annotated[int, typer.Option(help="How many bins at most.")] = 10,
    binning: Annotated[str, typer.Option(help="equal_width or equal_mass.")] = "equal_width",
    plot: Annotated[Path | None, typer.Option(help="Write the reliability diagram as .svg or .png.")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Hold the confidence that answers state against whether they are right.

    The confidence is the field of that name in the candidate's output, else a plain statement in the answer.
    """
    from beleg.app.answers.calibration import calibration_of_run
    from beleg.app.answers.drawing import write_plot
    from beleg.app.answers.words import calibration_answer, calibration_lines, calibration_rows, left_out_lines
    from beleg.app.drawings import require_plot

    check_language(language)
    if plot is not None:
        require_plot(plot)
    found = calibration_of_run(run, metric=metric, correct_at=correct_at, bins=bins, binning=binning)
    if plot is not None:
        write_plot(found, plot, language=language)
    warn(*found.answers.run.warnings())
    if as_json:
        emit_json(found.to_json())
        return
    say(calibration_answer(found, language), *calibration_lines(found, language))
    print_table(HEAD[language], calibration_rows(found, language))
    say(*left_out_lines(found.left_out, language), *([str(plot)] if plot is not None else []))
    next_step(shell("beleg", "answers", "consistency", run))
