"""``beleg verify``: may exactly this candidate be deployed here and now?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell, warn

EPILOG = (
    "Example: beleg verify runs/new --trust trust.dsse.json --root root.pub.pem --manifest candidate.yaml "
    "--environment production --state controller.json"
)

EXIT_UNDECIDED = 30

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
    key: Annotated[
        list[Path] | None, typer.Option(help="For a pack: public key (PEM) of somebody who may sign it; repeatable.")
    ] = None,
    anyone: Annotated[
        bool, typer.Option("--anyone", help="For a pack: only whether it holds, whoever made it.")
    ] = False,
    redactions: Annotated[
        Path | None, typer.Option(help="For a redacted pack: its owner's private map, to restore the texts first.")
    ] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Say whether exactly this candidate may be deployed here and now, or whether an audit pack holds.

    A pack is opened offline: every digest is computed again, and the decision from its rows. Without --key nobody knows
    who made it, which --anyone accepts.

    Only exit 0 deploys. Exit codes: 0 allowed, 10 the gate said REVIEW, 20 BLOCK, 30 not decided or refused for any
    other reason, 2 usage.
    """
    from beleg.app.verifying import is_pack

    check_language(language)
    if is_pack(files):
        _verify_pack(files, key or [], redactions, language, anyone=anyone, as_json=as_json)
    if trust is None or not root or environment is None:
        raise typer.BadParameter("--trust, --root and --environment must be given: nothing is trusted by default")
    _admit(
        files,
        (trust, tuple(root), subject, manifest, environment, state),
        language,
        read_only=read_only,
        as_json=as_json,
    )


def _admit(
    files: list[Path],
    given: tuple[Path, tuple[Path, ...], str | None, Path | None, str, Path | None],
    language: str,
    *,
    read_only: bool,
    as_json: bool,
) -> NoReturn:
    from beleg.app.admission_views import NO_MEMORY, details
    from beleg.app.verifying import Deployment, sentence, subject_of, verify_release

    trust, roots, subject, manifest, environment, state = given
    deployment = Deployment(
        trust=trust,
        roots=roots,
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
        next_step(shell("beleg", "trust", "show", trust, *(word for path in roots for word in ("--root", path))))
    raise typer.Exit(admission.exit_code)


def _verify_pack(
    files: list[Path], keys: list[Path], redactions: Path | None, language: str, *, anyone: bool, as_json: bool
) -> NoReturn:
    from beleg.app.key_files import read_public_key
    from beleg.app.pack_verifying import verify_pack
    from beleg.app.verifying import UNKNOWN_MAKER, pack_of

    path = pack_of(files)
    verdict = verify_pack(path, trusted_keys=[read_public_key(key) for key in keys], redactions=redactions)
    is_known = bool(keys) or anyone
    code = verdict.exit_code if is_known else EXIT_UNDECIDED
    if as_json:
        emit_json({**verdict.to_json_dict(), "exit_code": code})
    else:
        say(*verdict.lines(language))
        next_step(shell("unzip", "-l", path))
    if not is_known:
        warn(UNKNOWN_MAKER.in_language(language))
    raise typer.Exit(code)
