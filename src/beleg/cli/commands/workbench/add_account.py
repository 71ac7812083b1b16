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
    ask_password: Annotated[bool, typer.Option("--ask-password", help="Type the first password, twice.")] = False,
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Make an account. Its first password is random and shown once, unless you type it or standard input gives it."""
    from beleg.app.asking import asked_twice
    from beleg.app.workbench.team import add_account as add
    from beleg.core.errors import UsageError

    if password_stdin and ask_password:
        raise UsageError("the password comes either from standard input or from you", hint="Leave one of the two away")
    given = sys.stdin.readline().rstrip("\r\n") if password_stdin else None
    if ask_password:
        given = asked_twice(name, otherwise="Use --password-stdin, or run this at a terminal")
    account, password = add(settings, tenant=tenant, name=name, roles=tuple(role), password=given)
    if as_json:
        emit_json(
            {"tenant": tenant, "name": account.name, "roles": sorted(account.roles)}
            | ({} if given is not None else {"password": password})
        )
        return
    say(f"{account.name} may sign in to {tenant}")
    if given is None:
        say(f"Password, shown only now: {password}")
    next_step(shell("beleg", "serve", "--settings", str(settings)))
