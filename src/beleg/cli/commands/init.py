"""``beleg init``: a project that works as it is."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import check_language, emit_json, next_step, say

EPILOG = "Example: beleg init my-project --lang de"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the project.")] = Path(),
    language: Annotated[str, typer.Option("--lang", help="Language of comments and README: en or de.")] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="List the files as JSON.")] = False,
) -> None:
    """Make a project: an example suite, policy, two candidates and a CI workflow. Nothing is ever overwritten."""
    from beleg.app.scaffold import scaffold

    check_language(language)
    written = scaffold(folder, language=language)
    if as_json:
        emit_json({"folder": str(folder), "files": [path.relative_to(folder).as_posix() for path in written]})
        return
    say(f"{len(written)} files in {folder}; README.md says what each is for")
    say(*(str(path) for path in written))
    enter = "" if folder == Path() else f"cd {shlex.quote(str(folder))} && "
    next_step(f"{enter}beleg suite validate suite/suite.yaml")
