"""Opening what the workbench remembers, by the address that a person gives."""

from __future__ import annotations

import os
from pathlib import Path

from beleg.core.errors import MissingExtra, UsageError
from beleg.core.workbench_state import WorkbenchState

STATE_FILE = Path(".beleg") / "workbench" / "state.db"
"""Where a project on a laptop keeps it."""
POSTGRES = "postgresql"


def open_state(address: str) -> WorkbenchState:
    """Opens a state: a file by its path, or a PostgreSQL database by its address.

    Args:
        address: such as ``state.db`` or ``postgresql+pg8000://beleg@db.example/workbench?password_env=WORKBENCH_PASSWORD``.

    Raises:
        UsageError: if the address cannot be used, or the role of the database may do too much.
        MissingExtra: if the extra ``serve``, or ``postgres`` for a database, is not installed.
        EvidenceError: if it cannot be opened, is damaged, or there is none in the database.
    """
    if _is_address(address):
        try:
            from beleg.adapters.stores.state_postgres import open_postgres_state
        except ImportError as error:
            raise MissingExtra("a workbench state in PostgreSQL", "postgres") from error
        return open_postgres_state(address, os.environ)
    try:
        from beleg.adapters.stores.state_sqlite import open_sqlite_state
    except ImportError as error:
        raise MissingExtra("the workbench", "serve") from error
    return open_sqlite_state(Path(address))


def create_state(address: str, *, grant_to: tuple[str, ...] = ()) -> str:
    """Makes a state, or brings its tables forward.

    Args:
        address: as for `open_state`; in PostgreSQL with the role that is to own the tables.
        grant_to: roles of PostgreSQL that may serve from then on.

    Returns:
        How a message calls it.

    Raises:
        UsageError: if the address cannot be used, or roles are named for a file.
        MissingExtra: if the extra ``serve``, or ``postgres`` for a database, is not installed.
        EvidenceError: if it cannot be made.
    """
    if _is_address(address):
        try:
            from beleg.adapters.stores.state_postgres import create_postgres_state
        except ImportError as error:
            raise MissingExtra("a workbench state in PostgreSQL", "postgres") from error
        return create_postgres_state(address, os.environ, grant_to=grant_to)
    if grant_to:
        raise UsageError("a file knows no roles", hint="Leave --grant out; whoever may write to the file may serve")
    open_state(address).close()
    return address


def _is_address(address: str) -> bool:
    scheme, mark, _ = address.partition("://")
    if mark and not scheme.startswith(POSTGRES):
        raise UsageError(
            f"a state cannot be kept in {scheme}", hint="Name a file, or an address that begins with postgresql://"
        )
    return bool(mark)
