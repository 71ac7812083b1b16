"""``beleg trust new``: a trust file from public keys."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg trust new trust.json --gate 'the gate=gate.pub.pem' --owner 'Ada=ada.pub.pem'"


def new(
    out: Annotated[Path, typer.Argument(help="The file to write; nothing is overwritten.", show_default=False)],
    gate: Annotated[list[str], typer.Option(help="NAME=PUBLIC_KEY.pem that may sign decisions; repeatable.")],
    owner: Annotated[
        list[str] | None, typer.Option(help="NAME=PUBLIC_KEY.pem that may sign overrides; repeatable.")
    ] = None,
    environment: Annotated[
        list[str] | None, typer.Option(help="Where the keys count; repeatable. [default: production]")
    ] = None,
    version: Annotated[int, typer.Option(min=1, help="Higher than that of every trust file before.")] = 1,
    days: Annotated[int, typer.Option(min=1, max=3_650, help="How long the file counts.")] = 90,
    key_days: Annotated[int, typer.Option(min=1, max=3_650, help="How long each key counts.")] = 365,
    decision_threshold: Annotated[int, typer.Option(min=1, help="How many gates must sign a decision.")] = 1,
    override_threshold: Annotated[int, typer.Option(min=1, help="How many owners must sign an override.")] = 1,
    max_decision_age_hours: Annotated[int, typer.Option(min=1, help="Older decisions do not count.")] = 72,
    max_override_hours: Annotated[int, typer.Option(min=1, help="Longer overrides do not count.")] = 72,
    require_pack: Annotated[
        bool, typer.Option("--require-pack", help="Decisions without an audit pack do not count.")
    ] = False,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Write a trust file from public keys, to be read by people and signed by the offline root."""
    from beleg.app.trust_views import made
    from beleg.app.trusting import TrustTerms, new_trust, write_plain

    check_language(language)
    terms = TrustTerms(
        environments=tuple(environment or ("production",)),
        days=days,
        key_days=key_days,
        decision_threshold=decision_threshold,
        override_threshold=override_threshold,
        max_decision_age_hours=max_decision_age_hours,
        max_override_hours=max_override_hours,
        require_evidence_pack=require_pack,
    )
    file = new_trust(gate, owner or [], terms, version=version)
    write_plain(file, out)
    if as_json:
        emit_json(file.to_json_dict())
        return
    say(made(file).in_language(language), str(out))
    next_step(shell("beleg", "trust", "sign", out, "--key", "root.pem", "--out", out.with_suffix(".dsse.json")))
