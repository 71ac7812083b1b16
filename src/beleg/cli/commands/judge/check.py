"""``beleg judge check``: what a judge can do, found out by asking it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say

EPILOG = "Example: beleg judge check judge.yaml"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def check(
    judge: Annotated[Path, typer.Argument(help="Judge file (YAML).", show_default=False)],
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Ask a judge a few tiny questions: whether it answers, how JSON is had from it, whether it gives probabilities."""
    from beleg.app.judge_checking import check_judge

    check_language(language)
    found = check_judge(judge)
    if as_json:
        emit_json(found.to_json_dict())
        return
    say(*found.lines(language))
    next_step("beleg judge run RUN --judge JUDGE --plan")
