"""``beleg verify``: may exactly this candidate be deployed here and now?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell, warn

EPILOG = (
    "Example: beleg verify runs/new --trust trust.dsse.json --root root.pub.pem --manifest candidate.yaml "
    "--environment production --state controller.json"
)

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def verify(
    files: Annotated[
        list[Path],
        typer.Argument(help="Signed decisions and overrides, folders of them, or a run.", show_default=False),
    ],
    trust: Annotated[Path | None, typer.Option(help="The signed trust file.")] = None,
    root: Annotated[
        list[Path] | None,
        typer.Option(help="Public key of the offline root (PEM), got by another way than the trust file; repeatable."),
    ] = None,
    subject: Annotated[str | None, typer.Option(help="Digest of what is about to be deployed.")] = None,
    manifest: Annotated[
        Path | None, typer.Option(help="Its manifest instead, from which the digest is computed: YAML or JSON.")
    ] = None,
    environment: Annotated[str | None, typer.Option(help="Where it is about to be deployed.")] = None,
    state: Annotated[
        Path | None, typer.Option(help="Memory of what was seen, so that nothing older comes back.")
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Look at the memory and do not change it.")] = False,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Say whether exactly this candidate may be deployed here and now.

    Only exit 0 deploys. Exit codes: 0 allowed, 10 the gate said REVIEW, 20 BLOCK, 30 not decided or refused for any
    other reason, 2 usage.
    """
    from beleg.app.admission_views import NO_MEMORY, details
    from beleg.app.verifying import Deployment, is_pack, sentence, subject_of, verify_pack, verify_release

    check_language(language)
    if is_pack(files):
        verify_pack(files)
    if trust is None or not root or environment is None:
        raise typer.BadParameter("--trust, --root and --environment must be given: nothing is trusted by default")
    deployment = Deployment(
        trust=trust,
        roots=tuple(root),
        subject=subject_of(subject, manifest),
        environment=environment,
        state=state,
        read_only=read_only,
    )
    admission = verify_release(files, deployment)
    headline = sentence(admission)
    if as_json:
        answer = {"headline": headline.to_json_dict(), "exit_code": admission.exit_code}
        emit_json({**answer, **admission.to_json_dict()})
    else:
        say(headline.in_language(language), *(line.in_language(language) for line in details(admission)))
        if state is None:
            warn(NO_MEMORY.in_language(language))
        next_step(shell("beleg", "trust", "show", trust, *(word for path in root for word in ("--root", path))))
    raise typer.Exit(admission.exit_code)
