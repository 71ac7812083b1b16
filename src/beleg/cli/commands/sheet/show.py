"""``beleg sheet show``: the claims of a sheet on the terminal."""

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
from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg sheet show runs/new --support not_supported --case-language de"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def show(
    run: Annotated[Path, RUN_ARGUMENT],
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
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most so many answers.")] = 20,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Show claims with their citations, passages, proposals and verdicts; a filter says which."""
    from beleg.app.sheet_views import sheet_view, shown_lines, shown_page

    check_language(language)
    wanted = filter_of(
        cases=case, segments=segment, languages=case_language, attribution=attribution, machine=support, human=human,
        reviewers=reviewer, observations=observation, text=text,
    )  # fmt: skip
    view = sheet_view(run, wanted, reviews=reviews)
    page = shown_page(view, limit=limit)
    if as_json:
        emit_json(page.to_json())
        return
    say(*shown_lines(page, language))
    next_step(shell("beleg", "sheet", "export", run, "--format", "html", "--out", "sheet.html"))
