"""``beleg workbench``: what a team's workbench needs before people sign in."""

from __future__ import annotations

import typer

from beleg.cli.lazy import LazyGroup

EPILOG = "Example: beleg workbench add-account ada --tenant acme --role admin --settings workbench.yaml"


class WorkbenchGroup(LazyGroup):
    """The commands around a team's workbench."""

    package = "beleg.cli.commands.workbench"
    commands_with_help = {  # noqa: RUF012 - never changed
        "create-state": "Make where sessions, tokens, accounts and the audit log are kept.",
        "add-account": "Make an account; its first password is asked for, or made and shown once.",
    }
    modules = {"create-state": "create_state", "add-account": "add_account"}  # noqa: RUF012 - never changed


app = typer.Typer(
    cls=WorkbenchGroup,
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Prepare the workbench of a team: its state and its first account.",
    epilog=EPILOG,
)


@app.callback()
def workbench() -> None:
    """Prepare the workbench of a team: its state and its first account."""
