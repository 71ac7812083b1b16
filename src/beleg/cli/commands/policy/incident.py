"""``beleg policy incident``: what uses up the error budget."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say

EPILOG = "Example: beleg policy incident --kind failed_release --note 'Rolled back: wrong prices' --reference OPS-12"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def incident(
    note: Annotated[str, typer.Option(help="What happened.", show_default=False)],
    kind: Annotated[str, typer.Option(help="failed_release or incident.")] = "incident",
    weight: Annotated[float, typer.Option(help="How much of the budget it uses up.")] = 1.0,
    reference: Annotated[str | None, typer.Option(help="Where more stands, such as a ticket.")] = None,
    file: Annotated[Path, typer.Option(help="The file of incidents that the policy names.")] = Path("incidents.jsonl"),
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Record a failed release or an incident; the gate counts them against the policy's error budget."""
    from beleg.app.policies import add_incident

    check_language(language)
    entries = add_incident(file, kind, note, weight=weight, reference=reference)
    if as_json:
        emit_json({"file": str(file), "entries": entries})
        return
    say(f"{file}: {entries} {'Einträge' if language == 'de' else 'entries'}")
    next_step("beleg gate RUN --policy policy.yaml")
