"""``beleg policy register``: which policy stood before a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg policy register policy.yaml"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def register(
    policy: Annotated[Path, typer.Argument(help="Policy file (YAML).", show_default=False)],
    file: Annotated[Path, typer.Option(help="The register; each line names the one before.")] = Path("policies.jsonl"),
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Put on record that a policy stands now, so that a decision can show it stood before the run."""
    from beleg.app.policies import register as registered

    check_language(language)
    entry, is_new = registered(policy, file)
    if as_json:
        emit_json({"digest": entry.digest, "version": entry.version, "at": entry.at.isoformat(), "new": is_new})
        return
    at = f"{entry.at:%Y-%m-%d %H:%M} UTC"
    if language == "de":
        say(f"{entry.policy}, Version {entry.version}: {'registriert' if is_new else 'schon registriert'} ({at})")
    else:
        say(f"{entry.policy}, version {entry.version}: {'registered' if is_new else 'registered before'} ({at})")
    say(entry.digest, str(file))
    next_step(shell("beleg", "gate", "RUN", "--policy", policy, "--registered", file))
