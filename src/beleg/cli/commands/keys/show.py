"""``beleg keys show``: the public side of a key."""

from __future__ import annotations

from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, say

EPILOG = "Example: beleg keys show keys/gate.pem"


def show(
    key: Annotated[str, typer.Argument(help="PEM file, env:NAME or a key service.", show_default=False)],
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Show the id and the public half of a key; nothing of the private half."""
    from beleg.app.keys import show_key

    check_language(language)
    shown = show_key(key)
    if as_json:
        emit_json({"key_id": shown.key_id, "public_key": shown.public_key})
        return
    say(shown.key_id, *shown.public_key.strip().splitlines())
