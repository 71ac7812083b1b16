"""``beleg sheet export``: the evidence sheet as Markdown, HTML, CSV, JSON or JSON Lines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.commands.sheet.options import (
    ATTRIBUTION_OPTION,
    CASE_LANGUAGE_OPTION,
    CASE_OPTION,
    HUMAN_OPTION,
    OBSERVATION_OPTION,
    REVIEWER_OPTION,
    REVIEWS_OPTION,
    RUN_ARGUMENT,
    SEGMENT_OPTION,
    SUPPORT_OPTION,
    TEXT_OPTION,
    filter_of,
)
from beleg.cli.output import JSON_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg sheet export runs/new --format html --lang de --out sheet.html"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def export(
    run: Annotated[Path, RUN_ARGUMENT],
    out: Annotated[Path, typer.Option("--out", help="The file to write.", show_default=False)],
    kind: Annotated[str, typer.Option("--format", help="md, html, csv, json or jsonl.")] = "html",
    case: Annotated[list[str] | None, CASE_OPTION] = None,
    segment: Annotated[list[str] | None, SEGMENT_OPTION] = None,
    case_language: Annotated[list[str] | None, CASE_LANGUAGE_OPTION] = None,
    attribution: Annotated[list[str] | None, ATTRIBUTION_OPTION] = None,
    support: Annotated[list[str] | None, SUPPORT_OPTION] = None,
    human: Annotated[list[str] | None, HUMAN_OPTION] = None,
    reviewer: Annotated[list[str] | None, REVIEWER_OPTION] = None,
    observation: Annotated[list[str] | None, OBSERVATION_OPTION] = None,
    text: Annotated[str | None, TEXT_OPTION] = None,
    reviews: Annotated[Path | None, REVIEWS_OPTION] = None,
    language: Annotated[
        str, typer.Option("--lang", "--language", help="Language of heads and verdicts: en or de.")
    ] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Write the evidence sheet, whole or filtered; what machines propose and what people decided stay apart."""
    from beleg.app.sheet_views import export_sheet, sheet_view
    from beleg.app.sheet_words import exported_line

    check_language(language)
    wanted = filter_of(
        cases=case, segments=segment, languages=case_language, attribution=attribution, machine=support, human=human,
        reviewers=reviewer, observations=observation, text=text,
    )  # fmt: skip
    written = export_sheet(sheet_view(run, wanted, reviews=reviews), out, kind=kind, language=language)
    if as_json:
        emit_json(written.to_json())
        return
    say(exported_line(written.claims, written.cases, language), *map(str, written.paths))
    next_step(shell("beleg", "sheet", "show", run))
