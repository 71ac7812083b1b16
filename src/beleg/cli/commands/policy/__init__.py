"""``beleg policy``: look at what a release is held to, before anything is decided by it."""

from __future__ import annotations

import typer

from beleg.cli.lazy import LazyGroup

EPILOG = "Example: beleg policy lint policy.yaml --suite suite/suite.yaml"


class PolicyGroup(LazyGroup):
    """The commands around policies."""

    package = "beleg.cli.commands.policy"
    commands_with_help = {  # noqa: RUF012 - never changed
        "lint": "Find what is wrong or doubtful in a policy, and what a suite is too small to prove.",
        "explain": "Say every rule of a policy in one sentence.",
        "diff": "Name what became looser and what became stricter.",
        "prove": "Show on made-up collapses that every check can block.",
        "register": "Put on record which policy stood before a run.",
        "queue": "List the cases that wait for a person, by owner.",
        "incident": "Record a failed release or an incident for the error budget.",
    }


app = typer.Typer(
    cls=PolicyGroup,
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Look at what a release is held to, before anything is decided by it.",
    epilog=EPILOG,
)


@app.callback()
def policy() -> None:
    """Look at what a release is held to, before anything is decided by it."""
