"""``beleg review verify``: whether the ledger is as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.commands.review.options import DEFAULT_LEDGER, Ledger, given
from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg review verify --checkpoint heads/2026-11-30.json --public-key auditor.pub.pem"

EXIT_BROKEN = 30

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def verify(
    ledger: Ledger = DEFAULT_LEDGER,
    events: Annotated[Path | None, typer.Option(help="Instead: an export, all events as JSON Lines.")] = None,
    checkpoint: Annotated[
        list[Path] | None, typer.Option(help="A checkpoint that was kept elsewhere; may be repeated.")
    ] = None,
    public_key: Annotated[
        list[Path] | None, typer.Option(help="Who may have signed checkpoints (PEM); may be repeated.")
    ] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Follow the hash chain and name the first broken event; checkpoints show a cut or rewritten ledger.

    Exit codes: 0 whole, 30 broken.
    """
    from beleg.app.review_checkpoints import read_checkpoint, verify_export, verify_ledger
    from beleg.app.review_ledgers import open_ledger
    from beleg.app.review_words import chain_line

    check_language(language)
    heads = [read_checkpoint(path, public_key or ()) for path in checkpoint or ()]
    if events is not None:
        finding = verify_export(events, heads)
    else:
        with open_ledger(ledger, is_read_only=True) as opened:
            finding = verify_ledger(opened, heads)
    if as_json:
        emit_json(finding.model_dump(mode="json"))
    else:
        say(chain_line(finding, language))
        next_step(shell("beleg", "review", "checkpoint", *given(ledger), "--key", "KEY.pem", "--out", "HEAD.json"))
    if not finding.is_whole:
        raise typer.Exit(EXIT_BROKEN)
