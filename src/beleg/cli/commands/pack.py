"""``beleg pack``: a decision with everything that it rests on, as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell, warn

EPILOG = "Example: beleg pack runs/new --baseline runs/released --policy policy.yaml --out release.pack.zip"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def pack(
    run: Annotated[Path, typer.Argument(help="Folder of a run that was decided on.", show_default=False)],
    baseline: Annotated[Path | None, typer.Option(help="Folder of the run that it was compared with.")] = None,
    policy: Annotated[Path | None, typer.Option(help="Policy file that decided.")] = None,
    calibration: Annotated[
        list[Path] | None, typer.Option(help="Record of a judge, or a folder of them; may be given again.")
    ] = None,
    labels: Annotated[Path | None, typer.Option(help="Scores of people that the decision used.")] = None,
    reviews: Annotated[Path | None, typer.Option(help="Review events, exported from a ledger.")] = None,
    checkpoint: Annotated[Path | None, typer.Option(help="The signed head of that ledger.")] = None,
    redact: Annotated[
        str, typer.Option(help="Kinds of text to redact: answers,passages,principals,prompts,questions.")
    ] = "",
    redact_texts: Annotated[Path | None, typer.Option(help="File of texts to redact, one a line.")] = None,
    redactions: Annotated[
        Path | None, typer.Option(help="Private map of what was redacted. [default: beside the pack]")
    ] = None,
    key: Annotated[
        str | None, typer.Option(help="Sign by this key: PEM file, env:NAME, or SERVICE:KEY@public.pem.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where the pack goes. [default: NAME.pack.zip]")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Write a decision with everything that it rests on into one file, and list what is missing.

    The same content gives the same bytes. Whoever has the file can verify every digest, and decide again from its rows,
    without a network and without you.
    """
    from beleg.app.pack_contents import PackInputs
    from beleg.app.packing import PackRequest, pack_run
    from beleg.app.signers import open_signers

    check_language(language)
    request = PackRequest(
        inputs=PackInputs(
            run=run,
            baseline=baseline,
            policy=policy,
            calibrations=tuple(calibration or ()),
            labels=labels,
            reviews=reviews,
            checkpoint=checkpoint,
        ),
        redact=tuple(name.strip() for name in redact.split(",") if name.strip()),
        redact_texts=redact_texts,
        redactions=redactions,
        signer=None if key is None else open_signers([key])[0],
    )
    outcome = pack_run(request, out)
    warn(*outcome.warnings)
    if as_json:
        emit_json(outcome.to_json_dict())
        return
    say(*outcome.lines(language))
    next_step(shell("beleg", "verify", outcome.path))
