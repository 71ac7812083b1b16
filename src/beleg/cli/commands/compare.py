"""``beleg compare``: two runs, measure by measure."""

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

HEAD = {
    "en": ("Metric", "Segment", "Candidate", "Baseline", "Difference", "n"),
    "de": ("Maß", "Segment", "Kandidat", "Baseline", "Unterschied", "n"),
}
HEAD_OF_DIFFERENCES = {
    "en": ("Differs", "Status", "Candidate", "Baseline"),
    "de": ("Verschieden", "Status", "Kandidat", "Baseline"),
}
EPILOG = "Example: beleg compare runs/new runs/released --by language"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def compare(
    candidate: Annotated[Path, typer.Argument(help="Folder of one run.", show_default=False)],
    baseline: Annotated[Path, typer.Argument(help="Folder of the other run.", show_default=False)],
    metric: Annotated[list[str] | None, typer.Option(help="Only this metric; may be repeated.")] = None,
    by: Annotated[list[str] | None, typer.Option(help="Also by this dimension; may be repeated.")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Compare two runs on the same cases: figures, paired differences with intervals, what differs in the manifests.

    It shows; it does not decide. Decisions are made by `beleg gate` under a policy.
    """
    from beleg.app.comparing import compare_folders
    from beleg.app.views import comparison_row

    check_language(language)
    result = compare_folders(candidate, baseline, metric, dimensions=tuple(by or ()))
    warn(*result.warnings)
    if as_json:
        emit_json(result.to_json_dict())
        return
    say(result.answer(language))
    print_table(
        HEAD[language],
        (comparison_row(figure, language) for figure in result.figures),
        numbers_from=2,
    )
    different = [item for item in result.dimensions if item.status != "SAME"]
    if different:
        print_table(
            HEAD_OF_DIFFERENCES[language],
            ((item.name, item.status, item.candidate or "unknown", item.baseline or "unknown") for item in different),
            numbers_from=9,
        )
    next_step(f"{shell('beleg', 'gate', candidate, '--baseline', baseline)} --policy POLICY")
