"""Serving the workbench: a project on this machine to the person who started it, or projects to a team."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from beleg.app.workbench.installation import Installation
from beleg.app.workbench.override_signing import key_of_owner
from beleg.app.workbench.team import load_workbench_settings, open_team
from beleg.core.errors import MissingExtra, UsageError
from beleg.core.workbench_settings import LOOPBACK, WorkbenchSettings
from beleg.web.settings import LOCAL_HOSTS, WebSettings

TOKEN_BYTES = 24
BACKLOG = 128
Announce = Callable[..., None]


def run_server(  # noqa: PLR0913 - what a person may say on the command line
    project: Path,
    *,
    host: str,
    port: int,
    person: str,
    announce: Announce,
    ledger: str | None = None,
    override_keys: Sequence[str] = (),
) -> None:
    """Serves a project until it is interrupted.

    Args:
        project: the folder.
        host: the address to listen on; only this machine's own.
        port: the port; 0 for a free one.
        person: who signs in by the printed address.
        announce: prints lines for a person.
        ledger: the address of the review ledger; one in the project where none is named.
        override_keys: owners with their keys in a key service, each as ``NAME=SERVICE:KEY@public.pem``.

    Raises:
        UsageError: if there is no such folder, or the address or port cannot be used.
        MissingExtra: if the packages of the workbench are not installed.
    """
    if host not in LOOPBACK:
        raise UsageError(
            f"{host} is reached by other machines, and whoever reads the printed address would be let in",
            hint="Listen on 127.0.0.1, or describe who may sign in: beleg serve --settings workbench.yaml",
        )
    installation = Installation.local(project, ledger=ledger, override_keys=dict(map(key_of_owner, override_keys)))
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
    _serve(installation, settings, listening)


def run_team_server(path: Path, *, announce: Announce) -> None:
    """Serves the projects of a settings file to whoever may sign in, until it is interrupted.

    Args:
        path: the settings file.
        announce: prints lines for a person.

    Raises:
        UsageError: if there is no such file, or address, port or state cannot be used.
        ConfigError: if the settings cannot be carried out.
        MissingExtra: if the packages of the workbench are not installed.
    """
    settings = load_workbench_settings(path)
    tls = _tls(settings, path.resolve().parent)
    if not tls and settings.listen_host not in LOOPBACK and not settings.trusted_proxies:
        raise UsageError(
            f"{settings.listen_host} is reached by other machines, and nothing would be encrypted on the way",
            hint="Name certificate and key under tls, or the proxy that holds them under trusted_proxies",
        )
    installation = open_team(settings, path)
    listening = _listening(settings.listen_host, settings.listen_port)
    announce(
        f"The workbench of {', '.join(sorted(settings.tenants))} is at {settings.address}",
        f"It listens on {settings.listen_host} port {listening.getsockname()[1]}; stop it with Ctrl+C",
    )
    proxies = {"proxy_headers": bool(settings.trusted_proxies), "forwarded_allow_ips": [*settings.trusted_proxies]}
    _serve(installation, WebSettings.of_team(settings), listening, **tls, **proxies)


def _tls(settings: WorkbenchSettings, here: Path) -> dict[str, Any]:
    if settings.tls is None:
        return {}
    files = {"ssl_certfile": here / settings.tls.certificate, "ssl_keyfile": here / settings.tls.key}
    for path in files.values():
        if not path.is_file():
            raise UsageError(f"{path} is not there", hint="Name files in PEM under tls: certificate and key")
    return {name: str(path) for name, path in files.items()}


def _serve(installation: Installation, settings: WebSettings, listening: socket.socket, **options: Any) -> None:
    try:
        import uvicorn

        from beleg.web.application import create_app
    except ImportError as error:
        raise MissingExtra("the workbench", "serve") from error
    app = create_app(installation, settings)
    given = {"proxy_headers": False} | options
    config = uvicorn.Config(app, log_level="warning", server_header=False, access_log=False, **given)
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
