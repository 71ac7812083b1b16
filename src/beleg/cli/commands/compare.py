"""``beleg compare``: two runs, measure by measure."""

from __future__ import annotations

from collections.abc import Sequence
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
EPILOG = "Example: beleg compare runs/new runs/released --by language   or: ... --claims"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def compare(
    candidate: Annotated[Path, typer.Argument(help="Folder of one run.", show_default=False)],
    baseline: Annotated[Path, typer.Argument(help="Folder of the other run.", show_default=False)],
    metric: Annotated[list[str] | None, typer.Option(help="Only this metric; may be repeated.")] = None,
    by: Annotated[list[str] | None, typer.Option(help="Also by this dimension; may be repeated.")] = None,
    claims: Annotated[bool, typer.Option("--claims", help="Case by case and claim by claim instead.")] = False,
    case: Annotated[list[str] | None, typer.Option(help="With --claims: tell of this case; may be repeated.")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Compare two runs on the same cases: figures, paired differences with intervals, what differs in the manifests.

    It shows; it does not decide. Decisions are made by `beleg gate` under a policy.

    With --claims the runs are held beside each other case by case and claim row by claim row, the new run first: query,
    sources, locators, answer, configuration, citations and passages are the same, changed or not comparable. The result
    is kept as comparison.json in the folder of the new run.
    """
    if claims:
        if metric or by:
            raise typer.BadParameter("takes neither --metric nor --by", param_hint="--claims")
        compare_claims(candidate, baseline, case or (), check_language(language), as_json=as_json)
        return
    if case:
        raise typer.BadParameter("needs --claims", param_hint="--case")
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


def compare_claims(new: Path, old: Path, only: Sequence[str], language: str, *, as_json: bool) -> None:
    """Says what is the same in two runs, case by case.

    Args:
        new: the folder of the new run.
        old: the folder of the old run.
        only: tells of these cases alone; of all where none is named.
        language: ``en`` or ``de``.
        as_json: as JSON data instead.
    """
    from beleg.app.case_comparing import compare_cases, store_comparison
    from beleg.app.cases_terminal import answer_of, case_lines, count_table, first_to_look_at

    comparison = compare_cases(new, old)
    lines = list(case_lines(comparison, language, only=only))
    written = store_comparison(comparison, new, language=language) if new.is_dir() else ()
    if as_json:
        emit_json(comparison.to_json_dict())
        return
    say(answer_of(comparison, language))
    print_table(*count_table(comparison, language))
    say(*lines, *(str(path) for path in written))
    first = first_to_look_at(comparison)
    look = shell("beleg", "show", first, "--run", new) if first else shell("beleg", "score", new)
    next_step(look)
