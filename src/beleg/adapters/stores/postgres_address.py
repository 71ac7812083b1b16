"""Addresses of PostgreSQL: what one may hold, and how it becomes connections; a password never stands in one."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from typing import Any

from sqlalchemy import URL, Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError

from beleg.adapters.network import require_network
from beleg.core.errors import MissingExtra, UsageError

DRIVERS = ("postgresql", "postgresql+pg8000")
SETTINGS = ("password_env", "unix_sock", "sslmode", "sslrootcert")
LOCAL = ("", "localhost", "127.0.0.1", "::1")
WAIT_S = 60.0
"""How long is waited for a connection."""

KEPT = {"ledger": "review ledger", "state": "workbench state"}
"""What may be kept in a database, by the word that messages use for it."""

_FORM = "Write it as postgresql+pg8000://ROLE@HOST/DATABASE?password_env=VARIABLE, without a password"


def postgres_engine(address: str, environment: Mapping[str, str], what: str, *, connections: int) -> tuple[Engine, str]:
    """Connections to a database.

    Args:
        address: such as ``postgresql+pg8000://ada@db.example/reviews?password_env=REVIEWS_PASSWORD``.
        environment: where the password is looked up.
        what: what is kept there, one of `KEPT`.
        connections: how many are held at most.

    Returns:
        The connections, and the address without password and settings.

    Raises:
        UsageError: if the address cannot be used, or holds a password.
        MissingExtra: if the driver is not installed.
    """
    url = _parsed(address, what)
    try:
        import pg8000  # noqa: F401
    except ImportError as error:
        raise MissingExtra(f"a {KEPT[what]} in PostgreSQL", "postgres") from error
    settings = {str(name): value for name, value in url.query.items()}
    if "unix_sock" not in settings and url.host:
        require_network(f"//{url.host}", f"the {what}")
    variable = settings.get("password_env")
    if variable is not None:
        password = environment.get(str(variable))
        if not password:
            raise UsageError(f"the environment variable {variable} is not set", hint=f"It holds the {what}'s password")
        url = url.set(password=password)
    shown = URL.create("postgresql+pg8000", username=url.username, host=url.host, port=url.port, database=url.database)
    engine = create_engine(
        url.set(drivername="postgresql+pg8000", query={}),
        connect_args=_arguments(url, settings),
        pool_size=connections,
        max_overflow=0,
        pool_timeout=WAIT_S,
        hide_parameters=True,
    )
    return engine, shown.render_as_string()


def _parsed(address: str, what: str) -> URL:
    try:
        url = make_url(address)
    except (ArgumentError, ValueError) as error:
        raise UsageError(f"the address of the {what} cannot be understood", hint=_FORM) from error
    if url.drivername not in DRIVERS:
        raise UsageError(f"the address of the {what} begins with {url.drivername!r}", hint=_FORM)
    if url.password is not None:
        raise UsageError(f"the address of the {what} holds a password, which others could read", hint=_FORM)
    if not url.username or not url.database:
        raise UsageError(f"the address of the {what} names no role or no database", hint=_FORM)
    strange = [name for name, value in url.query.items() if name not in SETTINGS or not isinstance(value, str)]
    if strange:
        raise UsageError(f"the address of the {what} has the setting {strange[0]!r}", hint=f"Known are {SETTINGS}")
    return url


def _arguments(url: URL, settings: Mapping[str, Any]) -> dict[str, Any]:
    if "unix_sock" in settings:
        return {"unix_sock": settings["unix_sock"], "application_name": "beleg"}
    mode = settings.get("sslmode", "disable" if (url.host or "") in LOCAL else "verify-full")
    if mode not in ("disable", "verify-full"):
        raise UsageError(f"sslmode is {mode!r}", hint="Use verify-full, or disable on a network that nobody else is on")
    if mode == "disable":
        return {"ssl_context": False, "application_name": "beleg"}
    try:
        context = ssl.create_default_context(cafile=settings.get("sslrootcert"))
    except OSError as error:
        raise UsageError(f"sslrootcert cannot be read: {error.strerror}", hint="Name a file of certificates") from error
    return {"ssl_context": context, "application_name": "beleg"}
