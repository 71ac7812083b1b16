"""A review ledger that a team shares, in PostgreSQL 15 or newer.

Whoever records has a role that may insert and select, and nothing else; the tables belong to another role.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from beleg.adapters.stores.database_faults import told
from beleg.adapters.stores.postgres_address import postgres_engine
from beleg.adapters.stores.review_ledger import SqlReviewLedger
from beleg.adapters.stores.review_migrating import REVIEWS, migrate
from beleg.adapters.stores.review_tables import EVENTS, IDENTITY, VERSION_TABLE
from beleg.core.errors import EvidenceError, UsageError

BUSY_MS = 60_000
"""How long is waited for others that write."""
TURN = 0x42454C4547
"""The number of the lock that writers pass on."""
CONNECTIONS = 10

# A role may not lock a table that it can only insert into; a lock by number needs no right. The commit need not wait
# for the disk while others wait for their turn: `settle` does, for all of them together.
_TAKE_TURN = (
    f"SELECT set_config('lock_timeout', '{BUSY_MS}', true), set_config('synchronous_commit', 'off', true), "
    f"pg_advisory_xact_lock({TURN})"
)
# A record of its own whose commit waits for the disk, and with it everything that was committed before.
_FLUSH = "SELECT pg_logical_emit_message(true, 'beleg', '')"
_MAY = text(
    "SELECT has_table_privilege(:table, 'UPDATE') OR has_table_privilege(:table, 'DELETE') "
    "OR has_table_privilege(:table, 'TRUNCATE') OR has_any_column_privilege(:table, 'UPDATE')"
)
_OWNS = text(
    "SELECT bool_or(pg_has_role(relowner, 'MEMBER')) FROM pg_class WHERE oid IN (to_regclass(:one), to_regclass(:two))"
)


class PostgresLedgerDatabase:
    """A database with one writer at a time, whoever connects.

    Args:
        engine: its connections.
        name: its address without password and settings.
    """

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._name = name

    @property
    def name(self) -> str:
        """Its address without password and settings."""
        return self._name

    @property
    def engine(self) -> Engine:
        """Its connections."""
        return self._engine

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for single questions; none of them is worth a transaction of its own."""
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that nobody else writes beside; it survives a loss of power when this ends."""
        with self._engine.connect() as connection, connection.begin():
            connection.exec_driver_sql(_TAKE_TURN)
            yield connection
        self._flush()

    def settle(self) -> None:
        """Forces onto the disk what others committed.

        A server that only follows another one cannot be written, and holds only what the other has on its disk.
        """
        with self.reading() as connection:
            is_follower = connection.exec_driver_sql("SELECT pg_is_in_recovery()").scalar_one()
        if not is_follower:
            self._flush()

    def _flush(self) -> None:
        with self.reading() as connection:
            connection.exec_driver_sql(_FLUSH)

    def remedy(self, fault: SQLAlchemyError) -> str:
        """What to do about a fault."""
        words = str(fault)
        if "permission denied" in words:
            return "Have the owner of the tables grant the role INSERT and SELECT: beleg review create --grant ROLE"
        if "append-only" in words:
            return "Nothing of a review ledger is changed or removed; record what you want to say as a new event"
        if "lock timeout" in words:
            return f"Another session has been writing for {BUSY_MS // 1000} s; wait for it, or end it"
        if "authentication" in words:
            return "Check the role, and the variable that password_env names"
        return "Check the address, that the server runs, and that the role may connect"


def open_postgres_ledger(
    address: str, environment: Mapping[str, str], *, is_read_only: bool = False, connections: int = CONNECTIONS
) -> SqlReviewLedger:
    """Opens a ledger that was created before.

    Args:
        address: such as ``postgresql+pg8000://ada@db.example/reviews?password_env=REVIEWS_PASSWORD``.
        environment: where the password is looked up.
        is_read_only: whether nothing will be written; then any role will do.
        connections: how many are held at most.

    Raises:
        UsageError: if the address cannot be used, or holds a password, or the role may change or remove events.
        EvidenceError: if the database cannot be reached or holds no ledger.
    """
    database = _database(address, environment, connections)
    try:
        with told(database, "cannot be opened"), database.engine.connect() as connection:
            REVIEWS.require(connection, database.name)
            if not is_read_only:
                _require_append_only_role(connection, database.name)
        return SqlReviewLedger(database)
    except (EvidenceError, UsageError):
        database.engine.dispose()
        raise


def create_postgres_ledger(address: str, environment: Mapping[str, str], *, grant_to: tuple[str, ...] = ()) -> str:
    """Makes the tables, or brings them forward, as their owner, and lets other roles record.

    Args:
        address: as for `open_postgres_ledger`, with a role that may make tables.
        environment: where the password is looked up.
        grant_to: roles that get INSERT and SELECT and lose everything else.

    Returns:
        The address without its settings.

    Raises:
        UsageError: if the address cannot be used, or holds a password.
        EvidenceError: if the database cannot be reached, or a role is not there.
    """
    database = _database(address, environment, 1)
    try:
        with told(database, "cannot be prepared"), database.engine.begin() as connection:
            connection.exec_driver_sql(_TAKE_TURN)
            connection.exec_driver_sql("SET LOCAL synchronous_commit = on")
            migrate(connection)
            for role in grant_to:
                _grant(connection, role)
    finally:
        database.engine.dispose()
    return database.name


def _grant(connection: Connection, role: str) -> None:
    quoted = connection.dialect.identifier_preparer.quote_identifier(role)
    for table in (EVENTS.name, IDENTITY.name, VERSION_TABLE):
        connection.exec_driver_sql(f"REVOKE ALL ON {table} FROM {quoted}")
        connection.exec_driver_sql(f"GRANT SELECT ON {table} TO {quoted}")
    connection.exec_driver_sql(f"GRANT INSERT ON {EVENTS.name} TO {quoted}")


def _require_append_only_role(connection: Connection, name: str) -> None:
    may = connection.execute(_MAY, {"table": EVENTS.name}).scalar_one()
    owns = connection.execute(_OWNS, {"one": EVENTS.name, "two": IDENTITY.name}).scalar_one()
    if may or owns:
        raise UsageError(
            f"{name}: this role may change or remove events",
            hint="Record with a role that has INSERT and SELECT only: beleg review create --grant ROLE",
        )


def _database(address: str, environment: Mapping[str, str], connections: int) -> PostgresLedgerDatabase:
    return PostgresLedgerDatabase(*postgres_engine(address, environment, "ledger", connections=connections))
