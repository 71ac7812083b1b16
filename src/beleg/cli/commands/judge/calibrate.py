"""``beleg judge calibrate``: how often a judge is wrong, measured against people."""

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

EPILOG = (
    "Examples: beleg judge calibrate labels.jsonl --judge judge.yaml --repeats 3   "
    "beleg judge calibrate --verdicts verdicts.csv"
)


def calibrate(
    labels: Annotated[str | None, typer.Argument(help="Labels: a file, or a data set such as ragtruth:FILE.")] = None,
    judge: Annotated[Path | None, typer.Option(help="Judge file (YAML): who is asked.")] = None,
    verdicts: Annotated[
        Path | None, typer.Option(help="Instead: a file with item_id, human, judge or score; nobody is asked.")
    ] = None,
    measure: Annotated[str, typer.Option(help="What is judged.")] = "claim_support",
    metric: Annotated[str | None, typer.Option(help="The metric that is held against the labels.")] = None,
    repeats: Annotated[int, typer.Option(min=1, max=100, help="How often each item is judged, for the noise.")] = 1,
    segment: Annotated[list[str] | None, typer.Option(help="Break down by this; may be given again.")] = None,
    max_false_pass: Annotated[
        float | None, typer.Option(min=0, max=1, help="Choose the threshold of a graded judge by this limit.")
    ] = None,
    threshold: Annotated[float | None, typer.Option(help="Scores at or above it pass.")] = None,
    limit: Annotated[int | None, typer.Option(min=2, help="Judge only so many items.")] = None,
    confidence: Annotated[float, typer.Option(help="Two-sided confidence of every interval.")] = 0.95,
    out: Annotated[Path, typer.Option(help="Folder of records, or a .json file.")] = Path("calibrations"),
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Measure a judge's errors against labels of people, and record them for the gate."""
    from beleg.app.calibrating import request_of
    from beleg.app.calibration_runs import calibrated, shown_calibration

    check_language(language)
    request = request_of(
        measure=measure,
        metric=metric,
        repeats=repeats,
        segments=tuple(segment or ()),
        limit=limit,
        limits=(confidence, threshold, max_false_pass),
    )
    outcome = calibrated(labels, judge, verdicts, request)
    told = shown_calibration(outcome, out, language=language)
    if as_json:
        emit_json(told.data)
        return
    say(told.answer)
    print_table(told.head, told.rows)
    say(*told.notes)
    warn(*told.warnings)
    say(*told.paths)
    if told.is_bound:
        next_step(shell("beleg", "gate", "RUN", "--policy", "policy.yaml", "--calibration", told.paths[0]))
    else:
        next_step("beleg judge calibrate LABELS --judge judge.yaml")
