"""What the workbench of a team remembers, in PostgreSQL 15 or newer, which keeps the tenants apart by its own policies.

Whoever serves has a role that owns no table and may not pass over policies; of the audit log it may add to and read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from beleg.adapters.stores.database_faults import told
from beleg.adapters.stores.postgres_address import postgres_engine
from beleg.adapters.stores.state_store import STATE, SqlWorkbenchState
from beleg.adapters.stores.state_tables import ACCOUNTS, AUDIT, SESSIONS, TOKENS, VERSION_TABLE
from beleg.core.errors import EvidenceError, UsageError

CONNECTIONS = 10
BUSY_MS = 30_000
_CHANGED = (SESSIONS.name, TOKENS.name, ACCOUNTS.name)
_SET_TENANT = text("SELECT set_config('beleg.tenant', :tenant, true)")
_TAKE_TURN = text(
    "SELECT set_config('beleg.tenant', :tenant, true), set_config('lock_timeout', :busy, true), "
    "pg_advisory_xact_lock(hashtextextended('beleg state ' || :tenant, 0))"
)
# Not only what the role is, but whatever it may become by SET ROLE.
_PASSES_OVER = text("SELECT bool_or(rolsuper OR rolbypassrls) FROM pg_roles WHERE pg_has_role(oid, 'MEMBER')")
_OWNS = text("SELECT pg_has_role(relowner, 'MEMBER') FROM pg_class WHERE oid = to_regclass(:table)")
_MAY_CHANGE_AUDIT = text(
    "SELECT has_table_privilege(:table, 'UPDATE') OR has_table_privilege(:table, 'DELETE') "
    "OR has_table_privilege(:table, 'TRUNCATE') OR has_any_column_privilege(:table, 'UPDATE')"
)
_IS_GUARDED = text("SELECT relrowsecurity AND relforcerowsecurity FROM pg_class WHERE oid = to_regclass(:table)")
# A row is there where any permissive policy lets it be; one for other roles alone, such as for reports, does no harm.
_OTHER_POLICY = text(
    "SELECT min(polname::text) FROM pg_policy, unnest(polroles) AS role WHERE polrelid = to_regclass(:table) "
    "AND polpermissive AND polname <> :own AND CASE WHEN role = 0 THEN true ELSE pg_has_role(role, 'MEMBER') END"
)


class PostgresStateDatabase:
    """A database in which every transaction belongs to one tenant.

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
    def reading(self, tenant: str) -> Iterator[Connection]:
        """A transaction in which only the rows of one tenant are there."""
        with self._engine.connect() as connection, connection.begin():
            connection.execute(_SET_TENANT, {"tenant": tenant})
            yield connection

    @contextmanager
    def writing(self, tenant: str) -> Iterator[Connection]:
        """The same, while nobody else writes rows of that tenant."""
        with self._engine.connect() as connection, connection.begin():
            connection.execute(_TAKE_TURN, {"tenant": tenant, "busy": str(BUSY_MS)})
            yield connection

    def remedy(self, fault: SQLAlchemyError) -> str:
        """What to do about a fault."""
        words = str(fault)
        if "permission denied" in words:
            return "Have the owner of the tables grant the role its rights: beleg workbench create-state --grant ROLE"
        if "append-only" in words:
            return "Nothing of an audit log is changed or removed"
        if "authentication" in words:
            return "Check the role, and the variable that password_env names"
        return "Check the address, that the server runs, and that the role may connect"


def open_postgres_state(
    address: str, environment: Mapping[str, str], *, connections: int = CONNECTIONS
) -> SqlWorkbenchState:
    """Opens a state that was created before.

    Args:
        address: such as ``postgresql+pg8000://beleg@db.example/workbench?password_env=WORKBENCH_PASSWORD``.
        environment: where the password is looked up.
        connections: how many are held at most.

    Raises:
        UsageError: if the address cannot be used, or the role could see every tenant or change the audit log.
        EvidenceError: if the database cannot be reached or holds no state.
    """
    database = PostgresStateDatabase(*postgres_engine(address, environment, "state", connections=connections))
    try:
        with told(database, "cannot be opened"), database.engine.connect() as connection:
            STATE.require(connection, database.name)
            _require_bound_role(connection, database.name)
    except (EvidenceError, UsageError):
        database.engine.dispose()
        raise
    return SqlWorkbenchState(database)


def create_postgres_state(address: str, environment: Mapping[str, str], *, grant_to: tuple[str, ...] = ()) -> str:
    """Makes the tables with their policies, or brings them forward, as their owner, and lets other roles serve.

    Args:
        address: as for `open_postgres_state`, with a role that may make tables.
        environment: where the password is looked up.
        grant_to: roles that may serve from then on.

    Returns:
        The address without its settings.

    Raises:
        UsageError: if the address cannot be used, or holds a password.
        EvidenceError: if the database cannot be reached, or a role is not there.
    """
    database = PostgresStateDatabase(*postgres_engine(address, environment, "state", connections=1))
    try:
        with told(database, "cannot be prepared"), database.engine.begin() as connection:
            STATE.upgrade(connection)
            for role in grant_to:
                _grant(connection, role)
    finally:
        database.engine.dispose()
    return database.name


def _grant(connection: Connection, role: str) -> None:
    quoted = connection.dialect.identifier_preparer.quote_identifier(role)
    for table in (*_CHANGED, AUDIT.name, VERSION_TABLE):
        connection.exec_driver_sql(f"REVOKE ALL ON {table} FROM {quoted}")
        connection.exec_driver_sql(f"GRANT SELECT ON {table} TO {quoted}")
    for table in _CHANGED:
        connection.exec_driver_sql(f"GRANT INSERT, UPDATE, DELETE ON {table} TO {quoted}")
    connection.exec_driver_sql(f"GRANT INSERT ON {AUDIT.name} TO {quoted}")


def _require_bound_role(connection: Connection, name: str) -> None:
    hint = "Serve with a role that owns no table and has no BYPASSRLS: beleg workbench create-state --grant ROLE"
    guarded = (*_CHANGED, AUDIT.name)
    owns = any(connection.execute(_OWNS, {"table": table}).scalar_one() for table in guarded)
    if owns or connection.execute(_PASSES_OVER).scalar_one():
        raise UsageError(f"{name}: this role, or one that it may become, could see every tenant", hint=hint)
    if connection.execute(_MAY_CHANGE_AUDIT, {"table": AUDIT.name}).scalar_one():
        raise UsageError(f"{name}: this role may change or remove lines of the audit log", hint=hint)
    for table in guarded:
        if not connection.execute(_IS_GUARDED, {"table": table}).scalar_one():
            raise UsageError(f"{name}: the policies of {table} are switched off", hint="Have its owner switch them on")
        other = connection.execute(_OTHER_POLICY, {"table": table, "own": f"{table}_tenant"}).scalar_one()
        if other is not None:
            raise UsageError(
                f"{name}: the policy {other} of {table} opens rows beside those of one tenant",
                hint="Have its owner drop it, or give it to another role",
            )
