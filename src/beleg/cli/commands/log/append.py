"""``beleg log append``: documents into the log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell, warn

EPILOG = "Example: beleg log append decisions.log trust.dsse.json runs/new/decision/decision.dsse.json"


def append(
    log: Annotated[Path, typer.Argument(help="File of the log; made where there is none.", show_default=False)],
    files: Annotated[list[Path], typer.Argument(help="Signed files and audit packs.", show_default=False)],
    kind: Annotated[
        str | None,
        typer.Option(help="What they are: decision, override, summary, trust, review_head or pack. [default: seen]"),
    ] = None,
    origin: Annotated[
        str | None, typer.Option(help="Name of a new log, such as example.com/releases. [default: random]")
    ] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Enter documents into the log; what is there already is not entered twice.

    The log keeps their digests, and the documents themselves but for packs. Whose signatures they bear is not checked.
    """
    from beleg.app.log.appending import enter_files
    from beleg.app.log.words import dropped, entered, entry_data
    from beleg.core.decision_log import LogKind

    check_language(language)
    if kind is not None and kind not in tuple(LogKind):
        raise typer.BadParameter(f"{kind!r} is none of {', '.join(LogKind)}", param_hint="--kind")
    done = enter_files(log, files, kind=None if kind is None else LogKind(kind), origin=origin)
    removed = dropped(done)
    if removed is not None:
        warn(removed.in_language(language))
    if as_json:
        emit_json({"entered": [{**entry_data(each.index, each.entry), "is_new": each.is_new} for each in done]})
        return
    say(*(entered(each).in_language(language) for each in done), str(log))
    next_step(shell("beleg", "log", "checkpoint", log, "--key", "keys/log.pem"))
