"""``beleg trust sign``: the word of the offline root."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg trust sign trust.json --key root.pem --out trust.dsse.json"


def sign(
    file: Annotated[Path, typer.Argument(help="The trust file, as 'beleg trust new' wrote it.", show_default=False)],
    key: Annotated[Path, typer.Option(help="Private key of the root: PEM, readable by its owner alone.")],
    out: Annotated[Path, typer.Option(help="The signed file to write; nothing is overwritten.")],
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Sign a trust file with the offline root. Read it before: whoever it names may release."""
    from beleg.app.trust_views import signed
    from beleg.app.trusting import sign_trust_file

    check_language(language)
    file_signed = sign_trust_file(file, key, out)
    if as_json:
        emit_json(file_signed.to_json_dict())
        return
    say(signed(file_signed).in_language(language), str(out))
    next_step(shell("beleg", "trust", "show", out, "--root", "root.pub.pem"))
