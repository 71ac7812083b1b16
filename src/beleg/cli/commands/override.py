"""``beleg override``: a named owner answers for checks that did not pass."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, shell

EPILOG = (
    "Example: beleg override runs/new --policy policy.yaml --check latency_ms/p95/band --owner 'A. Weiss' "
    "--reason '…' --ticket OPS-12 --control '…' --hours 24 --key keys/weiss.pem"
)

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def override(
    run: Annotated[
        Path, typer.Argument(help="Folder of the run, or with --countersign the override.", show_default=False)
    ],
    key: Annotated[str, typer.Option(help="The owner's key: PEM file, env:NAME, or SERVICE:KEY@public.pem.")],
    policy: Annotated[Path | None, typer.Option(help="The policy that decided.")] = None,
    check: Annotated[list[str] | None, typer.Option(help="Check that did not pass; all of them must be named.")] = None,
    owner: Annotated[str, typer.Option(help="Who answers for it.")] = "",
    reason: Annotated[str, typer.Option(help="Why it may pass nevertheless.")] = "",
    ticket: Annotated[str, typer.Option(help="Where it is followed up.")] = "",
    control: Annotated[str, typer.Option(help="What protects users in the meantime.")] = "",
    hours: Annotated[int, typer.Option(help="How long it holds.")] = 24,
    countersign: Annotated[bool, typer.Option("--countersign", help="Add the signature of a second owner.")] = False,
    log: Annotated[Path | None, typer.Option(help="Enter it into this decision log first.")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Let a candidate pass in spite of checks: signed by a named owner, for named checks, until a named hour.

    The verdict stays what it is. Only checks that the policy lets be waived can be overridden, and only all of those
    that did not pass together.
    """
    from beleg.app.overriding import OverrideRequest, make_override
    from beleg.app.overriding import countersign as add_signature
    from beleg.app.signing_words import overridden

    check_language(language)
    if countersign:
        made = add_signature(run, key, log=log)
    elif policy is None:
        raise typer.BadParameter("name the policy that decided", param_hint="--policy")
    else:
        request = OverrideRequest(
            checks=tuple(check or ()),
            owner=owner,
            reason=reason,
            ticket=ticket,
            compensating_control=control,
            hours=hours,
        )
        made = make_override(run, policy, request, key, log=log)
    if as_json:
        emit_json(made.override.to_json_dict() | {"path": str(made.path), "signatures": made.signatures})
        return
    say(*(line.in_language(language) for line in overridden(made)), str(made.path))
    if made.needs_second:
        next_step(shell("beleg", "override", made.path, "--countersign", "--key", "KEY"))
    else:
        next_step("beleg report with the same options as before, to show it on every page")
