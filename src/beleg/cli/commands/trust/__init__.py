"""``beleg trust``: the file that says whose signature counts."""

from __future__ import annotations

import typer

from beleg.cli.lazy import LazyGroup

EPILOG = "Example: beleg trust new trust.json --gate 'the gate=gate.pub.pem' --owner 'Ada=ada.pub.pem'"


class TrustGroup(LazyGroup):
    """The commands around trust files."""

    package = "beleg.cli.commands.trust"
    commands_with_help = {  # noqa: RUF012 - never changed
        "new": "Write a trust file from public keys, for a root to sign.",
        "sign": "Sign a trust file with the offline root.",
        "show": "Show whose signature counts, for what, where and until when.",
        "revoke": "Write the next version, which takes statements or keys back.",
    }


app = typer.Typer(
    cls=TrustGroup,
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Make, sign, show and renew the file that says whose signature counts.",
    epilog=EPILOG,
)


@app.callback()
def trust() -> None:
    """Make, sign, show and renew the file that says whose signature counts."""
