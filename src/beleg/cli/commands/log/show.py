"""``beleg log show``: the entries of a log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, print_table, say, shell

EPILOG = "Example: beleg log show decisions.log"

_HEAD = {"en": ("entry", "entered (UTC)", "kind", "document", "sha256"),
         "de": ("Eintrag", "eingetragen (UTC)", "Art", "Dokument", "SHA-256")}  # fmt: skip


def show(
    log: Annotated[Path, typer.Argument(help="File of the log.", show_default=False)],
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """List the entries of a log; every line is checked against its own hash."""
    from beleg.app.log.checkpointing import verify_log
    from beleg.app.log.words import kind_in_words, log_data, state

    check_language(language)
    found = verify_log(log)
    if as_json:
        emit_json(log_data(found))
        return
    say(state(found.checkpoint).in_language(language))
    rows = [
        (
            str(index),
            f"{entry.at:%Y-%m-%d %H:%M:%S}",
            kind_in_words(entry.kind).in_language(language),
            entry.name,
            entry.sha256[:16],
        )
        for index, entry in enumerate(found.entries)
    ]
    print_table(_HEAD[language], rows, numbers_from=len(_HEAD[language]))
    next_step(shell("beleg", "log", "verify", log, "--against", "OLD.checkpoint", "--key", "keys/log.pub.pem"))
