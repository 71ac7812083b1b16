"""``beleg replay``: the frozen cases of a stored run, asked anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell, warn

if TYPE_CHECKING:
    from beleg.app.replaying import ReplayResult

EPILOG = "Example: beleg replay runs/released candidates/released.yaml --out runs/released-again"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def replay(
    run: Annotated[Path, typer.Argument(help="Folder of the stored run.", show_default=False)],
    candidate: Annotated[Path, typer.Argument(help="Candidate file (YAML).", show_default=False)],
    out: Annotated[Path, typer.Option(help="Folder of the new run.")],
    resume: Annotated[bool, typer.Option("--resume", help="Finish a replay that was killed.")] = False,
    usage: Annotated[Path | None, typer.Option(help="Ledger of use; needed where uses of the suite count.")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Ask the frozen cases of a stored run anew, under its settings, into a new run.

    The stored run is only read; the new one names it with the digests of all that it held.
    """
    from beleg.app.replaying import ReplayCommand, replay_run
    from beleg.cli.progress import progress_line

    check_language(language)
    command = ReplayCommand(source=run, candidate=candidate, out=out, resume=resume, usage=usage)
    with progress_line(candidate.stem) as on_progress:
        result = replay_run(command, on_progress)
    warn(*result.warnings)
    if as_json:
        emit_json(result.to_json_dict())
        return
    _print(result, run, language)


def _print(result: ReplayResult, source: Path, language: str) -> None:
    from beleg.cli.progress import failure_lines

    outcome = result.outcome
    answered, expected = outcome.already_done + outcome.progress.done - outcome.failed, outcome.header.expected_rows
    changed = ", ".join(sorted(result.changed()))
    if language == "de":
        differs = f"im Manifest verschieden: {changed}" if changed else "das Manifest ist gleich"
        say(f"{answered} von {expected} Antworten zu denselben Fällen wie in {result.link.run_id} · {differs}")
        say(f"Neuer Lauf {outcome.header.run_id} in {outcome.folder.path}")
    else:
        differs = f"the manifest differs in: {changed}" if changed else "the manifest is the same"
        say(f"{answered} of {expected} answers to the same cases as in {result.link.run_id} · {differs}")
        say(f"New run {outcome.header.run_id} in {outcome.folder.path}")
    say(*failure_lines(outcome.progress))
    next_step(f"{shell('beleg', 'compare', outcome.folder.path, source)} --claims")
