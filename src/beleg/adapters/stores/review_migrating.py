"""Bringing the tables of a review ledger to the revision that is understood."""

from __future__ import annotations

import uuid
from pathlib import Path

from sqlalchemy import Connection, MetaData, Table, insert, inspect, select

from beleg.adapters.stores.review_tables import IDENTITY, VERSION_TABLE
from beleg.core.errors import EvidenceError

REVISION = "0001"
"""The revision that this version of Beleg works with."""


def revision_of(connection: Connection) -> str | None:
    """The revision of the tables, ``None`` where there are none."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    table = Table(VERSION_TABLE, MetaData(), autoload_with=connection)
    found = connection.execute(select(table.c.version_num)).scalar_one_or_none()
    return None if found is None else str(found)


def require_revision(connection: Connection, name: str) -> None:
    """Refuses tables of another revision.

    Raises:
        EvidenceError: if there are none, or they are older or newer.
    """
    found = revision_of(connection)
    if found == REVISION:
        return
    if found is None:
        raise EvidenceError(f"{name} holds no review ledger", hint="Make one with: beleg review create --ledger LEDGER")
    raise EvidenceError(
        f"{name} is at revision {found} of the review ledger, and revision {REVISION} is understood",
        hint="Bring it forward with: beleg review create --ledger LEDGER, or use the version of beleg that made it",
    )


def migrate(connection: Connection) -> None:
    """Makes the tables, or brings them forward, and gives the ledger its name; within the caller's transaction.

    Raises:
        EvidenceError: if the tables are newer than what is understood.
    """
    found = revision_of(connection)
    if found is not None and found > REVISION:
        require_revision(connection, "the database")
    if found != REVISION:
        _upgrade(connection)
    if connection.execute(select(IDENTITY.c.ledger)).first() is None:
        connection.execute(insert(IDENTITY).values(number=1, ledger=uuid.uuid4().hex))


def _upgrade(connection: Connection) -> None:
    # Loading Alembic takes longer than a whole append; only a new ledger needs it.
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "review_migrations").replace("%", "%%"))
    script = ScriptDirectory.from_config(config)
    steps = script._upgrade_revs
    with EnvironmentContext(config, script, fn=lambda current, _: steps(REVISION, current)) as environment:
        environment.configure(connection=connection, version_table=VERSION_TABLE)
        environment.run_migrations()
