"""``beleg log prove``: a proof that a document is in the log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg log prove decisions.log runs/new/decision/decision.dsse.json"


def prove(
    log: Annotated[Path, typer.Argument(help="File of the log.", show_default=False)],
    document: Annotated[Path | None, typer.Argument(help="The document.", show_default=False)] = None,
    entry: Annotated[int | None, typer.Option(min=0, help="Number of the entry, in place of the document.")] = None,
    checkpoint: Annotated[Path | None, typer.Option(help="Under which. [default: the newest beside the log]")] = None,
    out: Annotated[Path | None, typer.Option(help="New file. [default: beside the document]")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Write a proof that a document stands in the log (C2SP tlog-proof); it is verified without the log."""
    from beleg.app.log.proving import prove as write_proof
    from beleg.app.log.words import proof_data, proved

    check_language(language)
    wanted = document if document is not None else entry
    if wanted is None or (document is not None and entry is not None):
        raise typer.BadParameter("name either a document or an entry", param_hint="DOCUMENT")
    made = write_proof(log, wanted, checkpoint=checkpoint, out=out)
    if as_json:
        emit_json(proof_data(made))
        return
    say(proved(made, is_checked=False).in_language(language), str(made.path))
    beside = ("--file", document) if document is not None else ()
    next_step(shell("beleg", "log", "check", made.path, "--key", "keys/log.pub.pem", *beside))
