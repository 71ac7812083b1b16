"""``beleg log check``: a proof, verified without the log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, say

EPILOG = "Example: beleg log check decision.dsse.json.tlog-proof --key log.pub.pem --file decision.dsse.json"


def check(
    proof: Annotated[Path, typer.Argument(help="File that 'beleg log prove' wrote.", show_default=False)],
    key: Annotated[Path, typer.Option(help="Public half of the log's key (PEM).")],
    file: Annotated[Path | None, typer.Option(help="The document that it must be about.")] = None,
    origin: Annotated[str | None, typer.Option(help="The log that it must be about.")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Verify a proof with nothing but the key of the log. Exit codes: 0 it holds, 30 it does not."""
    from beleg.app.log.proving import check_proof
    from beleg.app.log.words import not_compared, proof_data, proved

    check_language(language)
    found = check_proof(proof, key, document=file, origin=origin)
    if as_json:
        emit_json(proof_data(found))
        return
    say(proved(found, is_checked=True).in_language(language))
    say(str(file) if file is not None else not_compared(found).in_language(language))
