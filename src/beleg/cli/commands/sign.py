"""``beleg sign``: a stored decision, made again from the rows and signed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = "Example: beleg sign runs/new --baseline runs/released --policy policy.yaml --key keys/gate.pem"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def sign(
    run: Annotated[
        Path, typer.Argument(help="Folder of the candidate's run, which was decided on.", show_default=False)
    ],
    policy: Annotated[Path, typer.Option(help="The policy that decided.")],
    key: Annotated[list[str], typer.Option(help="PEM file, env:NAME, or SERVICE:KEY@public.pem; may be given again.")],
    baseline: Annotated[Path | None, typer.Option(help="The baseline that it was decided against.")] = None,
    calibration: Annotated[list[Path] | None, typer.Option(help="As given to beleg gate.")] = None,
    labels: Annotated[Path | None, typer.Option(help="As given to beleg gate.")] = None,
    reviews: Annotated[Path | None, typer.Option(help="As given to beleg gate.")] = None,
    registered: Annotated[Path | None, typer.Option(help="As given to beleg gate.")] = None,
    environment: Annotated[str | None, typer.Option(help="Where it is to hold. [default: the policy's first]")] = None,
    sequence: Annotated[
        int | None, typer.Option(min=1, help="Number of the decision. [default: the time in microseconds]")
    ] = None,
    pack: Annotated[str | None, typer.Option(help="Digest of the audit pack: sha256:<hex>.")] = None,
    bundle: Annotated[bool, typer.Option("--bundle", help="Also write a Sigstore bundle (one key only).")] = False,
    log: Annotated[Path | None, typer.Option(help="Enter it into this decision log first.")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Sign the stored decision of a run as an in-toto statement, after making it again from the rows.

    A decision that the rows do not give, or would not give today, is refused. A PASS also gets a SLSA verification
    summary.
    """
    from beleg.app.signing import DecidedFrom, SigningRequest, sign_stored
    from beleg.app.signing_words import signed

    check_language(language)
    request = SigningRequest(
        keys=tuple(key), environment=environment, sequence=sequence, pack_digest=pack, bundle=bundle, log=log
    )
    given = DecidedFrom(
        baseline=baseline,
        calibrations=tuple(calibration or ()),
        labels=labels,
        reviews=reviews,
        registered=registered,
    )
    made = sign_stored(run, policy, request, given)
    if as_json:
        emit_json(made.predicate.to_json_dict())
        return
    say(signed(made).in_language(language), *(str(path) for path in made.paths))
    next_step(
        shell(
            "beleg",
            "verify",
            run,
            "--trust",
            "trust.dsse.json",
            "--root",
            "root.pub.pem",
            "--manifest",
            run / "run.json",
            "--environment",
            made.predicate.environment,
        )
    )
