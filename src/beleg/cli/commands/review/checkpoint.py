"""``beleg review checkpoint``: the head of the ledger, signed and kept elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.commands.review.options import DEFAULT_LEDGER, Ledger, given
from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg review checkpoint --key auditor.pem --out heads/2026-11-30.json"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def checkpoint(
    out: Annotated[Path, typer.Option(help="File of the checkpoint; an existing one is never overwritten.")],
    key: Annotated[list[str], typer.Option(help="PEM file, env:NAME, or SERVICE:KEY@public.pem; may be repeated.")],
    ledger: Ledger = DEFAULT_LEDGER,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Sign how long the ledger is and what its last hash is, once its chain was found whole."""
    from beleg.app.review_checkpoints import write_checkpoint
    from beleg.app.review_ledgers import open_ledger

    check_language(language)
    with open_ledger(ledger, is_read_only=True) as opened:
        head = write_checkpoint(opened, out, key)
    if as_json:
        emit_json(head.to_json_dict())
        return
    if language == "de":
        say(f"Prüfpunkt über {head.size} Ereignisse · letzter Hash {head.hash[:16]}…")
        say("Bewahren Sie ihn dort auf, wo niemand schreibt, der das Register schreibt", str(out))
    else:
        say(f"Checkpoint over {head.size} events · last hash {head.hash[:16]}…")
        say("Keep it where nobody who writes to the ledger can write", str(out))
    verify = ("beleg", "review", "verify", *given(ledger), "--checkpoint", out, "--public-key", "KEY.pub.pem")
    next_step(shell(*verify))
