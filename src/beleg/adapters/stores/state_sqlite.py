"""What the workbench remembers, in a SQLite file that only its owner may read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from beleg.adapters.stores.database_faults import told
from beleg.adapters.stores.review_sqlite import SqliteLedgerDatabase, claim_file
from beleg.adapters.stores.state_store import STATE, SqlWorkbenchState
from beleg.core.errors import EvidenceError

OWNER_ONLY = 0o600


class SqliteStateDatabase:
    """One file with one writer at a time; readers never wait.

    Args:
        file: the file.
    """

    def __init__(self, file: SqliteLedgerDatabase) -> None:
        self._file = file

    @property
    def name(self) -> str:
        """The file."""
        return self._file.name

    @property
    def engine(self) -> Engine:
        """Its connections."""
        return self._file.engine

    @contextmanager
    def reading(self, tenant: str) -> Iterator[Connection]:
        """A transaction that changes nothing; a file has one owner, so that statements alone keep tenants apart."""
        with self._file.reading() as connection:
            yield connection

    @contextmanager
    def writing(self, tenant: str) -> Iterator[Connection]:
        """A transaction that nobody else writes beside."""
        with self._file.writing() as connection:
            yield connection

    def remedy(self, fault: SQLAlchemyError) -> str:
        """What to do about a fault."""
        if "append-only" in str(fault):
            return "Nothing of an audit log is changed or removed"
        if "malformed" in str(fault) or "not a database" in str(fault):
            return "Move the file away: everybody signs in anew, and tokens are made anew; keep it for its audit log"
        return self._file.remedy(fault)


def open_sqlite_state(path: Path) -> SqlWorkbenchState:
    """Opens the state in a file; where there is none, an empty one is made.

    Raises:
        EvidenceError: if it cannot be opened, is damaged, or belongs to another program.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Made before SQLite does, so that at no moment anybody else may read it.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, OWNER_ONLY))
    except OSError as error:
        raise EvidenceError(
            f"{path} cannot be opened: {error.strerror}", hint="Check that the file and its folder can be written"
        ) from error
    file = SqliteLedgerDatabase(path)
    database = SqliteStateDatabase(file)
    try:
        with told(database, "cannot be opened"):
            claim_file(file, path)
            with file.writing() as connection:
                STATE.upgrade(connection)
    except EvidenceError:
        file.engine.dispose()
        raise
    return SqlWorkbenchState(database)
