"""``beleg keys new``: a key pair."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg keys new keys/gate"


def new(
    name: Annotated[Path, typer.Argument(help="NAME.pem and NAME.pub.pem are written.", show_default=False)],
    kind: Annotated[
        str, typer.Option(help="ed25519, or p256 for tools that know no other, such as cosign.")
    ] = "ed25519",
    encrypt: Annotated[
        bool, typer.Option("--encrypt", help="Ask for a password; or take it from BELEG_KEY_PASSWORD.")
    ] = False,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Make a key pair: the private half for its owner alone (mode 0600), the public half for everybody."""
    from beleg.app.keys import new_key

    check_language(language)
    if kind not in ("ed25519", "p256"):
        raise typer.BadParameter(f"{kind!r} is neither ed25519 nor p256", param_hint="--kind")
    made = new_key(name, kind="p256" if kind == "p256" else "ed25519", encrypt=encrypt)
    if as_json:
        emit_json(made.to_json_dict())
        return
    say(made.told(language), str(made.private), str(made.public))
    next_step(shell("beleg", "trust", "new", "trust.json", "--gate", f"the gate={made.public}"))
