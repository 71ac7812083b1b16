"""A review ledger in a SQLite file, for one machine."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import SQLAlchemyError

from beleg.adapters.stores.database_faults import told
from beleg.adapters.stores.review_ledger import SqlReviewLedger
from beleg.adapters.stores.review_migrating import REVIEWS, migrate
from beleg.adapters.stores.sqlite_file import APPLICATION_ID
from beleg.core.errors import EvidenceError, UsageError

BUSY_S = 60.0
"""How long is waited for others that write."""

_WRITES = "beleg_writes"


class SqliteLedgerDatabase:
    """One file with one writer at a time; readers never wait.

    Args:
        path: the file.
        is_read_only: whether nothing may be written.
    """

    def __init__(self, path: Path, *, is_read_only: bool = False) -> None:
        self._path = path
        address = f"file:{_quoted(path)}?mode={'ro' if is_read_only else 'rwc'}"
        self._engine = create_engine(
            URL.create("sqlite+pysqlite", database=address, query={"uri": "true"}),
            connect_args={"timeout": BUSY_S},
            hide_parameters=True,
        )
        event.listen(self._engine, "connect", _prepared)
        event.listen(self._engine, "begin", _begun)

    @property
    def name(self) -> str:
        """The file."""
        return str(self._path)

    @property
    def engine(self) -> Engine:
        """Its connections."""
        return self._engine

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for single questions."""
        with self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that nobody else writes beside; it is on the disk when this ends."""
        with self._engine.connect().execution_options(**{_WRITES: True}) as connection, connection.begin():
            yield connection

    def settle(self) -> None:
        """Nothing to do: every commit is forced onto the disk."""

    def remedy(self, fault: SQLAlchemyError) -> str:
        """What to do about a fault."""
        words = str(fault)
        if "append-only" in words:
            return "Nothing of a review ledger is changed or removed; record what you want to say as a new event"
        if "locked" in words or "busy" in words:
            return f"Another process has been writing to it for {BUSY_S:g} s; wait for it, or end it"
        if "readonly" in words or "unable to open" in words:
            return "Check that the file and its folder can be read and written"
        if "full" in words:
            return "Make room on the disk; what was recorded before is whole"
        return "Look for the first broken event with: beleg review verify, and restore the file from a copy"


def open_sqlite_ledger(path: Path, *, is_read_only: bool = False) -> SqlReviewLedger:
    """Opens the ledger in a file; a new file becomes an empty ledger, unless it is only to be read.

    Raises:
        UsageError: if it is only to be read, and there is none.
        EvidenceError: if it cannot be opened, is damaged, or belongs to another program.
    """
    if is_read_only and not path.is_file():
        raise UsageError(f"{path}: there is no review ledger", hint="Name its file with --ledger, or record a verdict")
    if not is_read_only and not path.parent.is_dir():
        raise UsageError(f"{path.parent} is no folder", hint="Make the folder first")
    database = SqliteLedgerDatabase(path, is_read_only=is_read_only)
    try:
        with told(database, "cannot be opened"):
            with database.engine.connect() as connection:
                _require_ours(connection, path)
                is_new = REVIEWS.revision_of(connection) is None
            if is_new and not is_read_only:
                claim_file(database, path)
                with database.writing() as connection:
                    migrate(connection)
            with database.engine.connect() as connection:
                REVIEWS.require(connection, database.name)
        return SqlReviewLedger(database)
    except EvidenceError:
        database.engine.dispose()
        raise


def claim_file(database: SqliteLedgerDatabase, path: Path) -> None:
    """Marks a file as one of ours, with a write-ahead log, unless another program owns it.

    Raises:
        EvidenceError: if it does.
    """
    with database.engine.connect() as connection:
        _require_ours(connection, path)
        dbapi: Any = connection.connection.driver_connection
        connection.rollback()
        dbapi.execute("PRAGMA journal_mode = WAL")
    with database.writing() as connection:
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")


def _require_ours(connection: Connection, path: Path) -> None:
    owner = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
    is_empty = connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar_one() == 0
    if owner != APPLICATION_ID and not (owner == 0 and is_empty):
        raise EvidenceError(f"{path} is a file of another program", hint="Name another file; this one is left as it is")


def _prepared(connection: sqlite3.Connection, _: object) -> None:
    # Transactions are begun below, by name; the driver would begin one only before the first change.
    connection.isolation_level = None
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA recursive_triggers = ON")
    connection.execute("PRAGMA trusted_schema = OFF")


def _begun(connection: Connection) -> None:
    is_writing = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")


def _quoted(path: Path) -> str:
    return path.resolve().as_uri().removeprefix("file://")
