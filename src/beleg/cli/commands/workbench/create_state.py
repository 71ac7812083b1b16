"""``beleg workbench create-state``: tables with their policies, and who may serve."""

from __future__ import annotations

from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, emit_json, next_step, say

EPILOG = (
    "Example: beleg workbench create-state "
    "'postgresql+pg8000://owner@db.example/workbench?password_env=OWNER_PASSWORD' --grant beleg"
)

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def create_state(
    address: Annotated[str, typer.Argument(help="A file, or an address of PostgreSQL with the role that owns it.")],
    grant: Annotated[
        list[str] | None, typer.Option(help="A role of PostgreSQL that may serve from then on; may be repeated.")
    ] = None,
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Make the tables with their guards and policies, or bring them forward. Nothing that is there is changed."""
    from beleg.app.workbench.state_opening import create_state as create

    name = create(address, grant_to=tuple(grant or ()))
    if as_json:
        emit_json({"state": name, "granted_to": list(grant or ())})
        return
    say(f"The state is ready: {name}")
    next_step("beleg serve --settings workbench.yaml")
