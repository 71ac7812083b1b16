"""``beleg keys``: keys that sign decisions and overrides."""

from __future__ import annotations

import typer

from beleg.cli.lazy import LazyGroup

EPILOG = "Example: beleg keys new keys/gate"


class KeysGroup(LazyGroup):
    """The commands around keys."""

    package = "beleg.cli.commands.keys"
    commands_with_help = {  # noqa: RUF012 - never changed
        "new": "Make a key pair; nothing is overwritten.",
        "show": "Show the id and the public half of a key.",
    }


app = typer.Typer(
    cls=KeysGroup,
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Make and show keys that sign decisions and overrides.",
    epilog=EPILOG,
)


@app.callback()
def keys() -> None:
    """Make and show keys that sign decisions and overrides."""
