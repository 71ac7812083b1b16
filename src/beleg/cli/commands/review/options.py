"""Options that the commands around reviews share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from beleg.cli.output import emit_json, next_step, say, shell

if TYPE_CHECKING:
    from beleg.app.reviewing import Recorded

Run = Annotated[Path, typer.Argument(help="Folder of the run; its sheet was built.", show_default=False)]
Claim = Annotated[str, typer.Argument(help="The claim, as the sheet names it.", show_default=False)]
Ledger = Annotated[
    str,
    typer.Option(
        "--ledger",
        envvar="BELEG_LEDGER",
        help="File of the ledger, or postgresql+pg8000://ROLE@HOST/DATABASE?password_env=VARIABLE.",
    ),
]
Reviewer = Annotated[str, typer.Option("--as", envvar="BELEG_REVIEWER", help="Who acts, by name.", show_default=False)]
Version = Annotated[int, typer.Option("--version", min=1, help="The version in the history that it is about.")]
Reason = Annotated[str, typer.Option(help="Why.")]
Support = Annotated[str | None, typer.Option(help="supported, partially_supported, not_supported or not_assessable.")]
SupportRationale = Annotated[str | None, typer.Option(help="Why, against the wording of the passage.")]
Missing = Annotated[list[str] | None, typer.Option(help="What is missing, for not_assessable; may be repeated.")]
Attribution = Annotated[
    str | None, typer.Option(help="attached, missing, wrong_target, unresolvable or not_assessable.")
]
AttributionRationale = Annotated[str | None, typer.Option(help="Why the attribution is so.")]

DEFAULT_LEDGER = "reviews.db"


def tell(done: Recorded, given_as: tuple[Path, str, str], language: str, *, as_json: bool) -> None:
    """Says what was recorded; ``given_as`` holds run, reviewer and ledger for the next command."""
    from beleg.app.review_words import recorded_line

    if as_json:
        events = [event.to_json_dict() for event in done.events]
        emit_json({"events": events, "recorded": done.new, "recorded_before": done.known, "rows_changed": done.rebuilt})
        return
    say(recorded_line(done, language))
    run, reviewer, ledger = given_as
    next_step(shell("beleg", "review", "open", run, "--as", reviewer, *given(ledger)))


def given(ledger: str) -> tuple[str, ...]:
    """The option that names the ledger, where it is not the usual file."""
    return () if ledger == DEFAULT_LEDGER else ("--ledger", ledger)
