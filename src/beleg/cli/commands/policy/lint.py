"""``beleg policy lint``: what is wrong or doubtful in a policy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg policy lint policy.yaml --suite suite/suite.yaml --against released/policy.yaml"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def lint(
    policy: Annotated[Path, typer.Argument(help="Policy file (YAML).", show_default=False)],
    suite: Annotated[str | None, typer.Option(help="Suite on which the policy is to be proven.")] = None,
    run: Annotated[Path | None, typer.Option(help="A run, which tells for which cases each metric is due.")] = None,
    against: Annotated[Path | None, typer.Option(help="An earlier policy; every lowered bar is named.")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Find what is wrong or doubtful in a policy.

    Exit codes: 0 nothing to object to, 10 doubts, 30 errors.
    """
    from beleg.app.policies import LintRequest
    from beleg.app.policies import lint as look_through

    check_language(language)
    report = look_through(LintRequest(policy=policy, suite=suite, run=run, against=against))
    if as_json:
        emit_json(report.to_json_dict())
    else:
        say(*report.lines(language))
        next_step(shell("beleg", "policy", "lint" if report.errors else "explain", policy))
    raise typer.Exit(report.exit_code)
