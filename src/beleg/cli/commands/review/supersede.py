"""``beleg review supersede``: replace an own verdict."""

from __future__ import annotations

from typing import Annotated

import typer

from beleg.cli.commands.review.options import (
    DEFAULT_LEDGER,
    Attribution,
    AttributionRationale,
    Claim,
    Ledger,
    Missing,
    Reason,
    Reviewer,
    Run,
    Support,
    SupportRationale,
    Version,
    tell,
)
from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language

EPILOG = (
    "Example: beleg review supersede runs/new C-017-1 --as cleo --version 2 --support not_supported "
    "--rationale 'It excludes it.' --reason 'I misread the exclusion.'"
)

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def supersede(
    run: Run,
    claim: Claim,
    reviewer: Reviewer,
    version: Version,
    reason: Reason,
    support: Support = None,
    rationale: SupportRationale = None,
    missing: Missing = None,
    attribution: Attribution = None,
    attribution_rationale: AttributionRationale = None,
    ledger: Ledger = DEFAULT_LEDGER,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Replace an own verdict with a reason. The one before stays, and counts for agreement."""
    from beleg.app.review_lines import line_of
    from beleg.app.reviewing import ReviewDesk
    from beleg.core.review import ReviewEventKind

    check_language(language)
    line = line_of(claim, support, rationale, missing or (), (attribution, attribution_rationale), None)
    with ReviewDesk.open(run, ledger) as desk:
        done = desk.decide(ReviewEventKind.VERDICT_SUPERSEDED, line, by=reviewer, about=version, reason=reason)
    tell(done, (run, reviewer, ledger), language, as_json=as_json)
