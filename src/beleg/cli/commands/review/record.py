"""``beleg review record``: a verdict from the command line, or many from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.commands.review.options import (
    DEFAULT_LEDGER,
    Attribution,
    AttributionRationale,
    Ledger,
    Missing,
    Reviewer,
    Run,
    Support,
    SupportRationale,
    tell,
)
from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language

EPILOG = (
    "Examples: beleg review record runs/new C-017-1 --as ada --support not_supported --rationale 'It excludes it.'   "
    "beleg review record runs/new --file verdicts.csv --as ada"
)

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def record(
    run: Run,
    reviewer: Reviewer,
    claim: Annotated[str | None, typer.Argument(help="The claim.", show_default=False)] = None,
    support: Support = None,
    rationale: SupportRationale = None,
    missing: Missing = None,
    attribution: Attribution = None,
    attribution_rationale: AttributionRationale = None,
    note: Annotated[str | None, typer.Option(help="What stays open.")] = None,
    file: Annotated[
        Path | None, typer.Option(help="Instead: verdicts in JSON Lines, JSON, YAML or CSV, recorded all or none.")
    ] = None,
    ledger: Ledger = DEFAULT_LEDGER,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Record verdicts. The same recorded again is recorded once; nothing is ever overwritten."""
    from beleg.app.review_lines import line_of, read_verdict_lines
    from beleg.app.reviewing import ReviewDesk

    check_language(language)
    if (claim is None) == (file is None):
        raise typer.BadParameter("name a claim, or --file", param_hint="CLAIM")
    if file is not None:
        lines = read_verdict_lines(file)
    else:
        lines = [line_of(claim or "", support, rationale, missing or (), (attribution, attribution_rationale), note)]
    with ReviewDesk.open(run, ledger) as desk:
        done = desk.record(lines, by=reviewer)
    tell(done, (run, reviewer, ledger), language, as_json=as_json)
