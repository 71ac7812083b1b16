"""``beleg trust show``: whose signature counts."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, print_table, say, shell

EPILOG = "Example: beleg trust show trust.dsse.json --root root.pub.pem"


def show(
    file: Annotated[Path, typer.Argument(help="A trust file, signed or not.", show_default=False)],
    root: Annotated[
        list[Path] | None, typer.Option(help="Public key of the root to hold its signature against; repeatable.")
    ] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Show whose signature counts, for what, where and until when.

    Exit code 30 where a root is named and it has not signed the file, or the file has expired.
    """
    from beleg.app.trust_views import HEAD, rows, standing, terms
    from beleg.app.trusting import show_trust

    check_language(language)
    shown = show_trust(file, root or [])
    trust = shown.file
    is_over = trust.expires_at <= datetime.now(UTC)
    if as_json:
        emit_json({"signed_by_root": shown.signed_by_root, "expired": is_over, "trust": trust.to_json_dict()})
    else:
        say(standing(shown, is_over=is_over).in_language(language))
        head = [name.in_language(language) for name in HEAD]
        print_table(head, rows(trust, language), numbers_from=len(head))
        say(*(line.in_language(language) for line in terms(trust)))
        next_step(shell("beleg", "trust", "revoke", file, "--out", f"trust-{int(trust.version) + 1}.json"))
    if is_over or (root and not shown.signed_by_root):
        raise typer.Exit(30)
