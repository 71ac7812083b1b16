"""``beleg review supersede``: replace an own verdict."""

from __future__ import annotations

from typing import Annotated

import typer

from beleg.cli.commands.review.options import DEFAULT_LEDGER, Claim, Ledger, Reason, Reviewer, Run, Version, tell
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
    support: Annotated[
        str | None, typer.Option(help="supported, partially_supported, not_supported or not_assessable.")
    ] = None,
    rationale: Annotated[str | None, typer.Option(help="Why, against the wording of the passage.")] = None,
    missing: Annotated[
        list[str] | None, typer.Option(help="What is missing, for not_assessable; may be repeated.")
    ] = None,
    attribution: Annotated[
        str | None, typer.Option(help="attached, missing, wrong_target, unresolvable or not_assessable.")
    ] = None,
    attribution_rationale: Annotated[str | None, typer.Option(help="Why the attribution is so.")] = None,
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
