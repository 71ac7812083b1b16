"""``beleg workbench add-account``: the first account, which no page can make."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, emit_json, next_step, say, shell

EPILOG = "Example: beleg workbench add-account ada --tenant acme --role admin --role owner --settings workbench.yaml"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def add_account(
    name: Annotated[str, typer.Argument(help="By which the person signs in, and which reviews will carry.")],
    settings: Annotated[Path, typer.Option(help="The settings of the workbench.")],
    role: Annotated[list[str], typer.Option(help="reviewer, owner, auditor or admin; may be repeated.")],
    tenant: Annotated[str, typer.Option(help="Whose projects the person sees.")],
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the first password from standard input.")
    ] = False,
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Make an account. Its first password is random and shown once, unless standard input gives one."""
    from beleg.app.workbench.team import add_account as add

    given = sys.stdin.readline().rstrip("\r\n") if password_stdin else None
    account, password = add(settings, tenant=tenant, name=name, roles=tuple(role), password=given)
    if as_json:
        emit_json(
            {"tenant": tenant, "name": account.name, "roles": sorted(account.roles)}
            | ({} if password_stdin else {"password": password})
        )
        return
    say(f"{account.name} may sign in to {tenant}")
    if not password_stdin:
        say(f"Password, shown only now: {password}")
    next_step(shell("beleg", "serve", "--settings", str(settings)))
