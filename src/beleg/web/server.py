"""Serving the workbench on this machine."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from pathlib import Path

from beleg.app.workbench.installation import Installation
from beleg.core.errors import MissingExtra, UsageError
from beleg.web.settings import LOCAL_HOSTS, WebSettings

TOKEN_BYTES = 24
BACKLOG = 128


def run_server(
    project: Path, *, host: str, port: int, person: str, announce: Callable[..., None], ledger: str | None = None
) -> None:
    """Serves a project until it is interrupted.

    Args:
        project: the folder.
        host: the address to listen on; only this machine's own.
        port: the port; 0 for a free one.
        person: who signs in by the printed address.
        announce: prints lines for a person.
        ledger: the address of the review ledger; one in the project where none is named.

    Raises:
        UsageError: if there is no such folder, or the address or port cannot be used.
        MissingExtra: if the packages of the workbench are not installed.
    """
    if host not in ("127.0.0.1", "localhost", "::1"):
        raise UsageError(
            f"{host} is reached by other machines, and whoever reads the printed address would be let in",
            hint="Listen on 127.0.0.1, and let others in through a tunnel of their own",
        )
    installation = Installation.local(project, ledger=ledger)
    try:
        import uvicorn

        from beleg.web.application import create_app
    except ImportError as error:
        raise MissingExtra("the workbench", "serve") from error
    listening = _listening(host, port)
    port = listening.getsockname()[1]
    settings = WebSettings(
        host=host,
        port=port,
        allowed_hosts=LOCAL_HOSTS,
        start_token=secrets.token_urlsafe(TOKEN_BYTES),
        person=person,
    )
    shown = f"[{host}]" if ":" in host else host
    announce(
        f"The workbench of {project.resolve()} is at http://{shown}:{port}/sign-in?token={settings.start_token}",
        "Stop it with Ctrl+C",
    )
    config = uvicorn.Config(
        create_app(installation, settings), log_level="warning", server_header=False, access_log=False
    )
    uvicorn.Server(config).run(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends at once only on sockets that name TCP; on others each page waits 40 ms for an acknowledgement.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        # From now on a browser waits: whoever opens the printed address at once is not turned away.
        made.listen(BACKLOG)
    except OSError as error:
        made.close()
        raise UsageError(
            f"port {port} of {host} cannot be used: {error.strerror}", hint="Name another one with --port, or 0"
        ) from error
    return made
