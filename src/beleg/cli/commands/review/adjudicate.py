"""``beleg review adjudicate``: settle a disagreement."""

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
    "Example: beleg review adjudicate runs/new C-017-1 --as cleo --version 2 --support not_supported "
    "--rationale 'It excludes it.' --reason 'By the wording of p04.'"
)

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def adjudicate(
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
    """Settle a disagreement as a third person. The originals stay, and count for agreement."""
    from beleg.app.review_lines import line_of
    from beleg.app.reviewing import ReviewDesk
    from beleg.core.review import ReviewEventKind

    check_language(language)
    line = line_of(claim, support, rationale, missing or (), (attribution, attribution_rationale), None)
    with ReviewDesk.open(run, ledger) as desk:
        done = desk.decide(ReviewEventKind.ADJUDICATED, line, by=reviewer, about=version, reason=reason)
    tell(done, (run, reviewer, ledger), language, as_json=as_json)
