"""``beleg trust revoke``: the next version of a trust file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg trust revoke trust.dsse.json --statement decision.dsse.json --out trust-2.json"


def revoke(
    file: Annotated[Path, typer.Argument(help="The trust file in force.", show_default=False)],
    out: Annotated[Path, typer.Option(help="The next version to write; nothing is overwritten.")],
    statement: Annotated[
        list[str] | None, typer.Option(help="A decision or override, or the SHA-256 of its payload; repeatable.")
    ] = None,
    key: Annotated[list[str] | None, typer.Option(help="The id of a key, or how it begins; repeatable.")] = None,
    minimum_sequence: Annotated[
        list[str] | None, typer.Option(help="ENVIRONMENT=NUMBER: decisions below it do not count; repeatable.")
    ] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Write the next version of a trust file, which takes statements or keys back. It ends when the one before ends."""
    from beleg.app.trust_views import taken_back
    from beleg.app.trusting import revoke as revoke_in
    from beleg.app.trusting import write_plain

    check_language(language)
    after = revoke_in(file, statements=statement or (), keys=key or (), minimum_sequence=minimum_sequence or ())
    write_plain(after, out)
    if as_json:
        emit_json(after.to_json_dict())
        return
    say(taken_back(after).in_language(language), str(out))
    next_step(shell("beleg", "trust", "sign", out, "--key", "root.pem", "--out", out.with_suffix(".dsse.json")))
