"""``beleg serve``: the workbench in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import say

EPILOG = "Example: beleg serve my-project"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def serve(
    project: Annotated[Path, typer.Argument(help="Folder of the project, with its runs.")] = Path(),
    settings: Annotated[
        Path | None, typer.Option(help="Serve a team: a file that says which projects, and who may sign in.")
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port to listen on; 0 takes a free one.")] = 8765,
    ledger: Annotated[
        str | None, typer.Option(help="Review ledger: a file or a PostgreSQL address; one in the project by default.")
    ] = None,
    person: Annotated[str, typer.Option(help="Your name, as reviews and overrides will carry it.")] = "local",
    override_key: Annotated[
        list[str] | None,
        typer.Option(help="Owner who signs overrides on the page: NAME=SERVICE:KEY@public.pem; may be given again."),
    ] = None,
) -> None:
    """Look at decisions, runs and cases in the browser, and review claims.

    Without settings it listens on this machine only, and the address that it prints signs you in.
    """
    from beleg.web.server import run_server, run_team_server

    if settings is not None:
        run_team_server(settings, announce=say)
        return
    run_server(
        project, host=host, port=port, person=person, announce=say, ledger=ledger, override_keys=override_key or ()
    )
