"""``beleg log verify``: the log as a whole, held against what was known of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg log verify decisions.log --against kept/decisions.log.7.checkpoint --key log.pub.pem"


def verify(
    log: Annotated[Path, typer.Argument(help="File of the log.", show_default=False)],
    against: Annotated[
        list[Path] | None, typer.Option(help="Checkpoint that was kept elsewhere; may be given again.")
    ] = None,
    key: Annotated[Path | None, typer.Option(help="Public half of the log's key (PEM).")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Check every entry, and that earlier checkpoints are a beginning of the log.

    Exit codes: 0 it is, 30 an entry was changed, added in between or cut off.
    """
    from beleg.app.log.checkpointing import verify_log
    from beleg.app.log.words import log_data, state, verified

    check_language(language)
    found = verify_log(log, against or (), key)
    if as_json:
        emit_json(log_data(found))
        return
    say(*(line.in_language(language) for line in (*verified(found), state(found.checkpoint))))
    next_step(shell("beleg", "log", "checkpoint", log, "--key", "keys/log.pem"))
