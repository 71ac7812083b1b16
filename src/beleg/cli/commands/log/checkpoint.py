"""``beleg log checkpoint``: the state of a log, signed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg log checkpoint decisions.log --key keys/log.pem"


def checkpoint(
    log: Annotated[Path, typer.Argument(help="File of the log.", show_default=False)],
    key: Annotated[str, typer.Option(help="Ed25519 key: PEM file, env:NAME, or SERVICE:KEY@public.pem.")],
    out: Annotated[Path | None, typer.Option(help="New file. [default: LOG.SIZE.checkpoint]")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Sign how many entries the log has and what their root is (C2SP checkpoint).

    Copy the file to where those who write the log cannot reach it. A log that contradicts a checkpoint beside it is
    not signed.
    """
    from beleg.app.log.checkpointing import write_checkpoint
    from beleg.app.log.words import checkpoint_data, signed

    check_language(language)
    made = write_checkpoint(log, key, out)
    if as_json:
        emit_json({**checkpoint_data(made.checkpoint), "verifier": made.verifier, "path": str(made.path)})
        return
    say(signed(made).in_language(language), made.verifier, str(made.path))
    next_step(shell("beleg", "log", "verify", log, "--against", made.path, "--key", "keys/log.pub.pem"))
