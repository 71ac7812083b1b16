"""``beleg policy explain``: every rule in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg policy explain policy.yaml --lang de"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def explain(
    policy: Annotated[Path, typer.Argument(help="Policy file (YAML).", show_default=False)],
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Say every rule of a policy in one sentence."""
    from beleg.app.policies import explain as explained

    check_language(language)
    rules = explained(policy)
    if as_json:
        emit_json({"rules": [{"field": rule.field, "sentence": rule.sentence.to_json_dict()} for rule in rules]})
        return
    say(f"{policy}: {len(rules)} {'Sätze' if language == 'de' else 'sentences'}")
    say(*(f"- {rule.sentence.in_language(language)}." for rule in rules))
    next_step(shell("beleg", "policy", "prove", policy))
